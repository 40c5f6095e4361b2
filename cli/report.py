"""``monjudge report``: what a game can say of itself for good."""

from __future__ import annotations

from collections.abc import Sequence

from monjudge.cli.asking import question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, option
from monjudge.model.games import WITH_REPORTS, kit, reports_of
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.report import Report, Sheet
from monjudge.reports.answers.answer import Asked
from monjudge.reports.answers.report import Listed, Reported

__all__ = ["report"]


@question("report", Sentence("What a game can say of itself for good, in every position and under every reading: REPORT, or what reports there are.",
                             "ゲームについて、どの局面・どの読みでも言えること：REPORT を示す。なければ一覧。"))  # fmt: skip
@argument("report", required=False)
@option("--game", said=Sentence("Game; else all games are looked through.", "ゲーム名。なければすべてのゲームから探す。"))
@option("--sheet", "chosen", multiple=True, said=Sentence("Only this sheet of the report; may be repeated.", "報告のうち、この表だけ。繰り返してよい。"))
def report(talk: Talk, report: str | None, game: str | None, chosen: tuple[str, ...]) -> Reply:
    among = WITH_REPORTS if game is None else (kit(game).name,)
    known = [(name, id, made) for name in among for id, made in reports_of(name).items()]
    if report is None:
        return Reply([Listed(name, made()) for name, _, made in known])
    found = [(name, made()) for name, id, made in known if id == report]
    if not found:
        raise _unknown(report, [id for _, id, _ in known])
    return Reply([Reported(name, told, _sheets(told, chosen), _asked(name, told, chosen)) for name, told in found])


def _sheets(told: Report, chosen: Sequence[str]) -> tuple[Sheet, ...]:
    by_id = {sheet.id: sheet for sheet in told.sheets}
    for id in chosen:
        if id not in by_id:
            raise _unknown(id, by_id)
    return tuple(by_id[id] for id in chosen or by_id)


def _unknown(name: str, known: Sequence[str] | dict[str, Sheet]) -> DataError:
    en, ja = (", ".join(known) or none for none in ("none", "なし"))
    return DataError([Defect("", Sentence(f"there is no {name!r}; there are {en}", f"{name!r}はない。あるのは {ja}"), "unknown-name")])


def _asked(game: str, told: Report, chosen: Sequence[str]) -> Asked:
    return Asked(("report", told.id, f"--game={game}", *(f"--sheet={id}" for id in chosen)))
