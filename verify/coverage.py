"""Which rule, norm and test states each clause of a text: the table, and the references that lead nowhere.

A clause that a rule set knows under ``X:part`` states clause ``X``. Clauses of kind *limit*
are bounds of the model and state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from monjudge.model.language import RuleSet

__all__ = ["Coverage", "cited", "unknown_in_text"]


@dataclass(frozen=True)
class Coverage:
    """What is known of the clauses ``ids``, in their order.

    ``cases`` are the ids of cases for each clause that they cite; ``claimed`` the clauses of which a mutant makes a
    test fail; ``homeless`` says why a clause is stated by no norm (a mark that the reader of the table knows).
    """

    ids: Sequence[str]
    rule_sets: Sequence[RuleSet]
    cases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    claimed: Collection[str] = ()
    homeless: Mapping[str, str] = field(default_factory=dict)

    def rules(self) -> dict[str, list[str]]:
        """The actions whose clauses, and the triggers that, state each clause."""
        found: dict[str, list[str]] = {}
        for rules in self.rule_sets:
            stated = [(c.id, a.name) for a in rules.actions for c in a.clauses if c.kind == "rule"]
            stated += [(t.id, "trigger") for t in rules.triggers]
            stated += [(rules.over.id, "end of the game")] if rules.over is not None else []
            for id, where in stated:
                _put(found, id.partition(":")[0], where)
        return found

    def norms(self) -> dict[str, list[str]]:
        """The kinds of the norms that take each clause literally, with the action that they speak of."""
        found: dict[str, list[str]] = {}
        for rules in self.rule_sets:
            for norm in rules.norms:
                _put(found, norm.id, norm.kind if norm.on is None else f"{norm.kind} ({norm.on})")
        return found

    def unknown(self) -> list[str]:
        """Every reference of a rule, norm or case to a clause that does not exist, with where it stands."""
        known = set(self.ids)
        places = (("rule", self.rules()), ("norm", self.norms()), ("case", self.cases), ("reason", self.homeless))
        return [f"{kind}: {id}" for kind, found in places for id in found if id not in known]

    def lines(self) -> Iterator[str]:
        """The table in Markdown: clause, rules, norms, cases, claimed; headings in English and Japanese."""
        rules, norms = self.rules(), self.norms()
        yield "| clause / 条項 | rule / 規則 | norm / 規範 | cases / ケース | claimed / 検証済み |"
        yield "| --- | --- | --- | --- | --- |"
        for id in self.ids:
            norm = _acts(norms.get(id, [])) or self.homeless.get(id, "")
            cells = (id, ", ".join(rules.get(id, [])), norm, _few(self.cases.get(id, [])), "✓" if id in self.claimed else "")
            yield f"| {' | '.join(cells)} |"


def cited(cases: Iterable[Mapping[str, object]], key: str = "src") -> dict[str, list[str]]:
    """The ids of the cases that cite each clause under ``key``."""
    found: dict[str, list[str]] = {}
    for case in cases:
        sources = case.get(key, ())
        assert isinstance(sources, list | tuple)
        for id in sources:
            _put(found, str(id), str(case["id"]))
    return found


def unknown_in_text(text: str, ids: Collection[str]) -> list[str]:
    """The words of a text that look like a clause but are none: its chapter exists, the clause does not.

    >>> unknown_in_text("See ATK.1 and ATK.99, not v1.2.", ["ATK.1"])
    ['ATK.99']
    """
    chapters = {id.partition(".")[0] for id in ids}
    words = re.findall(r"\b([A-Z]+)((?:\.[A-Za-z0-9]+)+)", text)
    return [a + b for a, b in words if a in chapters and a + b not in ids]


def _put(found: dict[str, list[str]], id: str, where: str) -> None:
    places = found.setdefault(id, [])
    if where not in places:
        places.append(where)


def _acts(norms: Sequence[str]) -> str:
    """Norms of one kind on several actions as one entry."""
    kinds: dict[str, list[str]] = {}
    for norm in norms:
        kind, _, act = norm.partition(" ")
        kinds.setdefault(kind, []).extend([act.strip("()")] if act else [])
    return "; ".join(f"{kind} ({', '.join(acts)})" if acts else kind for kind, acts in kinds.items())


def _few(cases: Sequence[str], most: int = 6) -> str:
    more = f" (+{len(cases) - most})" if len(cases) > most else ""
    return ", ".join(cases[:most]) + more
