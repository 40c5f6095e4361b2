"""Runs the blocks of a page and writes down what they print, so that a page cannot say what is not so.

A page is run from top to bottom in a folder of its own:

- ``python`` blocks share one namespace; what a block prints stands in the ``text`` block behind it, or as a
  comment behind each ``print``;
- ``sh`` blocks whose lines begin with ``monjudge`` are run by the command itself, in the language of the page,
  with ``|``, ``echo $?`` and lines continued by a backslash; what they print stands in the ``text`` block
  behind them, standard error included;
- a block with a file name behind its language is that file.

In a ``text`` block a line ``...`` stands for any lines. Other blocks are not touched.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

__all__ = ["BLOCK", "command", "documents", "language", "renewed"]

BLOCK = re.compile(
    r"^```(?P<language>\w+)(?: (?P<file>[\w./-]+))?\n(?P<code>.*?)^```$(?:\n\n?```text\n(?P<text>.*?)^```$)?", re.MULTILINE | re.DOTALL
)
SHOWN = re.compile(r"^( *print\(.*\))  # .*$", re.MULTILINE)
REPRODUCE = re.compile(r"^(?:Reproduce: |再現：).*\n", re.MULTILINE)
"""The line that asks again is long; where a page has left lines out, a new output leaves out this one."""
WIDTH = "80"


def documents(root: Path) -> list[Path]:
    """The pages that are run: the landing pages and the guides in both languages."""
    return sorted([root / "README.md", root / "README.ja.md", *(root / "docs").glob("[ej][na]/*.md")])


def language(page: Path) -> str:
    """The language of a page, by its name or its folder."""
    return "ja" if page.name.endswith(".ja.md") or page.parent.name == "ja" else "en"


def renewed(page: str, lang: str, folder: Path) -> str:
    """The page with what its blocks print now. Files are written to the folder and read there."""
    space: dict[str, object] = {"__name__": "game"}

    def block(found: re.Match[str]) -> str:
        if found["file"]:
            path = folder / found["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found["code"], "utf-8")
        elif found["language"] == "python":
            return _python(found, space)
        elif found["language"] == "sh" and found["code"].startswith("monjudge"):
            return _with_output(found, "".join(_shell(found["code"])))
        return found[0]

    with _surroundings(lang, folder):
        return BLOCK.sub(block, page)


@contextlib.contextmanager
def _surroundings(lang: str, folder: Path) -> Iterator[None]:
    """A folder, a language and a width, whatever those of the caller are, and nothing that was found before the page."""
    before, where = dict(os.environ), Path.cwd()
    os.environ |= {"MONJUDGE_LANG": lang, "COLUMNS": WIDTH, "NO_COLOR": "1"}
    os.chdir(folder)
    try:
        with mock.patch("monjudge.solvers.cache.default_file", lambda: folder / ".found.sqlite"):
            yield
    finally:
        os.chdir(where)
        os.environ.clear()
        os.environ.update(before)


def _python(found: re.Match[str], space: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(found["code"], "game.py", "exec"), space)
    if found["text"] is None and SHOWN.search(found["code"]):
        lines = iter(printed.getvalue().splitlines())
        code = SHOWN.sub(lambda line: f"{line[1]}  # {next(lines, 'nothing')}", found["code"])
        return found[0].replace(found["code"], code + "".join(f"{line}\n" for line in lines))
    return _with_output(found, printed.getvalue())


def _with_output(found: re.Match[str], output: str) -> str:
    """The block with its output behind it: as it stands where it fits, else as it is."""
    shown = found["text"]
    if shown is None:
        return found[0] + (f"\n\n```text\n{output}```" if output else "")
    if _fits(shown, output):
        return found[0]
    shortened = REPRODUCE.sub("...\n", output) if "...\n" in shown else output
    return found[0][: found.start("text") - found.start()] + shortened + "```"


def _fits(shown: str, output: str) -> bool:
    parts = re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)
    return re.fullmatch("(?:.*\n)*".join(map(re.escape, parts)), output) is not None


# -- the command ---------------------------------------------------------------------------------------------


def _shell(code: str) -> Iterator[str]:
    """What the lines print, one after the other."""
    status = 0
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words == ["echo", "$?"]:
            yield f"{status}\n"
        elif words:
            given = ""
            for part in _parts(words):
                given, status = command(part, given)
            yield given


def _parts(words: list[str]) -> Iterator[list[str]]:
    """The commands between the bars."""
    part: list[str] = []
    for word in (*words, "|"):
        if word != "|":
            part.append(word)
            continue
        if not part or part[0] != "monjudge":
            raise ValueError(f"only monjudge can be run, not {part}")
        yield part[1:]
        part = []


def command(words: list[str], given: str = "") -> tuple[str, int]:
    """What the command prints, on either stream, and its exit code; ``given`` is its standard input."""
    from monjudge.cli.main import main

    printed, before = io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            main(words, prog_name="monjudge")
    except SystemExit as end:
        return printed.getvalue(), int(end.code or 0)
    finally:
        sys.stdin = before
    raise AssertionError("the command leaves with its exit code")
