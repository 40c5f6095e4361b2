"""Every page of the documents says the truth: its Python runs, in order, and prints what the page shows.

The blocks of a page share one namespace. What a block prints stands in the ``text`` block
that follows it, or as a comment behind each ``print``; a block that shows nothing prints
nothing. Messages that name a place name it in ``game.py``, the file a reader would make.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n?```text\n(?P<text>.*?)^```$)?", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)
HEADING = re.compile(r"^(#+) ", re.MULTILINE)

PAGES = sorted(page.relative_to(DOCS) for page in DOCS.rglob("*.md") if BLOCK.search(page.read_text("utf-8")))
GUIDES = sorted(page.name for page in (DOCS / "en").glob("*.md"))


def shown(block: re.Match[str]) -> str:
    """What the page says that the block prints."""
    if block["text"] is not None:
        return block["text"]
    return "".join(f"{line}\n" for line in COMMENT.findall(block["code"]))


def run(page: str) -> None:
    """Runs the blocks of a page. Raises AssertionError where one prints something else than is shown."""
    space: dict[str, object] = {"__name__": "game"}
    for block in BLOCK.finditer(page):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block["code"], "game.py", "exec"), space)
        line = page.count("\n", 0, block.start()) + 1
        assert printed.getvalue() == shown(block), f"the block in line {line} prints something else"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_python_of_a_page_runs_and_prints_what_is_shown(page: Path) -> None:
    run((DOCS / page).read_text("utf-8"))


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_exists_in_both_languages_with_the_same_chapters_and_as_much_code(name: str) -> None:
    english, japanese = ((DOCS / language / name).read_text("utf-8") for language in ("en", "ja"))
    assert HEADING.findall(FENCE.sub("", english)) == HEADING.findall(FENCE.sub("", japanese))
    assert len(BLOCK.findall(english)) == len(BLOCK.findall(japanese)) > 0


def test_a_page_that_shows_what_is_not_printed_is_caught() -> None:
    right = "```python\nn = 1\nprint(n)  # 1\n```\n\n```python\nprint(n + 1)\n```\n\n```text\n2\n```\n"
    run(right)
    for wrong in (right.replace("# 1", "# 3"), right.replace("\n2\n", "\n4\n"), right.replace("  # 1", "")):
        with pytest.raises(AssertionError, match="prints something else"):
            run(wrong)
