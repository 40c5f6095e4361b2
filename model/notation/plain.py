"""The words of a game that has none of its own, taken from its rule set: fields by name, moves by their parameters.

>>> from monjudge.model.small import GAMES
>>> kit = Plain("tic-tac-toe", GAMES["tic-tac-toe"]())
>>> here = kit.position("tic-tac-toe1/cell=1,0,2,0,0,0,0,0,0")
>>> kit.data(here)
{'game': 'tic-tac-toe', 'cell': [1, 0, 2, 0, 0, 0, 0, 0, 0]}
>>> kit.move(here, "place 4"), kit.said(here, kit.move(here, "place 4")).en
(Move(action='place', me=0, args=(4,)), 'Player 1: place a mark (at 4).')
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from monjudge.model.language import NATURE, Action, Clause, Domain, Family, Move, Param, RuleSet, evaluate
from monjudge.model.language.rules import Trigger
from monjudge.model.notation.cursor import Cursor
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import Log, Position, Readings, SwitchWords, Ways
from monjudge.model.notation.picture import Picture
from monjudge.model.notation.plain_picture import Squares, plain_picture
from monjudge.model.notation.sentence import Sentence

if TYPE_CHECKING:
    from monjudge.model.notation.goals import Goal

__all__ = ["Plain"]


class Plain:
    """The kit of a small game: its rule set is the same in every position. ``board`` says how it lies on the table, if it is one."""

    kinds = ("state", "move", "log")

    def __init__(self, name: str, rules: RuleSet, board: Squares | None = None) -> None:
        self.name, self.rules, self.board = name, rules, board
        self.title = Sentence(rules.en or name, rules.ja or name)
        self.prefix = f"{name}1"
        self._families = {family.name: family for family in rules.families}

    # -- documents --------------------------------------------------------------------------------

    def kind(self, document: Any) -> str:
        """A text is a position in one line, an object with moves is a log, any other a state."""
        return "log" if isinstance(document, Mapping) and "moves" in document else "state"

    def schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema of a state, a move or a log."""
        move = {"type": "string", "pattern": rf"^([1-{self.rules.players}]:)? *({'|'.join(self.rules.by_name)})\b"}
        state = {
            "type": "object",
            "properties": {"game": {"const": self.name}, **{f.name: _schema(f, f.dims) for f in self.rules.families}},
            "additionalProperties": False,
        }
        parts: dict[str, dict[str, Any]] = {"state": state, "move": move, "log": {
            "type": "object", "required": ["moves"], "additionalProperties": False,
            "properties": {"game": {"const": self.name}, "start": state, "moves": {"type": "array", "items": move}},
        }}  # fmt: skip
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"{self.title.en}: {kind}", **parts[kind]}

    def canonical(self, kind: str, document: Any) -> Any:
        """Equal content, equal data. A move is written as its text."""
        if kind == "log":
            return self.log_data(self.log(document))
        if kind == "move":
            here = self.deal()
            return self.move_text(here, self.move(here, document))
        return self.data(self.position(document))

    def remarks(self, kind: str, document: Any) -> Sequence[Defect]:
        return ()

    # -- positions --------------------------------------------------------------------------------

    def position(self, document: Any, *, readings: Readings | None = None, open: Collection[str] = ()) -> Position:
        """The position of plain data or of a line. Raises DataError listing every field that will not do."""
        if isinstance(document, str):
            document = self._from_line(document)
        if not isinstance(document, Mapping):
            raise DataError([Defect("", Sentence(f"a state is an object, not {document!r}", f"局面はオブジェクト。{document!r} は不可"))])
        defects: list[Defect] = []
        values: dict[str, list[int]] = {}
        for name, given in document.items():
            if name in self._families:
                values[name] = list(_cells(self._families[name], given, name, defects))
            elif name != "game" or given != self.name:
                known = ", ".join(("game", *self._families))
                defects.append(Defect(str(name), Sentence(f"unknown key; there are {known}", f"未知のキー。使えるのは {known}"), "unknown-key"))
        if defects:
            raise DataError(defects)
        return Position(self, self.rules, self.rules.state(values))

    def knowing(self, position: Position, text: str) -> Position:
        """The same: a small game knows everything that can be named."""
        return position

    def whole(self, position: Position) -> Position:
        """The same, as for ``knowing``."""
        return position

    def closed(self, position: Position) -> Position:
        """The position itself: nothing is left open."""
        return position

    def boards(self, position: Position) -> Sequence[Any]:
        """None."""
        return ()

    def data(self, position: Position) -> dict[str, Any]:
        """The fields that differ from the start, by name; cells of several axes are nested lists."""
        return {"game": self.name} | {
            family.name: _nested(iter(cells), family.dims, family.labels)
            for family, cells in self._changed(position)
        }  # fmt: skip

    def line(self, position: Position) -> str:
        """The prefix and each field that differs from the start, its cells row by row."""
        parts = (f"{f.name}={','.join(str(_word(n, f.labels)) for n in cells)}" for f, cells in self._changed(position))
        return "/".join((self.prefix, *parts))

    def _changed(self, position: Position) -> Iterator[tuple[Family, Sequence[int]]]:
        for family in self.rules.families:
            at = self.rules.offset[family.name]
            cells = position.state[at : at + family.size]
            if cells != family.init:
                yield family, cells

    def _from_line(self, text: str) -> dict[str, Any]:
        cursor = Cursor(text.strip())
        if not cursor.match(re.escape(self.prefix) + "(?![0-9])"):
            cursor.fail(self.prefix, self.prefix)
        found: dict[str, Any] = {}
        while cursor.here < len(cursor.text):
            if not cursor.takes("/"):
                cursor.fail("/ or the end", "/ か終わり")
            start, name = cursor.here, cursor.match("[^=/]*")
            family = self._families.get(name[0]) if name else None
            if family is None or family.name in found or not cursor.takes("="):
                rest = [f"{known}=" for known in self._families if known not in found]
                cursor.fail(" or ".join(rest), "、".join(rest), start=start)
            cells = cursor.match("[^/]*")
            values = [int(word) if re.fullmatch("-?[0-9]{1,10}", word) else word for word in (cells[0] if cells else "").split(",")]
            found[family.name] = values if family.dims or len(values) > 1 else values[0]
        return found

    def defects(self, position: Position) -> list[Defect]:
        """None: what its rule set admits, a small game can have."""
        return []

    def deal(
        self, *, mode: str | None = None, players: int | None = None, boards: Sequence[Any] = (), pack: Any = None,
        readings: Readings | None = None, open: Collection[str] = (),
    ) -> Position:  # fmt: skip
        """The start. Raises DataError for a mode, boards, cards, or another number of players."""
        if mode is not None or boards or pack is not None or players not in (None, self.rules.players):
            raise DataError([Defect("", Sentence(f"{self.name} has {self.rules.players} players, no modes, boards or cards",
                                                 f"{self.title.ja}は{self.rules.players}人用で、モードもボードもカードもない"))])  # fmt: skip
        return Position(self, self.rules, self.rules.start)

    def picture(self, position: Position, viewer: int | None = None) -> Picture:
        """Every field as squares or figures."""
        return plain_picture(self.rules, position.state, viewer, self.board)

    # -- moves ------------------------------------------------------------------------------------

    def _decider(self, position: Position, action: Action) -> int | None:
        if action.is_chance:
            return NATURE
        if action.by is None:
            return None
        return evaluate(action.by, position.state, offset=self.rules.offset)

    def move_text(self, position: Position, move: Move) -> str:
        """The action and its parameters; the player (from 1) before them unless the state says who decides."""
        action = self.rules.by_name[move.action]
        words = (move.action, *(str(_word(n, p.labels)) for p, n in zip(action.params, move.args, strict=True)))
        said = " ".join(words)
        return said if move.me == self._decider(position, action) else f"{move.me + 1}:{said}"

    def move(self, position: Position, text: str) -> Move:
        """The move of a text such as ``place 4`` or ``2:choose rock``. Raises DataError saying what would do."""
        found = re.fullmatch(r"\s*(?:([0-9]+)\s*:)?\s*(.*?)\s*", text)
        player, words = (found[1], found[2].split()) if found else (None, [])
        action = self.rules.by_name.get(words[0]) if words else None
        if action is None:
            known = ", ".join(self.rules.by_name)
            raise _no_move(text, f"a move begins with {known}", f"手は {known} のどれかで始まる")
        if len(words) - 1 != len(action.params):
            names = " ".join(p.name for p in action.params)
            raise _no_move(text, f"{action.name} is written: {action.name} {names}", f"{action.name} の書き方は：{action.name} {names}")
        args = tuple(_argument(p, word, text) for p, word in zip(action.params, words[1:], strict=True))
        me = self._decider(position, action) if player is None else int(player) - 1
        if me is None or (player is not None and not 0 <= me < self.rules.players):
            raise _no_move(text, f"say who moves, 1..{self.rules.players}: 1:{text}", f"誰の手かを書く（1～{self.rules.players}）：1:{text}")
        return Move(action.name, me, args)

    def said(self, position: Position, move: Move) -> Sentence:
        """Who does what, with the parameters by name."""
        action, who = self.rules.by_name[move.action], self.player(position, move.me)
        args = [f"{p.name} {_word(n, p.labels)}" for p, n in zip(action.params, move.args, strict=True)]
        en, ja = (f" ({', '.join(args)})", f"（{'、'.join(args)}）") if args else ("", "")
        return Sentence(f"{who.en}: {action.en or action.name}{en}.", f"{who.ja}：{action.ja or action.name}{ja}。")

    def goals(self, position: Position, player: int) -> Mapping[str, Sentence]:
        """The goals that a player (from 0) may have."""
        from monjudge.model.notation.goals import words_of

        return words_of(position, player)

    def goal(self, position: Position, text: str, player: int, turns: int | None = None) -> Goal:
        """The goal of a text. Raises DataError."""
        from monjudge.model.notation.goals import read_goal

        return read_goal(position, text, player, turns)

    def ways(self, position: Position, card: str) -> Ways:
        """Every decision with a parameter one of whose values has this name. Raises DataError."""
        known: dict[str, list[tuple[str, Mapping[str, int]]]] = {}
        for action in self.rules.actions:
            for param in action.params:
                for value in param.values if param.labels is not None and not action.is_chance else ():
                    known.setdefault(str(_word(value, param.labels)), []).append((action.name, {param.name: value}))
        if card not in known:
            names = ", ".join(known)
            en, ja = (f"; there are {names}", f"。あるのは {names}") if names else ("", "")
            raise DataError([Defect("card", Sentence(f"{self.name} has no card {card!r}{en}", f"{self.title.ja}に{card!r}はない{ja}"), "unreadable-card")])
        return Ways(card, Sentence(card, card), tuple(known[card]))

    def fact(self, position: Position, name: str, at: tuple[int, ...], value: int) -> Sentence | None:
        """None: the fields of a small game speak for themselves."""
        return None

    def player(self, position: Position, player: int) -> Sentence:
        """Players count from 1."""
        return Sentence("Chance", "偶然") if player == NATURE else Sentence(f"Player {player + 1}", f"プレイヤー{player + 1}")

    def log(self, document: Any) -> Log:
        """``{start, moves}``; a missing start is that of the game."""
        moves = document.get("moves") if isinstance(document, Mapping) else None
        if not isinstance(moves, list) or not all(isinstance(m, str) for m in moves):
            raise DataError([Defect("moves", Sentence("a log has a list of moves", "記録には手のリストが要る"))])
        return Log(self.position(document.get("start", {})), tuple(moves))

    def log_data(self, log: Log) -> dict[str, Any]:
        """The start only where it is not that of the game."""
        start = self.data(log.position)
        del start["game"]
        return {"game": self.name, **({"start": start} if start else {}), "moves": list(log.moves)}

    # -- texts ------------------------------------------------------------------------------------

    def clauses(self) -> Mapping[str, Clause | Trigger]:
        """The clauses and triggers of the rule set."""
        found: dict[str, Clause | Trigger] = {}
        for action in self.rules.actions:
            found.update((clause.id, clause) for clause in action.clauses)
        found.update((trigger.id, trigger) for trigger in self.rules.triggers)
        return MappingProxyType(found | ({self.rules.over.id: self.rules.over} if self.rules.over else {}))

    def switches(self) -> Mapping[str, SwitchWords]:
        """None: the text of a small game has one reading."""
        return MappingProxyType({})

    def fixed(self) -> Collection[str]:
        """None, as there are no switches."""
        return ()


def _schema(family: Family, dims: Sequence[int]) -> dict[str, Any]:
    if dims:
        return {"type": "array", "items": _schema(family, dims[1:]), "minItems": dims[0], "maxItems": dims[0]}
    if family.labels is not None:
        return {"enum": list(family.labels.labels)}
    return {"type": "integer", "minimum": family.lo, "maximum": family.hi}


def _word(value: int, labels: Domain | None) -> int | str:
    return labels.labels[value] if labels is not None else value


def _nested(cells: Iterator[int], dims: Sequence[int], labels: Domain | None) -> Any:
    """The cells as lists within lists; a single cell as itself."""
    if not dims:
        return _word(next(cells), labels)
    return [_nested(cells, dims[1:], labels) for _ in range(dims[0])]


def _cells(family: Family, given: Any, path: str, defects: list[Defect]) -> Iterator[int]:
    """The cells of a family, row by row, from nested lists or one flat list."""
    flat = isinstance(given, list) and len(family.dims) > 1 and not any(isinstance(item, list) for item in given)
    yield from _within(family, (family.size,) if flat else family.dims, given, path, defects)


def _within(family: Family, dims: Sequence[int], given: Any, path: str, defects: list[Defect]) -> Iterator[int]:
    if not dims:
        yield _cell(family, given, path, defects)
    elif not isinstance(given, list) or len(given) != dims[0]:
        defects.append(Defect(path, Sentence(f"a list of {dims[0]} is needed, not {given!r}", f"{dims[0]}個のリストが要る。{given!r} は不可")))
    else:
        for n, item in enumerate(given):
            yield from _within(family, dims[1:], item, f"{path}[{n}]", defects)


def _cell(family: Family, given: Any, path: str, defects: list[Defect]) -> int:
    if family.labels is not None and given in family.labels.labels:
        return family.labels[given]
    if isinstance(given, int) and family.lo <= given <= family.hi and (family.is_bool or not isinstance(given, bool)):
        return int(given)
    known = ", ".join(family.labels.labels) if family.labels is not None else f"{family.lo}..{family.hi}"
    defects.append(Defect(path, Sentence(f"{given!r} is not one of {known}", f"{given!r} は不可。使えるのは {known}")))
    return family.lo


def _argument(param: Param, word: str, text: str) -> int:
    if param.labels is not None and word in param.labels.labels:
        return param.labels[word]
    if re.fullmatch("-?[0-9]{1,10}", word) and int(word) in param.values:
        return int(word)
    known = ", ".join(param.labels.labels) if param.labels else f"{param.values[0]}..{param.values[-1]}"
    raise _no_move(text, f"{param.name} is one of {known}, not {word!r}", f"{param.name} は {known} のどれか。{word!r} は不可")


def _no_move(text: str, en: str, ja: str) -> DataError:
    return DataError([Defect("", Sentence(f"{text!r} is no move: {en}", f"{text!r}は手として読めない：{ja}"), "unreadable-move")])
