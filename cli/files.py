"""``monjudge validate``, ``fmt``, ``convert`` and ``schema``: files of positions, moves, logs, boards, decks, packs, readings, properties and puzzles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from monjudge.cli.asking import About, named, question
from monjudge.cli.failing import unopened
from monjudge.cli.output import Reply, Talk, write_file
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import KINDS
from monjudge.model.notation.places import at
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Answer, Exit
from monjudge.reports.answers.defects import Defective, Sound

if TYPE_CHECKING:
    from monjudge.model.notation.kit import Kit
    from monjudge.model.notation.source import Document

__all__ = ["convert", "fmt", "schema", "validate"]

HELD = (*KINDS, "properties", "puzzle")
FORMS = (*HELD, "answer")

_MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")
"""The line by which editors find the schema of a YAML file."""
_COMMENT = re.compile(r"(^|\s)#", re.MULTILINE)

_GAME = option("--game", said=Sentence("Game, where the file does not say it.", "ファイルに書かれていないときのゲーム名。"))
_KIND = option("--kind", type=click.Choice(HELD), said=Sentence("What the file holds; else its content tells.",
                                                                    "ファイルの種類。なければ内容から判断する。"))  # fmt: skip


@question("validate", Sentence("Check FILES: each with every defect, at its place.", "FILES を調べ、誤りをすべて、場所とともに挙げる。"),
          Sentence("A file holds a state, a log, a board, a deck, a pack, readings, properties or a puzzle; - is standard input.",
                   "ファイルは局面、記録、ボード、デッキ、カードパック、読み、性質、問題のどれか。- は標準入力。"))  # fmt: skip
@argument("files", nargs=-1, required=True)
@_GAME
@_KIND
@option("--solve", is_flag=True, said=Sentence("Solve the puzzles, and compare what stands under computed.",
                                               "問題を解いて、computed の内容と照合する。"))  # fmt: skip
def validate(talk: Talk, files: tuple[str, ...], game: str | None, kind: str | None, solve: bool) -> int:
    unreadable: list[str] = []
    unsolved: list[str] = []

    def judged() -> Iterator[Answer]:
        from monjudge.puzzles.facts import Unsolved

        for file in files:
            try:
                holds, defects, remarks = _judged(About(game), file, kind, solve)
            except Unsolved as stopped:
                unsolved.append(file)
                yield Sound(_name(file), "puzzle", (Defect("computed", _not_solved(stopped.limit)),))
            except (DataError, OSError) as error:
                unreadable.append(file)
                yield _told(error, file)
            else:
                yield Defective(tuple(defects), _name(file)) if defects else Sound(_name(file), holds, tuple(remarks))

    code = talk.give(Reply(judged(), inputs=[{"kind": "file", "file": _name(file)} for file in files]))
    return Exit.UNREADABLE if unreadable else Exit.UNKNOWN if unsolved and code == Exit.HOLDS else code


def _not_solved(limit: Sentence) -> Sentence:
    return Sentence(f"not solved: {limit.en}", f"解けなかった：{limit.ja}")


def _judged(about: About, file: str, kind: str | None, solve: bool = False) -> tuple[str, list[Defect], list[Defect]]:
    """What a file holds, what is wrong with it though it can be read, and what is odd. Raises DataError, OSError, Unsolved."""
    from monjudge.puzzles import is_puzzle, read_document

    document, words = about.document(file)
    if kind == "puzzle" or is_puzzle(document.data):
        from monjudge.puzzles.stored import contradictions, differences, stale

        puzzle = read_document(document)
        wrong = [*puzzle.defects()]
        wrong = wrong or [*contradictions(puzzle)]
        wrong = wrong or ([*differences(puzzle)] if solve else [])
        odd = [] if wrong else [*stale(puzzle)]
        return "puzzle", list(document.located(DataError(wrong)).defects), list(document.located(DataError(odd)).defects)
    if kind == "properties" or _is_properties(document):
        _properties(about, document, words)
        return "properties", [], []
    try:
        holds = kind or words.kind(document.data)
        words.canonical(holds, document.data)
        if holds == "log":
            error = DataError([replace(d, path=at("start", d.path)) for d in words.defects(words.log(document.data).position)])
        elif holds == "state":
            error = DataError(words.defects(words.position(document.data)))
        else:
            remarks = DataError(words.remarks(holds, document.data))
            return holds, [], list(document.located(remarks).defects)
    except DataError as fault:
        raise named(document.located(fault), _name(file)) from None
    return holds, list(document.located(error).defects), []


def _is_properties(document: Document) -> bool:
    from monjudge.verify.written import is_properties

    return is_properties(document.data)


def _properties(about: About, document: Document, words: Kit) -> None:
    """Raises DataError with everything that keeps the properties from being asked."""
    from monjudge.model.properties import Setting
    from monjudge.verify.written import written

    own = written(document)
    own.check(Setting(own.agreed(about.game) or words.name))


def _told(error: DataError | OSError, file: str) -> Answer:
    if isinstance(error, DataError):
        return Defective.of(error, _name(file))
    text = Sentence(error.strerror or str(error), unopened(error))
    return Defective((Defect("", text, "unreadable-file"),), _name(file))


def _name(file: str) -> str:
    """What a file is called in messages; a position in one line is not repeated as a whole."""
    return "<stdin>" if file == "-" else file if len(file) < 200 else f"{file[:40]}..."


@question("fmt", Sentence("Show FILES in their canonical form.", "FILES を正規の形で表示する。"),
          Sentence("With --write each file is rewritten; with --check the exit status is 1 if one is not canonical.",
                   "--write ではファイルを書き直し、--check では正規の形でないものがあれば終了コードが 1 になる。"))  # fmt: skip
@argument("files", nargs=-1, required=True)
@_GAME
@_KIND
@option("--write", is_flag=True, said=Sentence("Write the result into the file.", "結果をファイルに書き込む。"))
@option("--check", is_flag=True, said=Sentence("Only say which files are not canonical.", "正規の形でないファイルを挙げるだけにする。"))
@option("--drop-comments", is_flag=True, said=Sentence("Write also files whose comments are lost by it.", "コメントが失われるファイルにも書き込む。"))
def fmt(talk: Talk, files: tuple[str, ...], game: str | None, kind: str | None, write: bool, check: bool, drop_comments: bool) -> int:
    changed: list[str] = []
    kept: list[str] = []
    for file in files:
        old, new = _canonical(About(game), file, kind, None)
        if old != new:
            changed.append(_name(file))
            if write and file != "-":
                if _COMMENT.search(_MODELINE.sub("", old)) and not drop_comments:
                    talk.say(Sentence(f"{file}: has comments, which would be lost; --drop-comments writes it without them",
                                      f"{file}：コメントが失われる。なくてよければ --drop-comments を付ける"))  # fmt: skip
                    kept.append(file)
                    continue
                write_file(Path(file), new.encode())
        if not (write or check):
            talk.put([new])
    if check or write:
        talk.put(f"{name}\n" for name in changed)
    return Exit.FAILS if (check and changed) or kept else Exit.HOLDS


@question("convert", Sentence("Turn a file into YAML, JSON or one line.", "ファイルを YAML・JSON・一行記法に変換する。"))
@argument("file")
@_GAME
@_KIND
@option("--to", type=click.Choice(["yaml", "json", "line"]),
        said=Sentence("Form to write; else the suffix of the output tells.", "書き出す形。なければ出力の拡張子から判断する。"))  # fmt: skip
def convert(talk: Talk, file: str, game: str | None, kind: str | None, to: str | None) -> int:
    suffix = talk.output.suffix if talk.output is not None else ""
    chosen = to or {".json": "json", ".yaml": "yaml", ".yml": "yaml"}.get(suffix, "line")
    talk.put([_canonical(About(game), file, kind, chosen)[1]])
    return Exit.HOLDS


def _canonical(about: About, file: str, kind: str | None, form: str | None) -> tuple[str, str]:
    """The text of a file and its canonical text, in its own form or another. Raises DataError."""
    from monjudge.model.notation.documents import log_line
    from monjudge.model.notation.source import write
    from monjudge.puzzles import is_puzzle, read_document
    from monjudge.verify.written import is_properties, written

    document, words = about.document(file)
    if kind == "puzzle" or is_puzzle(document.data):
        puzzle, chosen = read_document(document), form or document.form
        head = _MODELINE.match(document.text) if chosen == "yaml" else None
        return document.text, f"{puzzle.line}\n" if chosen == "line" else write(dict(puzzle.data), cast(Any, chosen), head[1] if head else "")
    own = written(document) if kind == "properties" or is_properties(document.data) else None
    try:
        holds = "properties" if own is not None else kind or words.kind(document.data)
        chosen = cast(Literal["line", "json", "yaml"], form or document.form)
        if chosen == "line" and holds == "state":
            return document.text, words.line(words.position(document.data)) + "\n"
        data: Any = own.data if own is not None else words.canonical(holds, document.data)
        if chosen == "line" and holds == "log" and words.kind("//") == "log":
            log = words.log(document.data)
            return document.text, log_line(words.line(log.position), log.moves) + "\n"
    except DataError as error:
        raise named(document.located(error), _name(file)) from None
    if chosen == "line":
        raise DataError([Defect("", Sentence(f"a file of this kind ({holds}) has no form in one line", f"{holds} に一行記法はない"), "wrong-value")])
    modeline = _MODELINE.match(document.text) if chosen == "yaml" else None
    return document.text, write(data, chosen, modeline[1] if modeline else "")


@question("schema", Sentence("Print the JSON Schema of a KIND of file, or of the answers of this command.",
                             "ファイルの種類 KIND の JSON Schema、またはこのコマンドの答えの JSON Schema を出力する。"))  # fmt: skip
@argument("kind", type=click.Choice(FORMS))
@_GAME
def schema(talk: Talk, kind: str, game: str | None) -> int:
    import json

    from monjudge.model.games import games, kit
    from monjudge.reports.answers.schema import ANSWERS

    words = kit(game or games()[0])
    if kind == "answer":
        found = ANSWERS
    elif kind == "puzzle":
        from monjudge.puzzles.form import schema as schema_of_puzzles

        found = schema_of_puzzles(words.name)
    elif kind == "properties":
        from monjudge.verify.question import properties_schema

        found = properties_schema()
    elif kind in words.kinds:
        found = words.schema(kind)
    else:
        known = ", ".join((*words.kinds, *FORMS[len(KINDS) :]))
        raise DataError([Defect("", Sentence(f"{words.name} has no {kind}; there are {known}", f"{words.name}に {kind} はない。あるのは {known}"))])
    talk.put([json.dumps(found, ensure_ascii=False, indent=1) + "\n"])
    return Exit.HOLDS
