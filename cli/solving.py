"""``monjudge solve`` and ``monjudge certify``: can it be forced, and does a proof of that hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from monjudge.cli.asking import STATE, About, about, given, question
from monjudge.cli.output import Reply, Talk, write_file
from monjudge.cli.toolkit import Seconds, argument, click, option, spoken
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Answer, Asked, Exit, MoveWords
from monjudge.reports.answers.count import counted
from monjudge.reports.answers.odds import OddsAnswer
from monjudge.reports.answers.solved import OverReadings, Solved, Unseen
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.puzzles import Puzzle
    from monjudge.reports.judge import Position
    from monjudge.reports.running import Means
    from monjudge.reports.solving import Proof
    from monjudge.solvers.forced.course import Part
    from monjudge.solvers.forced.ledger import Ledger
    from monjudge.solvers.given import Rolls
    from monjudge.solvers.worths import Worths

__all__ = ["certify", "solve"]

AnswerT = TypeVar("AnswerT", bound=Solved | Unseen | OddsAnswer | OverReadings)

LARGEST_LEDGER = 100_000_000
"""Bytes of a file of what is settled."""

LARGEST_PROOF = 100_000_000
"""Bytes of a proof; what is longer is none."""


@question("solve", Sentence("Can a player force a goal, whatever the others do and chance brings?",
                            "ほかの人が何をし、偶然がどう出ても、目標を必ず達成できるか。"),
          Sentence("Of a position: by one strategy that uses only what the player sees, however the hidden cards lie, unless --open; of a puzzle as it says. "
                   "With --keys, --split, --resume, --cross-check and --engine all cards lie open. "
                   f"No is said after exhaustion only; a limit makes it unknown. {STATE.en}",
                   "局面については、--open でなければ、見えるものだけを使う一つの戦略で、伏せたカードが何であっても達成できるか。問題についてはその指定に従う。"
                   "--keys、--split、--resume、--cross-check、--engine では、すべて公開されているものとする。"
                   f"「できない」はすべて調べたときだけで、上限に達すれば不明。{STATE.ja}"))  # fmt: skip
@about
@argument("state")
@option("--goal", said=Sentence("The goal by its name in the game, e.g. deal:5, or a condition of its rule language; else that of the puzzle, or win.",
                                "目標。ゲームでの名前（例：deal:5）か、ルール言語の条件。なければ問題の目標か win。"))  # fmt: skip
@option("--player", type=int, said=Sentence("Whose goal, from 1; else that of the puzzle, or 1.", "誰の目標か（1から）。なければ問題のとおりか 1。"))
@option("--turns", type=click.IntRange(1),
        said=Sentence("Within so many turns; else as the puzzle says, or ever.", "このターン数以内。なければ問題のとおりか、無制限。"))  # fmt: skip
@option("--keys/--no-keys", default=None,
        said=Sentence("All first moves with their verdicts and refutations, other winning moves of the line, and answers to other replies; of a puzzle unless told not to.",
                      "最初の手すべての成否と反証、本手順の別の勝ち手、ほかの応手への答えも挙げる。問題では指定しなくても挙げる。"))  # fmt: skip
@option("--engine", type=click.Choice(["native", "brute"]), default="native", show_default=True,
        said=Sentence("brute is the obvious solver, for small positions.", "brute は素朴な全数探索。小さな局面用。"))  # fmt: skip
@option("--cross-check", is_flag=True, said=Sentence("Ask the other engine, too.", "もう一方のエンジンでも確かめる。"))
@option("--max-time", "seconds", type=Seconds(), said=Sentence("Seconds to search.", "探索の秒数。"))
@option("--max-nodes", "nodes", type=click.IntRange(1), said=Sentence("Positions to expand; one process only.", "調べる局面の数。プロセスは一つになる。"))
@option("--max-memory", "memory", type=click.IntRange(8), metavar="MB", said=Sentence("Megabytes for positions, in all processes together.",
                                                                                       "局面を覚えるメモリー（MB、全プロセスの合計）。"))  # fmt: skip
@option("--jobs", type=click.IntRange(1, 256), said=Sentence("Processes for a long search; as many as there are cores unless given.",
                                                             "長い探索に使うプロセス数。既定はコアの数。"))  # fmt: skip
@option("--split", metavar="K/N", said=Sentence("Only the K-th of N parts of the first moves; with --resume the parts can be joined.",
                                                "最初の手を N 分した K 番目だけを調べる。--resume でまとめられる。"))  # fmt: skip
@option("--resume", multiple=True, metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
        said=Sentence("Go on from what is settled in these files; the first is written (and made) with what is settled now.",
                      "これらのファイルで済んでいる所から続ける。最初のファイルに現状を書く（なければ作る）。"))  # fmt: skip
@option("--no-cache", is_flag=True, said=Sentence("Neither use nor keep answers of other runs.", "以前の結果を使わず、残しもしない。"))
@option("--progress", is_flag=True, said=Sentence("Tell how far it is, also where there is no terminal.", "端末でなくても進み具合を表示する。"))
@option("--odds", is_flag=True, said=Sentence("The exact probability under best play, chance as it is weighted.", "最善を尽くしたときの正確な確率を求める。"))
@option("--at-least", metavar="P/Q", said=Sentence("Whether that probability is at least so much.", "その確率がこれ以上か。"))
@option("--hidden", is_flag=True, said=Sentence("By one strategy that uses only what the player sees, however the hidden cards lie.",
                                                "伏せたカードがどうであっても、見えるものだけを使う一つの戦略で達成できるか。"))  # fmt: skip
@option("--open", "opened", is_flag=True, said=Sentence("All cards open as they lie, whatever the player sees.", "プレイヤーに何が見えるかによらず、すべて公開して調べる。"))
@option("--proof", type=click.Path(path_type=Path), said=Sentence("File to write a proof to, for certify.", "certify で検査できる証明を書くファイル。"))
def solve(
    talk: Talk, about: About, state: str, goal: str | None, player: int | None, turns: int | None, keys: bool | None, engine: str, cross_check: bool,
    seconds: float | None, nodes: int | None, memory: int | None, jobs: int | None, split: str | None, resume: tuple[Path, ...],
    no_cache: bool, progress: bool, odds: bool, at_least: str | None, hidden: bool, opened: bool, proof: Path | None,
) -> Reply:  # fmt: skip
    from contextlib import nullcontext

    from monjudge.cli.progress import Progress
    from monjudge.reports import chances
    from monjudge.reports.running import INTERRUPTED, Means, Solving
    from monjudge.solvers.cache import Cache, default_file
    from monjudge.solvers.forced.workers import cores

    _fit(engine, bool(keys), proof, split, resume)
    if hidden and opened:
        raise click.UsageError(_say(Sentence("--hidden or --open", "--hidden と --open はどちらか一方")))
    position, puzzle = about.asked(state, may_be_open=True)
    asks_open = opened or puzzle is not None or bool(keys or split or resume or cross_check or engine != "native")
    told, asked_hidden, asked_odds = _Told(), hidden, odds
    if puzzle is not None:
        goal, player, turns = goal or puzzle.goal, puzzle.player if player is None else player, turns or puzzle.turns
        hidden, odds = hidden or (puzzle.hidden and not opened), odds or puzzle.chance == "odds"
        if puzzle.chance == "given" or (puzzle.hidden and not opened):
            told = _Told(position, puzzle, state, about, opened)
        if puzzle.chance == "given":
            position = type(position)(puzzle.with_rolls(position.written))
    special = sum((about.is_open, hidden, odds or at_least is not None))
    whole = bool(keys) if keys is not None or special or split or engine != "native" else puzzle is not None
    shown = Progress(talk, progress)
    with nullcontext() if no_cache else Cache(default_file(), talk.say) as cache:
        means = Means(
            seconds, nodes, None if memory is None else memory << 20, 1 if proof else jobs or cores(), engine, cross_check, whole,
            _part(split), _ledgers(resume), cache, shown.watch, shown.told, puzzle.line_of_play if puzzle is not None and (whole or odds) else (),
            opened=asks_open,
        )  # fmt: skip
        if special and (special > 1 or keys or (proof and about.is_open) or split or (resume and about.is_open) or cross_check or engine != "native"):
            typed = [name for name, on in (
                ("--keys", keys), ("--split", split), ("--resume", resume), ("--cross-check", cross_check), ("--engine", engine != "native"),
                ("--readings all", about.is_open), ("--hidden", asked_hidden), ("--odds", asked_odds), ("--at-least", at_least is not None),
            ) if on]  # fmt: skip
            if puzzle is not None and typed and (own := _own(puzzle, opened)) and own not in typed:
                raise click.UsageError(_say(Sentence(f"the puzzle sets {own}, which does not go with {', '.join(typed)}",
                                                     f"この問題は {own} で解くもので、{'、'.join(typed)} と併用できない")))  # fmt: skip
            raise click.UsageError(_say(Sentence("--readings all, --hidden and --odds go with a goal and limits only, and one at a time; the last two with --proof and --resume",
                                                 "--readings all、--hidden、--odds は一つずつ、目標と上限だけと併用できる。後の二つは --proof、--resume とも併用できる")))  # fmt: skip
        if hidden or odds or at_least is not None:
            try:
                return _by_chance(talk, position, goal or "win", 1 if player is None else player, turns, means, hidden, at_least, proof, told, resume)
            finally:
                shown.end()
        if about.is_open:
            return _over_readings(position, goal or "win", 1 if player is None else player, turns, means, told)
        solving = Solving(position, goal or "win", player=1 if player is None else player, turns=turns, means=means)
        answer: Solved | Unseen
        rest = chances.Rest()
        try:
            answer, evidence = solving.run(prove=proof is not None)
            if not asks_open and answer.opened:
                opened_answer = replace(answer, verdict=Verdict.UNKNOWN, limit=INTERRUPTED) if solving.interrupted else answer
                answer, evidence, rest = chances.hidden(
                    position, goal or "win", player=solving.player, turns=turns, means=means, prove=proof is not None, opened=opened_answer
                )
        finally:
            shown.end()
    if proof is not None and evidence is not None:
        write_file(proof, told.written(evidence).to_json().encode())
    elif proof is not None:
        talk.say(_NO_PROOF)
    if engine == "native" and not solving.uncompiled and (resume or solving.interrupted):
        _save(talk, solving.ledger, resume, solving.interrupted, "" if asks_open else "--open ")
    elif rest.settled is not None and rest.interrupted:
        _save(talk, rest.settled, (), True, "--hidden ")
    interrupted = solving.interrupted or rest.interrupted
    return Reply([told.of(answer)], position.readings, given(position), Exit.INTERRUPTED if interrupted else None)


_NO_PROOF = Sentence("no proof was written", "証明は書かれていない")


def _over_readings(position: Position, goal: str, player: int, turns: int | None, means: Means, told: _Told) -> Reply:
    from monjudge.reports.robust import over_readings

    answer = told.of(over_readings(position, goal, player=player, turns=turns, means=means))
    return Reply([replace(answer, base=told.of(answer.base))], position.readings, given(position))


def _by_chance(talk: Talk, position: Position, goal: str, player: int, turns: int | None, means: Means, hidden: bool, at_least: str | None,
               proof: Path | None, told: _Told, resume: tuple[Path, ...]) -> Reply:  # fmt: skip
    from monjudge.reports import chances

    answer: Answer
    if hidden:
        unseen, evidence, rest = chances.hidden(position, goal, player=player, turns=turns, means=means, prove=proof is not None)
        answer = told.of(unseen)
    else:
        likely, evidence, rest = chances.odds(position, goal, player=player, turns=turns, at_least=_fraction(at_least), means=means,
                                        prove=proof is not None)  # fmt: skip
        answer = told.of(likely)
    if proof is not None and evidence is not None:
        write_file(proof, told.written(evidence).to_json().encode())
    elif proof is not None:
        talk.say(_NO_PROOF)
    if rest.settled is not None and (resume or rest.interrupted):
        _save(talk, rest.settled, resume, rest.interrupted, "--hidden " if hidden else "")
    return Reply([answer], position.readings, told.inputs(position), Exit.INTERRUPTED if rest.interrupted else None)


class _Told:
    """The outcomes that a puzzle tells, none without one, and how an answer is asked for again that hangs on them, or must not show what it hides."""

    def __init__(self, position: Position | None = None, puzzle: Puzzle | None = None, state: str = "", about: About | None = None,
                 opened: bool = False) -> None:  # fmt: skip
        self.state, self.opened = state, opened
        self.about: About = about or About()
        self.hides = puzzle is not None and puzzle.hidden and not opened
        self.rolls: tuple[MoveWords, ...] = ()
        self.outcomes: Rolls = ()
        if position is not None and puzzle is not None:
            self.outcomes = puzzle.outcomes(position.written)
            self.rolls = tuple(position.words(puzzle.kit.move(position.written, text)) for text in puzzle.data.get("rolls", ()))
            self.state = puzzle.line if state == "-" else state

    def inputs(self, position: Position) -> list[Mapping[str, Any]]:
        """The position as an entry of ``inputs``; only the name of a puzzle that hides some of it."""
        return [{"kind": "puzzle", "puzzle": self.state}] if self.hides else given(position)

    def written(self, proof: Proof) -> Proof:
        """The proof with the outcomes: it holds only where they come."""
        return replace(proof, rolls=self.outcomes)

    def of(self, answer: AnswerT) -> AnswerT:
        """The answer with the condition; the line of the position does not have it, or shows what is hidden, so the puzzle itself is asked about."""
        if not (self.rolls or self.hides):
            return answer
        if not isinstance(answer, OverReadings):
            answer = replace(answer, rolls=self.rolls)
        if answer.asked is None:
            return answer
        command, _, *words = answer.asked.words
        words = [word for word in words if not word.startswith(("--reading=", "--readings="))]
        words += [f"--readings={self.about.profile}"] if self.about.profile else []
        words += [*(f"--reading={text}" for text in self.about.chosen), *(["--open"] if self.opened else [])]
        return replace(answer, asked=Asked((command, self.state, *words)))


def _fraction(text: str | None) -> Fraction | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,40})(?:/([0-9]{1,40}))?", text)
    if found is None or (found[2] is not None and int(found[2]) == 0):
        raise click.UsageError(_say(Sentence(f"--at-least {text}: write a fraction such as 1/3", f"--at-least {text}：1/3 のような分数で書く")))
    return Fraction(int(found[1]), int(found[2] or 1))


def _fit(engine: str, keys: bool, proof: Path | None, split: str | None, resume: tuple[Path, ...]) -> None:
    """Raises UsageError for options that do not go together."""
    if engine == "brute" and (keys or proof or split or resume):
        raise click.UsageError(_say(Sentence("--engine brute goes without --keys, --proof, --split and --resume",
                                             "--engine brute は --keys、--proof、--split、--resume と併用できない")))  # fmt: skip
    if split and proof:
        raise click.UsageError(_say(Sentence("a part of the first moves has no proof", "最初の手の一部だけでは証明にならない")))


def _own(puzzle: Puzzle, opened: bool) -> str:
    """The option that the puzzle itself sets; empty for none."""
    return "--hidden" if puzzle.hidden and not opened else "--odds" if puzzle.chance == "odds" else ""


def _say(said: Sentence) -> str:
    return said.ja if spoken(click.get_current_context()) == "ja" else said.en


def _part(text: str | None) -> Part | None:
    from monjudge.solvers.forced.course import Part

    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise click.UsageError(_say(Sentence(f"--split {text}: write K/N, with K from 1 to N", f"--split {text}：K/N（K は1～N）と書く")))
    return Part(int(found[1]), int(found[2]))


def _ledgers(files: tuple[Path, ...]) -> list[Ledger | Worths]:
    """What is settled in the files; the first need not exist yet. Raises DataError."""
    from monjudge.model.notation.source import content
    from monjudge.solvers.forced.ledger import Damaged, Ledger
    from monjudge.solvers.worths import FORMAT as WORTHS
    from monjudge.solvers.worths import Worths

    found = list[Ledger | Worths]()
    for n, file in enumerate(files):
        if n or file.exists():
            try:
                text = content(file, LARGEST_LEDGER)
                found.append(Worths.from_json(text) if WORTHS.encode() in text else Ledger.from_json(text))
            except Damaged as damaged:
                raise DataError([Defect("", damaged.text, "other-file")], str(file)) from damaged
    return found


def _save(talk: Talk, settled: Ledger | Worths, resume: tuple[Path, ...], interrupted: bool, beside: str) -> None:
    """Writes down what is settled, and says how to go on where nobody named a file; ``beside`` is what has to be asked with it."""
    from monjudge.solvers.cache import default_file

    file = resume[0] if resume else default_file().parent / f"resume-{settled.question[:16]}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, settled.to_json().encode())
    if interrupted:
        talk.say(Sentence(f"to go on: add {beside}--resume {file}", f"続けるには {beside}--resume {file} を付ける"))


_PROOFS = Sentence("proofs", "件の証明")
_JUDGED = {Verdict.YES: Sentence("right", "正しい"), Verdict.NO: Sentence("not right", "正しくない")}


@question("certify", Sentence("Check proofs, with nothing of the solver that found them.",
                              "証明を検査する。それを見つけたソルバーは使わない。"))  # fmt: skip
@argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@option("--plugin", type=click.Path(exists=True, dir_okay=False),
        said=Sentence("Python file that evidence of verify may need; it is run.", "verify の証拠に必要な Python ファイル。実行される。"))
@option("--show", is_flag=True,
        said=Sentence("Show what evidence of verify shows: a line move by move, in the words of the game, with the position where a property breaks.",
                      "verify の証拠が示すもの、つまりゲームの言葉での手順と、性質が成り立たなくなる局面も示す。"))  # fmt: skip
@option("--engine", type=click.Choice(["auto", "reference", "native", "both"]), default="auto", show_default=True,
        said=Sentence("By whose moves a proof of solve is followed; auto: by the reference, a long one by the native engine.",
                      "solve の証明をどのエンジンの手でたどるか。auto は参照エンジン、長い証明は native エンジン。"))  # fmt: skip
def certify(talk: Talk, files: tuple[Path, ...], plugin: str | None, show: bool, engine: str) -> Reply:
    from monjudge.cli.verify import certified
    from monjudge.judge import read
    from monjudge.model.notation.source import content
    from monjudge.reports import solving
    from monjudge.reports.answers.solved import Certified
    from monjudge.solvers.certificate import Refused

    def told() -> Iterator[Answer]:
        for file in files:
            given = content(file, LARGEST_PROOF)
            if (verified := certified(given, str(Path(plugin).resolve()) if plugin else "", show)) is not None:
                yield verified
                continue
            try:
                proof = solving.Proof.from_json(given)
            except solving.NoProof as none:
                raise DataError([Defect("", none.text, "other-file")], str(file)) from none
            except Refused as refused:
                yield Certified(Sentence(str(file), str(file)), refused=refused.text)
            else:
                yield solving.certify(read(proof.position), proof, engine)

    answers = told()
    if talk.form == "text":
        answers = counted(answers, _PROOFS, _JUDGED)
    return Reply(answers, inputs=[{"kind": "proof", "file": str(file)} for file in files])
