"""The examples with which codes are explained: the bad one has the defect, the good one has none."""

from __future__ import annotations

import textwrap

import pytest

from monjudge.model.games import kit, kit_of
from monjudge.model.monjan.notation.fields import PLAYER
from monjudge.model.notation.defects import DataError, codes
from monjudge.model.notation.source import read

KIT = kit("monjan")
HERE = "mc1/t=3/1=b=FLEHEIM;h=F3.sl;m=F3N7,W5;d=,W11:9/2=b=HUNTERS;d=,N13:9"
WITH_EXAMPLES = [name for name, code in codes().items() if code.bad]


def found(text: str) -> set[str]:
    """The codes of everything that is wrong with a line, a move, a state, or what one player has."""
    try:
        if text.startswith("mc"):
            KIT.position(text)
        elif text[:2] == "1:" or text.split()[0] in ("mana", "draw"):
            KIT.move(KIT.position(HERE), text)
        else:
            if text.split(":")[0] in PLAYER:
                text = "players:\n  1:\n" + textwrap.indent(text, "    ")
            data = read(text).data
            return {d.code for d in KIT.defects(kit_of(data).position(data))}
    except DataError as error:
        return {d.code for d in error.defects}
    return set()


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_bad_example_has_the_defect_and_the_good_one_has_none(name: str) -> None:
    code = codes()[name]
    assert found(code.bad) == {name}
    assert found(code.good) == set()
