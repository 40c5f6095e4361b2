"""The bounds of a verdict as a person reads them; in data they keep their English keys."""

from __future__ import annotations

import re
from collections.abc import Mapping

from monjudge.reports.answers.answer import Voice

__all__ = ["NAMES", "bounds_said"]

NAMES: Mapping[str, str] = {
    "players": "人数", "slots": "置き場所", "hand": "手札", "mode": "モード", "boards": "ボード", "cards": "カード", "kinds": "カードの種類",
    "horizon": "手数", "shortest": "最短の手数", "plies": "調べた手数", "states": "状態", "passes": "誘発の回数", "fields": "フィールド", "seed": "乱数の種",
    "stem": "循環までの手数", "circle": "循環の手数", "fewest cells": "最少のセル", "positions": "局面", "from": "始まり", "turns": "ターン",
    "lines": "手順", "examples": "例",
}  # fmt: skip
"""What each bound is called in Japanese."""

_VALUES: Mapping[str, str] = {
    "unlimited": "無制限", "all designs": "すべて", "any data": "任意", "any": "任意", r"(\d+) of a kind": r"同じ種類\1枚まで",
    "(.*) among the printed ones": r"\1（ほかは印刷されたもの）",
}  # fmt: skip


def bounds_said(bounds: Mapping[str, int | str], voice: Voice) -> str:
    """The bounds in one row; empty for none.

    >>> bounds_said({"players": 2, "hand": "100 of a kind"}, Voice("ja"))
    '人数 2、手札 同じ種類100枚まで'
    """
    if voice.lang != "ja":
        return ", ".join(f"{name} {value}" for name, value in bounds.items())
    return "、".join(f"{NAMES.get(name, name)} {_value(str(value))}" for name, value in bounds.items())


def _value(value: str) -> str:
    return next((found.expand(said) for text, said in _VALUES.items() if (found := re.fullmatch(text, value))), value)
