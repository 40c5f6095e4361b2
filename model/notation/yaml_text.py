"""YAML text to plain data with places, and plain data to YAML that reads well.

Only reading needs ruamel.yaml (``pip install "monjudge[yaml]"``). What a plain scalar means
is decided here, by YAML 1.2: ``true``, ``false``, ``null`` and decimal numbers, everything else
is a text, also ``no``, ``on`` and ``1:2``. Full-width digits are digits.
"""

from __future__ import annotations

import json
import re
import unicodedata
import warnings
from collections.abc import Iterator
from typing import Any, NoReturn

from monjudge.model.notation.defects import DataError, Defect, Place
from monjudge.model.notation.places import DEEPEST, Places, at
from monjudge.model.notation.sentence import Sentence

__all__ = ["MOST_NODES", "decode", "write"]

MOST_CHARACTERS = 200_000
MOST_NODES = 20_000
"""Values of one file; an alias counts with everything that it stands for."""

_CORE = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq", "timestamp", "merge", "value")}
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]{0,18})")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+)")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "~": None, "": None}
_WIDE_INDENT = re.compile(r"^[ \t]*[\u3000\u00a0]+(?=\S)", re.MULTILINE)
_EXTRA = 'pip install "monjudge[yaml]"'


def decode(text: str) -> tuple[Any, Places]:
    """The value of a YAML text with the places of its values and keys.

    Raises DataError with places (all repeated keys at once), and ImportError naming the extra when
    ruamel.yaml is missing.
    """
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError
    except ImportError as missing:
        raise ImportError(f"reading YAML needs ruamel.yaml: {_EXTRA} / YAMLを読むには ruamel.yaml が必要です：{_EXTRA}") from missing
    reader = _Reader(text)
    if len(text) > MOST_CHARACTERS:
        reader.refuse("too-large", f"{len(text)} characters of YAML, at most {MOST_CHARACTERS} are read",
                      f"YAMLが{len(text)}文字ある。最大{MOST_CHARACTERS}文字")  # fmt: skip
    if wide := _WIDE_INDENT.search(text):
        reader.refuse("wide-space", "a line begins with a full-width space; YAML needs plain ones",
                      "行頭に全角の空白がある。YAMLの字下げは半角の空白で", wide.end() - 1)  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about anchors that are given twice
            node = YAML(typ="safe", pure=True).compose(text)
        if node is None:
            reader.refuse("empty", "there is nothing in it but comments", "注釈のほかに中身がない")
        value = reader.value(node, "", ())
    except RecursionError:
        reader.refuse("too-deep", f"nested deeper than {DEEPEST}", f"入れ子が{DEEPEST}段より深い")
    except MarkedYAMLError as fault:
        reader.told(fault)
    except (YAMLError, ValueError, LookupError, TypeError) as fault:
        if isinstance(fault, DataError):
            raise
        reader.refuse("not-yaml", f"this is not YAML: {fault}", "YAMLとして読めない")
    if reader.defects:
        raise DataError(reader.defects)
    return value, reader.places


_IN_JAPANESE = (
    (r"expected (.+), but (?:got|found) (.+)", r"\1 があるはずの所に \2 がある"),
    (r"mapping values are not allowed.*", "ここに「:」は書けない"),
    (r"could not find expected ':'", "「:」がない"),
    (r"found character (.+) that cannot start any token", r"文字 \1 で始まる語はない"),
    (r"found unexpected end of stream", "引用符が閉じていない"),
    (r"found undefined alias (.+)", r"\1 という別名はない"),
)
"""What ruamel.yaml says most, in Japanese."""


def _said_in_japanese(problem: str) -> str:
    """What is wrong, behind a colon; nothing for what is said in English only: the place tells."""
    found = (match.expand(ja) for en, ja in _IN_JAPANESE if (match := re.fullmatch(en, problem)))
    return next((f"：{said}" for said in found), "")


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.places = text, Places(text)
        self.defects: list[Defect] = []
        self.nodes = 0

    def refuse(self, code: str, en: str, ja: str, start: int = 0) -> NoReturn:
        raise DataError([Defect("", Sentence(en, ja), code, self.places.place(start, start + 1))])

    def told(self, fault: Any) -> NoReturn:
        """What ruamel.yaml found, with a hint where a sign of our notation means something else to YAML."""
        mark = fault.problem_mark or fault.context_mark
        place = Place(mark.line + 1, mark.column + 1) if mark is not None else Place(1, 1)
        problem = str(fault.problem or fault.context or "")
        start = mark.index if mark is not None else 0
        near = self.text[max(0, start - 1) : start + 1]
        code, en, ja = "not-yaml", f"this is not YAML: {problem}", f"YAMLとして読めない{_said_in_japanese(problem)}"
        if "alias" in problem or "*" in near:
            code, en, ja = "alias", 'a text that begins with * is quoted in YAML: "*F3"', '* で始まる文字列は引用符で囲む："*F3"'
        elif "?" in near:
            en, ja = en + '; the sign ? is quoted in YAML: "?"', ja + '。? は引用符で囲む："?"'
        elif problem.startswith("mapping values are not allowed"):
            en, ja = en + "; a text with a colon and a space in it is quoted", ja + "。コロンと空白を含む文字列は引用符で囲む"
        elif "but found another document" in problem:
            code, en, ja = "several-documents", "a file holds one document", "一つのファイルに文書は一つだけ"
        raise DataError([Defect("", Sentence(en, ja), code, place)])

    def value(self, node: Any, path: str, above: tuple[Any, ...]) -> Any:
        start, end = node.start_mark.index, node.end_mark.index
        self.places.value(path, start, end)
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self.refuse("too-large", f"more than {MOST_NODES} values, aliases counted", f"値が{MOST_NODES}個を超える（エイリアスも数える）", start)
        if len(above) > DEEPEST:
            self.refuse("too-deep", f"nested deeper than {DEEPEST}", f"入れ子が{DEEPEST}段より深い", start)
        if any(node is outer for outer in above):
            self.refuse("alias", "an alias stands for something that holds it", "自分自身を含むエイリアスがある", start)
        if str(node.tag) not in _CORE:
            self.refuse("tag", f"the tag {node.tag} is not read", f"タグ{node.tag}は使えない", start)
        if isinstance(node.value, str):
            if any("\ud800" <= sign <= "\udfff" for sign in node.value):
                self.refuse("not-utf8", "half of a surrogate pair", "サロゲートペアの片方だけがある", start)
            return _scalar(node)
        inside = (*above, node)
        if str(node.tag).endswith(":seq"):
            return [self.value(item, f"{path}[{n}]", inside) for n, item in enumerate(node.value)]
        return self._object(node, path, inside)

    def _object(self, node: Any, path: str, above: tuple[Any, ...]) -> Any:
        if self.text[node.start_mark.index : node.end_mark.index].strip() == "?":
            return "?"  # a key without a name to YAML, a card that is not known to people
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            start, end = key_node.start_mark.index, key_node.end_mark.index
            if not isinstance(key_node.value, str) or str(key_node.tag) not in _CORE:
                self.refuse("wrong-value", "a key is a word or a number", "キーは語か数", start)
            key = unicodedata.normalize("NFKC", key_node.value).strip()
            here = at(path, key)
            if key in found:
                place = self.places.place(start, end)
                text = Sentence(f"the key {key[:40]!r} stands twice", f"キー{key[:40]!r}が二度ある")
                self.defects.append(Defect(here, text, "duplicate-key", place))
            self.places.key(here, start, end)
            found[key] = self.value(value_node, here, above)
        return found


def _scalar(node: Any) -> Any:
    text: str = node.value
    if node.style or (str(node.tag) == "tag:yaml.org,2002:str" and text in _WORDS):
        return text
    if text in _WORDS:
        return _WORDS[text]
    plain = unicodedata.normalize("NFKC", text)
    if _WHOLE.fullmatch(plain):
        return int(plain)
    return float(plain) if _FLOAT.fullmatch(plain) and len(plain) < 40 else text


# -- writing ---------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[^\W\d_](?:[\w+/.() -]*[\w+/.)])?")
_TAKEN = re.compile(r"(?i:true|false|null|yes|no|on|off|y|n)")
"""What some reader of YAML takes for something else than a text."""
_UNSEEN = re.compile("[\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff]")
WIDTH = 110


def write(value: Any) -> str:
    """Plain data as YAML: an object line by line, what fits a line in one. Reading it gives the same data.

    >>> print(write({"turn": 3, "hand": ["F3", "*F8"], "name": "no"}), end="")
    turn: 3
    hand: [F3, "*F8"]
    name: "no"
    """
    if isinstance(value, dict | list) and value:
        return "".join(f"{line}\n" for line in _block(value, 0))
    return in_one_line(value) + "\n"


def _block(value: Any, indent: int) -> Iterator[str]:
    """The lines of an object or a list that is not empty."""
    space = "  " * indent
    for key, item in value.items() if isinstance(value, dict) else ((None, item) for item in value):
        head = f"{space}{_key(str(key))}:" if key is not None else f"{space}-"
        flow = in_one_line(item)
        holds = isinstance(item, dict) and any(isinstance(v, dict | list) and v for v in item.values())
        if not (isinstance(item, dict | list) and item) or (len(head) + len(flow) < WIDTH and not (holds and key is not None)):
            yield f"{head} {flow}"
        elif isinstance(item, list) and not any(isinstance(v, dict | list) for v in item):
            yield from _wrapped(item, f"{head} [", f"{space}  ")
        else:
            yield head
            yield from _block(item, indent + 1)


def _wrapped(items: list[Any], line: str, space: str) -> Iterator[str]:
    """A long list of words over several lines."""
    for n, item in enumerate(items):
        word = in_one_line(item) + ("]" if n == len(items) - 1 else ", ")
        if len(line) + len(word) > WIDTH:
            yield line.rstrip()
            line = space
        line += word
    yield line


def in_one_line(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(str(key))}: {in_one_line(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_one_line, value)) + "]"
    return _word(value) if isinstance(value, str) else json.dumps(value)


def _word(text: str) -> str:
    """A text, quoted wherever some reader of YAML would take it for something else."""
    if _PLAIN.fullmatch(text) and not _TAKEN.fullmatch(text) and unicodedata.normalize("NFKC", text) == text:
        return text
    return _UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text, ensure_ascii=False))


def _key(text: str) -> str:
    return text if _WHOLE.fullmatch(text) else _word(text)
