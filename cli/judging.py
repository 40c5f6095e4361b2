"""``monjudge check`` and ``monjudge why``: is it legal, and if not, why not."""

from __future__ import annotations

from monjudge.cli.asking import STATE, About, about, given, question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.sentence import Sentence
from monjudge.solvers.verdict import Verdict

__all__ = ["check", "why"]


_FLIPS = Sentence("Say which single reading of the text would change the answer.",
                  "文面のどの読みを一つ変えると答えが変わるかも調べる。")  # fmt: skip


@question("check", Sentence("Say whether moves are legal one after the other, or a whole log of a game.",
                            "手が順に合法か、または一局の記録全体が合法かを調べる。"),
          Sentence(f"{STATE.en} A log stands alone, without moves.", f"{STATE.ja} 記録のときは手を書かない。"))  # fmt: skip
@about
@argument("state")
@argument("moves", nargs=-1)
@option("--flips/--no-flips", default=True, show_default=True, said=_FLIPS)
@option("--seed", type=int, said=Sentence("Draw chance that is due with this seed.", "起こるべき偶然を、この種の乱数で決める。"))
def check(talk: Talk, about: About, state: str, moves: tuple[str, ...], flips: bool, seed: int | None) -> Reply:
    if moves:
        position = about.position(state, may_be_open=True)
        if about.is_open and position.check(*moves[:-1]).verdict is Verdict.YES:
            depends = position.after(*moves[:-1]).depends(moves[-1])
            return Reply([depends], {}, [*given(position), *({"kind": "move", "text": m} for m in moves)])
        return Reply([position.check(*moves, seed=seed, flips=flips)], position.readings, [*given(position), *({"kind": "move", "text": m} for m in moves)])
    position, line, document = about.log(state)
    try:
        answer = position.check(*line, seed=seed, flips=flips)
    except DataError as error:
        raise document.located(error) from None
    return Reply([answer], position.readings, [*given(position), {"kind": "log", "moves": list(line)}])


@question("why", Sentence("Say why a move is legal or not, or why a card cannot be put into play at all.",
                          "なぜその手ができるか、できないか、またはなぜそのカードを場に出せないかを説明する。"), STATE)  # fmt: skip
@about
@argument("state")
@argument("move", required=False)
@option("--card", said=Sentence("All minimal reasons and repairs for this card, over all actions.",
                                "このカードについて、あらゆる出し方にわたる最小の理由と直し方のすべて。"))  # fmt: skip
@option("--player", type=int, said=Sentence("Whose card it is, from 1.", "誰のカードか（1から）。"))
@option("--nearest", type=click.IntRange(0, 50), default=3, show_default=True,
        said=Sentence("How many near legal moves to name.", "近い合法手をいくつ挙げるか。"))
@option("--flips/--no-flips", default=False, show_default=True, said=_FLIPS)
def why(
    talk: Talk, about: About, state: str, move: str | None, card: str | None, player: int | None, nearest: int, flips: bool
) -> Reply:  # fmt: skip
    if (move is None) == (card is None):
        raise click.UsageError(talk.voice(_ONE_OF_TWO))
    position = about.position(state, may_be_open=True)
    if card is not None and about.is_open:
        return Reply(position.card_depends(card, player=player or 1), {}, [*given(position), {"kind": "card", "text": card}])
    if card is not None:
        return Reply([position.card(card, player=player)], position.readings, [*given(position), {"kind": "card", "text": card}])
    assert move is not None
    if about.is_open:
        return Reply([position.depends(move)], {}, [*given(position), {"kind": "move", "text": move}])
    return Reply([position.why(move, nearest=nearest, flips=flips)], position.readings, [*given(position), {"kind": "move", "text": move}])


_ONE_OF_TWO = Sentence("give either a MOVE or --card CARD", "手か --card カード のどちらか一つを書く")
