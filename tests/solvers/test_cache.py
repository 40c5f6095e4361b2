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
def test_a_damaged_file_is_laid_aside_with_a_warning_and_a_new_one_begun(content: bytes, tmp_path: Path) -> None:
    file, said = tmp_path / "found.sqlite", list[Sentence]()
    file.write_bytes(content)
    file.with_name("found.sqlite-journal").write_bytes(b"what another run left")
    with Cache(file, said.append) as cache:
        cache.put(key("a"), "one")
        assert cache.get(key("a")) == "one"
    assert len(said) == 2 and all(str(file) in one.en and str(file) in one.ja for one in said)
    assert file.with_name("found.sqlite.damaged").read_bytes() == content
    with Cache(file, said.append) as cache:
        assert cache.get(key("a")) == "one" and len(said) == 2


def test_damage_that_is_met_late_is_mended_too(tmp_path: Path) -> None:
    file, said = tmp_path / "found.sqlite", list[Sentence]()
    with Cache(file) as cache:
        for n in range(300):
            cache.put(key(n), "one" * 100)
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    with Cache(file, said.append) as cache:
        found = [cache.get(key(n)) for n in range(300)]
        cache.put(key(1), "one")
        assert cache.get(key(1)) == "one" and set(found) <= {None, "one" * 100}
    assert len(said) == 2


def test_a_file_that_another_run_writes_is_not_laid_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT", 0.01)
    file, said = tmp_path / "found.sqlite", list[Sentence]()
    with Cache(file):
        pass
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Cache(file, said.append) as cache:
        assert cache.get(key("a")) is None
    other.close()
    assert len(said) == 1 and not file.with_name("found.sqlite.damaged").exists()


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
