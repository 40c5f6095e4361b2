"""How the norms of a game are written: a sentence id, the act it speaks of, and what it says of the act's parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from monjudge.model.language import FALSE, TRUE, Expr, Game, field, lift, rebuild

__all__ = ["UNREALISED", "Of", "Said", "Writer", "after"]

Said = Callable[..., Any]
"""An expression over the parameters of an act (``a.card``, ``a.column``, ...) and ``a.me``."""

Of = Callable[..., Expr]
"""An expression over players, columns, slots or kinds."""

UNREALISED = FALSE
"""The claim of a sentence that the rule set follows under none of its readings: another sentence prevails."""


class Writer:
    """Writes norms on a game. A norm about an act that the setting does not have is left out.

    ``on`` names one act or several; without it the norm speaks of every state (or, for
    ``does``, of every step). Several ids share a norm when their sentences say the same.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._acts = {a.name: a for a in game.actions}

    def may(self, ids: str | Iterable[str], on: str | Iterable[str], says: Said, **more: Any) -> None:
        """A permission: some legal move of the act is like this."""
        self._norm(ids, "permission", on, says, **more)

    def must(self, ids: str | Iterable[str], on: str | Iterable[str] | None, says: Said, **more: Any) -> None:
        """An obligation: every legal move of the act (every state) is like this."""
        self._norm(ids, "obligation", on, says, **more)

    def never(self, ids: str | Iterable[str], on: str | Iterable[str] | None, says: Said, **more: Any) -> None:
        """A prohibition: no legal move of the act (no state) is like this."""
        self._norm(ids, "prohibition", on, says, **more)

    def means(self, ids: str | Iterable[str], says: Said, **more: Any) -> None:
        """A definition: it holds in every state."""
        self._norm(ids, "definition", None, says, **more)

    def does(self, ids: str | Iterable[str], on: str | Iterable[str] | None, says: Said, **more: Any) -> None:
        """An effect: it holds of every step of the act; ``after`` speaks of the next state."""
        self._norm(ids, "effect", on, says, **more)

    def _norm(
        self, ids: str | Iterable[str], kind: str, on: str | Iterable[str] | None, says: Said,
        when: Said | None = None, claimed: Any = TRUE,
    ) -> None:  # fmt: skip
        names: list[str | None] = [None] if on is None else [on] if isinstance(on, str) else list(on)
        for name in names:
            if name is not None and name not in self._acts:
                continue
            act = SimpleNamespace(me=self.game.me)
            if name is not None:
                for parameter in self._acts[name].params:
                    setattr(act, parameter.name, parameter.var)
            scope = TRUE if when is None else lift(when(act))
            formula = lift(says(act))
            for id in (ids,) if isinstance(ids, str) else ids:
                self.game.norm(id, kind, formula, scope=scope, on=name, claimed=claimed)


def after(expr: Any) -> Expr:
    """The expression in the next state, at the places that it names in this one.

    ``after(life[target, guard])`` is the life that the present guard will have.
    """
    node = lift(expr)
    if node.op == "field":
        return field(node.args[0], node.args[2:], 1)
    if node.op in ("const", "var"):
        return node
    return rebuild(node, [after(a) if isinstance(a, Expr) and a.op != "var" else a for a in node.args])
