"""Everything that the Monster Rancher game offers to those who speak with people, behind the contract of ``model.notation.kit``."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from monjudge.model.language import Move
from monjudge.model.notation.cells import moved
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.documents import Origin, log_document, profile_document, unknown_kind
from monjudge.model.notation.forms import Form, document_schema
from monjudge.model.notation.kit import Log, Position, Readings, SwitchWords, Ways, Worded
from monjudge.model.notation.picture import Picture
from monjudge.model.notation.reading import Reading, below
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.catalogue.packs import LISTS, own_cards
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.notation.form import state_form
from monjudge.model.rancher.notation.moves import GRAMMAR, player_said, said
from monjudge.model.rancher.notation.names import Names
from monjudge.model.rancher.notation.position import Table, canonical, line, read_line, read_state, with_cards, written
from monjudge.model.rancher.readings import LIVE
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.set_up import start, table
from monjudge.model.rancher.texts import clause_texts, switch_texts
from monjudge.model.readings import chosen

if TYPE_CHECKING:
    from monjudge.model.notation.goals import Goal

__all__ = ["KIT", "Rancher"]

_MOVE = re.compile(r"^([12]|先手|後手)?:? *\S+( \S+)*$")
_PLAYS = {"MONSTER": ("choose", "place"), "TRAINING": ("train",), "EVENT": ("event",), "BATTLE": ("fight",)}
"""The actions that put a card of a type into play; attachments say where they go."""


class Rancher:
    """The words of the Monster Rancher game (see ``model.notation.kit.Kit``).

    A question about a position is to be answered at once, so what only other questions need is imported by them.
    """

    name = "rancher"
    title = Sentence("Monster Rancher Collectible Card Game", "モンスターファーム カードゲーム")
    prefix = "mr1"
    kinds = ("state", "move", "log", "deck", "pack", "readings")

    # -- documents --------------------------------------------------------------------------------

    def kind(self, document: Any) -> str:
        """Of which kind plain data are: by their ``format``, or by a key that only one kind has."""
        if isinstance(document, str):
            return "log" if "//" in document else "state"
        if not isinstance(document, Mapping):
            return "state"
        named = re.match(r"monjudge-(?:rancher-)?(deck|pack|readings|log|state)/", str(document.get("format", "")))
        keys = {"moves": "log", "手": "log", "手順": "log", "monsters": "pack", "battles": "pack"}
        return named[1] if named else next((kind for key, kind in keys.items() if key in document), "state")

    def schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema of a kind of documents, from the form that reads it."""
        address = f"urn:monjudge:schema:rancher-{kind}:1"
        if kind == "move":
            return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": address, "title": "a move / 手",
                    "type": "string", "pattern": _MOVE.pattern}  # fmt: skip
        return document_schema(_form(kind), Sentence(f"{self.title.en}: {kind}", f"{self.title.ja}：{kind}"), address)

    def canonical(self, kind: str, document: Any) -> Any:
        """The one written form of a document."""
        if kind == "state":
            return read_line(document)[0] if isinstance(document, str) else canonical(document)
        from monjudge.model.rancher.notation import documents

        match kind:
            case "log":
                return log_document(self.name, documents.LOG, document)
            case "deck":
                return documents.deck_document(document)
            case "pack":
                return documents.pack_document(document)
            case "readings":
                return profile_document(documents.PROFILE, document)
        raise unknown_kind(kind, self.kinds)

    def remarks(self, kind: str, document: Any) -> Sequence[Defect]:
        """What is odd about a document that will do: an effect that the vocabulary lacks."""
        if kind != "pack":
            return ()
        from monjudge.model.rancher.catalogue.packs import load_pack

        return load_pack(json.dumps(self.canonical(kind, document))).warnings

    # -- positions --------------------------------------------------------------------------------

    def position(self, document: Any, *, readings: Readings | None = None, open: Collection[str] = ()) -> Position:
        """The position of an object or a line, with the cards that it names."""
        reading = Reading()
        data, places = read_line(document) if isinstance(document, str) else (canonical(document, reading), None)
        try:
            rules, state, about = read_state(data, readings or {}, open)
        except DataError as error:
            raise DataError(Origin((), reading.as_written, places).located(error.defects)) from None
        return Position(self, rules, state, replace(about, origin=Origin(state, reading.as_written, places)))

    def knowing(self, position: Position, text: str) -> Position:
        """The same position where its catalogue also has the cards that a text names."""
        about, found = _table(position), set()
        for word in re.split(r"[\s:,.]+", text):
            try:
                found.add(about.names.card(word))
            except DataError:
                continue
        if found <= set(about.setting.catalogue.cards):
            return position
        return Position(self, *with_cards(self.data(position), about, found))

    def whole(self, position: Position) -> Position:
        """The same position with every card of the pack, and its own cards, in its catalogue."""
        about = _table(position)
        return Position(self, *with_cards(self.data(position), about, (entry.card for entry in about.names.entries.values())))

    def closed(self, position: Position) -> Position:
        """The same position with the readings that its fields say."""
        about = _table(position)
        if not about.setting.open:
            return position
        read = chosen(position.rules, position.state, about.setting.readings, switch_texts())
        setting = replace(about.setting, readings=read, open=frozenset())
        rules = rancher(setting)
        return Position(self, rules, moved(position.rules, position.state, rules), replace(about, setting=setting))

    def boards(self, position: Position) -> Sequence[Any]:
        """None: the game has decks."""
        return ()

    def data(self, position: Position) -> dict[str, Any]:
        """The canonical plain data of a position."""
        return written(position.rules, position.state, _table(position))

    def line(self, position: Position) -> str:
        """The canonical one-line notation of a position."""
        return line(self.data(position))

    def defects(self, position: Position) -> list[Defect]:
        """What the position has that cannot lie on a table."""
        from monjudge.model.rancher.notation.table_defects import table_defects

        about = _table(position)
        found = table_defects(position.rules, position.state, about)
        return about.origin.located(found) if about.origin is not None and about.origin.state == position.state else found

    def deal(
        self, *, mode: str | None = None, players: int | None = None, boards: Sequence[Any] = (), pack: Any = None,
        readings: Readings | None = None, open: Collection[str] = (),
    ) -> Position:  # fmt: skip
        """The beginning of a match; ``boards`` are decks (names of shipped ones, or documents), the two shipped ones where none are named."""
        from monjudge.model.rancher.notation.documents import deck_cards, pack_document, together

        if mode is not None:
            raise DataError([Defect("mode", Sentence("the game has no modes", "このゲームにモードはない"), "unknown-word")])
        cards = {} if pack is None else {key: rows for key, rows in below("pack", pack_document, pack).items() if key in LISTS}
        if pack is not None and not boards:
            raise DataError([Defect("pack", Sentence("a pack goes with decks that are made of it (--deck)", "パックはそれで作ったデッキ（--deck）とともに使う"))])
        chosen = list(boards) or list(shipped_decks())[: players or 2]
        read = [deck_cards(deck, f"boards[{n}]", cards) for n, deck in enumerate(chosen)]
        decks, own = [deck for deck, _ in read], together(read)
        if len(decks) != 2 and (players == 2 or (players is None and len(decks) == 1)):
            text = Sentence("two decks are needed, one for each player", "デッキは二つ、各プレイヤーに一つずつ要る")
            raise DataError([Defect("boards", text)])
        if players is not None and players != len(decks):
            decks = decks[:1] * players  # so many cannot play, which the table says
        shipped = [next((id for id, deck in shipped_decks().items() if deck.cards == cards), "") for cards in decks]
        setting = table(decks, readings, open=open)
        rules = start(setting)
        about = Table(setting, Names(own_cards(own, "cards", Reading())), own, (shipped[0], shipped[1]))
        return Position(self, rules, rules.start, about)

    def picture(self, position: Position, viewer: int | None = None) -> Picture:
        """The arena and the fields of both players, all of it or what a viewer may know."""
        from monjudge.model.rancher.picture import picture

        about = _table(position)
        return picture(position.rules, position.state, about.setting.catalogue, about.names.entries, viewer)

    # -- moves ------------------------------------------------------------------------------------

    def move_text(self, position: Position, move: Move) -> str:
        """The canonical notation of a move."""
        return GRAMMAR.text(position.rules, _table(position), move)

    def move(self, position: Position, text: str) -> Move:
        """The move of a notation."""
        return GRAMMAR.read(position.rules, position.state, _table(position), text)

    def said(self, position: Position, move: Move) -> Sentence:
        """The move as a sentence."""
        return said(position.rules, position.state, _table(position), move)

    def goals(self, position: Position, player: int) -> Mapping[str, Sentence]:
        """The goals that a player (from 0) may have."""
        from monjudge.model.notation.goals import words_of
        from monjudge.model.rancher.goals import GOALS

        return words_of(position, player, GOALS)

    def goal(self, position: Position, text: str, player: int, turns: int | None = None) -> Goal:
        """The goal of a text. Raises DataError."""
        from monjudge.model.notation.goals import read_goal
        from monjudge.model.rancher.goals import GOALS

        return read_goal(position, text, player, turns, GOALS)

    def ways(self, position: Position, card: str) -> Ways:
        """Every action that puts the card into play. Raises DataError."""
        about = _table(position)
        found = about.names.card(card)
        if found not in set(about.setting.catalogue.cards):
            text = Sentence(f"{found.name} lies nowhere in this position", f"{found.name}はこの局面のどこにもない")
            raise DataError([Defect("card", text, "card-not-there")])
        number = about.setting.catalogue[found]
        plays = _PLAYS.get(found.type, ("attach" if "monster" in found.place else "equip",))
        actions = tuple((name, {"card": number}) for name in plays if name in position.rules.by_name)
        return Ways(about.names.word(found), about.names.said(found), actions)

    def fact(self, position: Position, name: str, at: tuple[int, ...], value: int) -> Sentence | None:
        """What a cell or a table of the rules says to a player; None for bookkeeping."""
        from monjudge.model.rancher.notation.facts import PILES, empty_pile, fact

        kinds = range(len(_table(position).setting.catalogue))
        if name in PILES and not value and not any(position.state[position.rules.cell(name, at[0], kind)] for kind in kinds):
            return empty_pile(name, at[0])
        return fact(_table(position), name, at, value)

    def player(self, position: Position, player: int) -> Sentence:
        """Players count from 1."""
        return player_said(player)

    def log(self, document: Any) -> Log:
        """The line of play of an object, or of one line ``mr1/...//1:end/...``."""
        from monjudge.model.rancher.notation import documents

        data = log_document(self.name, documents.LOG, document)
        if "start" in data:
            return Log(Position(self, *read_state(data["start"], {}, ())), tuple(data["moves"]))
        at = data["table"]
        decks = [shipped_decks()[id] for id in at["decks"]]
        setting = table([deck.cards for deck in decks], at.get("readings"), youngest=at.get("youngest", 1) - 1)
        rules = start(setting)
        return Log(Position(self, rules, rules.start, Table(setting, Names(()), {}, (decks[0].id, decks[1].id))), tuple(data["moves"]))

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
        return switch_texts().keys() - set(LIVE)


def _form(kind: str) -> Form:
    from monjudge.model.rancher.notation import documents

    forms: Mapping[str, Form] = {"state": state_form(Names(())), "log": documents.LOG, "deck": documents.DECK_FORM,
                                 "pack": documents.PACK_FORM, "readings": documents.PROFILE}  # fmt: skip
    return forms[kind]


def _table(position: Position) -> Table:
    about: Table = position.about
    return about


KIT = Rancher()
