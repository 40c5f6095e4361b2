"""``monjudge plans``: the whole turns that a player can make."""

from __future__ import annotations

from monjudge.cli.asking import STATE, About, about, given, question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.notation.sentence import Sentence

__all__ = ["plans"]


@question("plans", Sentence("Count the whole turns that a player can make, list them, or find the best by a measure.",
                            "プレイヤーにできる手番全体を数え、並べ、または尺度で最善のものを求める。"),
          Sentence(f"A plan ends at the first draw, roll or reveal; orders with the same result are one. {STATE.en}",
                   f"計画は最初のドロー、サイコロ、公開で終わる。結果の同じ順序は一つに数える。{STATE.ja}"))  # fmt: skip
@about
@argument("state")
@option("--player", type=int, default=1, show_default=True, said=Sentence("Whose turn, from 1.", "誰の手番か（1から）。"))
@option("--list", "most", type=click.IntRange(0, 100_000), default=0, show_default=True,
        said=Sentence("List so many, the shortest first.", "短いものから、この数だけ並べる。"))  # fmt: skip
@option("--best", "measure", metavar="MEASURE", said=Sentence("Best by this measure, e.g. attack, speed, life.",
                                                             "この尺度で最善のもの（例：attack、speed、life）。"))  # fmt: skip
@option("--engine", type=click.Choice(["reference", "native"]), default="reference", show_default=True,
        said=Sentence("native compiles first; for turns of very many states.", "native は先にコンパイルする。状態が非常に多い手番に。"))  # fmt: skip
@option("--segment", said=Sentence("Part of the turn, where the position leaves it open.", "手番のどの部分か。局面から決まらないとき。"))
@option("--states", type=click.IntRange(1), default=100_000, show_default=True, said=Sentence("Write down at most so many states.",
                                                                                             "書き留める状態の上限。"))  # fmt: skip
def plans(
    talk: Talk, about: About, state: str, player: int, most: int, measure: str | None, engine: str, segment: str | None, states: int
) -> Reply:  # fmt: skip
    position = about.position(state)
    answer = position.plans(player, most=most, measure=measure, native=engine == "native", segment=segment, states=states)
    return Reply([answer], position.readings, given(position))
