"""A position and the questions about it: what is legal, why not, what a move does, what a player may know.

``monjudge.judge`` reads positions; the command line asks the same questions with the same words.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

from monjudge.model.language import NATURE, Move, RuleSet, State
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import Position as Written
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Asked, ClauseWords, Language, MoveWords
from monjudge.reports.answers.moves import Moves, Undecided
from monjudge.reports.answers.why import Card, Checked, Remedy, Why
from monjudge.reports.wording import broken, granted, grouped, move_words, seen_words, title, told
from monjudge.solvers.legality import Legality
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from random import Random

    from monjudge.model.notation.kit import Ways
    from monjudge.model.notation.picture import Picture
    from monjudge.reports.answers.applied import Applied, Done
    from monjudge.reports.answers.depends import Depends, Flips, SwitchWords
    from monjudge.reports.answers.plans import PlansAnswer, PlanWords
    from monjudge.reports.answers.solved import Solved
    from monjudge.solvers.plans import Plan
    from monjudge.solvers.play import Play, Step
    from monjudge.solvers.readings import Dependence

__all__ = ["ENGINES", "IllegalMove", "Position"]

ENGINES: Mapping[str, tuple[str, str]] = {
    "enumerator": ("enumerator", "Enumerator"),
    "reference": ("reference", "Reference"),
    "csp": ("csp", "Csp"),
    "cpsat": ("cpsat", "Cpsat"),
    "smt": ("smt", "Smt"),
    "native": ("native", "Native"),
}
"""The engines that list moves, each with its module and class; the first is meant where none is named."""

NEAREST = 3
"""So many near legal moves are named where nobody says how many."""

STATES = 100_000
"""So many states of a turn are written down where nobody says how many."""


class Position:
    """A position with its rules, and the questions about it. Every answer can say itself, in both languages and as data.

    Moves are given in the game's notation or as ``Move``. What cannot be read raises DataError; a bound of the
    model that is passed raises LimitReached.
    """

    def __init__(self, written: Written) -> None:
        self.written = written

    def __repr__(self) -> str:
        return f"<position {self.line}>"

    # -- what it is -------------------------------------------------------------------------------

    @property
    def rules(self) -> RuleSet:
        return self.written.rules

    @cached_property
    def state(self) -> State:
        """The state after all rules that fire by themselves."""
        return self.legality.reference.settle(self.written.state)

    @cached_property
    def line(self) -> str:
        """The position in one line."""
        return self.written.kit.line(self.written)

    @property
    def data(self) -> dict[str, Any]:
        """The position as plain data."""
        return self.written.kit.data(self.written)

    @property
    def defects(self) -> list[Defect]:
        """What cannot lie on a table."""
        return self.written.kit.defects(self.written)

    @cached_property
    def readings(self) -> dict[str, str]:
        """How ambiguous places of the text are read, where it is not the default."""
        return dict(self.data.get("readings", {}))

    @cached_property
    def legality(self) -> Legality:
        return Legality(self.rules)

    @cached_property
    def play(self) -> Play:
        from monjudge.solvers.play import Play

        return Play(self.rules)

    def at(self, state: State) -> Position:
        """The same table in another state."""
        other = Position(self.written.at(state))
        other.legality, other.play = self.legality, self.play
        return other

    def move(self, move: str | Move) -> Move:
        """The move of a notation. Raises DataError."""
        return self._settled.kit.move(self._settled, move) if isinstance(move, str) else move

    def _knowing(self, text: str | Move) -> Position:
        """This position, or the same where its rules also know the cards that a text names."""
        known = self.written.kit.knowing(self.written, text) if isinstance(text, str) else self.written
        return self if known is self.written else Position(known)

    @cached_property
    def _settled(self) -> Written:
        return self.written.at(self.state)

    # -- questions --------------------------------------------------------------------------------

    def moves(
        self, *, kind: str | None = None, player: int | None = None, engine: str = "enumerator", viewer: int | None = None
    ) -> Moves:
        """The legal moves, grouped by action.

        ``kind`` is an action or one of the tags of actions; players count from 1. With a ``viewer`` only what that
        player may know is shown. Raises ValueError for an unknown kind, player or engine; ImportError for an engine
        whose extra is missing.
        """
        chosen = self._of_kind(kind)
        for number in (player, viewer):
            self.check_player(number)
        asked = [] if kind is None else [f"--kind={kind}"]
        asked += [] if player is None else [f"--player={player}"]
        asked += [] if engine == "enumerator" else [f"--engine={engine}"]
        if viewer is not None:
            from monjudge.solvers.observed import Observed

            whole = Position(self.written.kit.whole(self._settled))
            seen = [m for m in Observed(whole.rules, whole.state, viewer - 1).moves() if m.action in chosen]
            every = [(m.action, m.certain, seen_words(whole._settled, m)) for m in seen if player in (None, m.me + 1)]
            # What differs only in what is unknown reads alike, and is one.
            words = list({(action, certain, words.text): (action, certain, words) for action, certain, words in every}.values())
        else:
            found = [m for m in self._legal(engine, chosen) if m.action in chosen and player in (None, m.me + 1)]
            words = [(m.action, True, self.words(m)) for m in found]
        over = self.rules.over if self.rules.over is not None and self.legality.reference.over(self.state) else None
        judged = self.legality.undecided(self.state, chosen) if viewer is None else []
        return Moves(
            tuple(grouped(self._settled, words)),
            None if viewer is None else self._player(viewer - 1),
            None if over is None else ClauseWords.of(over),
            self.asked("moves", *asked) if viewer is None else None,
            tuple(Undecided(j.verdict, j.limit, self.words(j.move)) for j in judged if j.limit is not None and player in (None, j.move.me + 1)),
        )

    def check(self, *moves: str | Move, seed: int | None = None, flips: bool = False) -> Checked:
        """Whether the moves are legal one after the other; if not, the first that is not, judged.

        With a seed, chance that is due and not named is drawn. ``flips`` asks as well which single reading of the
        text would change the verdict on the last move, or on the first that is not legal.
        """
        given = list(moves)
        done, here, fault = self._walk(given, seed)
        asked = self.asked("check", *self._texts(given), *_seeded(seed), *(() if flips else ("--no-flips",)))
        turned = None
        if flips and fault is not None:
            fault = replace(fault, flips=here.flips(fault.move.text))
        elif flips and given:
            before = self._walk(given[:-1], seed)[1]
            turned = before.flips(done[-1].move.text)
        return Checked(Verdict.YES if fault is None else fault.verdict, len(done), here.end, fault, here.line, turned, len(given), asked)

    def flips(self, move: str | Move) -> Flips | None:
        """Every single reading of the text under which the verdict on a move would be another; None if there are no readings."""
        here = self.opened
        if here is None:
            return None
        from monjudge.reports.answers.depends import Flips, FlipWords
        from monjudge.solvers.readings import Readings

        text = move if isinstance(move, str) else self.words(move).text
        found = Readings(here.rules).flips(here.written.state, here.move(text))
        words = tuple(FlipWords(here._switch(flip.switch.id), flip.value, flip.verdict) for flip in found.flips)
        return Flips(len(here.rules.switches), words, found.limit)

    def depends(self, move: str | Move) -> Depends:
        """The verdict on a move under all readings of the text: yes, no, or on which readings it depends.

        Raises DataError for a game whose text has one reading.
        """
        here = self._all_readings()
        from monjudge.solvers.readings import Readings

        text = move if isinstance(move, str) else self.words(move).text
        here = here._knowing(text)
        chosen = here.move(text)
        words = here.words(chosen)
        found = Readings(here.rules).depends(here.written.state, chosen)
        return here._depends(found, words.text, words.said, self.asked("why", words.text, "--readings=all"))

    def card_depends(self, card: str, *, player: int) -> tuple[Depends, ...]:
        """The same for each way to put a card into play."""
        here = self._all_readings()
        from monjudge.solvers.readings import Choice, Readings

        self.check_player(player)
        ways, readings = here.written.kit.ways(here._settled, card), Readings(here.rules)
        asked = self.asked("why", f"--card={ways.name}", f"--player={player}", "--readings=all")
        found = []
        for action, fixed in ways.actions:
            called = title(here.rules.by_name[action])
            said = Sentence(f"{here._player(player - 1).en}: {called.en} ({ways.said.en})", f"{here._player(player - 1).ja}：{called.ja}（{ways.said.ja}）")
            answer = readings.depends(here.written.state, Choice(action, player - 1, fixed))
            found.append(here._depends(answer, f"{player}:{action} {ways.name}", said, asked))
        return tuple(found)

    @cached_property
    def opened(self) -> Position | None:
        """The same position with every reading of the text open; None where there is only one."""
        words = self.written.kit
        open = [id for id in words.switches() if id not in set(words.fixed())]
        return Position(words.position(self.data, open=open)) if open else None

    def _all_readings(self) -> Position:
        if self.opened is None:
            name = self.written.kit.title
            text = Sentence(f"the text of {name.en} has one reading", f"{name.ja}の文面の読み方は一つしかない")
            raise DataError([Defect("--readings", text, "unknown-word")])
        return self.opened

    def _switch(self, id: str) -> SwitchWords:
        from monjudge.reports.answers.depends import SwitchWords

        words = self.written.kit.switches()[id]
        return SwitchWords(id, words.title, words.values)

    def _depends(self, found: Dependence, text: str, said: Sentence, asked: Asked) -> Depends:
        from monjudge.reports.answers.depends import Depends

        when = tuple(
            (verdict, tuple(tuple((s.id, values) for s, values in parts) for parts in implicants)) for verdict, implicants in found.when.items()
        )
        return Depends(found.verdict, text, said, when, tuple(self._switch(s.id) for s in found.switches), found.limit, asked)

    def why(self, move: str | Move, *, nearest: int = NEAREST, flips: bool = False) -> Why:
        """Whether a move is legal; if not, every rule that it breaks with needed and have, and the nearest legal moves.

        ``flips`` asks as well which single reading of the text would change the verdict.
        """
        here = self._knowing(move)
        if here is not self:
            return here.why(move, nearest=nearest, flips=flips)
        chosen = self.move(move)
        judged = self.legality.judge(self.state, chosen)
        words = self.words(chosen)
        near = self.legality.nearest(self.state, chosen, nearest) if nearest and judged.verdict is not Verdict.YES else None
        rules = granted(self.rules.by_name[chosen.action]) if judged.verdict is Verdict.YES else ()
        asked = [*([] if nearest == NEAREST else [f"--nearest={nearest}"]), *(["--flips"] if flips else [])]
        return Why(
            judged.verdict, words, broken(self._settled, judged), rules,
            tuple(self.words(m) for m in near.moves) if near else None, judged.limit, near.limit if near else None,
            self.flips(words.text) if flips else None, self.asked("why", words.text, *asked),
        )  # fmt: skip

    def card(self, card: str, *, player: int | None = None) -> Card:
        """Whether a card can be put into play by any action; if not, all minimal reasons and all minimal repairs.

        Where no player is named, the one who comes nearest to it is meant. Raises DataError for an unknown card.
        """
        here = self._knowing(card)
        if here is not self:
            return here.card(card, player=player)
        from monjudge.solvers.reasons import WhyNot

        self.check_player(player)
        ways = self.written.kit.ways(self._settled, card)
        why_not = WhyNot(self.rules)
        players = range(self.rules.players) if player is None else (player - 1,)
        asked = [(why_not.ask_any(self.state, me, ways.actions), me) for me in players]
        found, me = min(asked, key=lambda a: (a[0].legal is None, min((len(r.clauses) for r in a[0].relaxations), default=99), a[1]))
        titles = {action: title(self.rules.by_name[action]) for action, _ in ways.actions}
        remedies = []
        for relaxation in found.relaxations:
            judged = self.legality.judge(self.state, relaxation.move)
            remedies.append(Remedy(tuple(map(ClauseWords.of, relaxation.clauses)), self.words(relaxation.move), broken(self._settled, judged)))
        return Card(
            found.verdict, ways.name, ways.said, self._player(me), tuple(titles.values()),
            tuple(self.words(m) for m in self._playing(ways, me)) if found.legal is not None else (),
            tuple(tuple(map(ClauseWords.of, reason)) for reason in found.reasons), tuple(remedies), found.limit,
            self.asked("why", f"--card={ways.name}", f"--player={me + 1}"),
        )  # fmt: skip

    def _playing(self, ways: Ways, me: int) -> Iterator[Move]:
        """The legal moves by which a player puts the card into play."""
        for action, fixed in ways.actions:
            names = [p.name for p in self.rules.by_name[action].params]
            for move in self.legality.enumerator.moves_of(self.state, action):
                if move.me == me and all(move.args[names.index(name)] == value for name, value in fixed.items()):
                    yield move

    def apply(self, *moves: str | Move, seed: int | None = None, at_random: int = 0) -> Applied:
        """What the moves do, one after the other, and then so many at random.

        With a seed (needed for random moves), chance that is due and not named is drawn. Raises IllegalMove for the
        first move that is not legal.
        """
        from monjudge.reports.answers.applied import Applied

        done, here = self._walked(moves, seed)
        command, more_words = ("play", ("--random", f"--most={at_random}")) if at_random else ("apply", ())
        asked = self.asked(command, *self._texts(moves), *_seeded(seed), *more_words)
        if at_random:
            rest = here.play.random(seed or 0, here.state, at_random)
            more, here = here._walked(rest.moves, None)
            done = (*done, *more)
        return Applied(done, here.line, here.end, self.line, seed, asked)

    def _check_plan(self, player: int, measure: str | None, segment: str | None) -> None:
        """Raises DataError for a measure or a segment that the game does not have, and where it does not say what a turn is."""
        turns, scales = self.rules.turns, {m.name for m in self.rules.measures if m.player == player}
        if turns is None:
            raise _unfit("the game does not declare what a turn is", "このゲームには「ターン」の区切りがない")
        if measure is not None and measure not in scales:
            raise _unfit(f"there is no measure {measure!r}; there are {_known(scales, 'none')}", f"{measure!r}という尺度はない。あるのは {_known(scales, 'なし')}")
        if segment is not None and segment not in turns.segments.values():
            known = _known(set(turns.segments.values()), "-")
            raise _unfit(f"there is no segment {segment!r}; there are {known}", f"手番に{segment!r}という部分はない。あるのは {known}")

    def plans(
        self, player: int = 1, *, most: int = 0, measure: str | None = None, native: bool = False, segment: str | None = None,
        states: int = STATES,
    ) -> PlansAnswer:  # fmt: skip
        """The whole turns that a player can make from here: how many, the first ``most`` of them, and the best by a measure.

        Raises DataError for a player or a measure that does not exist, and where it is not clear what a turn is.
        """
        from monjudge.reports.answers.plans import BestPlan, PlansAnswer
        from monjudge.solvers.plans import Planner, by_native
        from monjudge.solvers.plans import measure as declared

        self.check_player(player)
        self._check_plan(player - 1, measure, segment)
        try:
            scale = None if measure is None else declared(self.rules, measure, player - 1)
            planner = Planner(self.rules, player - 1, self.state, segment, by_native(self.rules) if native else None, states)
        except ValueError as error:
            segments = _known(set(self.rules.turns.segments.values()) if self.rules.turns else set(), "-")
            raise _unfit(f"{error}: --segment {segments}", f"手番のどの部分かが局面から決まらない。--segment で選ぶ：{segments}") from error
        found = planner.plans()
        best = None if scale is None else planner.best(scale.quantity)
        asked = [f"--player={player}", *([f"--list={most}"] if most else []), *([f"--best={measure}"] if measure else [])]
        asked += [f"--segment={segment}"] if segment else []
        asked += [*(["--engine=native"] if native else []), *([] if states == STATES else [f"--states={states}"])]
        rated = None
        if best is not None and best.plan is not None and scale is not None:
            rated = BestPlan(Sentence(scale.en or scale.name, scale.ja or scale.name), str(best.value), self._plan(best.plan))
        return PlansAnswer(
            self._player(player - 1), len(found), found.sequences, found.states, tuple(self._plan(p) for p in islice(found, most)), rated,
            found.limit or (None if best is None else best.limit), self.asked("plans", *asked),
        )  # fmt: skip

    def solve(
        self, goal: str = "win", *, player: int = 1, turns: int | None = None, seconds: float | None = None, nodes: int | None = None
    ) -> Solved:  # fmt: skip
        """Whether a player can force a goal within so many turns (see ``monjudge.reports.solving``, which also proves it)."""
        from monjudge.reports.solving import solve

        return solve(self, goal, player=player, turns=turns, seconds=seconds, nodes=nodes)[0]

    def _plan(self, plan: Plan) -> PlanWords:
        from monjudge.reports.answers.plans import PlanWords

        here, words = self, []
        for move in plan.moves:
            words.append(here.words(move))
            here = here.at(self.legality.reference.step(here.state, move))
        return PlanWords(tuple(words), plan.end, here.line, plan.orders)

    def dealt(self, seed: int, asked: Asked | None = None) -> Applied:
        """Chance drawn until somebody has to decide."""
        from monjudge.reports.answers.applied import Applied

        done, here = self._walked(self.play.deal(seed, self.state).moves, None)
        return Applied(done, here.line, here.end, self.line, seed, asked, briefly=True)

    def after(self, *moves: str | Move) -> Position:
        """The position after the moves. Raises IllegalMove for the first that is not legal."""
        return self._walked(moves, None)[1]

    # -- pictures ---------------------------------------------------------------------------------

    def picture(self, viewer: int | None = None) -> Picture:
        """What lies where; with a viewer (from 1) only what that player may know."""
        self.check_player(viewer)
        return self.written.kit.picture(self._settled, None if viewer is None else viewer - 1)

    def show(self, lang: Language = "en", *, viewer: int | None = None, ascii: bool = False) -> str:
        """The board as text."""
        from monjudge.reports.terminal import terminal

        return terminal(self.picture(viewer), lang, ascii=ascii)

    def svg(self, lang: Language = "en", *, viewer: int | None = None) -> str:
        """The board as an SVG picture. Raises ImportError without the extra ``svg``."""
        from monjudge.reports.svg import svg

        return svg(self.picture(viewer), lang)

    def _repr_svg_(self) -> str:
        return self.svg()

    # -- words ------------------------------------------------------------------------------------

    @property
    def end(self) -> Sentence:
        """That the game is over, or who has to decide; empty where that is not a matter of one player."""
        if self.rules.over is not None and self.legality.reference.over(self.state):
            return Sentence(self.rules.over.en, self.rules.over.ja)
        return Sentence("", "")

    def words(self, move: Move) -> MoveWords:
        """The move in notation and as a sentence."""
        return move_words(self._settled, move)

    def player(self, player: int) -> Sentence:
        """What a player (from 1) is called."""
        return self._player(player - 1)

    def _player(self, player: int) -> Sentence:
        return self.written.kit.player(self.written, player)

    def asked(self, command: str, *words: str) -> Asked:
        """The command that asks this of this position again."""
        return Asked((command, self.line, *words, *(["--anyway"] if self.defects else [])))

    # -- asking the engines -----------------------------------------------------------------------

    def _legal(self, engine: str, chosen: Collection[str]) -> Sequence[Move]:
        if engine not in ENGINES:
            raise ValueError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
        if engine == "enumerator":
            enumerator = self.legality.enumerator
            return [m for a in self.rules.actions if a.name in chosen for m in enumerator.moves_of(self.state, a.name)]
        module, name = ENGINES[engine]
        moves: list[Move] = getattr(import_module(f"monjudge.solvers.engines.{module}"), name)(self.rules).moves(self.state)
        return moves

    def _of_kind(self, kind: str | None) -> set[str]:
        names = {a.name for a in self.rules.actions if kind is None or kind == a.name or kind in a.tags}
        if not names:
            known = [*self.rules.by_name, *sorted(set().union(*(a.tags for a in self.rules.actions)))]
            raise _unknown("kind", f"there is no kind of moves {kind!r}", f"{kind!r}という種類の手はない", str(kind), known)
        return names

    def check_player(self, player: int | None) -> None:
        """Raises DataError for a number that is no player's."""
        if player is not None and not 1 <= player <= self.rules.players:
            span = f"1..{self.rules.players}"
            raise DataError([Defect("player", Sentence(f"there are the players {span}, not {player}", f"プレイヤーは{span}。{player}はいない"))])

    def _texts(self, moves: Iterable[str | Move]) -> Iterator[str]:
        yield from (move if isinstance(move, str) else self.words(move).text for move in moves)

    def _walked(self, moves: Iterable[str | Move], seed: int | None) -> tuple[tuple[Done, ...], Position]:
        """A line of play that is legal. Raises IllegalMove."""
        done, here, fault = self._walk(moves, seed)
        if fault is None:
            return done, here
        raise IllegalMove(len(done) + 1, fault)

    def _walk(self, moves: Iterable[str | Move], seed: int | None) -> tuple[tuple[Done, ...], Position, Why | None]:
        """What the moves do up to the first that is not legal, the position there, and what is wrong with it."""
        here: Position = self
        done: list[Done] = []
        random = None if seed is None else _random(seed)
        for number, given in enumerate(moves):
            try:
                here = here._knowing(given)
                move = here.move(given)
            except DataError as error:
                raise DataError([replace(defect, path=f"moves[{number}]") for defect in error.defects]) from None
            if random is not None and move.me != NATURE:
                for drawn in here.play.deal(random.randrange(1 << 32), here.state).moves:
                    here = here._step(drawn, done)
                move = here.move(given)
            if not here.legality.enumerator.legal(here.state, move):
                return tuple(done), here, here.why(move, nearest=0)
            here = here._step(move, done)
        return tuple(done), here, None

    def _step(self, move: Move, done: list[Done]) -> Position:
        from monjudge.reports.answers.applied import Done

        step = self.play.apply(self.state, move)
        after = self.at(step.state)
        facts = told(after.written, ((change.field, change.indices, change.after) for change in step.changes))
        done.append(Done(self.words(move), step.changes, tuple(self._fired(step)), tuple(facts)))
        return after

    def _fired(self, step: Step) -> Iterator[ClauseWords]:
        by_id = {trigger.id: trigger for trigger in self.rules.triggers}
        yield from (ClauseWords.of(by_id[id]) for id in step.triggers)


def _known(names: set[str], none: str) -> str:
    return ", ".join(sorted(names)) or none


def _unfit(en: str, ja: str) -> DataError:
    return DataError([Defect("", Sentence(en, ja), "unknown-word")])


class IllegalMove(ValueError):
    """A move in a line of play that is not legal; ``number`` counts from 1, ``why`` says all about it."""

    def __init__(self, number: int, why: Why) -> None:
        self.number, self.why = number, why
        ids = ", ".join(broken.clause.id for broken in why.broken)
        super().__init__(f"move {number}, {why.move.text}, is not legal: {ids}")


def _random(seed: int) -> Random:
    from random import Random

    return Random(seed)


def _seeded(seed: int | None) -> tuple[str, ...]:
    return () if seed is None else (f"--seed={seed}",)


def _unknown(path: str, en: str, ja: str, given: str, known: Iterable[str]) -> DataError:
    """A name that does not exist, with those that come nearest to it."""
    names = list(known)
    near = difflib.get_close_matches(given, names, 5, 0.5) or names[:20]
    text = Sentence(f"{en}; near to it: {', '.join(near)}", f"{ja}。近いのは {', '.join(near)}")
    return DataError([Defect(path, text, "unknown-name")])
