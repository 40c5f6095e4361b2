"""What every question shares: the position it is about, the readings it is asked under, and how the answer is given."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from monjudge.cli.language import LANGUAGES
from monjudge.cli.output import FORMS, Reply, Talk
from monjudge.cli.toolkit import NOTHING, Command, click, command, option, spoken
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.places import at
from monjudge.model.notation.sentence import Sentence

if TYPE_CHECKING:
    from monjudge.judge import Position
    from monjudge.model.notation.kit import Kit
    from monjudge.model.notation.source import Document
    from monjudge.puzzles import Puzzle

__all__ = ["STATE", "About", "about", "given", "named", "question", "shipped_puzzle", "source"]

EXAMPLE = "example:"
PUZZLE = "puzzle:"
_LINE = re.compile(r"[a-z][a-z-]*[0-9]{1,3}(/.*)?", re.DOTALL)
"""How the one-line notation of every game looks."""

STATE = Sentence(
    "STATE is a file (YAML, JSON or one line), - for standard input, the line itself, example:NAME or puzzle:NAME.",
    "STATE は、ファイル（YAML、JSON、一行記法）、標準入力の -、一行記法そのもの、example:名前、puzzle:名前 のどれか。",
)

Function = Callable[..., Any]


def question(name: str, said: Sentence, more: Sentence = NOTHING, forms: Sequence[str] = ()) -> Callable[[Function], Command]:
    """The decorator of a command that gets a ``Talk`` and returns a ``Reply``, or its exit code if it has answered itself.

    ``forms`` are those that it writes itself, besides the forms of every answer.
    """

    def made(function: Function) -> Command:
        @wraps(function)
        def answered(ctx: click.Context, /, form: Any, output: str | None, ascii: bool, lang: str, **words: Any) -> None:
            talk = Talk(form, spoken(ctx), ascii, None if output in (None, "-") else Path(str(output)))
            answer = function(talk, **words)
            ctx.exit(talk.give(answer) if isinstance(answer, Reply) else answer)

        run: Function = click.pass_context(answered)
        for decorate in reversed(_speaking((*FORMS, *forms))):
            run = decorate(run)
        result = command(name, said, more)(run)
        result.params.sort(key=lambda param: param.name in _SHARED)  # what is special to the question comes first
        return result

    return made


def _speaking(forms: Sequence[str]) -> Sequence[Callable[[Function], Function]]:
    return (
        option("--format", "form", type=click.Choice(forms), default="text", show_default=True,
               said=Sentence("Form of the answer.", "答えの形式。")),
        option("--lang", type=click.Choice(LANGUAGES), default="auto", show_default=True,
               said=Sentence("Language; auto takes MONJUDGE_LANG or the locale.", "表示言語。auto は MONJUDGE_LANG かロケールに従う。")),
        option("--ascii", is_flag=True, said=Sentence("Signs and borders in ASCII only.", "記号と枠を ASCII だけにする。")),
        option("--output", "-o", metavar="FILE", said=Sentence("File to write the answer to, - for standard output.",
                                                               "答えを書くファイル。- は標準出力。")),
    )  # fmt: skip


_SHARED = ("game", "profile", "chosen", "anyway", "form", "lang", "ascii", "output")

_ABOUT = (
    option("--game", said=Sentence("Game, where the position does not say it.", "局面に書かれていないときのゲーム名。")),
    option("--readings", "profile", metavar="FILE|all|default",
           said=Sentence("Reading profile: a file, 'default', or 'all' to leave every reading open.",
                         "読みのプロファイル：ファイル、default、またはすべての読みを開いておく all。")),
    option("--reading", "chosen", multiple=True, metavar="SWITCH=VALUE",
           said=Sentence("One reading, e.g. A43=ANY; may be repeated.", "一つの読み（例：A43=ANY）。繰り返してよい。")),
    option("--anyway", is_flag=True,
           said=Sentence("Ask even of a position that cannot lie on a table.", "卓上にありえない局面でも答える。")),
)  # fmt: skip


def about(function: Function) -> Function:
    """The decorator of a question about a position: it gets ``about``, which reads one."""

    @wraps(function)
    def asked(talk: Talk, game: str | None, profile: str | None, chosen: tuple[str, ...], anyway: bool, **words: Any) -> Any:
        return function(talk, About(game, profile, chosen, anyway), **words)

    run: Function = asked
    for decorate in reversed(_ABOUT):
        run = decorate(run)
    return run


@dataclass(frozen=True)
class About:
    """Of which game and under which readings positions are read."""

    game: str | None = None
    profile: str | None = None
    chosen: tuple[str, ...] = ()
    anyway: bool = False

    @property
    def is_open(self) -> bool:
        """Whether every reading is left open."""
        return self.profile == "all"

    def readings(self) -> dict[str, str]:
        """The readings that are named. Raises DataError."""
        found: dict[str, str] = {}
        if self.is_open and self.chosen:
            raise _refused(Sentence("--readings all leaves every reading open, so that none can be chosen", "--readings all ではすべての読みを開いておくので、読みを選べない"))
        if self.profile not in (None, "all", "default"):
            document, words = self.document(str(self.profile))
            try:
                found.update(words.canonical("readings", document.data).get("readings", {}))
            except DataError as error:
                raise document.located(error) from None
        chosen: dict[str, str] = {}
        for text in self.chosen:
            switch, sign, value = text.partition("=")
            if not sign or not switch or not value:
                raise _refused(Sentence(f"{text!r} is not like A43=ANY", f"{text!r} は A43=ANY の形でない"))
            if chosen.setdefault(switch.strip(), value.strip()) != value.strip():
                raise _refused(Sentence(f"{switch.strip()} is chosen twice, and differently", f"{switch.strip()} が二度、違う値で選ばれている"))
        return found | chosen

    def position(self, name: str, *, may_be_open: bool = False) -> Position:
        """The position of that name. Raises DataError with all its defects, and where the question does not take open readings."""
        return self.asked(name, may_be_open=may_be_open)[0]

    def asked(self, name: str, *, may_be_open: bool = False) -> tuple[Position, Puzzle | None]:
        """The same with the puzzle that asks about it, if it is one. Raises DataError."""
        from monjudge.judge import Position
        from monjudge.puzzles import is_puzzle, read_document

        self._closed(may_be_open)
        readings = self.readings()
        document, words = self.document(name)
        puzzle = read_document(document) if is_puzzle(document.data) else None
        start, path = (document.data, "") if puzzle is None else (puzzle.data["start"], "start")
        try:
            found = words.position(start, readings=readings)
            self._sound(words.defects(found) if not self.anyway else (), path)
        except DataError as error:
            raise _of_options(error, readings) or document.located(error) from None
        return Position(found), puzzle

    def _closed(self, may_be_open: bool) -> None:
        if self.is_open and not may_be_open:
            raise _refused(_ONE_READING)

    def _sound(self, defects: Sequence[Defect], path: str = "") -> None:
        if defects:
            raise DataError([replace(defect, path=at(path, defect.path) if path else defect.path) for defect in defects])

    def dealt(self, mode: str | None, players: int | None, boards: Sequence[str], pack: str | None = None) -> Position:
        """The beginning of a match of the game; boards and decks are names or files, cards a file. Raises DataError."""
        from monjudge.judge import Position
        from monjudge.model.games import games, kit

        self._closed(False)
        words = kit(self.game or games()[0])
        files = {f"boards[{n}]": self.document(board)[0] for n, board in enumerate(boards) if _is_document(board)}
        if pack is not None:
            files["pack"] = self.document(pack)[0]
        brought = [files[place].data if (place := f"boards[{n}]") in files else board for n, board in enumerate(boards)]
        try:
            cards = None if pack is None else files["pack"].data
            return Position(words.deal(mode=mode, players=players, boards=brought, pack=cards, readings=self.readings()))
        except DataError as error:
            raise _of_files(error, files) from None

    def log(self, name: str) -> tuple[Position, tuple[str, ...], Document]:
        """The start and the moves of a log, and where they stand; a position is a log without moves. Raises DataError with all defects."""
        from monjudge.judge import Position

        document, words = self.document(name)
        try:
            if words.kind(document.data) != "log":
                return self.position(name), (), document
            self._closed(False)
            readings = self.readings()
            log = words.log(document.data)
            if readings:
                log = log._replace(position=words.position(words.data(log.position), readings=readings))
            self._sound(words.defects(log.position) if not self.anyway else (), "start")
        except DataError as error:
            raise document.located(error) from None
        return Position(log.position), log.moves, document

    def document(self, name: str) -> tuple[Document, Kit]:
        """A document of any kind, with the words of its game. Raises DataError."""
        from monjudge.model.games import kit, kit_of
        from monjudge.model.notation.source import content
        from monjudge.model.notation.source import read as read_source
        from monjudge.puzzles import game_of, is_puzzle

        given = source(name)
        document = read_source(content(given) if isinstance(given, Path) else given, str(given) if isinstance(given, Path) else "")
        if is_puzzle(document.data):
            return document, kit(game_of(document.data))
        return document, kit_of(document.data) if self.game is None else kit(self.game)


def _is_document(name: str) -> bool:
    """Whether a word on the command line names a file, and not one of the boards and decks that are shipped."""
    return name == "-" or Path(name).suffix in (".yaml", ".yml", ".json")


def _of_files(error: DataError, files: Mapping[str, Document]) -> DataError:
    """The defects of the first file that has some, at their places there; the error as it is where no file has any."""
    for place, document in files.items():
        found = [replace(d, path=d.path[len(place) :].removeprefix(".")) for d in error.defects if d.path.startswith(place)]
        if found:
            return document.located(DataError(found))
    return error


def _of_options(error: DataError, readings: Mapping[str, str]) -> DataError | None:
    """What is wrong with the readings named on the command line, which stand nowhere in the document; None if nothing is."""
    found = [replace(d, path=f"--reading {d.path[9:]}") for d in error.defects if d.path[:9] == "readings." and d.path[9:] in readings]
    return DataError(found) if found else None


_ONE_READING = Sentence(
    "this question needs one reading of the text; ask about a move with: monjudge why STATE MOVE --readings all",
    "この問いには読みを一つに決める必要がある。一手については monjudge why STATE MOVE --readings all と尋ねる",
)


def _refused(text: Sentence) -> DataError:
    return DataError([Defect("--reading", text)])


def source(name: str) -> str | bytes | Path:
    """What a name on the command line stands for: a file, standard input, an example, or itself.

    Raises DataError for what is neither, OSError for a file that cannot be opened.
    """
    if name == "-":
        from monjudge.model.notation.source import MOST_BYTES

        return sys.stdin.buffer.read(MOST_BYTES + 1)
    if name.startswith(EXAMPLE):
        return _example(name.removeprefix(EXAMPLE))
    if name.startswith(PUZZLE):
        return shipped_puzzle(name.removeprefix(PUZZLE))
    if _is_file(name):
        return Path(name)
    if _LINE.fullmatch(name.strip()) or name.lstrip()[:1] in ("{", "["):
        return name
    raise DataError([Defect("", Sentence(f"{name!r} is neither a file nor a position in one line", f"{name!r}というファイルはなく、一行記法の局面でもない"), "no-such-file")])


def _example(name: str) -> str | Path:
    """A position that is shipped: the name of a game is its beginning. Raises DataError."""
    from monjudge.model.examples import examples
    from monjudge.model.games import games, kit

    shipped = examples()
    if name in shipped:
        return shipped[name]
    if name in games():
        return kit(name).line(kit(name).deal())
    known = ", ".join([*shipped, *games()])
    text = Sentence(f"no example is called {name!r}; there are {known}", f"{name!r}という例はない。あるのは {known}")
    raise DataError([Defect("", text, "no-such-file")])


def shipped_puzzle(name: str) -> Path:
    """The file of a puzzle of the library. Raises DataError."""
    from monjudge.puzzles.library import library

    shipped = library()
    if name not in shipped:
        known = ", ".join(shipped)
        raise DataError([Defect("", Sentence(f"no puzzle is called {name!r}; there are {known}", f"{name!r}という問題はない。あるのは {known}"), "no-such-file")])
    return shipped[name]


def given(position: Position) -> list[Mapping[str, Any]]:
    """The position as an entry of ``inputs``."""
    return [{"kind": "state", "line": position.line}]


def _is_file(name: str) -> bool:
    try:
        return os.path.lexists(name)
    except ValueError:  # a name with a null character
        return False


def named(error: DataError, name: str) -> DataError:
    return error if error.file or not name else DataError(error.defects, name, error.source)
