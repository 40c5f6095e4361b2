"""Side by side with peers: ``python benchmarks/run.py [NAME...] [--json] [--quick]``.

A NAME is a module beside this one that has ``rows(quick: bool) -> list[dict]``. A row has

* ``name``, ``unit``, and ``ours``: a number in that unit;
* ``peer``: the peer's number in the same unit, measured in the same run, or None;
* ``ratio``: how many times better ours is, or None without a peer;
* ``goal``: None, or a text such as ``">= 40 x"`` (of the ratio) or ``"< 50"`` (of ours); a bare number is a ratio to reach;
* ``note``, if it has one: what a reader must know, e.g. which extra the peer needs.

Exit code 0 when every goal that could be judged is met, 1 when one is missed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import operator
import platform
import re
import sys
from pathlib import Path
from typing import Any

Row = dict[str, Any]

GOAL = re.compile(r"(<=|>=|<|>) *([\d.e+]+) *(x?)")
COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
COLUMNS = ("name", "ours", "peer", "ratio", "goal", "unit", "result", "note")


def names() -> list[str]:
    """The modules with rows, in alphabetical order."""
    here = Path(__file__).parent
    return sorted(p.stem for p in here.glob("*.py") if p.stem != "run" and "\ndef rows(" in p.read_text("utf-8"))


def judged(row: Row) -> Row:
    """The row with its ``result``: met, MISSED, not judged, or nothing to judge."""
    goal = row.get("goal")
    if goal is None:
        return {**row, "result": ""}
    match = GOAL.fullmatch(goal if isinstance(goal, str) else f">= {goal} x")
    if match is None:
        raise ValueError(f"the goal {goal!r} of the row {row['name']!r} is not like '>= 40 x' or '< 50'")
    sign, number, of_ratio = match.groups()
    value = row.get("ratio") if of_ratio else row.get("ours")
    if value is None:
        return {**row, "goal": match[0], "result": "not judged"}
    met = COMPARE[sign](value, float(number))
    return {**row, "goal": match[0], "result": "met" if met else "MISSED"}


def collect(name: str, quick: bool) -> list[Row]:
    """The rows of one module, judged; one row with the reason when an extra is missing."""
    try:
        return [judged(row) for row in importlib.import_module(name).rows(quick)]
    except ImportError as error:
        return [{"name": name, "result": "not run", "note": str(error)}]


def table(rows: list[Row]) -> str:
    """The rows as aligned text; a column that is empty everywhere is left out."""
    shown = [c for c in COLUMNS if any(row.get(c) not in (None, "") for row in rows)]
    lines = [shown, *([text(row.get(c)) for c in shown] for row in rows)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(shown))]
    left = [column in ("name", "unit", "result", "note") for column in shown]
    return "\n".join(
        "  ".join(cell.ljust(w) if to_left else cell.rjust(w) for cell, w, to_left in zip(line, widths, left, strict=True)).rstrip()
        for line in lines
    )


def text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float | int):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return str(value)


def main() -> int:
    known = names()
    parser = argparse.ArgumentParser(description="Measure monjudge beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which benchmarks (all): {', '.join(known)}")
    parser.add_argument("--json", action="store_true", help="one JSON document on the standard output")
    parser.add_argument("--quick", action="store_true", help="smaller and shorter, for a look")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(known))
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(known)}")

    rows: list[Row] = []
    for name in given.names or known:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows += collect(name, given.quick)
    if given.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
        print(json.dumps({**machine, "quick": given.quick, "rows": rows}, ensure_ascii=False, indent=2))
    else:
        print(table(rows))
    return int(any(row["result"] == "MISSED" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
