"""Setting a table (R.DECK.*, R.SETUP.*): the setting of a match of two decks, and the rule set that begins with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from monjudge.model.language import RuleSet
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import Card, Catalogue
from monjudge.model.rancher.decks import deck_defects
from monjudge.model.rancher.match import Setting
from monjudge.model.rancher.rules import rancher

__all__ = ["start", "table"]


def table(
    decks: Sequence[Mapping[Card, int]], readings: Mapping[str, str] | None = None, *,
    open: Iterable[str] = (), youngest: int = 0, slots: int = 8,
) -> Setting:  # fmt: skip
    """The setting of a whole match with these decks, in the order of the seats; ``youngest`` goes first (R.SETUP.5).

    Raises DataError listing everything that forbids a deck, and every reading that does not exist.
    """
    if len(decks) != 2:
        en = f"R.META.4: how {len(decks)} play is undetermined by the text: it says that a separate rule exists, and not which"
        ja = f"R.META.4：{len(decks)}人での遊び方は本文からは決まらない。別のルールがあるとだけ書かれている"
        raise DataError([Defect("decks", Sentence(en, ja), clause="R.META.4")])
    defects = [
        Defect(f"decks[{p}]{d.path}", d.text, d.code, clause=d.clause) for p, deck in enumerate(decks) for d in deck_defects(deck)
    ]
    if defects:
        raise DataError(defects)
    catalogue = Catalogue([*decks[0], *decks[1]])
    return Setting(catalogue, (decks[0], decks[1]), youngest, dict(readings or {}), frozenset(open), slots)


def start(setting: Setting) -> RuleSet:
    """The rule set of a table; its start is the position before the monsters are chosen."""
    return rancher(setting)
