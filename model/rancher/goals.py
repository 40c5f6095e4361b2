"""Goals of the Monster Rancher game besides the win: fame counters, an injury, and loyalty.

* ``fame:N``: the player has at least N fame counters.
* ``injure:MONSTER``: a monster of the other player that is uninjured now is injured.
* ``loyalty:N``: a monster of the player has loyalty N at least (R.LOY.1: so many training cards).
"""

from __future__ import annotations

from monjudge.model.language import any_of, either, field, sum_of
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.goals import Goal, GoalKind, number_of, unfit
from monjudge.model.notation.kit import Position
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.notation.position import Table

__all__ = ["GOALS"]


def _fame(position: Position, word: str, player: int, turns: int | None) -> Goal:
    counters = number_of(word)
    family = position.rules.family_named["fame"]
    if counters > family.hi:
        raise unfit(f"the model holds {family.hi} fame counters at most", f"モデルの名声カウンターは{family.hi}個まで")
    said = Sentence(f"have {counters} fame counter{'s' * (counters != 1)}", f"名声カウンターを{counters}個得る")
    return Goal(f"fame:{counters}", field(family, (player,)) >= counters, said)


def _injure(position: Position, word: str, player: int, turns: int | None) -> Goal:
    table: Table = position.about
    try:
        card = table.names.card(word)
    except DataError as error:
        raise unfit(error.defects[0].text.en, error.defects[0].text.ja) from error
    rules, other = position.rules, 1 - player
    monster, injured = rules.family_named["monster"], rules.family_named["injured"]
    cards, slots = table.setting.catalogue, monster.dims[1]
    at = [rules.offset["monster"] + other * slots + s for s in range(slots)]
    hurt = [rules.offset["injured"] + other * slots + s for s in range(slots)]
    number = cards[card] if card in cards.cards else 0
    found = [s for s in range(slots) if number and position.state[at[s]] == number and not position.state[hurt[s]]]
    if not found:
        raise unfit(f"no uninjured {table.names.word(card)} of the other player stands here", f"相手の負傷していない{table.names.word(card)}はいない")
    said = table.names.said(card)
    when = either(*(field(injured, (other, s)) for s in found))
    return Goal(f"injure:{table.names.word(card)}", when, Sentence(f"injure {said.en}", f"{said.ja}を負傷させる"))


def _loyalty(position: Position, word: str, player: int, turns: int | None) -> Goal:
    wanted, training = number_of(word), position.rules.family_named["training"]
    _, slots, kinds = training.dims
    most = kinds * training.hi
    if wanted > most:
        raise unfit(f"the model holds {most} training cards on a monster at most", f"モデルではモンスター1体のトレーニングカードは{most}枚まで")
    said = Sentence(f"have a monster with loyalty {wanted}", f"忠誠心{wanted}のモンスターを持つ")
    when = any_of(slots, lambda s: sum_of(kinds, lambda k: field(training, (player, s, k))) >= wanted)
    return Goal(f"loyalty:{wanted}", when, said)


GOALS = (
    GoalKind("fame", "N", Sentence("have N fame counters", "名声カウンターを N 個得る"), _fame),
    GoalKind("loyalty", "N", Sentence("have a monster with loyalty N", "忠誠心 N のモンスターを持つ"), _loyalty),
    GoalKind("injure", "MONSTER", Sentence("injure a monster of the other player", "相手のモンスターを負傷させる"), _injure),
)
"""The kinds of goals besides those that the rules declare."""
