"""What the documents say is so: commands exist, links lead somewhere, code runs, two languages agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READMES = (ROOT / "README.md", ROOT / "README.ja.md")
DOCUMENTS = sorted(p.relative_to(ROOT) for p in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^]]*\]\(([^)#]+)(?:#[^)]*)?\)|<img src=\"([^\"]+)\"")
HEADING = re.compile(r"^(#+) ", re.MULTILINE)


def blocks(path: Path, language: str) -> list[str]:
    return [code for name, code in BLOCK.findall(path.read_text("utf-8")) if name == language]


def comments_dropped(code: str) -> str:
    return re.sub(r" *#.*", "", code)


@pytest.mark.parametrize("path", READMES, ids=lambda p: p.name)
def test_every_make_command_of_the_readme_is_in_the_makefile(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)", path.read_text("utf-8")))
    assert {"demo", "test"} <= named <= targets


@pytest.mark.parametrize("path", READMES, ids=lambda p: p.name)
def test_every_script_of_the_readme_exists(path: Path) -> None:
    scripts = re.findall(r"\bpython ([\w/]+\.py)", path.read_text("utf-8"))
    assert scripts
    assert [s for s in scripts if not (ROOT / s).is_file()] == []


@pytest.mark.parametrize("path", READMES, ids=lambda p: p.name)
def test_the_python_of_the_readme_runs(path: Path) -> None:
    code = blocks(path, "python")
    space: dict[str, object] = {}
    for block in code:
        exec(compile(block, str(path), "exec"), space)
    assert code


def test_both_readmes_have_the_same_chapters_and_the_same_code() -> None:
    english, japanese = READMES
    for language in ("python", "sh"):
        assert [*map(comments_dropped, blocks(english, language))] == [*map(comments_dropped, blocks(japanese, language))]
    assert HEADING.findall(BLOCK.sub("", english.read_text("utf-8"))) == HEADING.findall(
        BLOCK.sub("", japanese.read_text("utf-8"))
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_every_link_leads_to_a_file(path: Path) -> None:
    text = BLOCK.sub("", (ROOT / path).read_text("utf-8"))
    local = [link or picture for link, picture in LINK.findall(text) if "://" not in link + picture]
    assert [t for t in local if not (ROOT / path).parent.joinpath(t).exists()] == []


def test_the_index_of_decisions_names_every_decision_by_its_title() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text("utf-8")
    titles = {p.name: p.read_text("utf-8").splitlines()[0].removeprefix("# ") for p in DECISIONS}
    assert {name: title for title, name in re.findall(r"^- \[(.*)\]\((\d{4}-.*\.md)\)", index, re.MULTILINE)} == titles


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [p.name[:4] for p in DECISIONS] == [f"{n:04}" for n in range(1, len(DECISIONS) + 1)]
