"""``python docs/renew verdicts GAME BOARDS FILE`` writes down, beside the reference pages, what ``monjudge verify --format json`` has said.

BOARDS is ``printed`` or ``all``; ``readings`` takes over what turns the verdicts on the printed ones, of a file that was made with ``--flips``.
The pages show what is written down; it takes many minutes to ask anew, which the tests demand after every change of the rules or the properties.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

from monjudge.model.language.export import content_hash
from monjudge.model.properties import Setting
from monjudge.verify.question import Property, read_properties

__all__ = ["digest", "write_down", "written"]

FILE = Path(__file__).resolve().parents[1] / "reference" / "verdicts.json"
KEPT = ("verdict", "why", "bounds")
"""What is written down of an answer."""

UNKNOWN = {"verdict": "undecided"}


def digest(prop: Property) -> str:
    """Of all that a property says, but for its sentences; a key that it does not use is no part of it."""
    usual = dataclasses.asdict(Property("", ""))
    said = {name: value for name, value in dataclasses.asdict(prop).items() if name not in ("en", "ja", "note") and value != usual[name]}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def written() -> dict[str, Any]:
    """What is written down: by game the hash of its rules, and by property its digest and the verdict for each sort of boards."""
    return json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def write_down(game: str, boards: str, file: str) -> None:
    """Takes over the answers on all shipped properties of a game, of which only ``readings`` may be left out. Raises KeyError for one that is not in the file."""
    found, told = written(), {answer["id"]: answer for answer in json.loads(Path(file).read_text("utf-8"))["results"]}
    rules, known = content_hash(Setting(game).scene.rules), found.get(game, {})
    verdicts = known["verdicts"] if known.get("rules") == rules else {}
    for prop in read_properties(Setting(game).properties):
        at, asked = verdicts.get(prop.id, {}), digest(prop)
        verdicts[prop.id] = {**(at if at.get("asked") == asked else {}), "asked": asked}
        if boards != "readings":
            verdicts[prop.id][boards] = {name: told[prop.id][name] for name in KEPT}
        elif told.get(prop.id, UNKNOWN)["verdict"] != "undecided":
            turned = [[flip["readings"], flip["verdict"]] for flip in told[prop.id]["flips"]]
            verdicts[prop.id][boards] = {"open": len(told[prop.id]["open"]), "turned": turned, "unasked": told[prop.id]["unasked"]}
    found[game] = {"rules": rules, "verdicts": verdicts}
    FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")

