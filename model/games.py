"""The games by name, for whoever is told a name: a game is imported when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, Protocol, cast

from monjudge.model.language import RuleSet
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import Kit
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.model.report import Report
from monjudge.model.small import GAMES, SQUARES

__all__ = [
    "WITH_CASES", "WITH_REPORTS", "WITH_SCENES", "Cases", "cases_of", "games", "kit", "kit_of", "properties_of", "reports_of", "scene_of",
]  # fmt: skip

WITH_CASES = ("monjan", "rancher")
"""The games that answer cases; the first is meant where none is named."""

WITH_WORDS: Mapping[str, str] = {"monjan": "mc", "rancher": "mr"}
"""The games with a notation of their own, in ``notation`` of their folder, and with what their lines begin;
the first is meant where none is named."""

WITH_SCENES = ("monjan", "rancher")
"""The games with a scene and properties of their own; for any other the scene is the beginning as it is."""

WITH_REPORTS = ("rancher",)
"""The games that can say something of themselves for good, in ``reports`` of their folder."""


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


def reports_of(game: str) -> Mapping[str, Callable[[], Report]]:
    """The reports of a game by name; none for a game that has none, or that does not exist.

    >>> list(reports_of("rancher")), list(reports_of("nim"))
    (['arena'], [])
    """
    if game not in WITH_REPORTS:
        return {}
    return cast("Mapping[str, Callable[[], Report]]", import_module(f"monjudge.model.{game}.reports").REPORTS)


def scene_of(
    game: str, boards: Any = "printed", readings: Mapping[str, str] | None = None, open: Iterable[str] = (), players: int | None = None
) -> Scene:  # fmt: skip
    """Where the properties of a game are asked: of ``printed`` boards, of ``all`` designs, or of those in plain data.

    ``players``: so many instead of the usual number. Raises DataError for a game, boards or readings that do not exist,
    and where so many cannot play.
    """
    if game in WITH_SCENES:
        more = {} if players is None else {"players": players}
        chosen: Scene = import_module(f"monjudge.model.{game}.properties").scene_of(boards, readings, open, **more)
        return chosen
    position = kit(game).deal(readings=readings, open=tuple(open))
    if players not in (None, position.rules.players):
        text = Sentence(f"{game} is for {position.rules.players} players, not {players}", f"{game}は{position.rules.players}人用で、{players}人ではできない")
        raise DataError([Defect("players", text, "wrong-value")])
    return Scene(position.rules, position.state, words=position)


def properties_of(game: str) -> bytes:
    """The file of the properties that are shipped for a game; one without any for a game that has none."""
    name = "properties.json" if game in WITH_SCENES else f"{game}.properties.json"
    file = files(f"monjudge.model.{game if game in WITH_SCENES else 'small'}").joinpath(name)
    return file.read_bytes() if file.is_file() else b'{"format": "monjudge-properties/1", "properties": []}'


def games() -> tuple[str, ...]:
    """The names of all games, those with words of their own first."""
    return (*WITH_WORDS, *GAMES)


@cache
def kit(game: str) -> Kit:
    """The words of a game. Raises DataError naming the games that there are.

    >>> kit("nim").line(kit("nim").deal())
    'nim1'
    """
    if game in WITH_WORDS:
        return cast(Kit, import_module(f"monjudge.model.{game}.notation.kit").KIT)
    if game in GAMES:
        from monjudge.model.notation.plain import Plain

        return Plain(game, GAMES[game](), SQUARES.get(game))
    known = ", ".join(games())
    text = Sentence(f"no game is called {game!r}; there are {known}", f"{game!r}というゲームはない。あるのは {known}")
    raise DataError([Defect("game", text, "unknown-game")])


def kit_of(document: Any) -> Kit:
    """The words of the game that a document speaks of: by its key ``game``, by its ``format``, or by how its line begins.

    Without either the first game is meant. Raises DataError for a game that does not exist.

    >>> kit_of("nim1/heap=1,2,3").name, kit_of({"game": "pig"}).name
    ('nim', 'pig')
    """
    if isinstance(document, str):
        head = re.match(r"\s*([a-z-]*)[0-9]*(/|\s|$)", document)
        word = head[1] if head else ""
        letters = {WITH_WORDS.get(name, name): name for name in games()}
        return kit(letters.get(word) or (word if word and head and head[2] == "/" else games()[0]))
    said = document if isinstance(document, Mapping) else {}
    named = said.get("game", said.get("ゲーム"))
    if isinstance(named, str):
        return kit(named)
    form = str(said.get("format", ""))
    return kit(next((name for name in games() if form.startswith(f"monjudge-{name}-")), games()[0]))
