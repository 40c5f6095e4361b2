"""The text form of expressions: printing now, parsing next (see docs/plan.md)."""

from __future__ import annotations

from monjudge.model.language.expr import Expr

__all__ = ["print_expr"]


def print_expr(node: Expr) -> str:
    return f"<{node.op} #{node.uid}>"
