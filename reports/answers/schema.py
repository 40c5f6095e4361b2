"""The JSON Schema of what ``--format json`` prints."""

from __future__ import annotations

from typing import Any

from monjudge.reports.answers.answer import FORMAT

__all__ = ["ANSWERS"]

Schema = dict[str, Any]


def _object(properties: Schema, *, optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _maybe(schema: Schema) -> Schema:
    return {"oneOf": [schema, {"type": "null"}]}


_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer"}
_FLAG: Schema = {"type": "boolean"}
_ANY: Schema = {}
_BOTH = _object({"en": _TEXT, "ja": _TEXT})
_VERDICT: Schema = {"enum": ["yes", "no", "depends", "undetermined", "unknown"]}

_MOVE = _object({"move": _TEXT, "said": _BOTH, "action": _TEXT, "player": _NUMBER})
_CLAUSE = _object({"id": _TEXT, "ref": _TEXT, "kind": {"enum": ["rule", "limit", "open", "trigger"]}, "en": _TEXT, "ja": _TEXT})
_READ = _object({"term": _TEXT, "value": _NUMBER, "label": _TEXT})
_FINDING = _object({"needed": _TEXT, "have": _list(_READ), "more": _NUMBER})
_BROKEN = _object({"clause": _CLAUSE, "findings": _list(_FINDING), "facts": _list(_BOTH)})
_CHANGE = _object({"field": _TEXT, "indices": _list(_NUMBER), "before": _NUMBER, "after": _NUMBER})
_PLACE = _object({"line": _NUMBER, "column": _NUMBER, "length": _NUMBER})

_DEFECT = _object({
    "code": _TEXT, "name": _TEXT, "path": _TEXT, "clause": _TEXT, "file": _TEXT, "text": _BOTH, "place": _maybe(_PLACE),
})  # fmt: skip
_SWITCH = _object({"id": _TEXT, "title": _BOTH})
_FLIPS = _object({
    "asked": _NUMBER, "flips": _list(_object({"switch": _SWITCH, "value": _TEXT, "verdict": _VERDICT})), "limit": _maybe(_BOTH),
})  # fmt: skip

_WHY: Schema = {
    "move": _MOVE, "broken": _list(_BROKEN), "granted": _list(_CLAUSE), "nearest": _maybe(_list(_MOVE)),
    "limit": _maybe(_BOTH), "cut": _maybe(_BOTH), "flips": _maybe(_FLIPS),
}  # fmt: skip

_BOUNDS = {"type": "object", "additionalProperties": {"oneOf": [_TEXT, _NUMBER]}}
_WITNESS = _maybe(_object({
    "boards": _list(_ANY), "readings": {"type": "object", "additionalProperties": _TEXT}, "start": _TEXT, "moves": _list(_MOVE), "stem": _maybe(_NUMBER),
    "said": _BOTH, "then": _list(_MOVE), "positions": _list(_object({"title": _BOTH, "line": _TEXT})), "met": _FLAG, "findings": _list(_FINDING),
    "facts": _list(_BOTH),
}))  # fmt: skip

_PLAN = _object({"moves": _list(_MOVE), "end": {"enum": ["done", "chance", "reveal"]}, "line": _TEXT, "orders": _maybe(_NUMBER)})

_CELL: Schema = {"oneOf": [_TEXT, _NUMBER, {"type": "null"}, _list(_NUMBER)]}

_FRACTION: Schema = {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}

_SOLVE: Schema = {
    "player": _BOTH, "goal": _BOTH, "turns": _maybe(_NUMBER), "fewest": _FLAG, "nodes": _NUMBER, "line": _list(_MOVE), "limit": _maybe(_BOTH),
    "keys": _maybe(_list(_object({"verdict": _VERDICT, "move": _MOVE, "group": _NUMBER, "refutation": _list(_MOVE), "at_once": _FLAG}))),
    "duals": _maybe(_list(_object({"at": _NUMBER, "move": _MOVE, "order": _FLAG}))),
    "variations": _maybe(_list(_object({
        "at": _NUMBER, "replies": _list(_MOVE), "answer": _list(_MOVE), "reached": _FLAG, "same": _FLAG, "threat": _FLAG,
    }))),
    "compared": _maybe(_object({"engine": _TEXT, "verdict": _VERDICT, "agrees": _FLAG, "nodes": _NUMBER, "limit": _maybe(_BOTH)})),
    "engine": _TEXT, "kept": _FLAG, "opened": _FLAG, "cards": {"enum": ["open", "both"]}, "rolls": _list(_MOVE),
}  # fmt: skip

_SPAN = _object({"name": _TEXT, "least": _NUMBER, "most": _NUMBER, "domain": _TEXT, "labels": _list(_TEXT), "truth": _FLAG})
_NAME = _object({"name": _TEXT, "of": _list(_SPAN), "values": _maybe(_SPAN), "text": _BOTH, "more": _list(_BOTH)})

_RESULTS: dict[str, Schema] = {
    "moves": {
        "count": _NUMBER, "over": _maybe(_CLAUSE), "viewer": _maybe(_BOTH),
        "undecided": _list(_object({"verdict": _VERDICT, "limit": _BOTH, "move": _MOVE})),
        "groups": _list(_object({
            "action": _TEXT, "title": _BOTH, "certain": _FLAG, "clauses": _list(_CLAUSE), "moves": _list(_MOVE),
        })),
    },
    "why": _WHY,
    "card": {
        "card": _TEXT, "said": _BOTH, "player": _BOTH, "actions": _list(_BOTH), "legal": _list(_MOVE), "reasons": _list(_list(_CLAUSE)),
        "remedies": _list(_object({"without": _list(_TEXT), "move": _MOVE, "broken": _list(_BROKEN)})), "limit": _maybe(_BOTH),
    },
    "check": {"legal_moves": _NUMBER, "end": _BOTH, "fault": _maybe(_object({"verdict": _VERDICT, **_WHY})), "line": _TEXT, "flips": _maybe(_FLIPS)},
    "depends": {
        "question": _TEXT, "said": _BOTH, "switches": _list(_SWITCH), "limit": _maybe(_BOTH),
        "when": _list(_object({
            "verdict": _VERDICT, "readings": _list(_list(_object({"switch": _TEXT, "values": _list(_TEXT)}))),
        })),
    },
    "apply": {
        "done": _list(_object({"move": _MOVE, "changes": _list(_CHANGE), "fired": _list(_CLAUSE), "facts": _list(_BOTH)})),
        "start": _TEXT, "line": _TEXT, "end": _BOTH, "seed": _maybe(_NUMBER),
    },
    "plans": {
        "player": _BOTH, "count": _NUMBER, "sequences": _maybe(_NUMBER), "states": _NUMBER, "plans": _list(_PLAN),
        "best": _maybe(_object({"measure": _BOTH, "value": {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}, "plan": _PLAN})),
        "limit": _maybe(_BOTH),
    },
    "solve": _SOLVE,
    "solve-readings": {
        "base": _object({"verdict": _VERDICT, **_SOLVE}), "robust": _FLAG, "tried": _NUMBER, "unread": _NUMBER, "limit": _maybe(_BOTH),
        "changes": _list(_object({
            "readings": _list(_object({"switch": _TEXT, "value": _TEXT, "title": _BOTH})), "verdict": _VERDICT,
        })),
    },
    "solve-hidden": {
        "player": _BOTH, "goal": _BOTH, "turns": _maybe(_NUMBER), "assignments": _maybe(_NUMBER), "nodes": _NUMBER, "moves": _list(_MOVE),
        "limit": _maybe(_BOTH), "cut": _FLAG, "rolls": _list(_MOVE), "cards": {"enum": ["hidden"]},
        "strategy": _list(_object({"depth": _NUMBER, "replies": _list(_MOVE), "move": _maybe(_MOVE), "again": _FLAG})),
    },
    "odds": {
        "player": _BOTH, "goal": _BOTH, "turns": _maybe(_NUMBER), "low": _FRACTION, "high": _FRACTION, "at_least": _maybe(_FRACTION),
        "nodes": _NUMBER, "moves": _list(_object({"probability": _FRACTION, "move": _MOVE})),
        "plans": _list(_object({"probability": _FRACTION, "moves": _list(_MOVE)})),
        "replies": _list(_object({"probability": _FRACTION, "moves": _list(_MOVE)})), "limit": _maybe(_BOTH), "rolls": _list(_MOVE),
        "line": _list(_object({"move": _MOVE, "probability": _FRACTION, "outcomes": _list(_object({"probability": _FRACTION, "move": _MOVE}))})),
    },
    "certify": {
        "claim": _BOTH, "positions": _NUMBER, "decisions": _NUMBER, "refused": _maybe(_BOTH), "begun": _NUMBER,
        "engines": _list({"enum": ["reference", "native"]}), "plans": _maybe(_object({"count": _NUMBER, "early": _maybe(_NUMBER)})),
        "witness": _WITNESS, "bounds": _BOUNDS,
    },
    "show": {"board": _TEXT, "line": _TEXT},
    "render": {"file": _TEXT},
    "defects": {"file": _TEXT, "defects": _list(_DEFECT)},
    "sound": {"file": _TEXT, "holds": _TEXT, "remarks": _list(_DEFECT)},
    "verify": {
        "id": _TEXT, "verdict": {"enum": ["holds", "fails", "undecided"]}, "claim": _BOTH, "why": _BOTH, "note": _maybe(_BOTH),
        "bounds": _BOUNDS, "open": _list(_TEXT),
        "flips": _list(_object({"readings": {"type": "object", "additionalProperties": _TEXT}, "evidence": _maybe({"type": "object"}),
                                "verdict": {"enum": ["holds", "fails", "undecided", "says nothing"]}})),
        "unasked": _list(_TEXT), "used": _list(_TEXT), "milliseconds": _NUMBER, "evidence": _maybe({"type": "object"}),
        "witness": _WITNESS,
    },
    "case": {"id": _TEXT, "passed": _FLAG, "expected": _ANY, "got": _ANY, "wrong": _TEXT},
    "text": {"id": _TEXT, "ref": _TEXT, "title": _BOTH, "text": _BOTH, "more": _list(_BOTH)},
    "names": {"sort": _TEXT, "title": _BOTH, "names": _list(_NAME)},
    "reports": {
        "game": _TEXT, "report": _TEXT, "title": _BOTH, "sheets": _list(_object({"id": _TEXT, "title": _BOTH, "count": _NUMBER})),
    },
    "report": {
        "game": _TEXT, "report": _TEXT, "title": _BOTH, "about": _BOTH,
        "sheets": _list(_object({"id": _TEXT, "title": _BOTH, "columns": _list(_object({"id": _TEXT, "title": _BOTH})), "rows": _list(_list(_CELL))})),
    },
    "switch": {
        "id": _TEXT, "name": _TEXT, "title": _BOTH, "why": _BOTH, "reason": _BOTH, "default": _TEXT, "fixed": _FLAG,
        "values": {"type": "object", "additionalProperties": _BOTH}, "clauses": _list(_TEXT), "severity": _TEXT,
    },
}  # fmt: skip
"""What an answer of each kind has besides its kind, its verdict and the command that brings it back."""

_OPTIONAL = {"case": ("wrong",)}


def _result(kind: str) -> Schema:
    own = {"kind": {"const": kind}, "verdict": _VERDICT, **_RESULTS[kind], "reproduce": _TEXT}
    return _object(own, optional=("reproduce", *_OPTIONAL.get(kind, ())))


ANSWERS: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Answers of monjudge",
    **_object({
        "schema": {"const": FORMAT}, "tool": {"const": "monjudge"}, "version": _TEXT,
        "readings": {"type": "object", "additionalProperties": _TEXT},
        "inputs": _list({"type": "object", "required": ["kind"], "properties": {"kind": _TEXT}}),
        "results": _list({"oneOf": [_result(kind) for kind in _RESULTS]}),
    }),
}  # fmt: skip
