"""The picture of a position: the arena between the players, their monsters with what is on them, hands and heaps.

With a ``viewer``, a cell that the rule set's observation hides from that player is never read,
except to count the cards of a hand or library, which lie on the table for everybody to count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from monjudge.model.language import RuleSet, State
from monjudge.model.notation.picture import NOTHING, Area, Arrow, Counter, Picture, Piece, Suit, Zone
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.sight import seen
from monjudge.model.rancher.cards import STAT, Card, Catalogue
from monjudge.model.rancher.catalogue.packs import Entry
from monjudge.model.rancher.match import LAID, ROW, SQUARES, STEP
from monjudge.model.rancher.notation.names import Names

__all__ = ["PALETTE", "picture"]

PALETTE = (
    Suit("MONSTER", Sentence("Monster", "モンスター"), "M", "モ", "#3f7d3a", "rising"),
    Suit("TRAINING", Sentence("Training", "トレーニング"), "T", "ト", "#2a6fc9", "waves"),
    Suit("ATTACHMENT", Sentence("Attachment", "アタッチメント"), "A", "ア", "#8b5a2b", "bricks"),
    Suit("EVENT", Sentence("Event", "イベント"), "E", "イ", "#e3b505", "dots"),
    Suit("BATTLE", Sentence("Battle", "バトル"), "B", "バ", "#d13a2f", "plain"),
    Suit("1", Sentence("Player 1's monster", "プレイヤー1のモンスター"), "P1", "P1", "#b3402a", "rising"),
    Suit("2", Sentence("Player 2's monster", "プレイヤー2のモンスター"), "P2", "P2", "#2a6fc9", "dots"),
)
"""The types of cards by their letters, and the players in the arena."""

ACROSS = 5
"""Monsters in a row."""

_ICONS = {"CHARGE": Sentence("C", "前"), "RETREAT": Sentence("R", "退"), "HOLD": Sentence("H", "待"), "SHOVE": Sentence("S", "突")}
_LIES = {"battle": Sentence("Battle", "バトル"), "course": Sentence("Training", "トレーニング"), "judged": Sentence("Judgement", "判定")}
_HEAPS = {
    "away": Sentence("Cards of orders", "指示に出したカード"), "covered": Sentence("Face down", "伏せたカード"),
    "discard": Sentence("Discard", "捨て札"), "removed": Sentence("Removed", "除外"),
}  # fmt: skip
_HIDDEN = Sentence("face-down card", "伏せたカード")


def picture(rules: RuleSet, state: State, catalogue: Catalogue, entries: Mapping[str, Entry], viewer: int | None = None) -> Picture:
    """The picture of a settled state, all of it, or what the ``viewer`` (a seat from 0) may know; ``entries`` name the cards."""
    table = _Table(rules, state, catalogue, entries, viewer)
    title = Sentence(rules.en or rules.name, rules.ja or rules.name)
    areas = (table.area(0), table.area(1), table.arena())
    return Picture(title, areas, PALETTE, tuple(table.header()), tuple(table.captions()), tuple(table.arrows()))


@dataclass
class _Table:
    """One position being drawn."""

    rules: RuleSet
    state: State
    catalogue: Catalogue
    entries: Mapping[str, Entry]
    viewer: int | None

    def cell(self, name: str, *indices: int) -> int | None:
        return seen(self.rules, self.state, self.viewer, name, *indices)

    def open(self, name: str, *indices: int) -> int:
        """The value of a cell; 0 where it is hidden."""
        return self.cell(name, *indices) or 0

    def total(self, name: str, p: int) -> int:
        """How many cards a hand or pile holds, which everybody may count."""
        return sum(self.state[self.rules.cell(name, p, k)] for k in range(1, len(self.catalogue)))

    # -- pieces ------------------------------------------------------------------------------------

    def card_name(self, card: Card) -> Sentence:
        entry = self.entries.get(card.name)
        return entry.name if entry else Sentence(card.name, card.name)

    def piece(self, key: str, number: int | None, *, count: int = 1, face: bool = True) -> Piece:
        """The card of a number with its pull number and icon; a face-down card where the number is not to be known."""
        if number is None:
            return Piece(key, _HIDDEN, count=count, down=True, hidden=True)
        card = self.catalogue.cards[number]
        name = self.card_name(card)
        return Piece(key, name, str(card.pull) if face else "", card.type, label=name, note=_ICONS[card.icon] if face else NOTHING, count=count)

    def counted(self, name: str, key: str, p: int) -> tuple[Piece, ...]:
        """The cards of a hand or heap, equal ones together; as many face-down ones where they are hidden."""
        amounts = {k: self.cell(name, p, k) for k in range(1, len(self.catalogue))}
        if None in amounts.values():
            total = self.total(name, p)
            return (self.piece(f"{key}.hidden", None, count=total),) if total else ()
        # Places are counted: the number of a kind would tell what other cards the catalogue has.
        here = [(k, n) for k, n in amounts.items() if n]
        return tuple(self.piece(f"{key}.{place}", k, count=n) for place, (k, n) in enumerate(here, 1))

    def attached(self, name: str, key: str, *first: int) -> tuple[Piece, ...]:
        """The training or attachments on a monster or player."""
        kinds = self.catalogue.numbers("TRAINING" if name == "training" else "ATTACHMENT")
        found = {k: self.open(name, *first, n) for n, k in enumerate(kinds)}
        return tuple(self.piece(f"{key}.{k}", k, count=n, face=False) for k, n in found.items() if n)

    # -- players -----------------------------------------------------------------------------------

    def area(self, p: int) -> Area:
        """Everything of one player."""
        key = f"{p + 1}"
        slots = self.rules.family_named["monster"].dims[1]
        zones = [zone for s in range(slots) if (zone := self.monster(p, s)) is not None]
        zones += [zone for zone in self.rows(p) if zone.pieces]
        zones.append(Zone(f"{key}.hand", Sentence("Hand", "手札"), 6 + len(_HEAPS), 0, "fan", self.counted("hand", f"{key}.hand", p),
                          size=self.total("hand", p), span=ACROSS))  # fmt: skip
        title = Sentence(f"Player {p + 1}", f"プレイヤー{p + 1}")
        tags = frozenset(["turn"] if self.decides() == p else [])
        return Area(key, title, tuple(zones), tuple(self.counters(p)), p, tags=tags)

    def monster(self, p: int, s: int) -> Zone | None:
        """A monster with its cards; None where there is none to be seen."""
        number = self.open("monster", p, s)
        if not number:
            return None
        key = f"{p + 1}.m{s + 1}"
        on = (*self.attached("gear", f"{key}.gear", p, s), *self.attached("training", f"{key}.training", p, s))
        active = self.open("active", p) == s
        notes = [text for text, holds in (
            (Sentence("active", "アクティブ"), active), (Sentence("injured", "負傷"), self.open("injured", p, s)),
            (Sentence("fought", "戦闘済み"), not active and self.open("fought", p, s)),
            (Sentence("new", "登場"), not self.open("present", p, s) and not self.open("injured", p, s)),
        ) if holds]  # fmt: skip
        note = Sentence(", ".join(n.en for n in notes), "・".join(n.ja for n in notes))
        title = Sentence(f"Monster {s + 1}", f"モンスター{s + 1}")
        return Zone(key, title, s // ACROSS, s % ACROSS, "stack", (*on, self.piece(key, number)), note)

    def rows(self, p: int) -> Iterator[Zone]:
        """What lies in rows: attachments on the player, laid out cards, side cards, heaps."""
        key = f"{p + 1}"
        shown = tuple(self.piece(f"{key}.shown.{i}", n) for i in range(LAID) if (n := self.cell("shown", p, i)) != 0)
        yield Zone(f"{key}.kit", Sentence("On the player", "プレイヤーの装備"), 3, 0, "fan", self.attached("kit", f"{key}.kit", p), span=ACROSS)
        yield Zone(f"{key}.shown", Sentence("Laid out", "公開したカード"), 4, 0, "fan", shown, span=ACROSS)
        side = tuple(self.piece(f"{key}.side.{i}", n) for i in range(ROW) if (n := self.open("side_card", p, i)))
        unseen = self.open("side", p) - len(side)
        side += (self.piece(f"{key}.side.hidden", None, count=unseen),) if unseen > 0 else ()
        yield Zone(f"{key}.side", Sentence("Beside the arena", "闘技場の脇"), 5, 0, "fan", side, span=ACROSS)
        for row, (name, title) in enumerate(_HEAPS.items(), 6):
            if name in self.rules.family_named:
                pieces = self.counted(name, f"{key}.{name}", p)
                yield Zone(f"{key}.{name}", title, row, 0, "list", pieces, size=sum(piece.count for piece in pieces), span=ACROSS)

    def counters(self, p: int) -> Iterator[Counter]:
        def figure(name: str, title: Sentence, value: object) -> Counter:
            return Counter(f"{p + 1}.{name}", title, Sentence(str(value), str(value)))

        yield figure("fame", Sentence("Fame", "名声"), self.open("fame", p))
        yield figure("library", Sentence("Library", "山札"), self.total("library", p) - max(0, self.unseen(p)))
        for name, title in (("due", Sentence("Draws", "引く枚数")), ("owes", Sentence("Discards", "捨てる枚数"))):
            if n := self.open(name, p):
                yield figure(name, title, n)

    def unseen(self, p: int) -> int:
        """Side cards that are still counted with the library."""
        return self.open("side", p) - sum(self.state[self.rules.cell("side_card", p, i)] > 0 for i in range(ROW))

    def decides(self) -> int:
        """Who has to decide, as far as the table shows it; nobody while cards are to be drawn."""
        if any(self.open("due", p) for p in range(2)):
            return -1
        return self.open("asked" if self.open("window") else "word")

    # -- the arena ---------------------------------------------------------------------------------

    def arena(self) -> Area:
        """The five squares, and the Battle card that is fought."""
        squares = {self.open("square", p): p for p in range(2) if self.open("square", p)}
        pieces = []
        for square in range(1, SQUARES + 1):
            key, text = f"arena.{square}", Sentence(str(square), str(square))
            if square in squares:
                p = squares[square]
                slot = self.open("active", p)
                name = self.card_name(self.catalogue.cards[self.open("monster", p, slot)]) if slot >= 0 else PALETTE[5 + p].name
                pieces.append(Piece(key, Sentence(f"square {square}: {name.en}", f"マス{square}：{name.ja}"), suit=f"{p + 1}", label=name))
            else:
                pieces.append(Piece(key, Sentence(f"square {square}: empty", f"マス{square}：空き"), label=text))
        zones = [Zone("arena", Sentence("Arena", "闘技場"), 0, 0, "grid", tuple(pieces), width=SQUARES, span=len(_LIES))]
        for field, title in _LIES.items():
            if number := self.open(field):
                zones.append(Zone(field, title, 1, len(zones) - 1, "slot", (self.piece(f"{field}.card", number),)))
        return Area("table", Sentence("Table", "場"), tuple(zones))

    def header(self) -> Iterator[Sentence]:
        from monjudge.model.rancher.notation.facts import STEPS

        turn = self.open("turn")
        yield Sentence(f"Turn {turn}", f"{turn}ターン目")
        yield STEPS[STEP.labels[self.open("step")]]
        yield Sentence(f"First: player {self.open('first') + 1}", f"先攻：プレイヤー{self.open('first') + 1}")

    def captions(self) -> Iterator[Sentence]:
        for p in range(2):
            if self.open("square", p):
                damage = f"{self.open('damage', p) / 2:g}"
                yield Sentence(f"Player {p + 1}'s monster in the arena: damage {damage}", f"闘技場のプレイヤー{p + 1}のモンスター：ダメージ{damage}")
        if (attacker := self.attacker) is not None:
            name = Names(tuple(self.entries.values())).technique_said(self.catalogue, self.open("technique"))
            yield Sentence(f"Player {attacker + 1} attacks: {name.en}", f"プレイヤー{attacker + 1}の攻撃：{name.ja}")
        boosts = [(p, x, n) for p in range(2) for x in range(STAT.size) if (n := self.open("boost", p, x))]
        for p, x, n in boosts:
            yield Sentence(f"Player {p + 1}, this turn: {STAT.labels[x]} {n:+}", f"プレイヤー{p + 1}、このターン：{_STATS[STAT.labels[x]]}{n:+}")
        if self.viewer is not None:
            yield Sentence(f"As player {self.viewer + 1} sees it", f"プレイヤー{self.viewer + 1}から見た盤面")

    def arrows(self) -> Iterator[Arrow]:
        """From the monster that attacks to the other one."""
        squares = [self.open("square", p) for p in range(2)]
        if (attacker := self.attacker) is not None and 0 not in squares:
            yield Arrow(f"arena.{squares[attacker]}", f"arena.{squares[1 - attacker]}")

    @property
    def attacker(self) -> int | None:
        """Who attacks with the technique of the position."""
        if self.open("technique") < 0 or self.open("step") not in (STEP.ADD, STEP.PARRY, STEP.HIT):
            return None
        word = self.open("word")
        return word if self.open("step") == STEP.ADD else 1 - word


_STATS = {"power": "力", "intelligence": "賢さ", "speed": "速さ", "defence": "守り", "life": "ライフ"}
