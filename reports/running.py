"""One question about a forced goal as it is run: by which engine, within which limits, from what is known to what is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from monjudge.model.language import Expr, LimitReached, Move, print_expr
from monjudge.model.language.export import content_hash
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, MoveWords
from monjudge.reports.answers.solved import Compared, DualWords, KeyWords, Solved, VariationWords
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.reports.judge import Position
    from monjudge.reports.solving import Proof
    from monjudge.solvers.cache import Cache
    from monjudge.solvers.certificate import Evidence
    from monjudge.solvers.forced import Answer, Key, Limits, Search
    from monjudge.solvers.forced.course import Course, Part
    from monjudge.solvers.forced.ledger import Ledger
    from monjudge.solvers.forced.variations import Dual, Variation
    from monjudge.solvers.worths import Worths

__all__ = ["BOTH", "COMPILING", "INTERRUPTED", "Means", "Solving", "unfit"]

BOTH: Mapping[str, str] = {"native": "brute", "brute": "native"}
"""The engines that solve, each with the one that it is held against."""

INTERRUPTED = Sentence("interrupted", "中断した")
COMPILING = Sentence("the seconds allowed passed while the rules were compiled", "許された秒数は、ルールを機械語にする間に過ぎた")


@dataclass(frozen=True)
class Means:
    """By what a question is answered.

    ``memory`` is in bytes (None: as the search has it), ``jobs`` so many processes at most. ``ledgers`` have what
    earlier runs settled, ``cache`` answers of earlier runs. ``opened``: all cards are to be open, whatever the position hides. ``keys``: all first moves, and the duals and variations of
    the line; ``main`` is the line to tell, if it is one that wins.
    ``watch(positions)`` and ``told(turns)`` are called as the search goes on. ``seconds`` count from the moment ``begun``.
    """

    seconds: float | None = None
    nodes: int | None = None
    memory: int | None = None
    jobs: int = 1
    engine: str = "native"
    cross_check: bool = False
    keys: bool = False
    part: Part | None = None
    ledgers: Sequence[Ledger | Worths] = ()
    cache: Cache | None = None
    watch: Callable[[int], None] | None = None
    told: Callable[[int], None] | None = None
    main: tuple[Move, ...] = ()
    opened: bool = False
    begun: float = field(default_factory=time.monotonic)

    @property
    def until(self) -> float | None:
        """The moment (of ``time.monotonic``) at which the seconds are over, which count from ``begun``."""
        return None if self.seconds is None else self.begun + self.seconds

    @property
    def left(self) -> Limits:
        """The limits with the seconds that are left now."""
        until = self.until
        return self.limits if until is None else replace(self.limits, seconds=max(0.001, until - time.monotonic()), of=self.seconds)

    @property
    def limits(self) -> Limits:
        from monjudge.solvers.forced import Limits

        return Limits(self.nodes, self.seconds) if self.memory is None else Limits(self.nodes, self.seconds, self.memory)

    @property
    def share(self) -> int:
        """The bytes of each process, where one leads and others work for it."""
        alone = self.jobs == 1 or self.nodes is not None or self.memory is None
        return self.limits.memory if alone else self.limits.memory // (self.jobs + 1)


@dataclass
class _Found:
    """What is known of an answer: plain enough to be kept."""

    answer: Answer
    fewest: bool = True
    keys: list[Key] | None = None
    groups: list[list[Move]] = field(default_factory=list)
    duals: list[Dual] | None = None
    variations: list[Variation] | None = None


class Solving:
    """The question whether a player (from 1) can force a goal; ``interrupted`` after Ctrl-C, and then ``ledger`` has what is settled.

    Raises DataError for a goal, a player or turns that the game does not have.
    """

    def __init__(self, position: Position, goal: str = "win", *, player: int = 1, turns: int | None = None, means: Means | None = None) -> None:
        position.check_player(player)
        self.position, self.player, self.turns, self.means = position, player, turns, means or Means()
        if turns is not None and (turns < 1 or position.rules.turns is None):
            name = position.written.kit.title
            raise _cannot(f"{name.en} does not declare what a turn is", f"{name.ja}には「ターン」の区切りがないので、ターン数では問えない")
        self.goal = position.written.kit.goal(position.written.at(position.state), goal, player - 1, turns)
        self.interrupted = self.uncompiled = False

    # -- the run --------------------------------------------------------------------------

    def run(self, *, prove: bool = False, whole: bool = False) -> tuple[Solved, Proof | None]:
        """The answer, and with ``prove`` a proof of a yes or a no (``whole``: with every decision). Raises Contradiction where engines disagree."""
        kept = None if prove or self.means.cross_check or self.means.part is not None else self._kept()
        if kept is not None:
            return replace(self._solved(kept), kept=True), None
        found = self._by_brute() if self.means.engine == "brute" else self._by_search()
        if found.answer.verdict is not Verdict.UNKNOWN and self.means.engine == "native":
            self._keep(found)
        solved = self._solved(found)
        if self.means.cross_check and not self.interrupted:
            solved = replace(solved, compared=self._compared(found))
        return solved, self._proof(found.answer, whole) if prove and not self.interrupted else None

    @cached_property
    def search(self) -> Search:
        from monjudge.solvers.forced import Search

        return Search(self.position.rules, self.goal.when, self.player - 1, memory=self.means.share, watch=self.means.watch)

    def _replay(self, given: Sequence[Ledger]) -> None:
        """Raises Damaged where a line of play of a file cannot be played."""
        from monjudge.solvers.forced.ledger import Damaged
        from monjudge.solvers.play import IllegalMove, Play

        play = Play(self.position.rules)
        try:
            for move, tried in (entry for one in given for moves in one.moves.values() for entry in moves.items()):
                play.replay((move, *tried.line), self.position.state)
        except (IllegalMove, ValueError, LimitReached) as error:
            raise Damaged("a line of play in it cannot be played", "書かれた手順が指せない") from error

    @cached_property
    def course(self) -> Course:
        from monjudge.solvers.forced.course import Course
        from monjudge.solvers.forced.ledger import Damaged, Ledger

        means = self.means
        try:
            limits = replace(means.limits, memory=means.share)
            course = Course(self.search, self.position.state, self.turns, limits, part=means.part, jobs=means.jobs,
                            late=self.goal.at_end, told=means.told, until=means.until)  # fmt: skip
            given = [one for one in means.ledgers if isinstance(one, Ledger)]
            course.ledger.add(given)
            if len(given) < len(means.ledgers):
                raise Damaged("it is about a question of another kind", "別の種類の問いについてのもの")
            self._replay(given)
        except Damaged as damaged:
            raise unfit(damaged.text) from damaged
        except ValueError as error:
            raise _cannot(str(error), f"この問いは立てられない（{error}）") from error
        return course

    @property
    def ledger(self) -> Ledger:
        """What is settled."""
        return self.course.ledger

    def _by_search(self) -> _Found:
        from monjudge.solvers.engines.native import patience

        try:
            with patience.until(self.means.until):
                course = self.course
        except patience.Late:
            self.uncompiled = True
            return _Found(self._nothing(COMPILING))
        try:
            found = _Found(course.run())
        except KeyboardInterrupt:
            self.interrupted = True
            found = _Found(course.so_far(INTERRUPTED))
        found.fewest = self._is_fewest(found.answer)
        if self.means.keys and not self.interrupted:
            try:
                self._vary(found)
            except KeyboardInterrupt:
                self.interrupted = True
        return found

    def _is_fewest(self, answer: Answer) -> bool:
        """Whether a win in fewer turns is ruled out, or was not asked about."""
        if answer.verdict is not Verdict.YES or answer.turns is None or self.goal.at_end:
            return True
        return all(self.ledger.whole.get(n) is Verdict.NO for n in range(1, answer.turns)) or bool(self.position.rules.simultaneous)

    def _vary(self, found: _Found) -> None:
        """Keys, duals and variations, as far as the limits go."""
        from monjudge.solvers.engines.native.prover import Stopped
        from monjudge.solvers.forced.variations import duals, keeps, orders, variations

        answer, course = found.answer, self.course
        found.keys = course.keys(answer.turns or 0)
        found.duals, found.variations, state = [], [], self.position.state
        deadline = course.deadline(answer.turns or 0)
        limits = self.means.left
        try:
            with self.search.prover.within(limits.nodes, limits.seconds):
                found.groups = orders(self.search, state, [key.move for key in found.keys if key.verdict is Verdict.YES])
                if answer.verdict is Verdict.YES and not self.position.rules.simultaneous:
                    line = self.means.main if keeps(self.search, state, deadline, self.means.main) else answer.line
                    found.answer = replace(answer, line=line)
                    found.duals = [*duals(self.search, state, deadline, line)]
                    found.variations = [*variations(self.search, state, deadline, line)]
        except Stopped:
            found.duals = found.variations = None

    def _by_brute(self) -> _Found:
        from monjudge.solvers.forced.obvious import obvious

        try:
            answer = obvious(self.position.rules, self.position.state, self.goal.when, self.player - 1, self.turns,
                             self.means.limits, late=self.goal.at_end)  # fmt: skip
        except KeyboardInterrupt:
            self.interrupted = True
            answer = self._nothing(INTERRUPTED)
        return _Found(answer)

    def _nothing(self, limit: Sentence) -> Answer:
        """The answer where nothing was searched."""
        from monjudge.solvers.forced import Answer, Question, Statistics

        question = Question(self.position.rules, self.position.state, self.player - 1, self.goal.when, self.goal.text, self.turns)
        return Answer(question, Verdict.UNKNOWN, self.turns, Statistics(), limit)

    def _compared(self, found: _Found) -> Compared:
        from monjudge.solvers.forced.obvious import compared

        name = BOTH[self.means.engine]
        other = self._by_brute() if name == "brute" else self._by_search()
        agrees = compared(found.answer, other.answer, fewest=found.fewest and other.fewest)
        return Compared(name, other.answer.verdict, agrees, other.answer.statistics.nodes, other.answer.limit)

    def _proof(self, answer: Answer, whole: bool) -> Proof | None:
        from monjudge.solvers.engines.native.prover import Stopped
        from monjudge.solvers.forced import evidence

        if answer.verdict not in (Verdict.YES, Verdict.NO) or self.position.rules.simultaneous:
            return None
        try:
            named = replace(answer, question=replace(answer.question, name=self._name))
            return self.written_down(evidence(self.search, named, whole=whole))
        except KeyboardInterrupt:  # the answer stands without its proof
            self.interrupted = True
            return None
        except Stopped as stopped:
            raise LimitReached("the memory allowed does not hold a proof", "許されたメモリーでは証明が収まらない") from stopped

    def written_down(self, evidence: Evidence) -> Proof:
        """The evidence with the position, and the goal as it is written where the rules do not declare it."""
        from monjudge.reports.solving import Proof

        return Proof(self.position.line, evidence, "" if isinstance(self.goal_or_name, str) else self.goal.text)

    @property
    def goal_or_name(self) -> Expr | str:
        """The goal by the name that the rules declare, else its condition."""
        declared = any(g.name == self.goal.text and g.player == self.player - 1 for g in self.position.rules.goals)
        return self.goal.text if declared else self.goal.when

    @property
    def _name(self) -> str:
        """What evidence calls the goal."""
        return self.goal.text if isinstance(self.goal_or_name, str) else repr(self.goal.when)

    # -- what is kept ---------------------------------------------------------------------

    @cached_property
    def _key(self) -> str:
        """With the limits, so that an answer never hangs on what was asked before."""
        from monjudge.solvers.cache import key

        return key("solve", content_hash(self.position.rules), list(self.position.state), print_expr(self.goal.when),
                   self.player, self.turns, self.goal.at_end, self.means.keys, _data(self.means.main), str(self.means.limits))  # fmt: skip

    def _kept(self) -> _Found | None:
        if self.means.cache is None or self.means.engine != "native" or (text := self.means.cache.get(self._key)) is None:
            return None
        from monjudge.solvers.forced import Answer, Key, Question, Statistics
        from monjudge.solvers.forced.variations import Dual, Variation

        data = json.loads(text)
        question = Question(self.position.rules, self.position.state, self.player - 1, self.goal.when, self._name, self.turns)
        answer = Answer(question, Verdict(data["verdict"]), data["turns"], Statistics(data["nodes"]), line=_moves(data["line"]))
        keys = None if data["keys"] is None else [Key(_move(m), Verdict(v), _moves(line)) for m, v, line in data["keys"]]
        duals = None if data["duals"] is None else [Dual(at, _move(move), order) for at, move, order in data["duals"]]
        others = None if data["variations"] is None else [
            Variation(at, _moves(replies), _moves(line), *flags) for at, replies, line, *flags in data["variations"]
        ]  # fmt: skip
        return _Found(answer, data["fewest"], keys, [list(_moves(group)) for group in data["groups"]], duals, others)

    def _keep(self, found: _Found) -> None:
        """What a limit left open is not kept."""
        answer, keys = found.answer, found.keys
        open_keys = self.means.keys and (found.duals is None or any(key.verdict is Verdict.UNKNOWN for key in keys or ()))
        if self.means.cache is None or open_keys or self.interrupted:
            return
        self.means.cache.put(self._key, json.dumps({
            "verdict": str(answer.verdict), "turns": answer.turns, "nodes": answer.statistics.nodes, "line": _data(answer.line),
            "fewest": found.fewest, "groups": [_data(group) for group in found.groups],
            "keys": None if keys is None else [[_data([key.move])[0], str(key.verdict), _data(key.refutation)] for key in keys],
            "duals": None if found.duals is None else [[dual.at, _data([dual.move])[0], dual.order] for dual in found.duals],
            "variations": None if found.variations is None else [
                [one.at, _data(one.replies), _data(one.answer), one.reached, one.same, one.threat] for one in found.variations
            ],
        }))  # fmt: skip

    # -- words ----------------------------------------------------------------------------

    def _solved(self, found: _Found) -> Solved:
        answer, position = found.answer, self.position
        # What is not known is not known of all the turns asked about, however far the search came.
        turns = self.turns if answer.turns is None or answer.verdict is Verdict.UNKNOWN else answer.turns
        return Solved(
            answer.verdict, position.player(self.player), self.goal.said, turns,
            answer.statistics.nodes, self._line(answer.line), answer.limit, self.asked, found.fewest, self._keys(found),
            self._duals(found), self._variations(found), engine=self.means.engine, opened=self._opened,
        )  # fmt: skip

    @cached_property
    def _opened(self) -> bool:
        """Whether what the player does not see may lie in more than one way."""
        from monjudge.solvers.views import View, assignments

        rules, state = self.position.rules, self.position.state
        view = View(rules, self.player - 1)
        if not any(state[cell] for cell in view.hidden(state)):
            return False
        try:
            found = assignments(rules, state, view, most=2)
        except ValueError:  # a card lies where none of its kind may: whoever asks all the same has seen to it
            return True
        return found.limit is not None or len(found.states) > 1

    @property
    def asked(self) -> Asked:
        means = self.means
        words = [f"--goal={self.goal.text}", f"--player={self.player}", *([f"--turns={self.turns}"] if self.turns else [])]
        words += [*([f"--max-time={means.seconds}"] if means.seconds else []), *([f"--max-nodes={means.nodes}"] if means.nodes else [])]
        words += [*(["--keys"] if means.keys else []), *([f"--engine={means.engine}"] if means.engine != "native" else [])]
        words += [*(["--cross-check"] if means.cross_check else [])]
        words += [f"--split={means.part.number}/{means.part.of}"] if means.part is not None else []
        words += ["--open"] if means.opened and self._opened else []
        return self.position.asked("solve", *words)

    def _line(self, moves: Sequence[Move], before: Sequence[Move] = ()) -> tuple[MoveWords, ...]:
        """The moves in words, after those before them."""
        reference, here = self.position.legality.reference, self.position
        for move in before:
            here = here.at(reference.step(here.state, move))
        words = []
        for move in moves:
            words.append(here.words(move))
            here = here.at(reference.step(here.state, move))
        return tuple(words)

    def _keys(self, found: _Found) -> tuple[KeyWords, ...] | None:
        if found.keys is None:
            return None
        group = {move: n for n, moves in enumerate(found.groups, 1) for move in moves}
        reference, here = self.position.legality.reference, self.position
        return tuple(
            KeyWords(here.words(key.move), key.verdict, group.get(key.move, 0), self._line(key.refutation, [key.move]),
                     key.verdict is Verdict.NO and reference.over(reference.step(here.state, key.move)))
            for key in found.keys
        )  # fmt: skip

    def _duals(self, found: _Found) -> tuple[DualWords, ...] | None:
        if found.duals is None:
            return None
        here, words, reference = self.position, list[DualWords](), self.position.legality.reference
        for at, move in enumerate(found.answer.line):
            words += [DualWords(at + 1, here.words(dual.move), dual.order) for dual in found.duals if dual.at == at]
            here = here.at(reference.step(here.state, move))
        return tuple(words)

    def _variations(self, found: _Found) -> tuple[VariationWords, ...] | None:
        if found.variations is None:
            return None
        words, line = list[VariationWords](), found.answer.line
        for one in found.variations:
            first, *others = (self._line([reply], line[: one.at])[0] for reply in one.replies)
            answer = self._line(one.answer, [*line[: one.at], one.replies[0]])
            words.append(VariationWords(one.at + 1, (first, *others), answer, one.reached, one.same, one.threat))
        return tuple(words)


def unfit(text: Sentence) -> DataError:
    """What is said of a file that cannot be resumed."""
    return _cannot(f"what is to be resumed does not fit: {text.en}", f"再開できない：{text.ja}")


def _cannot(en: str, ja: str) -> DataError:
    return DataError([Defect("", Sentence(en, ja), "unknown-word")])


def _data(moves: Sequence[Move]) -> list[list[Any]]:
    return [[move.action, move.me, *move.args] for move in moves]


def _move(data: Sequence[Any]) -> Move:
    action, me, *args = data
    return Move(action, me, tuple(args))


def _moves(data: Sequence[Sequence[Any]]) -> tuple[Move, ...]:
    return tuple(map(_move, data))
