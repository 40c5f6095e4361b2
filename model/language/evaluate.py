"""The meaning of an expression, said once and plainly: a walk over the tree.

Used for explanations (the value of each part of a failing clause) and as the measure
for the generated engines. It is slow and meant to be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monjudge.model.language.expr import Expr

__all__ = ["evaluate"]


def evaluate(
    node: Expr,
    state: Sequence[int] = (),
    env: Mapping[str, int] | None = None,
    offset: Mapping[str, int] | None = None,
    after: Sequence[int] = (),
) -> int:
    """The value (0 or 1 for a truth value) of an expression.

    ``state`` is the flat state, ``offset`` where each family begins in it
    (``RuleSet.offset``), ``env`` the values of the free variables, ``after`` the next
    state for expressions that speak of it.
    """
    env = {} if env is None else env
    offset = {} if offset is None else offset

    def value(n: Expr, env: Mapping[str, int]) -> int:
        op, args = n.op, n.args
        match op:
            case "const":
                return int(args[0])
            case "var":
                return env[args[0]]
            case "field":
                family, at = args[0], args[1]
                place = family.place([value(i, env) for i in args[2:]])
                if place is None:
                    return int(family.default)
                if at and not after:
                    raise ValueError(f"'next {family.name}' speaks of the next state, and none was given")
                return int((after if at else state)[offset[family.name] + place])
            case "table":
                return int(args[0].at(*(value(i, env) for i in args[1:])))
            case "add":
                return sum(value(a, env) for a in args)
            case "mul":
                return int(args[0] * value(args[1], env))
            case "min":
                return min(value(a, env) for a in args)
            case "max":
                return max(value(a, env) for a in args)
            case "eq":
                return int(value(args[0], env) == value(args[1], env))
            case "lt":
                return int(value(args[0], env) < value(args[1], env))
            case "le":
                return int(value(args[0], env) <= value(args[1], env))
            case "in":
                return int(value(args[0], env) in args[1])
            case "and":
                return int(all(value(a, env) for a in args))
            case "or":
                return int(any(value(a, env) for a in args))
            case "not":
                return 1 - value(args[0], env)
            case "ite":
                return value(args[1] if value(args[0], env) else args[2], env)
        bound, body = args
        values = (value(body, {**env, bound.args[0]: i}) for i in range(bound.lo, bound.hi + 1))
        return int(all(values)) if op == "all" else int(any(values)) if op == "any" else sum(values)

    return value(node, env)
