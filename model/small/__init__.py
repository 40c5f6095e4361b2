"""Small games whose values are known or computed independently, one file each: they check the machinery.

``GAMES`` maps the name of a game to the function that builds it; a game is imported when
it is asked for. Tests, documents and the command line read it; no solver does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from monjudge.model.language import RuleSet
from monjudge.model.notation.plain_picture import Squares

__all__ = ["GAMES", "SQUARES"]

_NAMES = ("breakthrough", "connect-four", "duel", "nim", "pig", "rock-paper-scissors", "tic-tac-toe")


class _Games(Mapping[str, Callable[..., RuleSet]]):
    """Every file is called after its game, with ``_`` for ``-``, and so is the function in it."""

    def __getitem__(self, name: str) -> Callable[..., RuleSet]:
        if name not in _NAMES:
            raise KeyError(f"no small game is called {name!r}; there are {', '.join(_NAMES)}")
        word = name.replace("-", "_")
        build: Callable[..., RuleSet] = getattr(import_module(f"{__name__}.{word}"), word)
        return build

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


GAMES: Mapping[str, Callable[..., RuleSet]] = _Games()

SQUARES: Mapping[str, Squares] = {
    "breakthrough": Squares("cell", upwards=True),
    "connect-four": Squares("cell", columns_first=True, upwards=True),
    "tic-tac-toe": Squares("cell", width=3),
}
"""How the board games among them lie on the table."""
