"""``monjudge verify``: do the properties of a game hold in every state, for every board - with evidence."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from monjudge.cli.asking import About, about, question
from monjudge.cli.output import Reply, Talk, columns, write_file
from monjudge.cli.toolkit import Seconds, argument, click, option
from monjudge.model.games import games, kit
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.reading import meant
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import Document, content, read
from monjudge.reports.answers.answer import Exit, Voice

if TYPE_CHECKING:
    from monjudge.model.properties import Scene, Setting
    from monjudge.reports.answers.solved import Certified
    from monjudge.reports.answers.verified import Verified
    from monjudge.solvers.cache import Cache
    from monjudge.verify.flips import Answered
    from monjudge.verify.prove import Finding
    from monjudge.verify.question import Property
    from monjudge.verify.running import Run
    from monjudge.verify.written import Written

__all__ = ["certified", "verify"]

FORMAT = "monjudge-verified/1"


@question("verify", Sentence("Prove properties of a game in every state, for every board.", "ゲームの性質を、あらゆる状態とボードについて証明する。"),
          Sentence("PROPERTY is an id of a shipped property, or the beginning of one up to a dot, or a file of your own (YAML or JSON); "
                   "all shipped ones where none is named. A file says with 'game' of which game it is, and names lists what it can speak of. Undecided counts as unknown: what is only bounded is never called proved. "
                   "With the verdict on a property that is named stand the other readings that turn it.",
                   "PROPERTY は、付属の性質のid、その点までの部分、または自作のファイル（YAMLかJSON）。なければ付属のものすべて。ファイルでは game がどのゲームかを表し、書ける名前は names が並べる。"
                   "未決は不明に数える。範囲を限って調べただけのものを、証明したとは言わない。名前を挙げた性質には、判定を変える読みも示す。"),
          forms=("junit", "github"))  # fmt: skip
@about
@argument("properties", nargs=-1)
@option("--boards", default="printed", show_default=True, metavar="printed|all|FILE",
        said=Sentence("Of which board designs: the printed ones, all there could be, or those of a file among the printed ones.",
                      "どのボードについてか：印刷されたもの、ありうるすべて、または印刷されたものの中でのファイルのもの。"))  # fmt: skip
@option("--players", type=click.IntRange(1), show_default="usual",
        said=Sentence("Of how many players, where the game is for other numbers, too.", "何人のゲームについてか（ほかの人数でも遊べるとき）。"))  # fmt: skip
@option("--cards", type=click.Choice(["printed", "open"]), default="printed", show_default=True,
        said=Sentence("Of which cards: the printed ones, or any data that could be printed on a few of each sort.",
                      "どのカードについてか：印刷されたもの、または各種類数枚に印刷しうる任意の内容。"))  # fmt: skip
@option("--flips/--no-flips", default=None,
        said=Sentence("Work out which other readings turn a verdict: unasked where properties are named, for a whole table only on request, as it takes long.",
                      "判定を変える読みを調べる。性質を名指ししたときは指定なしでも調べ、すべての性質のときは長くかかるため指定したときだけ調べる。"))
@option("--max-time", "whole", type=Seconds(),
        said=Sentence("Seconds by the clock on the wall for all properties together; what is not decided by then is undecided.",
                      "すべての性質に合わせてかける実時間の秒数。それまでに決まらないものは未決となる。"))  # fmt: skip
@option("--each", "seconds", type=Seconds(), default=60, show_default=True,
        said=Sentence("Seconds of processor time for one property: a busy machine turns no verdict. Only searches for forced wins go by the clock on the wall.",
                      "一つの性質にかけるプロセッサ時間の秒数。ほかの負荷は判定を変えない。必勝の探索だけは実時間による。"))
@option("--each-flips", "turning", type=Seconds(), default=30, show_default=True,
        said=Sentence("Seconds of processor time for the readings that turn it, and a third of that before for a proof with all readings left open; what is not reached is named.",
                      "判定を変える読みを調べるのにかけるプロセッサ時間の秒数。その前に、読みをすべて開いたままの証明に三分の一をかける。調べ残しは名前を挙げる。"))
@option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="all processors",
        said=Sentence("Properties to work on at a time.", "同時に調べる性質の数。"))
@option("--cache/--no-cache", "kept", default=True, show_default=True,
        said=Sentence("Take what was found before for the same rules, and keep what is found (MONJUDGE_CACHE names the folder).",
                      "同じルールについて以前に見つけた結果を使い、新しい結果を残す（置き場所は MONJUDGE_CACHE のフォルダー）。"))  # fmt: skip
@option("--evidence", type=click.Path(path_type=Path, file_okay=False),
        said=Sentence("Folder to write the evidence to, for certify.", "certify で検査できる証拠を書くフォルダー。"))
@option("--show", is_flag=True,
        said=Sentence("Show what a verdict rests on move by move, in the words of the game, with the position where it breaks.",
                      "判定のもとになる手順を一手ずつゲームの言葉で示し、成り立たなくなる局面を描く。"))  # fmt: skip
@option("--plugin", type=click.Path(exists=True, dir_okay=False),
        said=Sentence("Python file that makes the scene instead of a game; it is run.", "ゲームの代わりに場面を作る Python ファイル。実行される。"))
def verify(
    talk: Talk, about: About, properties: tuple[str, ...], boards: str, players: int | None, cards: str, flips: bool | None, whole: float | None, seconds: float, turning: float, jobs: int, kept: bool,
    evidence: Path | None, show: bool, plugin: str | None,
) -> int:  # fmt: skip
    from monjudge.model.properties import CARDS, Setting
    from monjudge.solvers.cache import Cache, default_file
    from monjudge.verify.prove import Limits
    from monjudge.verify.running import Run
    from monjudge.verify.written import written

    files = {name: written(content(Path(name)), name) for name in properties if Path(name).suffix in _SUFFIXES}
    game = _game(about.game, files.values())
    designs = _designs(boards, "" if plugin else game)
    setting = Setting(game, designs if isinstance(designs, str) else designs.data, about.readings(), (), str(Path(plugin).resolve()) if plugin else "", players)
    if about.is_open:
        setting = setting.opened(setting.switches)
    if cards == "open":
        setting = replace(setting, open=(*setting.open, CARDS))
    _scene(setting, designs)
    asked = list(_chosen(setting, properties, files))
    for own in files.values():
        own.check(setting)
    if evidence is not None:
        evidence.mkdir(parents=True, exist_ok=True)
    with Cache(default_file(), talk.say) if kept and not plugin else _no_cache() as cache:
        turned = bool(properties) if flips is None else flips
        run = Run(asked, setting, Limits(seconds=seconds, flips=turning), turned, jobs, cache, lambda count, answered: _told(talk, count, len(asked), answered), whole)
        code = _give(talk, run, _Beside(evidence, show or bool(properties), show))
    if run.broken:
        raise RuntimeError("\n".join(run.broken))
    if run.empty:
        raise DataError(run.empty)
    return Exit.INTERRUPTED if run.interrupted else code


def _no_cache() -> Cache:
    from monjudge.solvers.cache import Cache

    return Cache(None)


@dataclass(frozen=True)
class _Beside:
    """What is given besides the verdicts: a folder with evidence, and what shows them, as a ``whole`` or in short."""

    folder: Path | None
    shown: bool
    whole: bool


def _told(talk: Talk, count: int, of: int, answered: Answered) -> None:
    """How far it is, for whoever watches and does not see the answers."""
    if sys.stderr.isatty() and (talk.form != "text" or talk.output is not None):
        from monjudge.reports.answers.verified import Verified

        en, ja = (f"{count}/{of} {next(Verified(answered).brief(voice))}" for voice in (Voice("en"), Voice("ja")))
        talk.say(Sentence(en, ja))


def _give(talk: Talk, run: Run, beside: _Beside) -> int:
    """Says the answers in the form that is asked for; the exit code."""
    from monjudge.reports.answers.count import counted
    from monjudge.reports.answers.verified import COUNTED, PROPERTIES, github, junit

    form: str = talk.form
    if form not in ("junit", "github"):
        answers = _answers(run, beside)
        return talk.give(Reply(counted(answers, PROPERTIES, COUNTED) if form == "text" else answers, run.setting.readings))
    codes, voice = [Exit.HOLDS], talk.voice

    def told() -> Iterator[Verified]:
        for answer in _answers(run, beside):
            codes.append(Exit.of(answer.verdict))
            yield answer

    talk.put(f"{line}\n" for line in (junit(f"monjudge.verify.{run.setting.game}", told(), voice) if form == "junit" else github(told(), voice)))
    return max(codes)


def _answers(run: Run, beside: _Beside) -> Iterator[Verified]:
    from monjudge.reports.answers.verified import Verified
    from monjudge.reports.witness import witness

    for answered in run:
        found = answered.found
        if beside.folder is not None:
            _write(beside.folder, found, answered.setting)
            for flip in answered.flips:
                _write(beside.folder, replace(found, evidence=flip.evidence), flip.setting, flip.readings)
        seen = witness(found.evidence, answered.setting.scene, columns()) if beside.shown and found.evidence is not None else None
        yield Verified(answered, witness=seen, whole=beside.whole)


def _write(folder: Path, found: Finding, setting: Setting, readings: Iterable[tuple[str, str]] = ()) -> None:
    """The evidence as a file that is named after the property, and the readings that turn it."""
    if found.evidence is not None:
        id, shown = found.prop.id, json.loads(found.evidence.to_json())
        data = {"schema": FORMAT, "setting": setting.data(), "property": id, "evidence": shown}
        # Other ids are other files, also where a file system does not tell what is written otherwise.
        name = re.sub(r"[^\w.=-]", lambda sign: f"%{ord(sign[0]):02X}", "-".join([id, *(f"{switch}={value}" for switch, value in readings)]))
        write_file(folder / f"{name}.json", (json.dumps(data, ensure_ascii=False, sort_keys=True) + "\n").encode())


_SUFFIXES = (".yaml", ".yml", ".json")


def _game(named: str | None, files: Iterable[Written]) -> str:
    """The game that is named, or of which the files say that they are; else the first. Raises DataError where they contradict, or there is none."""
    game = kit(named).name if named else ""
    for file in files:
        game = file.agreed(game)
        try:
            kit(game or games()[0])
        except DataError as error:
            raise file.document.located(error) from None
    return game or games()[0]


def _designs(boards: str, game: str) -> str | Document:
    """What names the boards: a word, or a file. Raises DataError with all its defects, and where the game has no boards (an empty name: unknown)."""
    if game and boards != "printed" and "board" not in kit(game).kinds:
        text = Sentence(f"{game} has no boards, so that none can be chosen", f"{game}にボードはないので、選べない")
        raise DataError([Defect("--boards", text, "wrong-value")])
    if boards in ("printed", "all"):
        return boards
    document = read(content(Path(boards)), boards)
    try:
        if game:
            kit(game).canonical("board", document.data)
    except DataError as error:
        raise document.located(error) from None
    return document


def _scene(setting: Setting, designs: str | Document) -> Scene:
    """The scene. Raises DataError, with its place in the file where it is about a board there."""
    try:
        return setting.scene
    except DataError as error:
        there = not isinstance(designs, str) and all(defect.path.startswith("boards[") for defect in error.defects)
        raise designs.located(error) if there else error from None  # type: ignore[union-attr]


def _chosen(setting: Setting, names: Sequence[str], files: Mapping[str, Written]) -> Iterator[Property]:
    """The properties that are named, or all that are shipped. Raises DataError for an id that there is not, and where there is nothing to ask."""
    from monjudge.verify.question import read_properties

    shipped = read_properties(setting.properties)
    if not names and not shipped:
        text = Sentence(f"no properties are shipped for {setting.game}; name a file of your own", f"{setting.game}に付属の性質はない。自作のファイルを書く")
        raise DataError([Defect("", text, "empty")])
    if not names:
        yield from shipped
    for name in names:
        if name not in files:
            yield from _of_id(name, shipped) or _nothing(name, setting, shipped)
            continue
        if not files[name].properties:
            raise DataError([Defect("properties", Sentence("there is no property in it", "性質が一つもない"), "empty")], name)
        yield from files[name].properties


def _of_id(name: str, known: Sequence[Property]) -> list[Property]:
    """The property of that id, or those whose id begins so up to a dot; capitals do not matter where nothing is written just so."""
    for word, ids in ((name, [p.id for p in known]), (name.casefold(), [p.id.casefold() for p in known])):
        found = [p for p, id in zip(known, ids, strict=True) if id == word or id.startswith(f"{word.rstrip('.')}.")]
        if found:
            return found
    return []


def _nothing(name: str, setting: Setting, shipped: Sequence[Property]) -> NoReturn:
    """Says that there is no property of this id: which are near to it, or of which game it is."""
    from monjudge.model.games import properties_of
    from monjudge.verify.question import read_properties

    others = [game for game in games() if game != setting.game and _of_id(name, read_properties(properties_of(game)))]
    en, ja = meant(name, [p.id for p in shipped], "there are", "あるのは", most=8) if shipped else ("", "")
    if others:
        en, ja = f"; it is a property of {' and '.join(others)}: --game {others[0]}", f"。{'、'.join(others)}の性質である：--game {others[0]}"
    raise DataError([Defect("", Sentence(f"there is no property {name!r}{en}", f"{name!r}という性質はない{ja}"), "unknown-name")])


def certified(content: bytes, plugin: str = "", show: bool = False) -> Certified | None:
    """Whether the evidence in a file that ``verify`` wrote shows what it claims; None for a file of another kind.

    ``show``: what it shows is told, too. ``plugin`` is the Python file that may be run; no other is. Raises DataError for boards or readings that are not
    there any more.
    """
    from monjudge.reports.answers.claimed import claimed
    from monjudge.reports.answers.solved import Certified
    from monjudge.reports.witness import witness
    from monjudge.solvers.certificate import Evidence, Refused
    from monjudge.verify.recheck import recheck

    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("schema") != FORMAT:
        return None
    claim = Sentence(str(data.get("property")), str(data.get("property")))
    try:
        if set(data) != {"schema", "setting", "property", "evidence"} or not isinstance(data["setting"], dict):
            raise Refused("the file has other keys than evidence has", "証拠のファイルにないキーがある")
        evidence, setting = Evidence.from_json(json.dumps(data["evidence"])), _setting(data["setting"])
        if setting.plugin != plugin:
            raise Refused(f"it needs the plugin {setting.plugin!r}, which is not run unasked", f"プラグイン{setting.plugin!r}が必要（指定なしには実行しない）")
        if evidence.claim.get("property") != data["property"]:
            raise Refused("the evidence is about another property", "別の性質についての証拠である")
        done = recheck(evidence, setting.scene)
    except Refused as refused:
        return Certified(claim, refused=refused.text)
    seen = witness(evidence, setting.scene, columns()) if show else None
    return Certified(claimed(evidence), done.moves, done.implications, witness=seen, bounds=dict(evidence.bounds) | dict(setting.readings))


def _setting(data: dict[str, Any]) -> Setting:
    from monjudge.model.properties import Setting
    from monjudge.solvers.certificate import Refused

    try:
        return Setting.of(data)
    except ValueError as error:
        raise Refused("the setting of the evidence cannot be read", "証拠の設定が読めない") from error
