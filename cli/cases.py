"""``monjudge cases``: runs files of cases and says which pass."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from monjudge.cli.toolkit import click
from monjudge.model.games import WITH_CASES, cases_of
from monjudge.solvers.cases import CaseEngine, CaseFileError, Result, read_cases, run_cases
from monjudge.solvers.verdict import Sentence

__all__ = ["cases"]

Language = Literal["en", "ja"]

_PASS, _FAIL, _WRONG = Sentence("pass", "合格"), Sentence("FAIL", "不合格"), Sentence("held wrong", "誤りとされるケース")
_EXPECTED, _GOT = Sentence("expected", "期待"), Sentence("got", "答え")
_NONE = Sentence("the files hold no case: one JSON object a line would do", "ファイルにケースがない（一行に一つの JSON オブジェクトを書く）")
UNREADABLE = 2


@click.command(short_help="Run files of cases. / ケースを実行する")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the output. / 出力の形式")
@click.option("--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, help="Language of the messages. / 表示言語")
@click.option("--game", type=click.Choice(WITH_CASES), default=WITH_CASES[0], show_default=True, help="Game of the cases. / 対象のゲーム")
def cases(files: tuple[Path, ...], form: str, lang: Language, game: str) -> None:
    """Run FILES of cases (JSON lines). / ケースのファイル（JSON Lines）を実行する。

    \b
    Exit status: 0 all pass, 1 some fail, 2 a file cannot be read, or there is no case.
    終了コード：0 すべて合格、1 不合格あり、2 ファイルが読めない、またはケースがない。
    """
    try:
        given = read_cases(files)
    except CaseFileError as error:
        click.echo(getattr(error.sentence, lang), err=True)
        sys.exit(UNREADABLE)
    if not given:
        click.echo(getattr(_NONE, lang), err=True)
        sys.exit(UNREADABLE)
    chosen = cases_of(game)
    results = run_cases(given, chosen.answers(CaseEngine, given), chosen.INFORMATION)
    done = _as_json(results) if form == "json" else _as_text(results, lang)
    sys.exit(int(any(result.fails for result in done)))


def _as_json(results: Iterable[Result]) -> list[Result]:
    done = list(results)
    click.echo(json.dumps({"results": [result.record() for result in done]}, ensure_ascii=False, indent=1))
    return done


def _as_text(results: Iterable[Result], lang: Language) -> list[Result]:
    done = []
    for result in results:
        done.append(result)
        click.echo(_line(result, lang))
    failed = sum(result.fails for result in done)
    wrong = sum(not result.passed and result.wrong is not None for result in done)
    passed = len(done) - failed - wrong
    summary = Sentence(
        f"{len(done)} cases: {passed} pass, {failed} fail, {wrong} held to be wrong",
        f"{len(done)}件：合格{passed}、不合格{failed}、誤りとされるケース{wrong}",
    )
    click.echo(getattr(summary, lang))
    return done


def _line(result: Result, lang: Language) -> str:
    if result.passed:
        return f"{getattr(_PASS, lang)} {result.id}"
    state = _WRONG if result.wrong is not None else _FAIL
    got = json.dumps(result.got, ensure_ascii=False) if result.error is None else getattr(result.error, lang)
    lines = [f"{getattr(state, lang)} {result.id}"]
    lines += [f"  {getattr(_EXPECTED, lang)}: {json.dumps(result.expected, ensure_ascii=False)}"]
    lines += [f"  {getattr(_GOT, lang)}: {got}"]
    return "\n".join([*lines, *([f"  {result.wrong}"] if result.wrong else [])])
