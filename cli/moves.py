"""``monjudge moves``: what can be done."""

from __future__ import annotations

from monjudge.cli.asking import STATE, About, about, given, question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.notation.sentence import Sentence

__all__ = ["moves"]

ENGINES = ("enumerator", "reference", "csp", "cpsat", "smt", "native")


@question("moves", Sentence("List the legal moves, grouped, with the rules that grant them.", "合法手を、根拠の規則とともに、種類ごとに並べる。"), STATE)
@about
@argument("state")
@option("--kind", said=Sentence("Only this action or kind of action, e.g. 'summon'.", "この行動、またはこの種類の行動（例：summon）だけ。"))
@option("--player", type=int, said=Sentence("Only the moves of this player, from 1.", "このプレイヤー（1から）の手だけ。"))
@option("--engine", type=click.Choice(ENGINES), default=ENGINES[0], show_default=True,
        said=Sentence("Which engine lists them.", "どのエンジンで並べるか。"))
@option("--as", "viewer", type=int, said=Sentence("Show only what this player may know.", "このプレイヤーが知りうることだけを示す。"))
def moves(talk: Talk, about: About, state: str, kind: str | None, player: int | None, engine: str, viewer: int | None) -> Reply:
    position = about.position(state)
    answer = position.moves(kind=kind, player=player, engine=engine, viewer=viewer)
    # The state itself would give away what the viewer must not know.
    return Reply([answer], position.readings, given(position) if viewer is None else ())
