"""What was found before is found again, by content only; what was damaged is forgotten, with a warning."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from monjudge.solvers import cache as module
from monjudge.solvers.cache import Cache, default_file, key, sources
from monjudge.solvers.verdict import Sentence


def test_what_one_run_keeps_another_finds_and_a_later_answer_replaces_it(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "found.sqlite"
    with Cache(file) as first, Cache(file) as second:
        first.put(key("a"), "one")
        assert second.get(key("a")) == "one" and second.get(key("b")) is None
        second.put(key("a"), "two")
    with Cache(file) as third:
        assert third.get(key("a")) == "two"


def test_a_key_hangs_on_every_part_their_order_and_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert key({"a": 1, "b": 2}) == key({"b": 2, "a": 1})
    assert len({key(), key("a"), key("a", "b"), key("b", "a"), key(["a", "b"]), key({"a": 1}), key({"a": 2})}) == 7
    before = key("a")
    assert len(sources()) == 64
    monkeypatch.setattr(module, "sources", lambda: "other code")
    assert key("a") != before


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + bytes(5000)])
def test_a_damaged_file_is_ignored_with_one_warning(content: bytes, tmp_path: Path) -> None:
    file, said = tmp_path / "found.sqlite", list[Sentence]()
    file.write_bytes(content)
    with Cache(file, said.append) as cache:
        cache.put(key("a"), "one")
        assert cache.get(key("a")) is None
    assert len(said) == 1 and str(file) in said[0].en
    assert file.read_bytes() == content


def test_a_damaged_entry_is_none(tmp_path: Path) -> None:
    file = tmp_path / "found.sqlite"
    with Cache(file) as cache:
        for name in ("a", "b", "c", "d"):
            cache.put(key(name), "no")
    with sqlite3.connect(file) as changed:
        changed.execute("UPDATE found SET value = 'yes' WHERE key = ?", (key("a"),))
        changed.execute("UPDATE found SET value = x'00' WHERE key = ?", (key("b"),))
        changed.execute("UPDATE found SET seal = (SELECT seal FROM found WHERE key = ?), value = 'no' WHERE key = ?", (key("a"), key("c")))
    with Cache(file) as cache:
        assert [cache.get(key(name)) for name in ("a", "b", "c", "d")] == [None, None, None, "no"]


def test_a_place_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    said = list[Sentence]()
    with Cache(tmp_path / "file" / "found.sqlite", said.append) as cache:
        cache.put(key("a"), "one")
        assert cache.get(key("a")) is None and len(said) == 1


def test_the_folder_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MONJUDGE_CACHE", str(tmp_path / "mine"))
    assert default_file() == tmp_path / "mine" / "found.sqlite"
    monkeypatch.delenv("MONJUDGE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_file() == tmp_path / "monjudge" / "found.sqlite"
