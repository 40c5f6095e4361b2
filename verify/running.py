"""Many properties at once: on several processes, with what was found before, and with what there is when time is up.

Questions and answers cross to other processes and into the cache as JSON text, never as pickled objects.
"""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from monjudge.model.language import LimitReached
from monjudge.model.language.export import content_hash
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Setting
from monjudge.solvers.cache import Cache, key
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.flips import Answered, Flip, answer
from monjudge.verify.hopeless import digest
from monjudge.verify.outcome import Vacuous
from monjudge.verify.prove import Finding, Limits
from monjudge.verify.queries import Clock
from monjudge.verify.question import Property, property_of
from monjudge.verify.written import unaskable

__all__ = ["Run", "as_data", "of_data"]

MANY = 8
"""Lemmas from which on a proof is taken to be long."""


def as_data(answered: Answered) -> dict[str, Any]:
    """An answer as JSON values; the counterexample to an induction, which is no evidence, is left out."""
    found = answered.found
    return {
        "verdict": found.verdict.value, "why": list(found.why), "bounds": dict(found.bounds), "seconds": found.seconds,
        "evidence": None if found.evidence is None else found.evidence.to_json(), "setting": answered.setting.data(),
        "flips": [[flip.readings, flip.verdict.value, flip.setting.data(), None if flip.evidence is None else flip.evidence.to_json()]
                  for flip in answered.flips],
        "unasked": list(answered.unasked),
    }  # fmt: skip


def of_data(prop: Property, data: Mapping[str, Any]) -> Answered:
    """The answer about this property from JSON values. Raises Refused, or as its parts do, for what is none."""
    evidence = None if data["evidence"] is None else Evidence.from_json(data["evidence"])
    found = Finding(prop, Verdict(data["verdict"]), Sentence(*data["why"]), data["bounds"], evidence, None, data["seconds"])
    flips = tuple(
        Flip(tuple((switch, value) for switch, value in readings), Verdict(verdict), Setting.of(setting), None if shown is None else Evidence.from_json(shown))
        for readings, verdict, setting, shown in data["flips"]
    )
    return Answered(found, Setting.of(data["setting"]), flips, tuple(data["unasked"]))


def _work(task: str) -> str:
    """One question, in whatever process: JSON in, JSON out."""
    asked = json.loads(task)
    prop, setting, limits = property_of(asked["property"]), Setting.of(asked["setting"]), Limits(**asked["limits"])
    try:
        return json.dumps(as_data(answer(prop, setting, limits, asked["flips"])))
    except Vacuous as empty:
        return json.dumps({"vacuous": list(empty.text)})
    except DataError as error:
        return json.dumps({"defects": [[defect.path, *defect.text, defect.code] for defect in error.defects]})
    except Exception as error:  # a fault of the prover itself, which loses this answer and no other
        return json.dumps({"broken": f"{prop.id}: {type(error).__name__}: {error}\n{traceback.format_exc()}"})


def _deaf() -> None:
    """An interrupt is for the process that was started by hand; it ends the others, and none works on when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Being told to end is an interrupt: what was found is given. Only the main thread of a process can hear it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass
class Run:
    """Properties asked one after the other, or ``jobs`` at a time; what is found is given in their order.

    ``told`` hears of every answer as it comes, with how many there are. After ``seconds`` for all of them, or an interrupt,
    the rest is undecided; ``interrupted`` says so of an interrupt. ``empty`` are the defects of those that say nothing, or
    turn out to be unreadable when they are asked, ``broken`` the faults of the prover itself; these are undecided, too.
    """

    asked: Sequence[Property]
    setting: Setting
    limits: Limits = field(default_factory=Limits)
    flips: bool = True
    jobs: int = 1
    cache: Cache | None = None
    told: Callable[[int, Answered], object] = lambda count, answered: None
    seconds: float | None = None
    interrupted: bool = False
    empty: list[Defect] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    _stop: Sentence | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[Answered]:
        """Raises DataError for a property that cannot be read."""
        self.empty.clear()
        self.broken.clear()
        known, self._stop = [self._unasked(prop) or self._known(prop) for prop in self.asked], None
        left, clock = sum(found is None for found in known), Clock(self.seconds, time.monotonic)
        # What is to be stopped works in another process: an interrupt that comes while z3 drops a term is lost.
        apart = left > 1 or (left > 0 and self.seconds is not None)
        pool = ProcessPoolExecutor(min(self.jobs, left), multiprocessing.get_context("spawn"), _deaf) if apart else None
        try:
            with _terminated_as_interrupted():
                yield from self._answers(known, pool, clock)
            if pool is not None and self._stop is None:
                pool.shutdown()  # which is soon: nobody works any more
                pool = None
        finally:
            _end(pool)

    def _answers(self, known: Sequence[Answered | None], pool: ProcessPoolExecutor | None, clock: Clock) -> Iterator[Answered]:
        work = {} if pool is None else {n: pool.submit(_work, self._task(self.asked[n])) for n in self._longest_first(known)}
        for count, (prop, found) in enumerate(zip(self.asked, known, strict=True), 1):
            answered = found or self._answer(prop, work.get(count - 1), clock)
            self.told(count, answered)
            yield answered

    def _longest_first(self, known: Sequence[Answered | None]) -> list[int]:
        """The numbers of the properties to work on: those with many lemmas first, that no process is idle at the end; else as they are asked."""
        return sorted((n for n, found in enumerate(known) if found is None), key=lambda n: (len(self.asked[n].lemmas) < MANY, n))

    def _unasked(self, prop: Property) -> Answered | None:
        """That a property cannot be asked of so many players, or of open cards; None where it can.

        Raises DataError where it cannot be asked of the usual setting either.
        """
        why = unaskable(prop, self.setting)
        if why is not None:
            setting = prop.within(self.setting)
            said = Sentence(f"it cannot be asked here: {why.en}", f"ここでは調べられない：{why.ja}")
            return Answered(Finding(prop, Verdict.UNKNOWN, said, dict(setting.scene.bounds)), setting)
        return None

    def _answer(self, prop: Property, future: Future[str] | None, clock: Clock) -> Answered:
        """What is found about a property, unless all has been stopped before it was."""
        if self._stop is None or (future is not None and future.done()):
            try:
                return self._read(prop, _work(self._task(prop)) if future is None else future.result(self._left(future, clock)))
            except KeyboardInterrupt:
                self.interrupted, self._stop = True, Sentence("interrupted", "中断した")
            except (TimeoutError, LimitReached):
                self._stop = Sentence("the time allowed for all properties is over", "全体に許された時間が過ぎた")
        assert self._stop is not None
        return Answered(Finding(prop, Verdict.UNKNOWN, self._stop, {}), prop.within(self.setting))

    def _left(self, future: Future[str], clock: Clock) -> float | None:
        """Seconds to wait for an answer that is not there. Raises LimitReached when none are left."""
        return 0 if future.done() else clock.left()

    def _read(self, prop: Property, text: str) -> Answered:
        data = json.loads(text)
        if "broken" in data:
            self.broken.append(data["broken"])
            why = Sentence("an internal error, told at the end", "内部エラー（最後に示す）")
            return Answered(Finding(prop, Verdict.UNKNOWN, why, {}), prop.within(self.setting))
        if "defects" in data:
            found = [Defect(path, Sentence(en, ja), code) for path, en, ja, code in data["defects"]]
            self.empty += found
            return Answered(Finding(prop, Verdict.UNKNOWN, found[0].text, {}), prop.within(self.setting))
        if "vacuous" in data:
            en, ja = data["vacuous"]
            if self.setting.players is not None or self.setting.boards != "printed":
                why = Sentence(f"it says nothing here: {en}", f"ここでは何も述べていない：{ja}")
                return Answered(Finding(prop, Verdict.UNKNOWN, why, {}), prop.within(self.setting))
            self.empty.append(Defect(prop.id, Sentence(f"{prop.id} says nothing: {en}", f"{prop.id}は何も述べていない：{ja}"), "wrong-value"))
            return Answered(Finding(prop, Verdict.UNKNOWN, Sentence(f"it says nothing: {en}", f"何も述べていない：{ja}"), {}), prop.within(self.setting))
        answered = of_data(prop, data)
        # What time did not decide may be decided another time.
        if self.cache is not None and answered.found.verdict is not Verdict.UNKNOWN:
            self.cache.put(self._key(prop), text)
        return answered

    def _task(self, prop: Property) -> str:
        return json.dumps({"property": dataclasses.asdict(prop), "setting": self.setting.data(),
                           "limits": dataclasses.asdict(self.limits), "flips": self.flips})  # fmt: skip

    def _key(self, prop: Property) -> str:
        rules = prop.within(self.setting).scene.rules
        declared = digest(rules.hopeless) if prop.kind == "hopeless" else ()  # which is no part of the hash of the rules
        return key("verify", content_hash(rules), *declared, self._task(prop))

    def _known(self, prop: Property) -> Answered | None:
        """What is kept; an entry that is none is as good as nothing."""
        text = None if self.cache is None else self.cache.get(self._key(prop))
        try:
            return None if text is None else of_data(prop, json.loads(text))
        except (Refused, DataError, ValueError, KeyError, TypeError):
            return None


def _end(pool: ProcessPoolExecutor | None) -> None:
    """Ends the processes, whatever they do."""
    if pool is not None:
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
