"""``monjudge rules``, ``readings`` and ``explain``: what the text says, where it is ambiguous, what a code means."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from monjudge.cli.asking import question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, option
from monjudge.model.notation.defects import Code, DataError, Defect, codes
from monjudge.model.notation.kit import Kit, SwitchWords, Worded
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Answer
from monjudge.reports.answers.texts import Entry, SwitchEntry

__all__ = ["explain", "readings", "rules"]

_GAME = option("--game", said=Sentence("Game; else the first that is shipped.", "ゲーム名。なければ最初のゲーム。"))


@question("rules", Sentence("Show the CLAUSES of the rules, all of them without an argument; a beginning such as EDIT names many.",
                            "規則の条項を示す。引数がなければすべて。EDIT のような先頭だけでもよい。"))  # fmt: skip
@argument("clauses", nargs=-1)
@_GAME
def rules(talk: Talk, clauses: tuple[str, ...], game: str | None) -> Reply:
    known = _clauses(_words(game), clauses)
    return Reply([_clause(known[id]) for id in _chosen(clauses, known)])


@question("readings", Sentence("Show the ambiguous places of the text with their readings.", "文面のあいまいな箇所と、その読みを示す。"),
          Sentence("SWITCH is an id such as A43; * marks the default. Choose another with --reading A43=ANY.",
                   "SWITCH は A43 などの番号。* が既定。別の読みは --reading A43=ANY のように選ぶ。"))  # fmt: skip
@argument("switches", nargs=-1, metavar="[SWITCH]...")
@_GAME
@option("--fixed", is_flag=True, said=Sentence("Only those that cannot be chosen in this version.", "この版では選べないものだけ。"))
def readings(talk: Talk, switches: tuple[str, ...], game: str | None, fixed: bool) -> Reply:
    words = _words(game)
    known, held = words.switches(), set(words.fixed())
    chosen = [id for id in _chosen(switches, known) if id in held or not fixed]
    return Reply([_switch(known[id], id in held, bool(switches)) for id in chosen])


@question("explain", Sentence("Explain NAMES: a code such as MJ115, a clause, or a reading switch.",
                              "コード（MJ115 など）、条項、読みの番号を説明する。"))  # fmt: skip
@argument("names", nargs=-1, required=True)
@option("--game", said=Sentence("Game; else all games are looked through.", "ゲーム名。なければすべてのゲームから探す。"))
def explain(talk: Talk, names: tuple[str, ...], game: str | None) -> Reply:
    from monjudge.model.games import games

    known: dict[str, Callable[[], Answer]] = {key: partial(_code, code) for code in codes().values() for key in (code.number, code.name)}
    for words in map(_words, (game,) if game else games()):
        held = set(words.fixed())
        found: dict[str, Callable[[], Answer]] = {id: partial(_clause, clause) for id, clause in _clauses(words, names).items()}
        found |= {id: partial(_switch, switch, id in held, True) for id, switch in words.switches().items()}
        known |= {id: answer for id, answer in found.items() if id not in known}
    return Reply([known[id]() for id in _chosen(names, known)])


def _words(game: str | None) -> Kit:
    from monjudge.model.games import games, kit

    return kit(game or games()[0])


def _clauses(words: Kit, names: Iterable[str]) -> Mapping[str, Worded]:
    """The clauses of the text and, where a name is none of them, what the rules say besides: bounds, parts of a clause."""
    text = words.clauses()
    parts = {id.casefold().rpartition(".")[0] for id in text} | {id.casefold() for id in text}
    if all(name.casefold() in parts for name in names):
        return text
    fixed = set(words.fixed())
    rules = words.deal(open=[id for id in words.switches() if id not in fixed]).rules
    spoken = [clause for action in rules.actions for clause in action.clauses] + [*rules.triggers]
    return {**{one.id: one for one in spoken if one.en}, **text}


def _chosen(names: Iterable[str], known: Mapping[str, Any]) -> list[str]:
    """The ids of that name or, if there is none, with that beginning, each once; all without a name. Raises DataError."""
    found: dict[str, None] = {}
    wanted = list(names)
    folded = {id.casefold(): id for id in known}
    for name in wanted:
        lower = name.casefold()
        near = [folded[lower]] if lower in folded else [id for key, id in folded.items() if key.startswith(f"{lower}.")]
        near = near or [folded[whole] for whole in (lower.partition(":")[0],) if whole in folded]
        if not near:
            close = ", ".join(difflib.get_close_matches(name.upper(), known, 5, 0.5)) or ", ".join([*known][:10])
            text = Sentence(f"there is no {name!r}; near to it: {close}", f"{name!r}はない。近いのは {close}")
            raise DataError([Defect("", text, "unknown-name")])
        found.update(dict.fromkeys(near))
    return list(found if wanted else known)


def _clause(clause: Worded) -> Entry:
    return Entry(clause.id, Sentence(clause.en, clause.ja), clause.ref)


def _code(code: Code) -> Entry:
    shown = [Sentence(f"{en}: {text}", f"{ja}：{text}") for en, ja, text in (("bad", "悪い例", code.bad), ("good", "よい例", code.good)) if text]
    return Entry(code.label, code.explanation, "", code.title, tuple(shown))


def _switch(switch: SwitchWords, fixed: bool, whole: bool) -> SwitchEntry:
    return SwitchEntry(
        switch.id, switch.name, switch.title, switch.why, switch.reason, switch.default, fixed,
        dict(switch.values), tuple(switch.clauses), switch.severity, whole,
    )  # fmt: skip
