"""``monjudge verify``: do the properties of a game hold in every state, for every board - with evidence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from monjudge.cli.asking import About, about, question
from monjudge.cli.output import Reply, Talk, write_file
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.games import games, kit, properties_of, scene_of
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import read
from monjudge.reports.answers.answer import COLOURS, Answer, Asked, Voice, in_both, joined
from monjudge.solvers.verdict import Verdict

if TYPE_CHECKING:
    from monjudge.model.properties import Scene
    from monjudge.reports.answers.solved import Certified
    from monjudge.verify.prove import Finding
    from monjudge.verify.question import Property

__all__ = ["certified", "verify"]

FORMAT = "monjudge-verified/1"

_WORD = {Verdict.YES: Sentence("holds", "成立"), Verdict.NO: Sentence("fails", "不成立"), Verdict.UNKNOWN: Sentence("undecided", "未決")}


@question("verify", Sentence("Prove properties of a game in every state, for every board.", "ゲームの性質を、あらゆる状態とボードについて証明する。"),
          Sentence("PROPERTY is an id of a shipped property, or the beginning of one up to a dot, or a file of your own (YAML or JSON); "
                   "all shipped ones where none is named. Undecided counts as unknown: what is only bounded is never called proved.",
                   "PROPERTY は、付属の性質のid、その点までの部分、または自作のファイル（YAMLかJSON）。なければ付属のものすべて。"
                   "未決は不明に数える。範囲を限って調べただけのものを、証明したとは言わない。"))  # fmt: skip
@about
@argument("properties", nargs=-1)
@option("--boards", default="printed", show_default=True, metavar="printed|all|FILE",
        said=Sentence("Of which board designs: the printed ones, all there could be, or those of a file.",
                      "どのボードについてか：印刷されたもの、ありうるすべて、またはファイルのもの。"))  # fmt: skip
@option("--max-time", "seconds", type=click.FloatRange(0, min_open=True), default=60, show_default=True,
        said=Sentence("Seconds for one property.", "一つの性質にかける秒数。"))
@option("--evidence", type=click.Path(path_type=Path, file_okay=False),
        said=Sentence("Folder to write the evidence to, for certify.", "certify で検査できる証拠を書くフォルダー。"))
def verify(talk: Talk, about: About, properties: tuple[str, ...], boards: str, seconds: float, evidence: Path | None) -> Reply:
    game, readings, designs = about.game or games()[0], about.readings(), _designs(boards)
    scene = _scene(game, designs, readings, about.is_open)
    asked = list(_chosen(game, properties))
    if evidence is not None:
        evidence.mkdir(parents=True, exist_ok=True)
    setting = {"game": game, "boards": designs, "readings": readings, "open": about.is_open}
    return Reply(_answers(talk, asked, scene, seconds, evidence, setting), readings)


def _designs(boards: str) -> Any:
    """What names the boards: a word, or the data of a file. Raises DataError."""
    if boards in ("printed", "all"):
        return boards
    return read(Path(boards).read_bytes(), boards).data


def _scene(game: str, boards: Any, readings: Mapping[str, str], open: bool) -> Scene:
    """The scene of a game; ``open`` leaves every reading open that can be."""
    words = kit(game)
    return scene_of(game, boards, readings, [switch for switch in words.switches() if switch not in words.fixed()] if open else [])


def _chosen(game: str, names: Sequence[str]) -> Iterator[Property]:
    """The properties that are named. Raises DataError for an id that there is not."""
    from monjudge.verify.question import read_properties

    shipped = read_properties(properties_of(game))
    if not names:
        yield from shipped
    for name in names:
        if Path(name).suffix in (".yaml", ".yml", ".json"):
            yield from read_properties(Path(name).read_bytes(), name)
            continue
        found = [p for p in shipped if p.id == name or p.id.startswith(f"{name}.")]
        if not found:
            known = ", ".join(p.id for p in shipped)
            raise DataError([Defect("", Sentence(f"there is no property {name!r}; there are {known}", f"{name!r}という性質はない。あるのは {known}"), "unknown-word")])
        yield from found


def _answers(
    talk: Talk, asked: Sequence[Property], scene: Scene, seconds: float, folder: Path | None, setting: Mapping[str, Any]
) -> Iterator[Answer]:  # fmt: skip
    from monjudge.verify.prove import Limits, Vacuous, prove

    for prop in asked:
        try:
            found = prove(prop, scene, Limits(seconds=seconds))
        except Vacuous as empty:
            text = Sentence(f"{prop.id} says nothing: {empty.text.en}", f"{prop.id}は何も述べていない：{empty.text.ja}")
            raise DataError([Defect(prop.id, text, "wrong-value")]) from empty
        if folder is not None and found.evidence is not None:
            data = {"schema": FORMAT, **setting, "property": prop.id, "evidence": json.loads(found.evidence.to_json())}
            name = re.sub(r"[^\w.-]", "_", prop.id)
            write_file(folder / f"{name}.json", (json.dumps(data, ensure_ascii=False, sort_keys=True) + "\n").encode())
        yield _Verified(found)


@dataclass(frozen=True)
class _Verified:
    """The verdict on one property."""

    kind: ClassVar[str] = "verify"
    found: Finding
    asked: Asked | None = None

    @property
    def verdict(self) -> Verdict:
        return self.found.verdict

    def _head(self, voice: Voice) -> str:
        word = voice.painted(voice(_WORD[self.verdict]), COLOURS[self.verdict])
        return f"{word} {voice.strong(self.found.prop.id)}"

    def text(self, voice: Voice) -> Iterator[str]:
        prop = self.found.prop
        yield f"{self._head(voice)}{joined(voice)}{voice(Sentence(prop.en, prop.ja))}"
        bounds = ", ".join(f"{name} {value}" for name, value in self.found.bounds.items())
        yield voice.faint(f"  {voice(self.found.why)}{f' ({bounds})' if bounds else ''}")

    def brief(self, voice: Voice) -> Iterator[str]:
        yield f"{voice(_WORD[self.verdict])} {self.found.prop.id} {voice(self.found.why)}"

    def data(self) -> dict[str, Any]:
        evidence = self.found.evidence
        return {
            "id": self.found.prop.id, "finding": _WORD[self.verdict].en, "claim": in_both(Sentence(self.found.prop.en, self.found.prop.ja)),
            "why": in_both(self.found.why), "bounds": dict(self.found.bounds), "flips": [],
            "milliseconds": round(1000 * self.found.seconds), "evidence": None if evidence is None else json.loads(evidence.to_json()),
        }  # fmt: skip

    def records(self) -> Iterator[dict[str, Any]]:
        yield self.data()


def certified(content: bytes) -> Certified | None:
    """Whether the evidence in a file that ``verify`` wrote shows what it claims; None for a file of another kind.

    Raises DataError for boards or readings that are not there any more.
    """
    from monjudge.reports.answers.solved import Certified
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
        if set(data) != {"schema", "game", "boards", "readings", "open", "property", "evidence"}:
            raise Refused("the file has other keys than evidence has", "証拠のファイルにないキーがある")
        evidence = Evidence.from_json(json.dumps(data["evidence"]))
        done = recheck(evidence, _scene(data["game"], data["boards"], data["readings"], data["open"]))
    except Refused as refused:
        return Certified(claim, refused=refused.text)
    said = f"{evidence.claim['property']}: {evidence.claim['formula']}"
    return Certified(Sentence(said, said), done.moves, done.implications)
