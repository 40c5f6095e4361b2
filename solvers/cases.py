"""Files of cases: one JSON object a line, with a query and what is expected of the answer; any game can answer them.

A case is ``{"id", "state", "query": {"op", ...}, "expect": {...}}``. Only what ``expect``
asserts is compared. An operation that the game does not know, and anything that goes wrong
while it answers, is a failure of the case with its message. A case that is held to be wrong
says so under ``wrong``; its failure is told apart, and it is never left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from monjudge.model.language import LimitReached, Move, RuleSet, State
from monjudge.model.notation.source import content
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Sentence

__all__ = ["Case", "CaseEngine", "CaseFileError", "Result", "read_cases", "run_cases"]

LARGEST_FILE = 10_000_000
LARGEST_LINE = 1_000_000
"""Bytes that a file and a line may have."""

DEEPEST = 50
"""So many levels of lists and objects may a case have."""

Case = Mapping[str, Any]


class CaseFileError(Exception):
    """A file that is not a file of cases; ``sentence`` says where and why, in both languages."""

    def __init__(self, where: str, en: str, ja: str) -> None:
        self.sentence = Sentence(f"{where}: {en}", f"{where}：{ja}")
        super().__init__(self.sentence.en)


class CaseEngine(Reference):
    """The reference, which has the legal moves of one action listed by the enumerator."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules)
        self._enumerator = Enumerator(rules)

    def moves_of(self, state: State, action: str) -> list[Move]:
        """The legal moves of one action, in canonical order. Raises KeyError for an unknown action."""
        return self._enumerator.moves_of(state, action)


# -- reading -----------------------------------------------------------------------------------------------


def read_cases(paths: Iterable[Path]) -> list[Case]:
    """All cases of the files, in their order. Raises CaseFileError for the first thing that is no case."""
    found: list[Case] = []
    places: dict[str, str] = {}
    for path in paths:
        for number, line in enumerate(_lines(path), 1):
            if not line.strip():
                continue
            where = f"{path}:{number}"
            case = _case(line, where)
            if case["id"] in places:
                at = places[case["id"]]
                raise CaseFileError(where, f"the id {case['id']!r} stands already at {at}", f"id {case['id']!r} は {at} にもある")
            places[case["id"]] = where
            found.append(case)
    return found


def _lines(path: Path) -> list[bytes]:
    try:
        data = content(path, LARGEST_FILE)
    except OSError as error:
        raise CaseFileError(str(path), f"cannot be read ({error.strerror})", "ファイルを開けない") from error
    if len(data) > LARGEST_FILE:
        raise CaseFileError(str(path), f"is larger than {LARGEST_FILE:,} bytes", f"{LARGEST_FILE:,}バイトを超えている")
    return data.removeprefix(b"\xef\xbb\xbf").split(b"\n")


def _case(line: bytes, where: str) -> Case:
    if len(line) > LARGEST_LINE:
        raise CaseFileError(where, f"the line is longer than {LARGEST_LINE:,} bytes", f"行が{LARGEST_LINE:,}バイトを超えている")
    try:
        text = line.decode("utf-8")
        case = json.loads(text, object_pairs_hook=partial(_distinct, where), parse_constant=partial(_no_number, where))
        json.dumps(case, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise CaseFileError(where, f"is not UTF-8 (byte {error.start + 1})", f"UTF-8でない（{error.start + 1}バイト目）") from error
    except json.JSONDecodeError as error:
        raise CaseFileError(f"{where}:{error.colno}", f"is not JSON ({error.msg})", "JSONとして読めない") from error
    except UnicodeEncodeError as error:
        raise CaseFileError(where, "has half of a surrogate pair", "サロゲートペアの片方だけがある") from error
    except RecursionError as error:
        raise CaseFileError(where, *_TOO_DEEP) from error
    except ValueError as error:  # what Python refuses to read as a whole number
        raise CaseFileError(where, "has a number with too many digits", "桁数の多すぎる数がある") from error
    if _deeper(case, DEEPEST):
        raise CaseFileError(where, *_TOO_DEEP)
    if fault := _fault(case):
        raise CaseFileError(where, *fault)
    return case  # type: ignore[no-any-return]


_TOO_DEEP = Sentence("is nested too deeply", "入れ子が深すぎる")


def _distinct(where: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise CaseFileError(where, f"the key {twice!r} stands twice in one object", f"一つのオブジェクトにキー{twice!r}が二度ある")
    return found


def _no_number(where: str, name: str) -> NoReturn:
    raise CaseFileError(where, f"{name} is no JSON number", f"{name}はJSONの数ではない")


def _deeper(value: Any, most: int) -> bool:
    """Whether lists and objects stand in one another in more than so many levels."""
    level = [value]
    for _ in range(most + 1):
        level = [part for whole in level if isinstance(whole, (dict, list))
                 for part in (whole.values() if isinstance(whole, dict) else whole)]  # fmt: skip
    return bool(level)


def _fault(case: Any) -> Sentence | None:
    """What keeps a JSON value from being a case."""
    if not isinstance(case, dict):
        return Sentence("a case is a JSON object", "ケースはJSONのオブジェクトで書く")
    if not isinstance(case.get("id"), str) or not case["id"]:
        return Sentence("a case has an 'id' (a text)", "ケースには'id'（文字列）が要る")
    query = case.get("query")
    if not isinstance(query, dict) or not isinstance(query.get("op"), str):
        return Sentence("a case has a 'query' with its 'op' (a text)", "ケースには'op'（文字列）のある'query'が要る")
    for key in ("state", "expect", "readings"):
        if not isinstance(case.get(key, {}), dict):
            return Sentence(f"{key!r} is a JSON object", f"{key!r}はJSONのオブジェクトで書く")
    if not isinstance(case.get("wrong", ""), str):
        return Sentence("'wrong' says why the case is held to be wrong (a text)", "'wrong'はケースが誤りとされる理由（文字列）")
    if not case.get("expect"):
        return Sentence("a case expects something under 'expect'", "ケースには'expect'（期待する答え）が要る")
    return None


# -- running -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What came of one case: ``got`` has the asserted facts only; ``error`` says why there is no answer."""

    id: str
    passed: bool
    expected: Mapping[str, Any]
    got: Mapping[str, Any] | None
    error: Sentence | None = None
    wrong: str | None = None

    @property
    def fails(self) -> bool:
        """Whether the case fails and is not held to be wrong."""
        return not self.passed and self.wrong is None

    def record(self) -> dict[str, Any]:
        """The result as JSON values."""
        got = self.got if self.error is None else {"error": self.error.en}
        record = {"id": self.id, "passed": self.passed, "expected": self.expected, "got": got}
        return record if self.wrong is None else {**record, "wrong": self.wrong}


Answer = Callable[[Case], Mapping[str, Any]]


def run_cases(
    cases: Iterable[Case], answer: Answer, information: Mapping[str, Collection[str]] | None = None
) -> Iterator[Result]:
    """The results one after the other. ``information`` names, by operation, what ``expect`` may say without asserting it."""
    for case in cases:
        unasserted = (information or {}).get(case["query"]["op"], ())
        asserted = {key: value for key, value in case["expect"].items() if key not in unasserted}
        wrong = case.get("wrong")
        try:
            facts = answer(case)
        except Exception as error:  # whatever happens in one case must not keep the others from being run
            yield Result(case["id"], False, asserted, None, _message(error), wrong)
        else:
            got = _restricted(asserted, facts)
            yield Result(case["id"], agrees(asserted, facts), asserted, got, None, wrong)


def _message(error: Exception) -> Sentence:
    en, ja = getattr(error, "en", None), getattr(error, "ja", None)
    if isinstance(en, str) and isinstance(ja, str):
        return Sentence(en, ja)
    if isinstance(error, LimitReached):
        return Sentence(f"unknown (limit): {error}", f"不明（上限）：{error}")
    name = type(error).__name__
    return Sentence(f"{name}: {error}", f"誤り（{name}）：{error}")


def agrees(expected: Any, got: Any) -> bool:
    """Whether the answer has all that is expected; a ``Counter`` is a list whose order means nothing.

    >>> agrees({"life": {"L": 7}}, {"life": {"L": 7, "R": 0}, "legal": True})
    True
    >>> agrees(["b", "a"], Counter({"a": 1, "b": 1}))
    True
    >>> agrees(1, True)
    False
    """
    if isinstance(got, Counter):
        return isinstance(expected, list) and sorted(map(str, expected)) == sorted(map(str, got.elements()))
    if isinstance(expected, dict):
        return isinstance(got, Mapping) and all(k in got and agrees(v, got[k]) for k, v in expected.items())
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(agrees, expected, got))
    return isinstance(expected, bool) == isinstance(got, bool) and bool(expected == got)


def _restricted(expected: Any, got: Any) -> Any:
    """The part of the answer that the case speaks of, as JSON values."""
    if isinstance(got, Counter):
        return sorted(map(str, got.elements()))
    if isinstance(got, Mapping):
        wanted = expected if isinstance(expected, dict) and expected else got
        return {key: _restricted(wanted[key], got[key]) for key in wanted if key in got}
    if isinstance(got, list):
        return [_restricted(None, part) for part in got]
    return got
