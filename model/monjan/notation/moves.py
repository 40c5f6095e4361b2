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
from collections.abc import Mapping
from dataclasses import dataclass

from monjudge.model.language import Action, RuleSet, State
from monjudge.model.monjan.battle import GUARD
from monjudge.model.monjan.match import PHASE, SOURCE
from monjudge.model.monjan.notation.move_pieces import Aim, Counting, OfColumn, Paid
from monjudge.model.notation.reading import fold
from monjudge.model.notation.spoken import Counted, Grammar, OfCard, OneOf, Piece, Spoken, Tagged, Verb, card_of

__all__ = ["GRAMMAR", "SPELLED"]

_DOWN = Tagged("down", param="down")
_CARD, _COL = OfCard(), OfColumn()
_FIELDS = OneOf("by", GUARD.labels)


@dataclass(frozen=True)
class _Guards(OneOf):
    """What guards; of a card outside the board the clause is named that keeps it from guarding."""

    def read(self, spoken: Spoken) -> None:
        if re.fullmatch("o[0-9]", fold(spoken.word)):
            spoken.fail("a guard that may be (GUARD.7: a boss card for one turn cannot guard)",
                        "ガードできるもの（GUARD.7：1ターン召喚のボスアサカードではガードできない）", "illegal-move")  # fmt: skip
        super().read(spoken)


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
    "extra": Verb("summon", (_CARD, OneOf("by", ("pair", "number"), 1, ("属性", "数字")), Tagged("in", (OfColumn("at", 1),)), _DOWN), ("召喚",)),
    "toughness": Verb("summon", (_CARD, _COL, Paid(), Counting(), _DOWN), ("召喚",)),
    "boss": Verb("boss", (Paid(3), Counting()), ("ボス",)),
    "boss_stay": Verb("boss-stay", (_COL, Paid(5), Counting()), ("永続ボス",)),
    "turn_up": Verb("turn-up", (_CARD,)),
    "spend": Verb("spend", (_COL, Counted("slot"))),
    "show": Verb("show", (_COL, Counted("slot"))),
    "draw_card": Verb("drawn", (_CARD,)),
    "laser": Verb("laser", (_COL,), ("レーザー",)),
    "gravity": Verb("gravity", (), ("グラビティ",)),
    "recycle": Verb("recycle", (Counted("slot"),), ("リサイクル", "リサイクル活動")),
    "tea": Verb("tea", (OfCard("give"), Tagged("for", (OfCard("take"),), needed=True)), ("ティーパーティー", "茶会")),
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
    "guard": Verb("guard", (_Guards("by", GUARD.labels),), ("ガード",)),
    "bonus": Verb("bonus", (_CARD,), ("プラス",)),
    "heal": Verb("heal", (_CARD, _COL), ("回復",)),
    "kill": Verb("kill", (_CARD, OneOf("at", SOURCE.labels)), ("キル",)),
    "pass": Verb("pass", (), ("パス",)),
}
"""How every action is said; what an action has beyond that is said as ``name=value``."""


def _chosen(fitting: list[Action], spoken: Spoken) -> Action:
    """Which of the actions of one verb is meant: by the phase, or by the kind of the card that follows."""
    rules = spoken.rules
    if {a.name for a in fitting} == {"edit_skill", "battle_skill"}:
        in_battle = spoken.state[rules.cell("phase")] == PHASE["BATTLE"]
        return rules.by_name["battle_skill" if in_battle else "edit_skill"]
    here = spoken.here
    kind = card_of(spoken).kind
    spoken.here = here
    return rules.by_name["extra" if kind == "EXTRA" else "toughness"]


def _waiting(rules: RuleSet, state: State) -> list[int]:
    """The players who have not ended the edit turn."""
    return [p for p in range(rules.players) if state[rules.cell("alive", p)] and not state[rules.cell("edit_done", p)]]


GRAMMAR = Grammar(lambda action: SPELLED.get(action.name, Verb(action.name.replace("_", "-"))), _chosen, _waiting, SPELLED.values())
"""How moves are said."""
