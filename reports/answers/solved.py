"""Whether a player can force a goal, with a line of play to look at; and whether a proof of it holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import COLOURS, Asked, MoveWords, Single, Voice, if_told, in_both, joined
from monjudge.reports.answers.bounds import bounds_said
from monjudge.reports.answers.witness import Witness
from monjudge.solvers.verdict import Verdict

__all__ = ["Certified", "Changed", "Compared", "DualWords", "KeyWords", "OverReadings", "Solved", "ThenWords", "Unseen", "VariationWords"]


@dataclass(frozen=True)
class KeyWords:
    """A first move with its verdict; keys of one ``group`` (from 1; 0: no key) are only orders of the same moves.

    ``at_once``: the move ends the game, and loses.
    """

    move: MoveWords
    verdict: Verdict
    group: int = 0
    refutation: tuple[MoveWords, ...] = ()
    at_once: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "verdict": str(self.verdict), "move": self.move.data(), "group": self.group,
            "refutation": [move.data() for move in self.refutation], "at_once": self.at_once,
        }  # fmt: skip


@dataclass(frozen=True)
class DualWords:
    """Another move that wins at the ``at``-th move (from 1) of the line; ``order``: it only comes sooner."""

    at: int
    move: MoveWords
    order: bool

    def data(self) -> dict[str, Any]:
        return {"at": self.at, "move": self.move.data(), "order": self.order}


@dataclass(frozen=True)
class VariationWords:
    """At the ``at``-th move (from 1) of the line one of these ``replies`` instead, and the ``answer`` that is good against each.

    ``reached``: the goal is reached at its end, else the others decide anew there. ``same``: it is what follows in the line.
    ``threat``: it does for most of the first replies.
    """

    at: int
    replies: tuple[MoveWords, ...]
    answer: tuple[MoveWords, ...]
    reached: bool
    same: bool
    threat: bool

    def data(self) -> dict[str, Any]:
        return {
            "at": self.at, "replies": [move.data() for move in self.replies], "answer": [move.data() for move in self.answer],
            "reached": self.reached, "same": self.same, "threat": self.threat,
        }  # fmt: skip

    def text(self, voice: Voice) -> str:
        when, threat = " | ".join(move.text for move in self.replies), voice(_THREAT) if self.threat else ""
        if self.same:
            return f"  {self.at:3}. {when}{joined(voice)}{voice(_THE_SAME)}{threat}"
        end = voice(_REACHED) if self.reached else "..."
        return f"  {self.at:3}. {when}{joined(voice)}{' / '.join([*(move.text for move in self.answer), end])}{threat}"


@dataclass(frozen=True)
class Compared:
    """What a second engine says; ``agrees`` is False where it did not get so far."""

    engine: str
    verdict: Verdict
    agrees: bool
    nodes: int
    limit: Sentence | None = None

    def data(self) -> dict[str, Any]:
        return {
            "engine": self.engine, "verdict": str(self.verdict), "agrees": self.agrees, "nodes": self.nodes,
            "limit": None if self.limit is None else in_both(self.limit),
        }  # fmt: skip

    @property
    def sentence(self) -> Sentence:
        if self.agrees:
            return Sentence(f"the engine {self.engine} says the same (positions: {self.nodes:,})", f"エンジン {self.engine} も同じ答え（局面：{self.nodes:,}）")
        why = self.limit or Sentence("a limit was reached", "上限に達した")
        return Sentence(f"the engine {self.engine} could not confirm it: {why.en}", f"エンジン {self.engine} では確かめられなかった：{why.ja}")


@dataclass(frozen=True)
class Solved(Single):
    """Whether the goal is forced: within ``turns``, the fewest of a win if ``fewest``, or those within which there is none (None: ever).

    ``line`` is the strategy against the longest resistance, or the refutation of a try. ``keys``, ``duals`` and
    ``variations`` are None where they were not asked for. ``kept``: it was found by an earlier run. ``opened``: cards that the player does
    not see may lie otherwise, and were taken as open.
    ``rolls`` are the first outcomes of chance, where they are told.
    """

    kind: ClassVar[str] = "solve"
    verdict: Verdict
    player: Sentence
    goal: Sentence
    turns: int | None
    nodes: int
    line: tuple[MoveWords, ...] = ()
    limit: Sentence | None = None
    asked: Asked | None = None
    fewest: bool = True
    keys: tuple[KeyWords, ...] | None = None
    duals: tuple[DualWords, ...] | None = None
    variations: tuple[VariationWords, ...] | None = None
    compared: Compared | None = None
    engine: str = "native"
    kept: bool = False
    opened: bool = False
    rolls: tuple[MoveWords, ...] = ()

    def text(self, voice: Voice) -> Iterator[str]:
        yield f"{voice.verdict(self.verdict)}{joined(voice)}{voice(self.sentence)}"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        if self.verdict is Verdict.YES and not self.fewest:
            yield f"  {voice(_PERHAPS_FEWER)}"
        if self.opened:
            yield f"  {voice(_EVEN_OPEN if self.verdict is Verdict.NO else _OPENED)}"
        yield from self.told(voice)
        if self.variations:
            yield voice(_VARIATIONS)
            yield from (one.text(voice) for one in self.variations)
        yield from self._tries(voice)
        if self.compared is not None:
            yield f"  {voice(self.compared.sentence)}"
        told = Sentence(f"positions expanded: {self.nodes:,}", f"調べた局面：{self.nodes:,}")
        yield voice.faint(voice(told) + (voice(_KEPT) if self.kept else ""))

    def told(self, voice: Voice) -> Iterator[str]:
        """The line of play, with other moves that win."""
        for number, move in enumerate(self.line, 1):
            yield f"  {number:3}. {move.text}  {voice(move.said)}"
            for dual in self.duals or ():
                if dual.at == number:
                    yield f"       {voice(_SOONER if dual.order else _DUAL)}{joined(voice)}{dual.move.text}  {voice(dual.move.said)}"

    def _tries(self, voice: Voice) -> Iterator[str]:
        """The first moves: the keys by group, then the tries with what refutes them, then what is open."""
        if self.keys is None:
            return
        groups = sorted({key.group for key in self.keys} - {0})
        keys = sum(key.verdict is Verdict.YES for key in self.keys)
        apart = Sentence("", "") if len(groups) == keys else Sentence(f", {len(groups)} apart from their order", f"、順序だけの違いを除くと{len(groups)}組")
        yield voice(Sentence(f"First moves that keep it: {keys} of {len(self.keys)}{apart.en}",
                             f"目標を保つ最初の手：{len(self.keys)}手のうち{keys}手{apart.ja}"))  # fmt: skip
        for group in groups:
            for n, key in enumerate(key for key in self.keys if key.group == group):
                yield f"  {voice.sign('+', '○') if not n else ' '} {key.move.text}  {voice(key.move.said)}"
        before = ""
        for key in self.keys:
            if key.verdict is not Verdict.YES:
                sign = voice.sign("-", "✗") if key.verdict is Verdict.NO else "?"
                reply = " / ".join(move.text for move in key.refutation)
                told = f"  {voice(_ALIKE)}" if reply == before else f"  {voice(_REPLY)}{joined(voice)}{reply}"
                yield f"  {sign} {key.move.text}  {voice(key.move.said)}{told if reply else f'  {voice(_AT_ONCE)}' if key.at_once else ''}"
                before = reply

    @property
    def sentence(self) -> Sentence:
        """What is answered."""
        who, what = self.player, self.goal
        en, ja = "", ""
        if self.turns is not None:
            en, ja = f" within {self.turns} turn{'s' * (self.turns != 1)}", f"{self.turns}ターン以内に"
        told = if_told(self.rolls)
        en += told.en
        if self.verdict is Verdict.YES:
            return Sentence(f"{who.en} can force it{en}: {what.en}.", f"{told.ja}{who.ja}は{ja}必ず達成できる（{what.ja}）。")
        if self.verdict is Verdict.NO:
            return Sentence(f"{who.en} cannot force it{en}: {what.en}.", f"{told.ja}{who.ja}は{ja}必ず達成できるわけではない（{what.ja}）。")
        return Sentence(f"whether {who.en} can force it{en}: {what.en}.", f"{told.ja}{who.ja}が{ja}必ず達成できるかどうか（{what.ja}）。")

    def brief(self, voice: Voice) -> Iterator[str]:
        turns = "" if self.turns is None else f" {self.turns}"
        yield f"{self.verdict}{turns} {' / '.join(move.text for move in self.line)}".rstrip()
        yield from (f"{key.verdict} {key.move.text}" for key in self.keys or ())

    def data(self) -> dict[str, Any]:
        return {
            "player": in_both(self.player), "goal": in_both(self.goal), "turns": self.turns, "fewest": self.fewest, "nodes": self.nodes,
            "line": [move.data() for move in self.line], "limit": None if self.limit is None else in_both(self.limit),
            "keys": None if self.keys is None else [key.data() for key in self.keys],
            "duals": None if self.duals is None else [dual.data() for dual in self.duals],
            "variations": None if self.variations is None else [one.data() for one in self.variations],
            "compared": None if self.compared is None else self.compared.data(), "engine": self.engine, "kept": self.kept,
            "opened": self.opened, "cards": self.cards, "rolls": [move.data() for move in self.rolls],
        }  # fmt: skip

    @property
    def cards(self) -> str:
        """Of which question this is the answer: with all cards ``open``, or ``both`` where that makes no difference."""
        return "open" if self.opened and self.verdict is not Verdict.NO else "both"


_PERHAPS_FEWER = Sentence("whether fewer turns suffice is not settled", "これより少ないターンで足りるかは未確定")
_OPENED = Sentence("all cards are taken as open; --hidden asks for one strategy that uses only what the player sees",
                   "カードはすべて公開されているものとした。見えるものだけを使う一つの戦略は --hidden で調べる")  # fmt: skip
_EVEN_OPEN = Sentence("not even with all cards open, as they lie", "カードをすべて公開しても、この置かれ方ではできない")
_DUAL, _SOONER = Sentence("also", "ほかに"), Sentence("in another order", "順序違い")
_REPLY = Sentence("refuted by", "反証")
_VARIATIONS = Sentence("Other replies, by the number of the move in whose place they come:", "ほかの応手（番号は、代わる手の手数）：")
_THE_SAME = Sentence("as in the line", "以下、本手順と同じ")
_REACHED = Sentence("the goal is reached", "目標達成")
_THREAT = Sentence(" (the threat)", "（狙い）")
_ALIKE = Sentence("refuted in the same way", "反証は同じ")
_AT_ONCE = Sentence("loses at once", "その場で負け")
_KEPT = Sentence(" (found before)", "（以前の結果）")


@dataclass(frozen=True)
class Changed:
    """Other readings of some switches, and the verdict under them."""

    readings: tuple[tuple[str, str], ...]
    verdict: Verdict

    @property
    def text(self) -> str:
        return ", ".join(f"{switch}={value}" for switch, value in self.readings)


@dataclass(frozen=True)
class OverReadings(Single):
    """A forced goal under all readings: ``base`` is the answer under those of the position, ``changes`` those that matter.

    The verdict is DEPENDS where a change gives another certain answer, that of ``base`` where it is robust, else UNKNOWN.
    ``tried`` changes were tried; ``unread`` readings are consulted nowhere in the proof, so that they cannot change it.
    """

    kind: ClassVar[str] = "solve-readings"
    verdict: Verdict
    base: Solved
    changes: tuple[Changed, ...]
    titles: Mapping[str, Sentence]
    tried: int
    unread: int = 0
    limit: Sentence | None = None
    asked: Asked | None = None

    @property
    def robust(self) -> bool:
        """Whether no reading changes the answer."""
        return self.verdict is self.base.verdict and self.verdict in (Verdict.YES, Verdict.NO)

    def text(self, voice: Voice) -> Iterator[str]:
        yield voice.verdict(self.verdict) + (f"{joined(voice)}{voice(_ROBUST)}" if self.robust else "")
        yield f"  {voice(_UNDER)}{joined(voice)}{voice.verdict(self.base.verdict)}"
        yield from (f"  {line}" for line in self.base.text(voice))
        for change in self.changes:
            titles = _titles([self.titles[id] for id, _ in change.readings])
            yield f"  {change.text}{joined(voice)}{voice.verdict(change.verdict)}  {voice.faint(voice(titles))}"
        yield f"  {voice(Sentence(f'changes of readings tried: {self.tried}', f'試した読みの変更：{self.tried}通り'))}"
        if self.unread:
            yield f"  {voice(Sentence(f'readings that the proof consults nowhere: {self.unread}', f'証明の中で一度も問われない読み：{self.unread}個'))}"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.verdict} {self.base.verdict}"
        yield from (f"{change.verdict} {change.text}" for change in self.changes)

    def data(self) -> dict[str, Any]:
        return {
            "base": {"verdict": str(self.base.verdict), **self.base.data()}, "robust": self.robust, "tried": self.tried, "unread": self.unread,
            "changes": [
                {"readings": [{"switch": id, "value": value, "title": in_both(self.titles[id])} for id, value in change.readings],
                 "verdict": str(change.verdict)}
                for change in self.changes
            ],
            "limit": None if self.limit is None else in_both(self.limit),
        }  # fmt: skip


def _titles(titles: list[Sentence]) -> Sentence:
    """Some titles in a row."""
    return Sentence("; ".join(t.en for t in titles), "、".join(t.ja for t in titles))


_ROBUST = Sentence("the same however the text is read", "文面をどう読んでも同じ")
_UNDER = Sentence("under the readings of the position", "局面の読みでは")


@dataclass(frozen=True)
class ThenWords:
    """A place in a strategy: after one of these replies the player makes this move; ``again``: it was told before."""

    depth: int
    replies: tuple[MoveWords, ...]
    move: MoveWords | None
    again: bool = False

    def data(self) -> dict[str, Any]:
        return {
            "depth": self.depth, "replies": [move.data() for move in self.replies],
            "move": None if self.move is None else self.move.data(), "again": self.again,
        }  # fmt: skip

    def text(self, voice: Voice, more: Sequence[MoveWords] = ()) -> str:
        """The replies in brackets and the move, with those that come of themselves after it."""
        when = " | ".join(move.text for move in self.replies)
        moves = [*([self.move] if self.move is not None else []), *more]
        then = voice(_BEFORE) if self.again else " / ".join(move.text for move in moves) or "..."
        return (f"({when}) " if when else "") + then + (f"  {voice(moves[0].said)}" if len(moves) == 1 else "")


def _indented(places: Sequence[ThenWords], voice: Voice, depth: int) -> Iterator[str]:
    """The places as a tree; where nobody else comes in between, the moves of the player are told in one line."""
    at = 0
    while at < len(places):
        last = at
        end = next((n for n in range(at + 1, len(places)) if places[n].depth <= places[at].depth), len(places))
        while last + 1 < end and _alone(places, last + 1, end):
            last += 1
        yield "  " * depth + places[at].text(voice, [move for place in places[at + 1 : last + 1] if (move := place.move)])
        yield from _indented(places[last + 1 : end], voice, depth + 1)
        at = end


def _alone(places: Sequence[ThenWords], at: int, end: int) -> bool:
    """Whether the place is a move of the player with no other place beside it."""
    here = places[at]
    return not here.replies and not here.again and here.move is not None and all(place.depth > here.depth for place in places[at + 1 : end])


_BEFORE = Sentence("as told above", "上と同じ")
_STRATEGY = Sentence("One strategy (in brackets what may have happened, of which the player sees only what the rules show):",
                     "一つの戦略（括弧内は起こりうること。プレイヤーに見えるのは規則で見えるものだけ）：")  # fmt: skip
_MORE = Sentence("and so on", "以下略")
_ASK_OPEN = Sentence("--open asks about the cards as they lie, and tells a line of play", "実際の置かれ方での答えと手順は --open で調べる")


@dataclass(frozen=True)
class Unseen(Single):
    """Whether one strategy that uses only what the player sees forces the goal, in all ``assignments`` of what is hidden.

    None: they were not counted, because cards are dealt as they are played, or one that is lost with open cards settled
    it. ``moves`` are first moves that keep it, ``strategy`` is one that does, ``cut`` off where it is long. What lies
    hidden is not told.
    """

    kind: ClassVar[str] = "solve-hidden"
    verdict: Verdict
    player: Sentence
    goal: Sentence
    turns: int | None
    assignments: int | None
    nodes: int
    moves: tuple[MoveWords, ...] = ()
    limit: Sentence | None = None
    asked: Asked | None = None
    strategy: tuple[ThenWords, ...] = ()
    cut: bool = False
    rolls: tuple[MoveWords, ...] = ()

    def text(self, voice: Voice) -> Iterator[str]:
        said = Solved(self.verdict, self.player, self.goal, self.turns, self.nodes, rolls=self.rolls).sentence
        yield f"{voice.verdict(self.verdict)}{joined(voice)}{voice(said)}"
        yield f"  {voice(self._which)}"
        if self.limit is not None:
            yield f"  {voice(self.limit)}"
        yield from (f"  {voice.sign('+', '○')} {move.text}  {voice(move.said)}" for move in self.moves)
        if self.strategy:
            yield f"  {voice(_STRATEGY)}"
            yield from _indented(self.strategy, voice, 2)
            if self.cut:
                yield f"    {voice(_MORE)}"
        if self.verdict is not Verdict.YES:
            yield f"  {voice(_ASK_OPEN)}"
        yield voice.faint(voice(Sentence(f"positions and beliefs expanded: {self.nodes:,}", f"調べた局面と見え方：{self.nodes:,}")))

    @property
    def _which(self) -> Sentence:
        """Which question is answered."""
        if self.assignments is None:
            return Sentence("whatever the hidden cards are, seeing only what the player may see", "伏せたカードが何であっても。見てよいものだけを使う")
        return Sentence(f"whatever the hidden cards are, seeing only what the player may see; ways in which the rest may lie: {self.assignments:,}",
                        f"伏せたカードが何であっても。見てよいものだけを使う。残りの置かれ方：{self.assignments:,}通り")  # fmt: skip

    def brief(self, voice: Voice) -> Iterator[str]:
        turns = "" if self.turns is None else f" {self.turns}"
        yield f"{self.verdict}{turns} {' | '.join(move.text for move in self.moves)}".rstrip()

    def data(self) -> dict[str, Any]:
        return {
            "player": in_both(self.player), "goal": in_both(self.goal), "turns": self.turns, "assignments": self.assignments,
            "nodes": self.nodes, "moves": [move.data() for move in self.moves], "limit": None if self.limit is None else in_both(self.limit),
            "strategy": [place.data() for place in self.strategy], "cut": self.cut, "cards": "hidden",
            "rolls": [move.data() for move in self.rolls],
        }  # fmt: skip


@dataclass(frozen=True)
class Certified(Single):
    """Whether a proof shows what it claims; ``refused`` says why not.

    ``engines``: which followed it, to the end; ``begun``: so many positions the reference followed before it left a
    long proof to the native engine. ``plans``: the first plans that a "no" refutes, and how many of them the others
    answer before they are complete (None: not known). ``witness``: what evidence of the prover shows, where it is to be told; ``bounds``: within which it does.
    """

    kind: ClassVar[str] = "certify"
    claim: Sentence
    positions: int = 0
    decisions: int = 0
    refused: Sentence | None = None
    asked: Asked | None = None
    engines: tuple[str, ...] = ()
    begun: int = 0
    plans: tuple[int, int | None] | None = None
    witness: Witness | None = None
    bounds: Mapping[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        return Verdict.YES if self.refused is None else Verdict.NO

    def text(self, voice: Voice) -> Iterator[str]:
        judged = _RIGHT if self.refused is None else _NOT_RIGHT
        yield f"{voice.painted(voice(judged), COLOURS[self.verdict])}{joined(voice)}{voice(self.claim)}"
        if self.refused is not None:
            yield f"  {voice(_REFUSED)}{joined(voice)}{voice(self.refused)}"
        else:
            yield voice.faint("  " + voice(Sentence(f"positions checked: {self.positions:,}, decisions: {self.decisions:,}",
                                                    f"検査した局面：{self.positions:,}、決定：{self.decisions:,}")) + voice(self._by))  # fmt: skip
            if self.plans is not None:
                count, early = self.plans
                en = f"; the others answer {early:,} of them before they are complete" if early else ""
                ja = f"。うち{early}通りは、終わる前に相手が応じる" if early else ""
                yield voice.faint("  " + voice(Sentence(f"first plans refuted: {count:,}, as many as the enumerator counts{en}",
                                                        f"反証された最初の計画：{count:,}（列挙エンジンの数と一致）{ja}")))  # fmt: skip
        if self.bounds:
            yield voice.faint(f"  {bounds_said(self.bounds, voice)}")
        if self.witness is not None:
            yield from self.witness.text(voice)

    @property
    def _by(self) -> Sentence:
        """By which engines."""
        if not self.engines:
            return Sentence("", "")
        en, ja = " and ".join(_BY[name].en for name in self.engines), "・".join(_BY[name].ja for name in self.engines)
        if self.begun:
            en, ja = f"{en}; the first {self.begun:,} by the reference too", f"{ja}、初めの{self.begun:,}局面は参照エンジンでも"
        return Sentence(f", by {en}", f"（{ja}）")

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{self.verdict} {voice(self.claim if self.refused is None else self.refused)}"

    def data(self) -> dict[str, Any]:
        return {
            "claim": in_both(self.claim), "positions": self.positions, "decisions": self.decisions,
            "refused": None if self.refused is None else in_both(self.refused), "engines": list(self.engines), "begun": self.begun,
            "plans": None if self.plans is None else {"count": self.plans[0], "early": self.plans[1]},
            "witness": None if self.witness is None else self.witness.data(), "bounds": dict(self.bounds),
        }  # fmt: skip


_BY = {"reference": Sentence("the reference", "参照エンジン"), "native": Sentence("the native engine", "native エンジン")}
_RIGHT, _NOT_RIGHT = Sentence("The certificate is right", "証明は正しい"), Sentence("The certificate is not right", "証明は正しくない")
_REFUSED = Sentence("why", "理由")
