"""``monjudge cases``: runs files of cases and says which pass."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from monjudge.cli.asking import question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.games import WITH_CASES, cases_of
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Answer, Asked, Exit, Voice, joined
from monjudge.reports.answers.count import Count
from monjudge.solvers.cases import CaseEngine, CaseFileError, Result, read_cases, run_cases
from monjudge.solvers.verdict import Verdict

__all__ = ["cases"]

_PASS, _FAIL, _WRONG = Sentence("pass", "合格"), Sentence("FAIL", "不合格"), Sentence("held to be wrong", "誤りとされるケース")
_CASES, _COUNTED = Sentence("cases", "件"), Sentence("fail", "不合格")
_EXPECTED, _GOT = Sentence("expected", "期待"), Sentence("got", "答え")
_NONE = Sentence("the files hold no case: one JSON object a line would do", "ファイルにケースがない（一行に一つの JSON オブジェクトを書く）")


@question("cases", Sentence("Run FILES of cases (JSON lines).", "ケースのファイル（JSON Lines）を実行する。"),
          Sentence("Exit status: 0 all pass, 1 some fail, 2 a file cannot be read, or there is no case.",
                   "終了コード：0 すべて合格、1 不合格あり、2 ファイルが読めない、またはケースがない。"))  # fmt: skip
@argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@option("--game", type=click.Choice(WITH_CASES), default=WITH_CASES[0], show_default=True,
        said=Sentence("Game of the cases.", "対象のゲーム。"))
def cases(talk: Talk, files: tuple[Path, ...], game: str) -> Reply:
    try:
        given = read_cases(files)
    except CaseFileError as error:
        talk.say(error.sentence)
        return Reply([], exit=Exit.UNREADABLE)
    if not given:
        talk.say(_NONE)
        return Reply([], exit=Exit.UNREADABLE)
    chosen = cases_of(game)
    results = run_cases(given, chosen.answers(CaseEngine, given), chosen.INFORMATION)
    inputs = [{"kind": "cases", "file": str(file)} for file in files]
    return Reply(_answers(results, summary=talk.form in ("text", "concise")), inputs=inputs)


def _answers(results: Iterator[Result], summary: bool) -> Iterator[Answer]:
    passed, failed, wrong = 0, 0, 0
    for result in results:
        passed, failed = passed + result.passed, failed + result.fails
        wrong += not result.passed and result.wrong is not None
        yield _Case(result)
    if summary:
        yield Count(_CASES, [(_PASS, passed), (_COUNTED, failed), (_WRONG, wrong)])


@dataclass(frozen=True)
class _Case:
    """What came of one case."""

    kind: ClassVar[str] = "case"
    result: Result
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return Verdict.NO if self.result.fails else Verdict.YES

    def text(self, voice: Voice) -> Iterator[str]:
        result = self.result
        if result.passed:
            yield f"{voice(_PASS)} {result.id}"
            return
        got = json.dumps(result.got, ensure_ascii=False) if result.error is None else voice(result.error)
        yield f"{voice(_FAIL if result.wrong is None else _WRONG)} {result.id}"
        yield f"  {voice(_EXPECTED)}{joined(voice)}{json.dumps(result.expected, ensure_ascii=False)}"
        yield f"  {voice(_GOT)}{joined(voice)}{got}"
        if result.wrong:
            yield f"  {result.wrong}"

    def brief(self, voice: Voice) -> Iterator[str]:
        yield next(self.text(voice))

    def data(self) -> dict[str, Any]:
        return self.result.record()

    def records(self) -> Iterator[dict[str, Any]]:
        yield self.data()
