"""Every page of the documents says the truth: its blocks run, in order, and print what the page shows."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest
from pages import BLOCK, documents, language, renewed

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [page.relative_to(ROOT) for page in documents(ROOT)]
GUIDES = sorted(page.name for page in (DOCS / "en").glob("*.md"))
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) ", re.MULTILINE)
ANCHOR = re.compile(r"\[[^]]*\]\(([^)#:]*)#([^)]+)\)")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def differences(page: str, lang: str, folder: Path) -> str:
    """Where the page shows something else than its blocks print now; ``make docs`` writes that down."""
    now = renewed(page, lang, folder)
    return "\n".join(difflib.unified_diff(page.splitlines(), now.splitlines(), "shown", "printed", lineterm="", n=0))


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_blocks_of_a_page_run_and_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    assert differences((ROOT / page).read_text("utf-8"), language(page), tmp_path) == ""


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_exists_in_both_languages_with_the_same_chapters_and_the_same_kinds_of_blocks(name: str) -> None:
    english, japanese = (DOCS / lang / name for lang in ("en", "ja"))
    assert HEADING.findall(prose(english)) == HEADING.findall(prose(japanese))
    kinds = [[found["language"] for found in BLOCK.finditer(page.read_text("utf-8"))] for page in (english, japanese)]
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_index_leads_to_every_guide_and_every_reference_page(lang: str) -> None:
    index = (DOCS / lang / "index.md").read_text("utf-8")
    guides = {page.name for page in (DOCS / lang).glob("*.md")} - {"index.md"}
    reference = {f"../reference/{lang}/{page.name}" for page in (DOCS / "reference" / lang).glob("*.md")}
    assert guides | reference <= set(re.findall(r"\]\(([^)#]+)\)", index))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_link_into_a_page_leads_to_one_of_its_headings(page: Path) -> None:
    for file, anchor in ANCHOR.findall(prose(ROOT / page)):
        target = (ROOT / page).parent / file if file else ROOT / page
        headings = re.findall(r"^#+ (.*)$", prose(target), re.MULTILINE)
        assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_english_guides_hold_japanese_only_where_they_show_it() -> None:
    plain = re.compile(r"`[^`]*`|\[日本語\]")
    assert [name for name in GUIDES if JAPANESE.search(plain.sub("", prose(DOCS / "en" / name)))] == []


RIGHT = """\
```json cards.json
{"game": "nim"}
```

```python
from pathlib import Path
print(len(Path("cards.json").read_text().splitlines()))  # 1
```

```sh
monjudge moves cards.json --format concise
echo $?
```

```text
take 0 1
...
0
```
"""


def test_a_page_that_shows_what_is_not_printed_is_caught(tmp_path: Path) -> None:
    assert differences(RIGHT, "en", tmp_path) == ""
    for old, new in (("# 1", "# 3"), ("take 0 1", "take 0 9"), ("\n0\n", "\n1\n"), ("  # 1", "")):
        assert differences(RIGHT.replace(old, new), "en", tmp_path) != ""


def test_a_page_speaks_its_own_language(tmp_path: Path) -> None:
    page = "```sh\nmonjudge check example:threatened-square 'place 0'\n```\n"
    assert not JAPANESE.search(renewed(page, "en", tmp_path))
    assert JAPANESE.search(renewed(page, "ja", tmp_path))
