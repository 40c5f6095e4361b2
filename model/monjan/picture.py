"""The picture of a Monjan position: the status boards with what lies on them, beside them and in the hands.

Column 0 of an area holds the Extra zone, 1 to 3 the columns of the board, 4 what lies outside it.
With a ``viewer``, a cell that the rule set's observation hides from that player is never read,
except to count the cards of a hand, which lie on the table for everybody to count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from monjudge.model.language import RuleSet, State
from monjudge.model.monjan.boards import PRINTED, SKILL, Board
from monjudge.model.monjan.cards import NO_ELEMENT, Card, Catalogue
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import ABOVE, OUTSIDE, PENDING, PHASE, STEP
from monjudge.model.notation.picture import NOTHING, Area, Arrow, Counter, Picture, Piece, Suit, Zone
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.sight import seen

__all__ = ["PALETTE", "picture", "place_of_guard", "place_of_source"]

COLUMNS = ("L", "C", "R")
_SIDE = (Sentence("L", "左"), Sentence("C", "中"), Sentence("R", "右"))
MOST_LIFE = 16
"""BOSS.16: the life track ends there."""

PALETTE = (
    Suit("F", Sentence("Fire", "火"), "F", "火", "#d13a2f", "rising"),
    Suit("W", Sentence("Water", "水"), "W", "水", "#2a6fc9", "waves"),
    Suit("E", Sentence("Earth", "地"), "E", "地", "#8b5a2b", "bricks"),
    Suit("A", Sentence("Wind", "風"), "A", "風", "#e3b505", "dots"),
    Suit("N", Sentence("None", "無"), "N", "無", "#80868f", "plain"),
)
"""ELEM.3: fire red, water blue, earth brown, wind yellow, none grey; in the order of ``cards.ELEMENT``."""

_PHASES = {
    "DEAL": Sentence("Dealing", "配札"), "DRAFT": Sentence("Picking initial equipment", "初期装備の選択"),
    "EDIT": Sentence("Edit turn", "編集ターン"), "BATTLE": Sentence("Battle turn", "バトルターン"),
    "CLEANUP": Sentence("Clean-up", "バトル後の片付け"), "OVER": Sentence("The match is over", "終局"),
}  # fmt: skip
_STEPS = {
    "W_START": Sentence("before the first attack", "最初の攻撃の前"), "W_BEFORE": Sentence("before the attack", "攻撃の前"),
    "DECLARE": Sentence("declaring an attack", "攻撃の宣言"), "W_DECLARED": Sentence("after the declaration", "宣言の後"),
    "GUARD": Sentence("choosing a guard", "ガードの選択"), "W_GUARDED": Sentence("after the guard", "ガードの後"),
    "HIT": Sentence("damage", "ダメージ"), "W_RESCUE": Sentence("life has become zero", "ライフがゼロになった時"),
    "W_DAMAGE": Sentence("after the damage", "ダメージの後"),
    "GUARD_BACK": Sentence("answering the damage", "返しのダメージ"), "STEP_OVER": Sentence("the attack is over", "攻撃の終わり"),
}  # fmt: skip
_WAITS = {
    "DRAW": Sentence("a card is drawn", "カードを引く"), "BOSS_ONCE": Sentence("a boss card is turned up", "ボスアサカードをめくる"),
    "BOSS_STAY": Sentence("a boss card is turned up", "ボスアサカードをめくる"), "LOT": Sentence("lots are drawn", "順番のくじを引く"),
}  # fmt: skip
_DIE = Sentence("the die is rolled", "サイコロを振る")
_MARKS = {
    "EXTRA": (Sentence("Ex", "E"), Sentence("Extra card", "エキストラカード")),
    "TOUGHNESS": (Sentence("T", "T"), Sentence("Toughness card", "タフネスカード")),
    "BOSS": (Sentence("Boss", "ボス"), Sentence("boss", "ボスカード")),
    "ASSASSIN": (Sentence("Asn", "刺客"), Sentence("assassin", "アサシンカード")),
}  # fmt: skip
_ANY = {
    Card("ANY", name="*"): Sentence("Elements", "エレメンツ"), Card("ANY", name="m"): Sentence("unknown card", "わからないカード"),
    Card("ANY", name="token"): Sentence("marker", "目印"),
}  # fmt: skip
_HIDDEN = Sentence("face-down card", "伏せたカード")
_UNKNOWN = Sentence("not to be seen", "見えない")
_ORDER = ("NUMBER", "PLUS", "KILL", "PLAIN", "ANY", "TOUGHNESS", "EXTRA", "BOSS", "ASSASSIN")

_ROWS = {"D": "defence", "A": "attack", "O": "outside", "U": "above"}
_GUARDS = ("DL", "DC", "DR", "AL", "AC", "AR", "EX", "U0", "U1", "U2", "U3")
_SOURCES = ("AL", "AC", "AR", "EX", "O0", "O1", "U0", "U1", "U2", "U3")


def place_of_source(player: int, source: int) -> str:
    """The key of the place that an attack comes from (``match.SOURCE``).

    >>> place_of_source(0, 1)
    '1.C.attack'
    """
    return _place(player, _SOURCES[source])


def place_of_guard(player: int, guard: int) -> str:
    """The key of the place that guards (``battle.GUARD``)."""
    return _place(player, _GUARDS[guard])


def _place(player: int, code: str) -> str:
    if code == "EX":
        return f"{player + 1}.extra"
    row, where = _ROWS[code[0]], code[1]
    return f"{player + 1}.{where}.{row}" if where in COLUMNS else f"{player + 1}.{row}.{where}"


def picture(
    rules: RuleSet, state: State, catalogue: Catalogue, names: Sequence[str] = (), viewer: int | None = None, *,
    boards: Sequence[Board] = (), words: Mapping[Card, Sentence] | None = None,
) -> Picture:  # fmt: skip
    """The picture of a settled state of 2-4 players, all of it, or what the ``viewer`` (a seat from 0) may know.

    ``names`` are the players', ``boards`` theirs in order of seats (maxima and skills are left out where they are
    neither given nor fields of the rule set), ``words`` the names of cards where they are not of the default pack.
    """
    known = tuple(PRINTED.get(b.name, b) if not b.en else b for b in boards)
    table = _Table(rules, state, catalogue, tuple(names), viewer, known, _words(words))
    areas = (*(table.area(p) for p in range(rules.players)), table.piles())
    title = Sentence(rules.en or rules.name, rules.ja or rules.name)
    return Picture(title, areas, PALETTE, tuple(table.header()), tuple(table.captions()), tuple(table.arrows(areas)))


def _words(given: Mapping[Card, Sentence] | None) -> dict[Card, Sentence]:
    pack = {entry.card: Sentence(entry.name.en, entry.name.ja) for entry in default_pack().entries if entry.name}
    return {**_ANY, **pack, **(given or {})}


@dataclass
class _Table:
    """One position being drawn."""

    rules: RuleSet
    state: State
    catalogue: Catalogue
    names: tuple[str, ...]
    viewer: int | None
    boards: tuple[Board, ...]
    words: dict[Card, Sentence]

    # -- cells -------------------------------------------------------------------------------------

    def cell(self, name: str, *indices: int) -> int | None:
        """The value of a cell; None where the viewer may not know it, 0 where the rule set has no such field."""
        return seen(self.rules, self.state, self.viewer, name, *indices)

    def open(self, name: str, *indices: int) -> int:
        """The value of a cell; 0 where it is hidden."""
        return self.cell(name, *indices) or 0

    def total(self, name: str, *first: int) -> int:
        """How many cards a hand or pile holds, which everybody may count."""
        return sum(self.state[self.rules.cell(name, *first, k)] for k in range(1, len(self.catalogue)))

    def player(self, p: int) -> Sentence:
        if p < len(self.names) and self.names[p]:
            return Sentence(self.names[p], self.names[p])
        return Sentence(f"Player {p + 1}", f"プレイヤー{p + 1}")

    # -- pieces ------------------------------------------------------------------------------------

    def piece(self, key: str, number: int | None, *, count: int = 1, down: bool = False, tags: Iterable[str] = ()) -> Piece:
        """The card of a number; a face-down card where the number is not to be known."""
        if number is None:
            return Piece(key, _HIDDEN, count=count, down=True, hidden=True, tags=frozenset(tags))
        card = self.catalogue.cards[number]
        name = self.card_name(card)
        suit = PALETTE[card.element].key if card.element < NO_ELEMENT else ""
        mark = _MARKS.get(card.kind, (NOTHING, NOTHING))[0]
        label = self.words.get(card, Sentence(card.name, card.name)) if card.kind in ("EXTRA", "TOUGHNESS") else NOTHING
        panels = tuple(PALETTE[e].key for e in card.pair) if card.pair else ()
        return Piece(key, name, _face(card), suit, mark, label, _note(card), panels, count, down, False, frozenset(tags))

    def card_name(self, card: Card) -> Sentence:
        """The card in full."""
        if card.element < NO_ELEMENT:
            suit = PALETTE[card.element].name
            face = {"KILL": Sentence("Kill", "キル"), "PLAIN": Sentence("battle card", "バトルカード")}.get(card.kind)
            en, ja = face or Sentence(_face(card), _face(card))
            return Sentence(f"{suit.en} {en}", f"{suit.ja}{ja}")
        _, sort = _MARKS.get(card.kind, (NOTHING, NOTHING))
        name = self.words.get(card, Sentence(card.name, card.name))
        shown = "" if card.kind == "ANY" else _face(card)
        return Sentence(*(" ".join(filter(None, (s, n, shown))) for s, n in zip(sort, name, strict=True)))

    def one(self, name: str, key: str, *indices: int, down: str = "", tags: Iterable[str] = ()) -> tuple[Piece, ...]:
        """The card of a single place, or none."""
        number = self.cell(name, *indices)
        # What lies face down is seen to lie there; a screened place, whose flag is hidden too, tells not even that.
        lies = bool(down and self.open(down, *indices) and self.state[self.rules.cell(name, *indices)])
        if number == 0 or (number is None and not lies):
            return ()
        return (self.piece(key, number, down=lies, tags=tags),)

    def counted(self, name: str, key: str, *first: int) -> tuple[Piece, ...]:
        """The cards of a hand or heap, sorted, equal ones together; as many face-down ones where they are hidden."""
        numbers = range(1, len(self.catalogue))
        amounts = {k: self.cell(name, *first, k) for k in numbers}
        if None in amounts.values():
            total = self.total(name, *first)
            return (self.piece(f"{key}.hidden", None, count=total),) if total else ()
        cards = self.catalogue.cards
        order = sorted(numbers, key=lambda k: (_ORDER.index(cards[k].kind), cards[k].element, cards[k].value, k))
        # Places are counted: the number of a kind would tell what other cards the catalogue has.
        here = [(k, n) for k in order if (n := amounts[k])]
        return tuple(self.piece(f"{key}.{place}", k, count=n) for place, (k, n) in enumerate(here, 1))

    # -- zones -------------------------------------------------------------------------------------

    def area(self, p: int) -> Area:
        """Everything of one player."""
        key = f"{p + 1}"
        zones = [zone for c in range(3) for zone in (self.attack(p, c), self.defence(p, c), self.mana(p, c))]
        extra = self.one("extra", f"{key}.extra", p, down="extra_down")
        outside = tuple(piece for i in range(OUTSIDE) for piece in self.one(
            "outside", f"{key}.outside.{i}", p, i, down="outside_down",
            tags=["used"] if self.open("reused", p, i) else []))  # fmt: skip
        above = tuple(piece for i in range(ABOVE) for piece in self.one("above", f"{key}.above.{i}", p, i))
        zones += [
            Zone(f"{key}.extra", Sentence("Extra", "エキストラ"), 0, 0, pieces=extra, note=self.summoned(p)),
            Zone(f"{key}.outside", Sentence("Outside", "ボード外"), 0, 4, "fan", outside),
            Zone(f"{key}.above", Sentence("Ritual cards", "儀式のカード"), 1, 4, "fan", above),
            self.heap("discard", key, Sentence("Discard", "捨て札"), p),
            Zone(f"{key}.hand", Sentence("Hand", "手札"), 3, 0, "fan", self.counted("hand", f"{key}.hand", p),
                 size=self.total("hand", p), span=5),
        ]  # fmt: skip
        if not above:
            zones = [zone for zone in zones if zone.key != f"{key}.above"]
        board = self.boards[p] if p < len(self.boards) else None
        named = board is not None and board.name
        subtitle = Sentence(board.en or board.name, board.ja or board.name) if board and named else NOTHING
        return Area(key, self.player(p), tuple(zones), tuple(self.counters(p)), p, subtitle, frozenset(self.tags(p)))

    def heap(self, name: str, key: str, title: Sentence, p: int) -> Zone:
        screened = None in (self.cell(name, p, k) for k in range(1, len(self.catalogue)))
        pieces = () if screened else self.counted(name, f"{key}.{name}", p)
        size = None if screened else sum(piece.count for piece in pieces)
        return Zone(f"{key}.{name}", title, 2, 4, "list", pieces, size=size, tags=frozenset(["screened"] * screened))

    def attack(self, p: int, c: int) -> Zone:
        key = f"{p + 1}.{COLUMNS[c]}.attack"
        most = self.board_figure("cap", p, c)
        note = Sentence(f"max {most}", f"最大{most}") if most else NOTHING
        title = Sentence(f"Attack {_SIDE[c].en}", f"{_SIDE[c].ja}・攻撃")
        beneath = self.one("under", f"{key}.under", p, c)
        card = self.one("attack", key, p, c, down="attack_down")
        screened = self.cell("attack", p, c) is None and not card
        return Zone(key, title, 0, c + 1, "slot", (*beneath, *card), note, tags=frozenset(["screened"] * screened))

    def defence(self, p: int, c: int) -> Zone:
        key = f"{p + 1}.{COLUMNS[c]}.defence"
        life, number = self.cell("life", p, c), self.cell("defence", p, c)
        fallen = bool(self.open("fallen", p, c))
        beneath = self.one("beneath_defence", f"{key}.under", p, c)
        card = self.one("defence", key, p, c)
        if card and number and self.open("attack", p, c) == number and self.catalogue.cards[number].kind in ("BOSS", "ASSASSIN"):
            # BOSS.11: a boss for good is one card, attack and defence in one.
            name = card[0].name
            card = (Piece(key, Sentence(f"{name.en}, the card of the attack field", f"{name.ja}（攻撃欄と同じカード）"),
                          mark=card[0].mark, tags=frozenset({"linked"})),)  # fmt: skip
        tags = {"fallen"} if fallen else set()
        tags |= {"screened"} if number is None and not card else set()
        note = NOTHING
        if c != 1:
            note = self.skill(self.board_figure("board_skill", p, c // 2))
            tags |= {"open"} if fallen and note.en else set()
        title = Sentence(f"Defence {_SIDE[c].en}", f"{_SIDE[c].ja}・防御")
        return Zone(key, title, 1, c + 1, "slot", (*beneath, *card), note, life=life if card else None,
                    most=MOST_LIFE, tags=frozenset(tags))  # fmt: skip

    def board_figure(self, name: str, p: int, index: int) -> int:
        """A figure of the board: from the board given, else from the configuration; 0 where neither knows it."""
        if p < len(self.boards) and self.boards[p].name:
            board = self.boards[p]
            return board.cap[index] if name == "cap" else SKILL[(board.left, board.right)[index]]
        return self.open(name, p, index)

    def skill(self, number: int) -> Sentence:
        """The name of a board skill, as the rule set calls it."""
        if number == 0:
            return NOTHING
        action = self.rules.by_name.get(SKILL.labels[number].lower())
        return Sentence(action.en, action.ja) if action else NOTHING

    def mana(self, p: int, c: int) -> Zone:
        key = f"{p + 1}.{COLUMNS[c]}.mana"
        height = self.cell("mana_height", p, c)
        title = Sentence(f"Mana {_SIDE[c].en}", f"{_SIDE[c].ja}・マナ")
        if height is None:
            return Zone(key, title, 2, c + 1, "stack", note=_UNKNOWN, tags=frozenset({"screened"}))
        pieces = tuple(self.mana_piece(p, c, s) for s in range(height))
        return Zone(key, title, 2, c + 1, "stack", pieces, size=height)

    def mana_piece(self, p: int, c: int, s: int) -> Piece:
        key = f"{p + 1}.{COLUMNS[c]}.mana.{s + 1}"
        number, spent = self.cell("mana", p, c, s), self.open("spent", p, c, s)
        tags = [tag for tag, holds in (("spent", spent), ("holds", self.open("witness", p, c) == s + 1)) if holds]
        if s >= self.open("elements", p, c):
            return self.piece(key, number, down=bool(self.open("mana_down", p, c, s)), tags=tags)
        # FALL.6: turned over, a mana of every element; which card it was is small print.
        was = self.catalogue.cards[number] if number else None
        note = NOTHING
        if was is not None and was.element < NO_ELEMENT:
            suit = PALETTE[was.element]
            note = Sentence(f"{suit.letter}{_face(was)}", f"{suit.kanji}{_face(was)}")
        return Piece(key, Sentence("Elements", "エレメンツ"), label=Sentence("Elements", "エレメンツ"), note=note,
                     down=True, tags=frozenset(["wild", *tags]))  # fmt: skip

    def summoned(self, p: int) -> Sentence:
        """How the Extra card came, and which attack field it fills, if it fills one (A116)."""
        if not self.open("extra", p):
            return NOTHING
        by = (NOTHING, Sentence("by elements", "属性一致"), Sentence("by number", "数字一致"))[self.open("extra_by", p)]
        if fills := self.open("extra_at", p):
            side = _SIDE[fills - 1]
            return Sentence(f"{by.en}, attack {side.en}", f"{by.ja}・{side.ja}の攻撃欄")
        return by

    def piles(self) -> Area:
        """The piles in the middle of the table. Only a judge, who sees everything, sees which card comes next."""
        piles = (
            ("deck", "deck", Sentence("Monjan pile", "モンジャンの山札")), ("et", "et", Sentence("ET pile", "ETカードの山札")),
            ("ba", "boss", Sentence("Boss pile", "ボスアサの山札")),
        )  # fmt: skip
        zones: list[Zone] = []
        for name, key, title in piles:
            known = self.rules.family_named[f"{name}_top"].size
            tops = [self.cell(f"{name}_top", i) for i in range(known)]
            pieces = tuple(self.piece(f"{key}.{i + 1}", n, down=True) for i, n in enumerate(tops) if n)
            beneath = self.rules.family_named.get(f"{name}_bottom")
            bottom = range(beneath.size if beneath else 0)
            # Cards whose place in the pile is known are not among those that are counted by kind.
            rows = ((f"{name}_top", range(known)), (f"{name}_bottom", bottom))
            size = self.total(name) + sum(self.state[self.rules.cell(row, i)] > 0 for row, at in rows for i in at)
            if size or pieces or name != "et":
                zones.append(Zone(key, title, 0, len(zones), "pile", pieces, size=size))
        if self.is_phase("DRAFT") and (pool := self.counted("pool", "pool")):
            zones.append(Zone("pool", Sentence("Cards to pick", "選べるカード"), 0, len(zones), "list", pool,
                              size=sum(piece.count for piece in pool)))  # fmt: skip
        return Area("table", Sentence("Table", "場"), tuple(zones))

    # -- what is going on --------------------------------------------------------------------------

    def is_phase(self, name: str) -> bool:
        return self.open("phase") == PHASE[name]

    def deciding(self) -> set[int]:
        """Who has to decide, as far as the table shows it."""
        if self.is_phase("EDIT"):
            return {p for p in range(self.rules.players) if self.open("alive", p) and not self.open("edit_done", p)}
        if not self.is_phase("BATTLE"):
            return set()
        step = STEP.labels[self.open("step")]
        by = {"DECLARE": "active", "GUARD": "target", "GUARD_BACK": "active"}
        who = self.open("word") if step.startswith("W_") else self.open(by[step]) if step in by else -1
        return {who} - {-1}

    def tags(self, p: int) -> Iterator[str]:
        if not self.open("alive", p):
            yield "out"
        elif p in self.deciding():
            yield "turn"

    def counters(self, p: int) -> Iterator[Counter]:
        def figure(name: str, title: Sentence, value: int) -> Counter:
            return Counter(f"{p + 1}.{name}", title, Sentence(str(value), str(value)))

        if self.is_phase("BATTLE") and self.open("speed", p) >= 0:
            yield figure("speed", Sentence("Speed", "素早さ"), self.open("speed", p))
        if p < len(self.boards) and self.boards[p].name:
            yield figure("priority", Sentence("Priority", "優先度"), self.boards[p].priority)
        if due := self.open("due", p) + self.open("due_et", p):
            yield figure("due", Sentence("Draws", "引く枚数"), due)
        if self.is_phase("EDIT") and self.open("edit_done", p):
            yield Counter(f"{p + 1}.done", Sentence("Edit turn", "編集"), Sentence("done", "エンド"))

    def header(self) -> Iterator[Sentence]:
        turn = self.open("turn")
        yield Sentence(f"Turn {turn}", f"{turn}ターン目")
        yield _PHASES[PHASE.labels[self.open("phase")]]
        if self.is_phase("BATTLE") and (step := _STEPS.get(STEP.labels[self.open("step")])):
            yield step

    def captions(self) -> Iterator[Sentence]:
        if self.is_phase("BATTLE") and (target := self.open("target")) >= 0 and self.open("step"):
            one, other, power = self.player(self.open("active")), self.player(target), self.open("power")
            strength = ("", "")
            if self.open("source") >= 0:
                strength = (f" with {power}", f"（攻撃力{power}）")
            yield Sentence(f"{one.en} attacks {other.en}{strength[0]}", f"{one.ja}が{other.ja}を攻撃{strength[1]}")
        if waits := self.open("pending"):
            name, owner = PENDING.labels[waits], self.player(self.open("pending_player"))
            what = _WAITS.get(name, _DIE)
            yield Sentence(f"Next for {owner.en}: {what.en}", f"次は{owner.ja}：{what.ja}")
        if self.viewer is not None:
            by = self.player(self.viewer)
            yield Sentence(f"As {by.en} sees it", f"{by.ja}から見た盤面")

    def arrows(self, areas: Sequence[Area]) -> Iterator[Arrow]:
        """From the attack that is under way to its guard, or to the board under attack."""
        source, target, guard = (self.open(name) for name in ("source", "target", "guard"))
        if not self.is_phase("BATTLE") or source < 0 or target < 0:
            return
        keys = {zone.key for area in areas for zone in area.zones} | {
            piece.key for area in areas for zone in area.zones for piece in zone.pieces
        }
        start = place_of_source(self.open("active"), source)
        end = place_of_guard(target, guard) if guard >= 0 else f"{target + 1}"
        ends = [key if key in keys or "." not in key else key.rpartition(".")[0] for key in (start, end)]
        if ends[0] in keys and (ends[1] in keys or guard < 0):
            yield Arrow(ends[0], ends[1], str(self.open("power")))


def _face(card: Card) -> str:
    match card.kind:
        case "PLUS":
            return f"+{card.value}"
        case "KILL":
            return "K"
        case "PLAIN":
            return "B"
        case "ANY":
            return {"*": "*", "m": "?"}.get(card.name, "")
    return str(card.value)


def _note(card: Card) -> Sentence:
    """The small print: what it costs, or by which numbers it is summoned."""
    if card.kind == "TOUGHNESS":
        return Sentence(f"cost {card.cost}", f"マナ{card.cost}枚")
    if card.kind == "EXTRA" and card.numbers:
        numbers = ",".join(map(str, card.numbers))
        return Sentence(numbers, numbers)
    return NOTHING
