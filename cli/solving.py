"""``monjudge solve`` and ``monjudge certify``: can it be forced, and does a proof of that hold."""

from __future__ import annotations

from pathlib import Path

from monjudge.cli.asking import STATE, About, about, given, question
from monjudge.cli.output import Reply, Talk, write_file
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Answer

__all__ = ["certify", "solve"]

LARGEST_PROOF = 100_000_000
"""Bytes of a proof; what is longer is none."""


@question("solve", Sentence("Can a player force a goal, whatever the others do and chance brings?",
                            "ほかの人が何をし、偶然がどう出ても、目標を必ず達成できるか。"),
          Sentence(f"All cards lie open. No is said after exhaustion only; a limit makes it unknown. {STATE.en}",
                   f"カードはすべて公開されているものとする。「できない」はすべて調べたときだけで、上限に達すれば不明。{STATE.ja}"))  # fmt: skip
@about
@argument("state")
@option("--goal", said=Sentence("The goal, by its name in the game; else that of the puzzle, or win.", "目標（ゲームでの名前）。なければ問題の目標か win。"))
@option("--player", type=int, said=Sentence("Whose goal, from 1; else that of the puzzle, or 1.", "誰の目標か（1から）。なければ問題のとおりか 1。"))
@option("--turns", type=click.IntRange(1),
        said=Sentence("Within so many turns; else as the puzzle says, or ever.", "このターン数以内。なければ問題のとおりか、無制限。"))
@option("--max-time", "seconds", type=click.FloatRange(0, min_open=True), said=Sentence("Seconds to search.", "探索の秒数。"))
@option("--max-nodes", "nodes", type=click.IntRange(1), said=Sentence("Positions to expand.", "調べる局面の数。"))
@option("--proof", type=click.Path(path_type=Path), said=Sentence("File to write a proof to, for certify.", "certify で検査できる証明を書くファイル。"))
def solve(
    talk: Talk, about: About, state: str, goal: str | None, player: int | None, turns: int | None, seconds: float | None, nodes: int | None, proof: Path | None
) -> Reply:  # fmt: skip
    from monjudge.reports import solving

    position, puzzle = about.asked(state)
    if puzzle is not None:
        goal, player, turns = goal or puzzle.goal, player or puzzle.player, turns or puzzle.turns
    answer, shown = solving.solve(position, goal or "win", player=player or 1, turns=turns, seconds=seconds, nodes=nodes, prove=proof is not None)
    if proof is not None and shown is not None:
        write_file(proof, shown.to_json().encode())
    return Reply([answer], position.readings, given(position))


@question("certify", Sentence("Check proofs, with the reference alone and nothing of the solver that found them.",
                              "証明を検査する。使うのは参照エンジンだけで、それを見つけたソルバーは使わない。"))  # fmt: skip
@argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def certify(talk: Talk, files: tuple[Path, ...]) -> Reply:
    from monjudge.cli.verify import certified
    from monjudge.judge import read
    from monjudge.model.notation.source import content
    from monjudge.reports import solving
    from monjudge.reports.answers.solved import Certified
    from monjudge.solvers.certificate import Refused

    answers: list[Answer] = []
    for file in files:
        given = content(file, LARGEST_PROOF)
        if (verified := certified(given)) is not None:
            answers.append(verified)
            continue
        try:
            proof = solving.Proof.from_json(given)
        except Refused as refused:
            answers.append(Certified(Sentence(str(file), str(file)), refused=refused.text))
        else:
            answers.append(solving.certify(read(proof.position), proof))
    return Reply(answers, inputs=[{"kind": "proof", "file": str(file)} for file in files])
