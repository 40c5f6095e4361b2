"""A file of properties as a designer writes it: what it claims, of which game, and where in it something is wrong.

>>> own = written('''{"format": "monjudge-properties/1", "game": "nim", "properties": [{"id": "few", "kind": "invariant",
... "formula": "heap[0] <= 5 and hap[1] <= 5", "en": "No heap grows.", "ja": "山は増えない。"}]}''')
>>> own.game, own.properties[0].id
('nim', 'few')
>>> from monjudge.model.properties import Setting
>>> own.check(Setting(own.game))
Traceback (most recent call last):
monjudge.model.notation.defects.DataError: properties[0].formula: there is no field 'hap'; did you mean 'heap'?
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from monjudge.model.notation.defects import DataError, Defect, Place
from monjudge.model.notation.reading import meant
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import Document, read
from monjudge.model.properties import CARDS, NORMS, Setting
from monjudge.verify.question import FORMAT, Property, ask, canonical, property_of

__all__ = ["Written", "is_properties", "unaskable", "written"]


def is_properties(document: Any) -> bool:
    """Whether plain data say of themselves that they are properties."""
    return isinstance(document, Mapping) and document.get("format") == FORMAT


def unaskable(prop: Property, setting: Setting) -> Sentence | None:
    """Why a property cannot be asked of so many players, or of open cards; None where it can.

    Raises DataError where it cannot be asked of the usual setting either.
    """
    setting = prop.within(setting)
    try:
        ask(prop, setting.scene)
    except DataError as error:
        usual = replace(setting, players=None, open=(*setting.left, *prop.open))
        if usual == setting:
            raise
        ask(prop, usual.scene)
        return error.defects[0].text
    return None


@dataclass(frozen=True)
class Written:
    """A file of properties that is of its form; ``data`` are its canonical data."""

    document: Document
    data: Mapping[str, Any]

    @property
    def game(self) -> str:
        """The game of which it speaks; empty where it does not say."""
        return str(self.data.get("game", ""))

    def agreed(self, named: str | None) -> str:
        """The game that is named, else that of the file; empty where neither is. Raises DataError where they contradict."""
        if self.game and named and self.game != named:
            text = Sentence(f"these are properties of {self.game}, and the game that is asked about is {named}", f"これは {self.game} の性質だが、調べるゲームは {named} である")
            raise self.document.located(DataError([Defect("game", text, "wrong-value")]))
        return named or self.game

    @cached_property
    def properties(self) -> tuple[Property, ...]:
        return tuple(map(property_of, self.data.get("properties", ())))

    def check(self, setting: Setting) -> None:
        """Raises DataError with everything that keeps a property from being asked in a setting, each at its place in the file."""
        found: list[Defect] = []
        for n, prop in enumerate(self.properties):
            try:
                _openable(prop, setting)
                unaskable(prop, setting)
            except DataError as error:
                found += [self._placed(defect, n, prop, setting.switches) for defect in error.defects]
        if found:
            raise self.document.located(DataError(found))

    def _text(self, path: str) -> str:
        """The text at a path of the canonical data."""
        value: Any = self.data
        for word in re.findall(r"[^.\[\]]+", path):
            value = value[int(word)] if isinstance(value, list) else value[word]
        return str(value)

    def _placed(self, defect: Defect, n: int, prop: Property, switches: Collection[str]) -> Defect:
        """A defect of a property as one of the file: the place in a formula becomes that in what is written for it."""
        within = f"{prop.id}."
        path = f"properties[{n}].{defect.path.removeprefix(within) if defect.path.startswith(within) else 'open'}"  # what is open makes the scene
        span = self.document.places.values.get(path)
        if defect.place is None or span is None:
            return replace(defect, path=path, place=None)
        length = defect.place.length
        text = self._text(path)
        at = sum(len(line) + 1 for line in text.split("\n")[: defect.place.line - 1]) + defect.place.column - 1
        if (word := re.match(r"\w*", text[at:])) and word[0] in switches and word[0] not in prop.open:
            defect = replace(defect, text=_closed(word[0], prop))
        form = self.document.text[span[0] : span[1]]
        reached = _reached(form, text, at)
        if reached is None:
            return replace(defect, path=path, place=None)
        return replace(defect, path=path, place=Place(1, reached + 1 - (form[:1] in ("'", '"')), length))


def _openable(prop: Property, setting: Setting) -> None:
    """Raises DataError where a property leaves open what cannot be."""
    known = ("*", CARDS, NORMS, *setting.switches)
    wrong = [(name, *meant(name, known, "there are", "あるのは", most=8)) for name in prop.open if name not in known]
    if wrong:
        raise DataError([Defect(f"{prop.id}.open", Sentence(f"{name!r} cannot be left open{en}", f"{name!r}を開いておくことはできない{ja}"), "unknown-word") for name, en, ja in wrong])


def _closed(switch: str, prop: Property) -> Sentence:
    """How a reading that a formula names is left open."""
    written = f"open: [{', '.join((*prop.open, switch))}]"
    return Sentence(f"{switch} is a reading, and a name only where it is left open: {written}", f"{switch}は読みで、開いておいたときだけ名前になる：{written}")


_OPENING = re.compile(r"[|>][-+0-9]*[ \t]*(#[^\n]*)?\n|['\"]?")
"""With what a text begins that is not plain: a quotation mark, or the sign of a block with its line."""


def _reached(form: str, text: str, at: int) -> int | None:
    """Where in the written form of a text its sign ``at`` stands; None where the form is not the text but for white space.

    >>> _reached('"heap[0]"', "heap[0]", 4), _reached('>-' + chr(10) + '  a and' + chr(10) + '  b', "a and b", 6), _reached('"a' + chr(92) + 'n"', "an", 1)
    (5, 13, None)
    """
    opening = _OPENING.match(form)
    here = opening.end() if opening else 0
    for sign in text[: at + 1]:
        if sign.isspace():
            continue
        while form[here : here + 1].isspace():
            here += 1
        if form[here : here + 1] != sign:
            return None
        here += 1
    return here - 1 if text[at : at + 1].strip() else here


def written(source: str | bytes | Document, file: str = "") -> Written:
    """The file of properties of a YAML or JSON text. Raises DataError with every defect of its form."""
    document = source if isinstance(source, Document) else read(source, file)
    return Written(document, canonical(document))
