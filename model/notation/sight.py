"""What a viewer may know of a state: the observation of a rule set, cell by cell."""

from __future__ import annotations

from monjudge.model.language import RuleSet, State, evaluate

__all__ = ["seen"]


def seen(rules: RuleSet, state: State, viewer: int | None, family: str, *indices: int) -> int | None:
    """The value of a cell; None where the viewer (a seat from 0, None sees all) may not know it, 0 where there is no such field."""
    if family not in rules.family_named:
        return 0
    condition = rules.visible.get(family)
    if viewer is not None and condition is not None:
        env = {"viewer": viewer, **{f"x{n}": i for n, i in enumerate(indices)}}
        if not evaluate(condition, state, env, rules.offset):
            return None
    return state[rules.cell(family, *indices)]
