"""The games by name, for whoever is told a name: a game is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from monjudge.model.language import RuleSet

__all__ = ["WITH_CASES", "Cases", "cases_of"]

WITH_CASES = ("monjan",)
"""The games that answer cases; the first is meant where none is named."""


class Cases(Protocol):
    """What a game offers for cases (see ``solvers.cases``)."""

    INFORMATION: Mapping[str, frozenset[str]]

    def answers(
        self, engine: Callable[[RuleSet], Any], cases: Iterable[Mapping[str, Any]] = ()
    ) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]: ...


def cases_of(game: str) -> Cases:
    """The cases of a game. Raises KeyError for a game that has none.

    >>> sorted(cases_of("monjan").INFORMATION)
    ['lost_figure']
    """
    if game not in WITH_CASES:
        raise KeyError(f"no game with cases is called {game!r}; there are {', '.join(WITH_CASES)}")
    return cast(Cases, import_module(f"monjudge.model.{game}.cases"))
