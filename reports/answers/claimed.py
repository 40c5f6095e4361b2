"""What evidence of the prover claims, said so that nobody takes a refutation for a proof, or a claim for more than it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monjudge.model.notation.sentence import Sentence
from monjudge.solvers.certificate import Evidence

__all__ = ["claimed"]

_PROVED, _REFUTED, _SHOWN = Sentence("holds", "成立"), Sentence("fails", "不成立"), Sentence("is shown", "実例あり")

_KINDS: Mapping[str, Sentence] = {
    "invariant": Sentence("in every state", "どの状態でも"), "unreachable": Sentence("in every state", "どの状態でも"), "reachable": Sentence("in every state", "どの状態でも"),
    "fact": Sentence("for all boards and readings", "どのボードと読みでも"), "step": Sentence("of every state and every later one", "どの状態とその後のどの状態でも"),
    "move": Sentence("wherever {on} is legal", "{on}ができるときいつも"), "legal": Sentence("{on} is legal wherever", "{on}は次のときいつもできる"),
    "deadlock": Sentence("somebody can move wherever", "次のときいつも誰かが動ける"), "termination": Sentence("play does not stay for ever where", "次の状態に永久にとどまらない"),
    "commute": Sentence("moves of two players commute wherever", "次のとき二人の手は順番を入れ替えられる"), "confluence": Sentence("firings commute", "誘発は順番を入れ替えられる"),
    "constant": Sentence("no move changes the measure", "どの手も測度を変えない"), "limit": Sentence("no bound of the model is passed wherever", "次のとき模型の限界を超えない"),
    "firing": Sentence("of every single firing", "どの一回の誘発でも"),
}  # fmt: skip

_QUESTIONS: Mapping[str, tuple[Sentence, Sentence]] = {
    "line": (_SHOWN, Sentence("a line of {moves} leads to", "{moves}の手順で次に至る")),
    "counterexample": (_REFUTED, Sentence("a state is shown without", "次の成り立たない状態がある")),
    "loop": (_REFUTED, Sentence("play goes round among states with", "次の状態の中で循環する")),
    "no loop": (_PROVED, Sentence("no play goes round among states with", "次の状態の中で循環しない")),
    "consistent": (_PROVED, Sentence("these sentences can be followed together where", "次のとき、これらの文にともに従える")),
    "contradiction": (_REFUTED, Sentence("these sentences cannot be followed together where", "次のとき、これらの文にともには従えない")),
    "same": (_PROVED, Sentence("these sentences say the same", "これらの文は同じことを述べる")),
    "different": (_REFUTED, Sentence("these sentences say something else", "これらの文は違うことを述べる")),
    "robust": (_PROVED, Sentence("other readings forbid nothing where", "次のとき、ほかの読みでも禁じられない")),
    "barred": (_REFUTED, Sentence("another reading forbids a move where", "次のとき、ほかの読みで禁じられる手がある")),
    "joint": (_PROVED, Sentence("the examples of the text hold together", "文面の例はともに成り立つ")),
    "not joint": (_REFUTED, Sentence("the examples of the text do not hold together", "文面の例はともには成り立たない")),
    "two rests": (_REFUTED, Sentence("two orders of the triggers end differently where", "次のとき、誘発の順番で結果が違う")),
    "hopeless": (_PROVED, Sentence("what is declared hopeless is so", "望みなしと宣言したものはそのとおり")),
    "not hopeless": (_REFUTED, Sentence("what is declared hopeless is not", "望みなしと宣言したものに望みがある")),
    "choices": (_PROVED, Sentence("nothing else is chosen", "ほかに選ぶものはない")),
    "more choices": (_REFUTED, Sentence("something else is chosen", "ほかにも選ぶものがある")),
    "draw": (_PROVED, Sentence("whatever is drawn", "何を引いても")), "forcing": (_PROVED, Sentence("in every position of the family", "族のどの局面でも")),
}  # fmt: skip

_ASIDE = ("among", "apart", "measure", "counters", "left", "pile", "of", "cards", "goal", "player", "made")
"""What else belongs to a claim, where it is said."""


def claimed(evidence: Evidence) -> Sentence:
    """The property, its verdict, of what it speaks, and the formula."""
    claim, question = evidence.claim, str(evidence.claim.get("question"))
    verdict, about = _told(claim, question)
    on, made = str(claim.get("on") or ""), len(evidence.witness)
    moves = Sentence(f"{made} move{'s' * (made != 1)}", f"{made}手")
    formula = str(claim.get("formula", ""))
    aside = "; ".join(f"{key} {_written(claim[key])}" for key in _asides(claim))

    def said(verdict: str, about: str, moves: str, joint: str) -> str:
        text = f"{claim.get('property')} {verdict}{joint}{about.format(on=on, moves=moves)}"
        return f"{text}{joint if formula else ''}{formula}{f' ({aside})' if aside else ''}"

    return Sentence(said(verdict.en, about.en, moves.en, ": "), said(verdict.ja, about.ja, moves.ja, "："))


def _told(claim: Mapping[str, Any], question: str) -> tuple[Sentence, Sentence]:
    kind = str(claim.get("kind", "invariant"))
    if question in ("holds", "exhausted"):
        return _PROVED, _KINDS.get(kind, Sentence(kind, kind))
    if question.startswith("fault of a "):
        return _REFUTED, _KINDS.get(question.removeprefix("fault of a "), Sentence(question, question))
    verdict, about = _QUESTIONS.get(question, (_SHOWN, Sentence(question, question)))
    return (_REFUTED if claim.get("fault") or (claim.get("broken") and question == "draw") else verdict), about


def _asides(claim: Mapping[str, Any]) -> list[str]:
    """The keys that say something besides; a premise beside a formula that is not the claim itself."""
    premise = ["premise"] if claim.get("premise", "true") != "true" else []
    return [*premise, *(key for key in _ASIDE if claim.get(key) not in (None, "", [], "true", 0))]


def _written(value: Any) -> str:
    return ", ".join(_written(part) for part in value) if isinstance(value, list | tuple) else str(value)
