"""Everything that Monjan offers to those who speak with people, behind the contract of ``model.notation.kit``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from monjudge.model.language import NATURE, Move
from monjudge.model.monjan.boards import PRINTED, Board, namesakes
from monjudge.model.monjan.catalogue.packs import BOSS, ET, default_pack, read_pack
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.modes import MODES
from monjudge.model.monjan.notation.cards import Names
from monjudge.model.monjan.notation.facts import fact
from monjudge.model.monjan.notation.form import state_form
from monjudge.model.monjan.notation.moves import GRAMMAR
from monjudge.model.monjan.notation.position import (
    Table,
    board_of,
    board_words,
    canonical,
    line,
    read_line,
    read_state,
    with_cards,
    written,
)
from monjudge.model.monjan.notation.said import card_said, said
from monjudge.model.monjan.notation.words import BOARD, MODE_WORD
from monjudge.model.monjan.readings import fixed
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.model.monjan.texts import clause_texts, switch_texts
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.documents import Origin, log_document, profile_document, unknown_kind
from monjudge.model.notation.forms import Form, document_schema
from monjudge.model.notation.kit import Log, Position, Readings, SwitchWords, Ways, Worded
from monjudge.model.notation.picture import Picture
from monjudge.model.notation.reading import Reading, fold
from monjudge.model.notation.sentence import Sentence

if TYPE_CHECKING:
    from monjudge.model.notation.goals import Goal

__all__ = ["KIT", "Monjan"]

_MOVE = re.compile(r"^([1-4]|先手|後手)?:? *\S+( \S+)*$")

_BOSS_VERB = re.compile(r"(?:^|[\s:])(?:boss|ボス|永続ボス)", re.UNICODE)
"""A move that only a position with a boss card has."""


class Monjan:
    """The words of Monjan Colosseum (see ``model.notation.kit.Kit``).

    A question about a position is to be answered at once, so what only other questions need is imported by them.
    """

    name = "monjan"
    title = Sentence("Monjan Colosseum", "モンジャンコロシアム")
    prefix = "mc1"
    kinds = ("state", "move", "log", "board", "pack", "readings")

    # -- documents --------------------------------------------------------------------------------

    def kind(self, document: Any) -> str:
        """Of which kind plain data are: by their ``format``, or by a key that only one kind has."""
        if isinstance(document, str):
            return "log" if "//" in document else "state"
        if not isinstance(document, Mapping):
            return "state"
        named = re.fullmatch(r"monjudge-(board|pack|readings|log|state)s?/[0-9]+", str(document.get("format", "")))
        if named:
            return "readings" if named[1] == "reading" else named[1]
        keys = {"moves": "log", "手": "log", "手順": "log", "boards": "board", "numbers": "pack"}
        return next((kind for key, kind in keys.items() if key in document), "state")

    def schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema of a kind of documents, from the form that reads it."""
        address = f"urn:monjudge:schema:monjan-{kind}:1"
        if kind == "move":
            return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": address, "title": "a move / 手",
                    "type": "string", "pattern": _MOVE.pattern}  # fmt: skip
        return document_schema(_form(kind), Sentence(f"{self.title.en}: {kind}", f"{self.title.ja}：{kind}"), address)

    def canonical(self, kind: str, document: Any) -> Any:
        """The one written form of a document."""
        if kind == "state":
            return read_line(document)[0] if isinstance(document, str) else canonical(document)
        from monjudge.model.monjan.notation import documents

        match kind:
            case "log":
                return log_document(self.name, documents.LOG, document)
            case "board":
                return documents.boards(document)[0]
            case "pack":
                return documents.pack_document(document)
            case "readings":
                return profile_document(documents.PROFILE, document)
        raise unknown_kind(kind, self.kinds)

    def remarks(self, kind: str, document: Any) -> Sequence[Defect]:
        """What is odd about a document that will do: an effect that the vocabulary lacks, fewer cards than in the box, the id of another board."""
        if kind == "board":
            from monjudge.model.monjan.notation.documents import boards

            return [Defect(f"boards[{n}].id", Sentence(f"{name!r} is the id of a printed board with other data; verify refuses it", f"{name!r}は、内容の異なる印刷されたボードのid。verify では使えない"), "duplicate-id")
                    for n, name in namesakes(boards(document)[1])]  # fmt: skip
        if kind != "pack":
            return ()
        return read_pack(self.canonical(kind, document)).warnings

    # -- positions --------------------------------------------------------------------------------

    def position(self, document: Any, *, readings: Readings | None = None, open: Collection[str] = ()) -> Position:
        """The position of an object or a line, with the cards that it names."""
        reading = Reading()
        data, places = read_line(document) if isinstance(document, str) else (canonical(document, reading), None)
        try:
            rules, state, about = read_state(data, readings or {}, open)
        except DataError as error:
            raise DataError(Origin((), reading.as_written, places).located(error.defects)) from None
        return self._position(rules, state, replace(about, origin=Origin(state, reading.as_written, places)))

    def _position(self, rules: Any, state: Any, about: Table) -> Position:
        return Position(self, rules, state, about)

    def knowing(self, position: Position, text: str) -> Position:
        """The same position where its catalogue also has the cards that a text names."""
        names, found = _table(position).names, set()
        for word in re.split(r"[\s:,]+", text):
            try:
                found.add(names.card(word))
            except DataError:
                continue
        if _BOSS_VERB.search(fold(text)) and not any(c.kind in BOSS for c in _table(position).setting.catalogue.cards):
            found.add(next(entry.card for entry in default_pack().entries if entry.card.kind in BOSS))
        if found <= set(_table(position).setting.catalogue.cards):
            return position
        return self._position(*with_cards(self.data(position), _table(position), found))

    def whole(self, position: Position) -> Position:
        """The same position with every card of the pack, and its own cards, in its catalogue."""
        about = _table(position)
        cards = {entry.card for entry in (*default_pack().entries, *about.names.own)}
        return self._position(*with_cards(self.data(position), about, cards))

    def closed(self, position: Position) -> Position:
        """The same position with the boards and readings that its fields say. Raises LookupError where the cards are open."""
        from monjudge.model.monjan.notation.closed import closed

        return self._position(*closed(position.rules, position.state, _table(position)))

    def boards(self, position: Position) -> Sequence[Any]:
        """The boards by name, or as entries of a file of boards."""
        return [board_words(board) for board in _table(position).setting.boards]

    def data(self, position: Position) -> dict[str, Any]:
        """The canonical plain data of a position."""
        return written(position.rules, position.state, _table(position))

    def line(self, position: Position) -> str:
        """The canonical one-line notation of a position."""
        return line(self.data(position))

    def defects(self, position: Position) -> list[Defect]:
        """What the position has that cannot lie on a table."""
        from monjudge.model.monjan.notation.table_defects import table_defects

        about = _table(position)
        found = table_defects(position.rules, position.state, self.data(position), about)
        return about.origin.located(found) if about.origin is not None and about.origin.state == position.state else found

    def deal(
        self, *, mode: str | None = None, players: int | None = None, boards: Sequence[Any] = (), pack: Any = None,
        readings: Readings | None = None, open: Collection[str] = (),
    ) -> Position:  # fmt: skip
        """The beginning of a whole match with the default pack; the printed boards in their order where none are named."""
        if pack is not None:
            text = Sentence("this game is dealt with the default pack only in this version", "この版では、このゲームは標準パックでだけ配れる")
            raise DataError([Defect("pack", text, "wrong-value")])
        reading = Reading()
        named = [BOARD.read(board, f"boards[{n}]", reading) for n, board in enumerate(boards)]
        reading.finish()
        chosen = [board_of(board) for board in named] or list(_first_boards(players or 2))
        if players is not None and players != len(chosen):
            raise DataError([Defect("boards", Sentence(f"{len(chosen)} boards for {players} players", f"{players}人にボードが{len(chosen)}枚"))])
        setting = table(default_pack(), _mode(mode), chosen, readings, open=open)
        return self._first(setting, 0)

    def _first(self, setting: Setting, winner: int) -> Position:
        rules = monjan(setting)
        return self._position(rules, first_state(rules, setting, default_pack(), rps_winner=winner), Table(setting, Names(())))

    def picture(self, position: Position, viewer: int | None = None) -> Picture:
        """The status boards with what lies on them, all of it or what a viewer may know."""
        from monjudge.model.monjan.picture import picture

        about = _table(position)
        setting = about.setting
        own = {e.card: e.name for e in about.names.own if e.name is not None}
        return picture(position.rules, position.state, setting.catalogue, viewer=viewer, boards=setting.boards, words=own)

    # -- moves ------------------------------------------------------------------------------------

    def move_text(self, position: Position, move: Move) -> str:
        """The canonical notation of a move."""
        return GRAMMAR.text(position.rules, _table(position), move)

    def move(self, position: Position, text: str) -> Move:
        """The move of a notation."""
        return GRAMMAR.read(position.rules, position.state, _table(position), text)

    def said(self, position: Position, move: Move) -> Sentence:
        """The move as a sentence."""
        return said(position.rules, _table(position), move)

    def goals(self, position: Position, player: int) -> Mapping[str, Sentence]:
        """The goals that a player (from 0) may have."""
        from monjudge.model.monjan.goals import GOALS
        from monjudge.model.notation.goals import words_of

        return words_of(position, player, GOALS)

    def goal(self, position: Position, text: str, player: int, turns: int | None = None) -> Goal:
        """The goal of a text. Raises DataError."""
        from monjudge.model.monjan.goals import GOALS
        from monjudge.model.notation.goals import read_goal

        return read_goal(position, text, player, turns, GOALS)

    def ways(self, position: Position, card: str) -> Ways:
        """Every action that summons the card, or places one that is not summoned. Raises DataError."""
        about = _table(position)
        found = about.names.card(card)
        if found not in set(about.setting.catalogue.cards):
            word = about.names.word(found)
            text = Sentence(f"{word} lies nowhere in this position", f"{word}はこの局面のどこにもない")
            raise DataError([Defect("card", text, "card-not-there")])
        number = about.setting.catalogue[found]
        tag = "summon" if found.kind in ET else "placement"
        actions = tuple((a.name, {p.name: number}) for a in position.rules.actions if tag in a.tags
                        for p in a.params if p.name == "card" and number in p.values)  # fmt: skip
        return Ways(about.names.word(found), card_said(found, about.names), actions)

    def fact(self, position: Position, name: str, at: tuple[int, ...], value: int) -> Sentence | None:
        """What a cell or a table of the rules says to a player; None for bookkeeping."""
        return fact(_table(position), name, at, value)

    def player(self, position: Position, player: int) -> Sentence:
        """Players count from 1."""
        return Sentence("Chance", "偶然") if player == NATURE else Sentence(f"Player {player + 1}", f"プレイヤー{player + 1}")

    def log(self, document: Any) -> Log:
        """The line of play of an object, or of one line ``mc1/...//1:draw/...``."""
        from monjudge.model.monjan.notation import documents

        data = log_document(self.name, documents.LOG, document)
        if "start" in data:
            return Log(self._position(*read_state(data["start"], {}, ())), tuple(data["moves"]))
        at = data["table"]
        boards = [board_of(board) for board in at["boards"]]
        setting = table(default_pack(), at.get("mode", "EXTRA"), boards, at.get("readings"), hiding="hidden" in at)
        return Log(self._first(setting, at.get("first_pick", 1) - 1), tuple(data["moves"]))

    def log_data(self, log: Log) -> dict[str, Any]:
        """The canonical plain data of a line of play."""
        return {"game": self.name, "start": self.data(log.position), "moves": list(log.moves)}

    # -- texts ------------------------------------------------------------------------------------

    def clauses(self) -> Mapping[str, Worded]:
        """The clauses of the document by id."""
        return clause_texts()

    def switches(self) -> Mapping[str, SwitchWords]:
        """The reading switches by id."""
        return switch_texts()

    def fixed(self) -> Collection[str]:
        """The switches that are held at their default in this version."""
        return fixed().keys()


def _form(kind: str) -> Form:
    from monjudge.model.monjan.notation import documents

    forms: Mapping[str, Form] = {"state": state_form(Names(())), "log": documents.LOG, "board": documents.BOARDS_FORM,
                                 "pack": documents.PACK_FORM, "readings": documents.PROFILE}  # fmt: skip
    return forms[kind]


def _table(position: Position) -> Table:
    about: Table = position.about
    return about


def _mode(mode: str | None) -> str:
    if mode is None or mode in MODES:
        return mode or "EXTRA"
    reading = Reading()
    found: str = MODE_WORD.read(mode, "mode", reading)
    reading.finish()
    return found


def _first_boards(players: int) -> list[Board]:
    return list(PRINTED.values())[:players]


KIT = Monjan()
