"""The words of a picture: what is written on a piece in a few letters, and what a screen reader says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from monjudge.model.notation.picture import Area, Picture, Piece, Suit, Zone
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.glyphs import printable

__all__ = ["Lang", "code", "described", "figures", "letter", "said", "said_zone", "words"]

Lang = Literal["en", "ja"]

_TAGS = {
    "spent": Sentence("spent", "消費済み"),
    "holds": Sentence("holds the Extra card", "エキストラカードの召喚条件"),
    "used": Sentence("used again", "再使用"),
    "fallen": Sentence("fallen", "倒された"),
    "open": Sentence("skill may be used", "スキル使用可"),
    "screened": Sentence("not to be seen", "見えない"),
    "turn": Sentence("has to decide", "手番"),
    "out": Sentence("out", "脱落"),
}
_DOWN = Sentence("face down", "裏向き")
_EMPTY = Sentence("empty", "なし")


def words(sentence: Sentence, lang: Lang) -> str:
    """The sentence in the language, safe to show."""
    return printable(sentence.ja if lang == "ja" else sentence.en)


def letter(suit: Suit, lang: Lang) -> str:
    """The one character of a suit."""
    return suit.kanji if lang == "ja" else suit.letter


def code(piece: Piece, suits: Mapping[str, Suit], lang: Lang) -> str:
    """What stands in the corner of a piece: ``F7`` or ``火7``, ``T6``; a question mark where it is hidden."""
    if piece.hidden:
        return "?"
    sort = letter(suits[piece.suit], lang) if piece.suit else words(piece.mark, lang)
    return sort + printable(piece.face)


def said(piece: Piece, lang: Lang) -> str:
    """The piece in full."""
    also = [words(piece.note, lang)] if piece.note.en and not piece.hidden else []
    also += [words(_DOWN, lang)] if piece.down and not piece.hidden and "wild" not in piece.tags else []
    also += [words(_TAGS[tag], lang) for tag in sorted(piece.tags) if tag in _TAGS]
    many = f" ×{piece.count}" if piece.count > 1 else ""
    return words(piece.name, lang) + many + (f" ({', '.join(also)})" if also else "")


def said_zone(zone: Zone, lang: Lang) -> str:
    """A zone with all that lies in it, from the bottom."""
    bare = zone.style == "pile" or zone.tags & {"fallen", "screened"}
    parts = [said(piece, lang) for piece in zone.pieces] or ([] if bare else [words(_EMPTY, lang)])
    if zone.style == "pile":
        parts.insert(0, "?" if zone.size is None else str(zone.size))
    if zone.life is not None:
        parts.append(f"{'ライフ' if lang == 'ja' else 'life'} {zone.life}")
    parts += [words(zone.note, lang)] if zone.note.en else []
    parts += [words(_TAGS[tag], lang) for tag in sorted(zone.tags) if tag in _TAGS]
    title = words(zone.title, lang)
    return ", ".join(parts) if not title else f"{title}: {', '.join(parts)}"


def figures(area: Area, lang: Lang) -> str:
    """The counters beside a board."""
    return " · ".join(f"{words(c.title, lang)} {words(c.value, lang)}" for c in area.counters)


def described(picture: Picture, lang: Lang) -> str:
    """The whole position in sentences, for somebody who cannot see it."""

    def sentences() -> Iterator[str]:
        yield from (words(s, lang) for s in picture.header)
        for area in picture.areas:
            tags = [words(_TAGS[tag], lang) for tag in sorted(area.tags) if tag in _TAGS]
            about = [words(area.title, lang), words(area.subtitle, lang), figures(area, lang), *tags]
            full = [said_zone(z, lang) for z in area.zones if z.pieces or z.tags or z.style == "pile"]
            yield " – ".join(filter(None, (", ".join(filter(None, about)), "; ".join(full))))
        yield from (words(s, lang) for s in picture.captions)

    return ". ".join(sentences()) + "."
