"""The notation of moves: one short line each, ``1:summon SLINGER L pay L2``, and back.

A move is who moves (left out for chance, and on input wherever only one player can be meant),
a verb, and what the verb needs, in order. Case, full width and the aliases of cards do not matter.

```
draw | mulligan | middle W11 | end | mana F3 L [down] | attack W4 C [down] | defence F8 L
summon TIDE_CALLER pair|number [in L] [down]        summon SLINGER L pay L2 [counting L] [down]
boss pay L3          boss-stay L pay L5             spend L 2            show L 2
skill TIDE_CALLER 1 [L [of 2]] [pay L1C1]             skill-summon WYRMLING L from L 2
laser C | gravity | recycle 1 | tea F3 for W4 | ritual [with F3] [on L] | flame AL | castle | trap | guard-back DL
strike AL [on 2] | take-on AL | stop | extra-heal C | guard DC | bonus F+6 | heal W+3 C | kill FK AL | pass | pick LAMPLIGHTER
chance: drawn F3 | turn-up B22 | roll 4 | lot 2 | equipment TINKER | mix CHOIR
```

Columns are L C R, payments name the number of mana from each; mana of a column are counted from
the bottom, skills of a card and places outside the board from 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from monjudge.model.language import NATURE, Action, Move, Param, RuleSet, State, evaluate
from monjudge.model.monjan.battle import GUARD
from monjudge.model.monjan.match import PHASE, SOURCE
from monjudge.model.monjan.notation.move_pieces import (
    Aim,
    Counted,
    Counting,
    OfCard,
    OfColumn,
    OneOf,
    Paid,
    Piece,
    Spoken,
    Tagged,
    card_of,
)
from monjudge.model.monjan.notation.position import Table
from monjudge.model.notation.reading import fold, meant

__all__ = ["SPELLED", "named", "print_move", "read_move"]


@dataclass(frozen=True)
class Verb:
    """How an action is said: its verb, other verbs that are read for it, and its pieces in order."""

    word: str
    pieces: tuple[Piece, ...] = ()
    also: tuple[str, ...] = ()


_DOWN = Tagged("down", param="down")
_CARD, _COL = OfCard(), OfColumn()
_FIELDS = OneOf("by", GUARD.labels)
SKILL_PIECES: tuple[Piece, ...] = (_CARD, Counted("skill"), Aim(), Paid(), Counting())

SPELLED: Mapping[str, Verb] = {
    "pick": Verb("pick", (_CARD,), ("選ぶ",)),
    "draw_equipment": Verb("equipment", (_CARD,)),
    "mix_in": Verb("mix", (_CARD,)),
    "draw": Verb("draw", (), ("ドロー", "引く")),
    "middle": Verb("middle", (_CARD,), ("中央",)),
    "end": Verb("end", (), ("エンド", "終了")),
    "mana": Verb("mana", (_CARD, _COL, _DOWN), ("マナ",)),
    "attack": Verb("attack", (_CARD, _COL, _DOWN), ("攻撃", "atk")),
    "defence": Verb("defence", (_CARD, _COL), ("防御", "defense", "def")),
    "extra": Verb("summon", (_CARD, OneOf("by", ("pair", "number"), 1), Tagged("in", (OfColumn("at", 1),)), _DOWN), ("召喚",)),
    "toughness": Verb("summon", (_CARD, _COL, Paid(), Counting(), _DOWN), ("召喚",)),
    "boss": Verb("boss", (Paid(3), Counting()), ("ボス",)),
    "boss_stay": Verb("boss-stay", (_COL, Paid(5), Counting()), ("永続ボス",)),
    "turn_up": Verb("turn-up", (_CARD,)),
    "spend": Verb("spend", (_COL, Counted("slot"))),
    "show": Verb("show", (_COL, Counted("slot"))),
    "draw_card": Verb("drawn", (_CARD,)),
    "laser": Verb("laser", (_COL,), ("レーザー",)),
    "gravity": Verb("gravity", (), ("グラビティ",)),
    "recycle": Verb("recycle", (Counted("slot"),), ("リサイクル",)),
    "tea": Verb("tea", (OfCard("give"), Tagged("for", (OfCard("take"),), needed=True)), ("茶会",)),
    "ritual": Verb("ritual", (Tagged("with", (_CARD,)), Tagged("on", (OfColumn("field"),), needed=True)), ("儀式",)),
    "flame": Verb("flame", (_FIELDS,), ("炎",)),
    "castle": Verb("castle", (), ("一夜城",)),
    "trap": Verb("trap", (), ("トラップ",)),
    "guard_back": Verb("guard-back", (_FIELDS,)),
    "roll": Verb("roll", (Counted("face", 0),)),
    "lot": Verb("lot", (Counted("player"),)),
    "summon_by_skill": Verb("skill-summon", (_CARD, _COL, Tagged("from", (OfColumn("from"), Counted("slot")), needed=True))),
    "edit_skill": Verb("skill", SKILL_PIECES, ("スキル",)),
    "battle_skill": Verb("skill", SKILL_PIECES, ("スキル",)),
    "strike": Verb("strike", (OneOf("source", SOURCE.labels), Tagged("on", (Counted("target"),), needed=True))),
    "take_on": Verb("take-on", (OneOf("source", SOURCE.labels),)),
    "mulligan": Verb("mulligan", (), ("引き直し",)),
    "stop": Verb("stop"),
    "extra_heal": Verb("extra-heal", (_COL,)),
    "guard": Verb("guard", (_FIELDS,), ("ガード",)),
    "bonus": Verb("bonus", (_CARD,), ("プラス",)),
    "heal": Verb("heal", (_CARD, _COL), ("回復",)),
    "kill": Verb("kill", (_CARD, OneOf("at", SOURCE.labels)), ("キル",)),
    "pass": Verb("pass", (), ("パス",)),
}
"""How every action is said; what an action has beyond that is said as ``name=value``."""


def named(rules: RuleSet, move: Move) -> dict[str, int]:
    """The arguments of a move by parameter."""
    return {p.name: n for p, n in zip(rules.by_name[move.action].params, move.args, strict=True)}


def _verb(action: str) -> Verb:
    return SPELLED.get(action, Verb(action.replace("_", "-")))


def _rest(action: Action, verb: Verb) -> list[Param]:
    """The parameters for which the verb has no piece."""
    said = {param for piece in verb.pieces for param in piece.params}
    return [p for p in action.params if p.name not in said]


def print_move(rules: RuleSet, table: Table, move: Move) -> str:
    """The canonical text of a move."""
    action, args = rules.by_name[move.action], named(rules, move)
    verb = _verb(move.action)
    words = [verb.word, *(word for piece in verb.pieces if _there(action, piece) for word in piece.words(args, table))]
    words += [f"{p.name}={args[p.name]}" for p in _rest(action, verb)]
    return " ".join(words) if move.me == NATURE else f"{move.me + 1}:{' '.join(words)}"


def _there(action: Action, piece: Piece) -> bool:
    """Whether the action has the parameters of a piece under the readings of this position."""
    return {p.name for p in action.params}.issuperset(piece.params[:1])


def read_move(rules: RuleSet, state: State, table: Table, text: str) -> Move:
    """The move of a text. Raises DataError: at which character what would do."""
    plain = unicodedata.normalize("NFKC", text)[:400]
    head = re.match(r"\s*(?:([^\s:]{1,12})\s*:)?\s*", plain)
    assert head is not None
    words = [(found[0], found.start()) for found in re.finditer(r"\S+", plain[head.end() :])]
    spoken = Spoken(plain, table, [(word, at + head.end()) for word, at in words])
    player = _player(head[1], table, spoken)
    action = _action(rules, state, spoken)
    verb = _verb(action.name)
    for piece in verb.pieces:
        if _there(action, piece):
            piece.read(spoken)
    for param in _rest(action, verb):
        _named(spoken, param)
    if spoken.here < len(spoken.words):
        spoken.fail("the end", "終わり")
    for param in action.params:
        if spoken.found[param.name] not in param.values:
            spoken.beyond(param)
    return Move(action.name, _mover(rules, state, action, player, spoken), tuple(spoken.found[p.name] for p in action.params))


def _player(word: str | None, table: Table, spoken: Spoken) -> int | None:
    if word is None:
        return None
    seats = {str(p + 1): p for p in range(table.players)} | {"先手": 0, "後手": 1, "先攻": 0, "後攻": 1}
    if fold(word) not in seats:
        spoken.words, spoken.here = [(word, 0)], 0
        spoken.fail(f"a player, 1..{table.players},", f"プレイヤー（1～{table.players}）")
    return seats[fold(word)]


def _action(rules: RuleSet, state: State, spoken: Spoken) -> Action:
    word = fold(spoken.word)
    fitting = [a for a in rules.actions if word in map(fold, (_verb(a.name).word, *_verb(a.name).also))]
    if not fitting:
        verbs = dict.fromkeys(_verb(a.name).word for a in rules.actions)
        en, ja = meant(word, verbs, "one of", "次のどれか")
        spoken.fail(f"a verb{en.replace('; ', ', ')}", f"動詞{ja}")
    spoken.take()
    if len(fitting) > 1:
        names = {a.name for a in fitting}
        if names == {"edit_skill", "battle_skill"}:
            in_battle = state[rules.cell("phase")] == PHASE["BATTLE"]
            return rules.by_name["battle_skill" if in_battle else "edit_skill"]
        here = spoken.here
        kind = card_of(spoken).kind
        spoken.here = here
        return rules.by_name["extra" if kind == "EXTRA" else "toughness"]
    return fitting[0]


def _named(spoken: Spoken, param: Param) -> None:
    """``name=value`` for what has no words of its own."""
    found = re.fullmatch(rf"{param.name}=(-?[0-9]{{1,4}})", spoken.word)
    if not found:
        spoken.fail(f"{param.name}={param.values[0]}..{param.values[-1]}", f"{param.name}={param.values[0]}～{param.values[-1]}")
    spoken.take()
    spoken.found[param.name] = int(found[1])


def _mover(rules: RuleSet, state: State, action: Action, player: int | None, spoken: Spoken) -> int:
    if action.is_chance:
        return NATURE
    if player is not None:
        return player
    if action.by is not None:
        return evaluate(action.by, state, offset=rules.offset)
    waiting = [p for p in range(rules.players) if state[rules.cell("alive", p)] and not state[rules.cell("edit_done", p)]]
    if len(waiting) != 1:
        spoken.here, spoken.words = 0, spoken.words[:1]
        spoken.fail(f"the player in front: 1:{spoken.text.strip()}", f"先頭に誰の手か（1:{spoken.text.strip()}）", "whose-move")
    return waiting[0]


