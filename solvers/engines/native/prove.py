"""Whether a player can force a goal: an AND/OR search of the positions, depth first, with a memory.

A position is won for the player where the goal holds, or where a move of the player leads to a won one and all
moves of the others and outcomes of chance do (where several may move the others choose who does). It is not won
where the number of the turn has reached the deadline, where it is hopeless until then, where nobody can move, or
where play goes round in circles.
Everything else that stops the search (a bound of the model, too deep) makes the result unknown.

Positions with one move are followed without asking the memory. A position on the path counts as not won when it
is met again. What was found "not won" on that ground is held: it becomes certain when the highest position on which
it rests is found not won, and is forgotten when a position above it is found won (least fixpoint).
"""

from __future__ import annotations

from collections.abc import Iterator

from monjudge.model.language import RuleSet
from monjudge.solvers.engines.native.breath import STOPPED
from monjudge.solvers.engines.native.ir import Function
from monjudge.solvers.engines.native.layout import CALM_BIT, FULL, LIMIT_NOTE, Layout
from monjudge.solvers.engines.native.memo import (
    BEST,
    LOST,
    PLY,
    RESTS,
    UNSURE,
    WON,
    WORK,
    calc,
    control,
    load,
    memo,
    store,
)
from monjudge.solvers.engines.native.moves import candidates

__all__ = ["ABORTED", "DEEP", "HISTORY", "MODEL", "NO", "THAWED", "UNKNOWN", "YES", "abort", "breathe", "number_of", "prove"]

NO, YES, UNKNOWN, ABORTED = 0, 1, 2, 3
"""What a search answers; ABORTED with the reason in ``status``."""

THAWED = 6
"""Why it is aborted, besides those of every walk: too many words differ that no key holds."""

MODEL, DEEP = 1, 2
"""Bits of ``limits``: why a result is unknown."""

HISTORY = 4096
"""Counters of moves that settled a position, for each side."""

_MINE, _CHANCE, _DONE, _FOE = 0, 1, 2, 3
"""What the note of a child becomes: whose move led to it, or that it needs no visit."""

_THAWS = 64
_FAR = 2**31 - 1


def prove(layout: Layout, rules: RuleSet) -> Iterator[Function]:
    """The functions of the search: ``prove(state, free, end, control, ply)`` and what it needs beside ``program``.

    ``state`` must be settled and not an end (``ending``); the slots from ``free`` on are for its children.
    """
    yield from memo(layout)
    yield _ending(rules)
    yield _decider(rules)
    yield _pick(layout)
    yield _best()
    yield _known()
    yield _prove(layout)


def _ending(rules: RuleSet) -> Function:
    """``ending(state)``: YES where the goal holds, NO where it can hold no more, else UNKNOWN."""
    f = Function("i32 @ending(ptr readonly %s, ptr noalias readonly %ctl)")
    with f.when(f.op(f"call zeroext i1 {load(f, 'goal', 'ptr')}(ptr %s)")):
        f.ret(f"i32 {YES}")
    with f.when(f.call("i1", "over", "ptr %s")):
        f.ret(f"i32 {NO}")
    if rules.turns is not None:
        number = f.op(f"sext i32 {f.call('i32', 'turn_number', 'ptr %s')} to i64")
        with f.when(calc(f, "icmp sge i64", number, load(f, 'deadline'))):
            f.ret(f"i32 {NO}")
        # What is hopeless is so until the number of the turn rises.
        hopeless, last = load(f, "hopeless", "ptr"), calc(f, "icmp eq i64", calc(f, "add i64", number, 1), load(f, "deadline"))
        asked = calc(f, "and i1", last, calc(f, "icmp ne ptr", hopeless, "null"))
        with f.when(asked), f.when(f.op(f"call zeroext i1 {hopeless}(ptr %s)")):
            f.ret(f"i32 {NO}")
    f.ret(f"i32 {UNKNOWN}")
    return f


def _decider(rules: RuleSet) -> Function:
    """``decider(number)``: who takes the move with this number among all candidates; -1 for chance."""
    f = Function("internal i32 @decider(i32 %number)")
    first = 0
    for action in rules.actions:
        size = candidates(rules, action)
        with f.when(calc(f, "icmp ult i32", "%number", first + size)):
            if action.is_chance:
                f.ret("i32 -1")
            else:
                who = calc(f, "udiv i32", calc(f, "sub i32", "%number", first), max(1, size // rules.players))
                f.ret(f"i32 {who}")
        first += size
    f.ret("i32 -1")
    return f


def number_of(f: Function, layout: Layout, child: str) -> str:
    """Which move led to a child, among all candidates."""
    return calc(f, "and i32", f.get('i32', f.past(child, layout.size)), ~CALM_BIT)


def _counter(f: Function, side: int, number: str) -> str:
    """The address of the counter of a move."""
    place = calc(f, "or i32", calc(f, "and i32", number, HISTORY - 1), HISTORY * side)
    return f.op(f"getelementptr i32, ptr {load(f, 'history', 'ptr')}, i32 {place}")


def _pick(layout: Layout) -> Function:
    """``pick(first, last, kinds, side, best)``: of the children of some kinds (bits) the most promising; null if none."""
    f = Function("internal ptr @pick(ptr %first, ptr %last, i32 %kinds, i32 %side, i32 %best, ptr noalias readonly %ctl)")
    chosen, most = f.variable("ptr", "null"), f.variable("i32", -1)
    first = calc(f, "mul i32", "%side", HISTORY)
    base = f.op(f"getelementptr i32, ptr {load(f, 'history', 'ptr')}, i32 {first}")
    with f.each("%first", "%last", layout.slot) as child:
        kind = f.get("i32", f.past(child.index, layout.size + 4))
        with f.when(calc(f, "icmp ne i32", calc(f, "and i32", calc(f, "shl i32", 1, kind), "%kinds"), 0)):
            number = number_of(f, layout, child.index)
            counter = f.op(f"getelementptr i32, ptr {base}, i32 {calc(f, 'and i32', number, HISTORY - 1)}")
            is_best = calc(f, "icmp eq i32", number, "%best")
            score = f.op(f"select i1 {is_best}, i32 {_FAR}, i32 {f.get('i32', counter)}")
            with f.when(calc(f, "icmp sgt i32", score, f.get('i32', most))):
                f.put("i32", score, most)
                f.put("ptr", child.index, chosen)
    f.ret(f"ptr {f.get('ptr', chosen)}")
    return f


def _best() -> Function:
    """``best(state)``: the number of the move that settled the position, as far as it is remembered; else -1."""
    f = Function("i32 @best(ptr readonly %s, ptr noalias %ctl)")
    with f.when(f.call("i1", "memo_frozen", "ptr %s", "ptr %ctl")):
        found = f.call("ptr", "memo_find", f"i64 {f.call('i64', 'memo_key', 'ptr %s', 'ptr %ctl')}", "ptr %ctl")
        with f.when(calc(f, "icmp ne ptr", found, "null")):
            f.ret(f"i32 {f.get('i32', f.past(found, BEST))}")
    f.ret("i32 -1")
    return f


def _known() -> Function:
    """``known(state)``: what is remembered of a position, without a search; else UNKNOWN."""
    f = Function("i32 @known(ptr readonly %s, ptr noalias %ctl)")
    with f.when(f.call("i1", "memo_frozen", "ptr %s", "ptr %ctl")):
        found = f.call("ptr", "memo_find", f"i64 {f.call('i64', 'memo_key', 'ptr %s', 'ptr %ctl')}", "ptr %ctl")
        with f.when(calc(f, "icmp ne ptr", found, "null")):
            turns = load(f, "turns", "i32")
            for at, compare, answer in ((WON, "sge", YES), (LOST, "sle", NO)):
                with f.when(f.op(f"icmp {compare} i32 {turns}, {f.get('i32', f.past(found, at))}")):
                    f.ret(f"i32 {answer}")
    f.ret(f"i32 {UNKNOWN}")
    return f


def _prove(layout: Layout) -> Function:
    f = Function("i32 @prove(ptr %state, ptr %free, ptr %end, ptr noalias %ctl, i32 %ply)")
    with f.when(calc(f, "icmp sge i32", "%ply", load(f, "deepest", "i32"))):
        _limit(f, DEEP)
        f.ret(f"i32 {UNKNOWN}")
    _Choice(f, layout, *_follow(f, layout)).write()
    return f


def _limit(f: Function, bit: int) -> None:
    store(f, "limits", calc(f, "or i64", load(f, 'limits'), bit))


def abort(f: Function, status: int) -> None:
    """Ends a search without a result."""
    store(f, "status", status, "i32")
    f.ret(f"i32 {ABORTED}")


def breathe(f: Function) -> None:
    """Counts a position; every so often asks the caller whether to go on."""
    store(f, "nodes", calc(f, "add i64", load(f, 'nodes'), 1))
    left = calc(f, "sub i64", load(f, 'pace'), 1)
    store(f, "pace", left)
    with f.when(calc(f, "icmp slt i64", left, 0)):
        signals = load(f, "signals", "ptr")
        with f.when(calc(f, "icmp ne ptr", signals, "null")):
            raised = f.op(f"call i32 {signals}()")
            with f.when(calc(f, "icmp ne i32", raised, 0)):
                abort(f, STOPPED)
        wish = f.op(f"call i32 {load(f, 'callback', 'ptr')}()")
        with f.when(calc(f, "icmp ne i32", wish, 0)):
            abort(f, STOPPED)


def _follow(f: Function, layout: Layout) -> tuple[str, str, str]:
    """Follows forced moves to a position with several; its address, where its children begin and where they end.

    Where forced moves never end a saved position is met again (Brent 1980).
    """
    state, free = f.variable("ptr", "%state"), f.variable("ptr", "%free")
    saved, steps, power = f.variable("ptr", "%state"), f.variable("i32", 0), f.variable("i32", 64)
    with f.forever() as chain:
        here, top = f.get("ptr", state), f.get("ptr", free)
        breathe(f)
        after = f.call("ptr", "expand", f"ptr {here}", f"ptr {top}", "ptr %end", f"ptr {control(f, 'status')}")
        with f.when(calc(f, "icmp eq ptr", after, "null")):
            abort(f, FULL)
        store(f, "status", 0, "i32")
        with f.when(calc(f, "icmp eq ptr", after, top)):
            f.ret(f"i32 {NO}")
        one = f.label()
        f.branch(calc(f, "icmp eq ptr", after, f.past(top, layout.slot)), one, chain.done)
        f.begin(one)
        with f.when(calc(f, "icmp eq i32", f.get('i32', f.past(top, layout.size + 4)), LIMIT_NOTE)):
            _limit(f, MODEL)
            f.ret(f"i32 {UNKNOWN}")
        found = f.call("i32", "ending", f"ptr {top}", "ptr %ctl")
        with f.when(calc(f, "icmp ne i32", found, UNKNOWN)):
            f.ret(f"i32 {found}")
        with f.when(f.call("i1", "same", f"ptr {top}", f"ptr {f.get('ptr', saved)}")):
            f.ret(f"i32 {NO}")
        count = calc(f, "add i32", f.get('i32', steps), 1)
        f.put("i32", count, steps)
        with f.when(calc(f, "icmp eq i32", count, f.get('i32', power))):
            f.put("i32", calc(f, "shl i32", count, 1), power)
            f.put("ptr", top, saved)
        f.put("ptr", top, state)
        f.put("ptr", after, free)
    return here, top, after


class _Choice:
    """The part of ``prove`` for a position with several moves; ``first`` to ``after`` are its children."""

    def __init__(self, f: Function, layout: Layout, here: str, first: str, after: str) -> None:
        self.f, self.layout, self.here, self.first, self.after = f, layout, here, first, after
        self.result, self.move = f.variable("i32", UNKNOWN), f.variable("i32", -1)
        self.end = f.label()

    def write(self) -> None:
        f = self.f
        self.entry = self._remember()
        outer, begun, held = load(f, "assumed"), load(f, "nodes"), load(f, "holding")
        store(f, "assumed", _FAR)
        self.best = f.variable("i32", -1)
        with f.when(calc(f, "icmp ne ptr", f.get('ptr', self.entry), "null")):
            entry = f.get("ptr", self.entry)
            with f.when(calc(f, "icmp ne i64", load(f, "ordered"), 0)):
                f.put("i32", f.get("i32", f.past(entry, BEST)), self.best)
            f.put("i32", "%ply", f.past(entry, PLY))
        self._look()
        self._fail(_CHANCE)
        self._fail(_FOE)
        self.sum = f.variable("i32", YES)
        self._both()
        f.put("i32", f.get("i32", self.sum), self.result)
        f.jump(self.end)
        f.begin(self.end)
        self._keep(outer, begun, held)

    def _remember(self) -> str:
        """Returns what is known of the position, or enters it into the memory; the variable with its entry."""
        f = self.f
        entry, ready = f.variable("ptr", "null"), f.label()
        known, strange = f.label(), f.label()
        asked = f.label()
        f.branch(calc(f, "icmp ne i64", load(f, "remembers"), 0), asked, ready)
        f.begin(asked)
        f.branch(f.call("i1", "memo_frozen", f"ptr {self.here}", "ptr %ctl"), known, strange)
        f.begin(strange)
        with f.when(calc(f, "icmp ugt i64", load(f, 'thawed'), _THAWS)):
            abort(f, THAWED)
        f.jump(ready)
        f.begin(known)
        hash = f.call("i64", "memo_key", f"ptr {self.here}", "ptr %ctl")
        found = f.call("ptr", "memo_find", f"i64 {hash}", "ptr %ctl")
        old, new = f.label(), f.label()
        f.branch(calc(f, "icmp eq ptr", found, "null"), new, old)
        f.begin(new)
        f.put("ptr", f.call("ptr", "memo_enter", f"i64 {hash}", "ptr %ctl"), entry)
        f.jump(ready)
        f.begin(old)
        f.put("ptr", found, entry)
        ply = f.get("i32", f.past(found, PLY))
        self._rests_on(ply, NO)
        turns = load(f, "turns", "i32")
        for at, compare, answer in ((WON, "sge", YES), (LOST, "sle", NO)):
            with f.when(f.op(f"icmp {compare} i32 {turns}, {f.get('i32', f.past(found, at))}")):
                store(f, "hits", calc(f, "add i64", load(f, 'hits'), 1))
                f.ret(f"i32 {answer}")
        rests = f.get("i32", f.past(found, RESTS))
        with f.when(calc(f, "icmp eq i32", turns, f.get("i32", f.past(found, UNSURE)))):
            _limit(f, MODEL)
            self._rests_on(rests, UNKNOWN)
            f.ret(f"i32 {UNKNOWN}")
        self._rests_on(rests, NO)
        f.jump(ready)
        f.begin(ready)
        return entry

    def _rests_on(self, ply: str, answer: int) -> None:
        """Returns the answer on the ground that the position at a ply of the path (if not negative) is not won."""
        f = self.f
        with f.when(calc(f, "icmp sge i32", ply, 0)):
            wide = f.op(f"zext i32 {ply} to i64")
            store(f, "assumed", f.op(f"call i64 @llvm.smin.i64(i64 {load(f, 'assumed')}, i64 {wide})"))
            f.ret(f"i32 {answer}")

    # -- a first look at all children -----------------------------------------------------

    def _look(self) -> None:
        """Whose move each child is, and which are ends: one that settles the position ends it here."""
        f, layout = self.f, self.layout
        self.count = {kind: f.variable("i32", 0) for kind in (_MINE, _CHANCE, _FOE)}
        self.goal = f.variable("i32", -1)  # a move of mine to the goal
        self.open = {kind: f.variable("i32", 0) for kind in (_MINE, _CHANCE, _FOE)}  # a bound of the model was passed
        self.failed = {kind: f.variable("i32", -1) for kind in (_CHANCE, _FOE)}
        player = load(f, "player", "i32")
        with f.each(self.first, self.after, layout.slot) as child:
            at, number = f.past(child.index, layout.size + 4), number_of(f, layout, child.index)
            note, passed = f.get("i32", at), f.variable("i1", "false")
            who = f.variable("i32", note)
            with f.when(calc(f, "icmp eq i32", note, LIMIT_NOTE)):
                f.put("i32", f.call("i32", "decider", f"i32 {number}"), who)
                f.put("i1", "true", passed)
            chance = calc(f, "icmp slt i32", f.get('i32', who), 0)
            mine = calc(f, "icmp eq i32", f.get('i32', who), player)
            for kind, test in ((_MINE, mine), (_CHANCE, chance), (_FOE, "true")):
                other = f.label()
                yes = f.label()
                f.branch(test, yes, other)
                f.begin(yes)
                self._sort(kind, child.index, at, number, f.get("i1", passed))
                f.jump(child.again)
                f.begin(other)

    def _sort(self, kind: int, child: str, at: str, number: str, passed: str) -> None:
        f = self.f
        f.put("i32", 1, self.count[kind])
        with f.when(passed):
            f.put("i32", 1, self.open[kind])
        done, look = f.label(), f.label()
        f.put("i32", _DONE, at)
        f.branch(passed, done, look)
        f.begin(look)
        found = f.call("i32", "ending", f"ptr {child}", "ptr %ctl")
        with f.when(calc(f, "icmp eq i32", found, UNKNOWN)):
            f.put("i32", kind, at)
        with f.when(calc(f, "icmp eq i32", found, YES if kind == _MINE else NO)):
            f.put("i32", number, self.goal if kind == _MINE else self.failed[kind])
        f.jump(done)
        f.begin(done)

    # -- children one by one --------------------------------------------------------------

    def _has(self, kind: int) -> str:
        return calc(self.f, "icmp ne i32", self.f.get('i32', self.count[kind]), 0)

    def _both(self) -> None:
        """The moves of both sides, those of the others first if ``replies`` says so: one that refutes ends it."""
        f = self.f
        mine, others, done = f.label(), f.label(), f.label()
        others_first = calc(f, "icmp ne i64", load(f, "replies"), 0)
        f.branch(others_first, others, mine)
        f.begin(mine)
        self._mine()
        f.branch(others_first, done, others)
        f.begin(others)
        self._others()
        f.branch(others_first, mine, done)
        f.begin(done)

    def _mine(self) -> None:
        """The player's own moves: one that wins is enough."""
        f = self.f
        end, some = f.label(), f.label()
        f.branch(self._has(_MINE), some, end)
        f.begin(some)
        goal = f.get("i32", self.goal)
        f.put("i32", goal, self.move)
        search = f.label()
        f.branch(calc(f, "icmp sge i32", goal, 0), end, search)
        f.begin(search)
        unsure = f.variable("i32", f.get("i32", self.open[_MINE]))
        with f.forever() as loop:
            child = self._next(1 << _MINE, 0, loop.done)
            value = self._visit(child)
            with f.when(calc(f, "icmp eq i32", value, YES)):
                self._credit(0, child)
                f.jump(end)
            self._debit(0, child)
            with f.when(calc(f, "icmp eq i32", value, UNKNOWN)):
                f.put("i32", 1, unsure)
        with f.when(calc(f, "icmp eq i32", f.get('i32', unsure), 0)):
            f.put("i32", NO, self.result)
            f.jump(self.end)
        f.put("i32", UNKNOWN, self.sum)
        f.jump(end)
        f.begin(end)

    def _fail(self, kind: int) -> None:
        """Ends with NO where a move of the others ends play without the goal."""
        f = self.f
        failed = f.get("i32", self.failed[kind])
        with f.when(calc(f, "icmp sge i32", failed, 0)):
            f.put("i32", NO, self.result)
            f.put("i32", failed, self.move)
            f.jump(self.end)

    def _others(self) -> None:
        """Chance and the moves of the others: one that does not win is enough."""
        f = self.f
        for kind in (_CHANCE, _FOE):
            with f.when(calc(f, "icmp ne i32", f.get("i32", self.open[kind]), 0)):
                self._unsure()
        with f.forever() as loop:
            child = self._next(1 << _CHANCE | 1 << _FOE, 1, loop.done)
            value = self._visit(child)
            with f.when(calc(f, "icmp eq i32", value, NO)):
                self._credit(1, child)
                f.put("i32", NO, self.result)
                f.jump(self.end)
            self._debit(1, child)
            with f.when(calc(f, "icmp eq i32", value, UNKNOWN)):
                f.put("i32", UNKNOWN, self.sum)

    def _unsure(self) -> None:
        _limit(self.f, MODEL)
        self.f.put("i32", UNKNOWN, self.sum)

    def _next(self, kinds: int, side: int, none: str) -> str:
        f, some = self.f, self.f.label()
        child = f.call("ptr", "pick", f"ptr {self.first}", f"ptr {self.after}", f"i32 {kinds}", f"i32 {side}",
                       f"i32 {f.get('i32', self.best)}", "ptr %ctl")  # fmt: skip
        f.branch(calc(f, "icmp eq ptr", child, "null"), none, some)
        f.begin(some)
        f.put("i32", _DONE, f.past(child, self.layout.size + 4))
        return child

    def _visit(self, child: str) -> str:
        f = self.f
        below = f.op("add i32 %ply, 1")
        value = f.call("i32", "prove", f"ptr {child}", f"ptr {self.after}", "ptr %end", "ptr %ctl", f"i32 {below}")
        with f.when(calc(f, "icmp eq i32", value, ABORTED)):
            f.ret(f"i32 {ABORTED}")
        return value

    def _credit(self, side: int, child: str) -> None:
        """The move settled the position: it is tried earlier elsewhere."""
        f, number = self.f, number_of(self.f, self.layout, child)
        f.put("i32", number, self.move)
        counter = _counter(f, side, number)
        before = f.get("i32", counter)
        more = calc(f, "lshr i32", calc(f, "sub i32", 1 << 20, before), 4)
        f.put("i32", calc(f, "add i32", before, calc(f, "mul i32", more, load(f, "ordered", "i32"))), counter)

    def _debit(self, side: int, child: str) -> None:
        """The move did not settle the position: it is tried later elsewhere."""
        f = self.f
        counter = _counter(f, side, number_of(f, self.layout, child))
        before = f.get("i32", counter)
        f.put("i32", calc(f, "sub i32", before, calc(f, "lshr i32", before, 4)), counter)

    # -- the end --------------------------------------------------------------------------

    def _keep(self, outer: str, begun: str, held: str) -> None:
        """Writes the result down: certain, or held where it rests on a position above."""
        f, result = self.f, self.f.get("i32", self.result)
        won, lost = (calc(f, "icmp eq i32", result, answer) for answer in (YES, NO))
        ground = load(f, "assumed", "i32")
        rests = calc(f, "and i1", calc(f, "xor i1", won, "true"), calc(f, "icmp slt i32", ground, "%ply"))
        self._settle_held(held, won, lost, rests)
        lower = f.op(f"call i64 @llvm.smin.i64(i64 {outer}, i64 {load(f, 'assumed')})")
        store(f, "assumed", f.op(f"select i1 {rests}, i64 {lower}, i64 {outer}"))
        entry = f.get("ptr", self.entry)
        with f.when(calc(f, "icmp ne ptr", entry, "null")):
            f.put("i32", -1, f.past(entry, PLY))
            work = calc(f, "add i64", f.get("i64", f.past(entry, WORK)), calc(f, "sub i64", load(f, "nodes"), begun))
            f.put("i64", work, f.past(entry, WORK))
            with f.when(calc(f, "icmp ne i32", result, UNKNOWN)):
                f.put("i32", f.get("i32", self.move), f.past(entry, BEST))
            turns, sure = load(f, "turns", "i32"), calc(f, "xor i1", rests, "true")
            # How deep a line may go depends on where it began: that answer is not for other paths.
            shallow = calc(f, "icmp eq i64", calc(f, "and i64", load(f, "limits"), DEEP), 0)
            unsure = calc(f, "and i1", calc(f, "icmp eq i32", result, UNKNOWN), shallow)
            for condition, at in ((won, WON), (calc(f, "and i1", lost, sure), LOST), (unsure, UNSURE)):
                with f.when(condition):
                    f.put("i32", turns, f.past(entry, at))
            with f.when(calc(f, "and i1", rests, calc(f, "or i1", lost, unsure))):
                f.do(f"call void @memo_hold(ptr {entry}, i32 {ground}, ptr %ctl)")
        f.ret(f"i32 {result}")

    def _settle_held(self, held: str, won: str, lost: str, rests: str) -> None:
        """What rested on this position is certain now, or forgotten."""
        f = self.f
        with f.when(calc(f, "icmp ugt i64", load(f, "holding"), held)):
            with f.when(won):
                f.do(f"call void @memo_drop(i64 {held}, ptr %ctl)")
            settled = calc(f, "xor i1", calc(f, "or i1", won, rests), "true")
            with f.when(settled):
                f.do(f"call void @memo_promote(i64 {held}, i32 %ply, i1 {lost}, ptr %ctl)")
