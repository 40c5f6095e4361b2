"""What each player may know (R.PULL.5, R.FIELD.6, R.ARENA.7): hands and libraries are closed, all else lies open."""

from __future__ import annotations

from monjudge.model.rancher.match import Match

__all__ = ["add_hiding"]


def add_hiding(m: Match) -> None:
    """A player knows the own hand and, from the own deck, what the own library has, but no order.

    What is hidden until somebody shows it (monsters of the set-up, orders, cards of an attack) is said where it is.
    """
    m.game.observe(m.hand, lambda viewer, p, k: viewer == p)
    m.game.observe(m.library, lambda viewer, p, k: viewer == p)
