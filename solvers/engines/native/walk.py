"""The walk of ``monjudge.solvers.walk`` as native code: it follows the decisions of a certificate, move by move.

Of the rest of the engine it has the moves of a state and what they lead to, as addresses in its control block; of the
search for forced goals nothing. ``argue`` settles a position by itself, ``follow`` asks the certificate. Values are
those for the player.
"""

from __future__ import annotations

from monjudge.model.language import Expr, RuleSet
from monjudge.solvers.engines.native.breath import breathe
from monjudge.solvers.engines.native.ir import Function, Module
from monjudge.solvers.engines.native.layout import CALM_BIT, LIMIT_NOTE, Layout
from monjudge.solvers.engines.native.moves import candidates
from monjudge.solvers.engines.native.program import root
from monjudge.solvers.engines.native.visited import OPEN, load, more, op, store, visited

__all__ = ["BOUND", "DEEP", "REFUSED", "walk"]

REFUSED = ("lost", "stuck", "circle", "reached", "missing")
"""Why the walk may be refused (``solvers.walk.REASONS``): the status is 16 + its number here."""

BOUND, DEEP = 32, 33
"""Other ends: the ``move`` has to be followed and passes a bound of the model; play goes too deep for the stack."""

_NO, _YES, _PATH = 1, 2, 3
"""The value of an entry; ``_PATH`` is a position on the path of a strategy."""
_UNKNOWN, _SPENT, _STOPPED = 2, 3, 4
"""What ``end`` or ``argue`` says besides 0 and 1: open; so many positions were tried; the walk has a status."""
_MINE, _BEYOND, _DONE = 1, 2, 4
"""Bits that the note of a child becomes: of the player, passes a bound of the model, needs no visit."""


def walk(layout: Layout, rules: RuleSet, goal: Expr) -> str:
    """The LLVM text of ``follow(state, free, end, control, ply)``; 0 unless the status says why it stopped."""
    module = Module()
    root(module, layout, "internal zeroext i1 @goal", goal)
    if rules.turns is not None:
        root(module, layout, "internal i32 @number", rules.turns.number)
    for function in (
        _who(rules), *visited(layout), _ended(rules), _end(), _grow(layout), _credit(layout), _pick(layout),
        _Argue(layout).function(), _Follow(layout).function(),
    ):  # fmt: skip
        module.add(function)
    return module.text()


def _who(rules: RuleSet) -> Function:
    """``who(number)``: the player of the candidate move with this number; -1 for chance."""
    f, first = Function("internal i32 @who(i32 %number)"), 0
    for action in rules.actions:
        size = candidates(rules, action)
        with f.when(op(f, "icmp ult i32", "%number", first + size)):
            if action.is_chance or not size:
                f.ret("i32 -1")
            else:
                f.ret(f"i32 {op(f, 'udiv i32', op(f, 'sub i32', '%number', first), size // rules.players)}")
        first += size
    f.ret("i32 -1")
    return f


# -- one position ----------------------------------------------------------------------


def _ended(rules: RuleSet) -> Function:
    """``ended(state)``: whether the game is over, or no turn is left."""
    f = Function("internal i1 @ended(ptr readonly %s, ptr noalias readonly %ctl)")
    if rules.turns is not None:
        number = f.op(f"sext i32 {f.call('i32', 'number', 'ptr %s')} to i64")
        with f.when(op(f, "icmp sge i64", number, load(f, "late"))):
            f.ret("i1 true")
    over = load(f, "over", "ptr")
    f.ret(f"i1 {f.op(f'call zeroext i1 {over}(ptr %s)')}")
    return f


def _end() -> Function:
    """``end(state)``: 0 or 1 where play ends, else ``_UNKNOWN``."""
    f = Function("internal i32 @end(ptr readonly %s, ptr noalias readonly %ctl)")
    with f.when(f.call("i1", "goal", "ptr %s")):
        f.ret("i32 1")
    f.ret(f"i32 {op(f, 'select i1', f.call('i1', 'ended', 'ptr %s', 'ptr %ctl'), 'i32 0', f'i32 {_UNKNOWN}')}")
    return f


def _grow(layout: Layout) -> Function:
    """``grow(state, free, end)``: its children from ``free`` on, with what bits in their notes; null with a status."""
    f = Function("internal ptr @grow(ptr readonly %s, ptr %free, ptr %end, ptr noalias %ctl)")
    breathe(f, "%ctl", "ptr null")
    arguments = "ptr %s, ptr %free, ptr %end, ptr %ctl"
    after = f.op(f"call ptr {load(f, 'children', 'ptr')}({arguments})")
    with f.when(op(f, "icmp eq ptr", after, "null")):
        f.ret("ptr null")
    f.put("i32", 0, "%ctl")  # a bound that a move passes stands in its note
    with f.when(op(f, "icmp ne ptr", after, "%free")), f.each("%free", after, layout.slot) as child:
        at = f.past(child.index, layout.size + 4)
        note = f.get("i32", at)
        beyond = op(f, "icmp eq i32", note, LIMIT_NOTE)
        number = _number(f, layout, child.index)
        who = op(f, "select i1", beyond, f"i32 {f.call('i32', 'who', f'i32 {number}')}", f"i32 {note}")
        mine = op(f, "icmp eq i32", who, load(f, "player", "i32"))
        f.put("i32", op(f, "or i32", op(f, "select i1", mine, f"i32 {_MINE}", "i32 0"), op(f, "select i1", beyond, f"i32 {_BEYOND}", "i32 0")), at)
    f.ret(f"ptr {after}")
    return f


def _number(f: Function, layout: Layout, child: str) -> str:
    """Which move led to a child, among all candidates."""
    return op(f, "and i32", f.get("i32", f.past(child, layout.size)), ~CALM_BIT)


def _credit(layout: Layout) -> Function:
    """``credit(child)``: its move settled a position last."""
    f = Function("internal void @credit(ptr %child, ptr noalias %ctl)")
    now = op(f, "add i64", more(f, "settled"), 1)
    f.put("i64", now, f.op(f"getelementptr i64, ptr {load(f, 'last', 'ptr')}, i32 {_number(f, layout, '%child')}"))
    f.ret("void")
    return f


def _pick(layout: Layout) -> Function:
    """``pick(first, last, note)``: of the children with this note the one whose move settled a position last; null if none."""
    f = Function("internal ptr @pick(ptr %first, ptr %last, i32 %note, ptr noalias readonly %ctl)")
    chosen, most, table = f.variable("ptr", "null"), f.variable("i64", -1), load(f, "last", "ptr")
    with f.each("%first", "%last", layout.slot) as child:
        note = f.get("i32", f.past(child.index, layout.size + 4))
        with f.when(op(f, "icmp eq i32", note, "%note")):
            when = f.get("i64", f.op(f"getelementptr i64, ptr {table}, i32 {_number(f, layout, child.index)}"))
            with f.when(op(f, "icmp sgt i64", when, f.get("i64", most))):
                f.put("i64", when, most)
                f.put("ptr", child.index, chosen)
    f.ret(f"ptr {f.get('ptr', chosen)}")
    return f


# -- a position settled without the certificate ----------------------------------------------


class _Argue:
    """``argue(state, entry, free, end, ply)``: the value of a position, whose entry holds what a position on the path counts as."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.f = Function("internal i32 @argue(ptr %s, ptr %e, ptr %free, ptr %end, ptr noalias %ctl, i32 %ply)")

    def function(self) -> Function:
        f = self.f
        _too_deep(f, f"i32 {_STOPPED}")
        self.after = f.call("ptr", "grow", "ptr %s", "ptr %free", "ptr %end", "ptr %ctl")
        with f.when(op(f, "icmp eq ptr", self.after, "null")):
            f.ret(f"i32 {_STOPPED}")
        with f.when(op(f, "icmp eq ptr", self.after, "%free")):
            self._return("0")
        self.against = op(f, "sub i32", 1, load(f, "answer", "i32"))
        self.has = [f.variable("i1", "false"), f.variable("i1", "false")]
        self._side(0, 0)
        self._side(_MINE, 1)
        others = f.op(f"zext i1 {f.get('i1', self.has[0])} to i32")
        self._return(op(f, "select i1", f.get("i1", self.has[1]), "i32 0", f"i32 {others}"))
        return f

    def _return(self, value: str) -> None:
        self.f.do(f"call void @set(ptr %e, i32 {op(self.f, 'add i32', value, 1)}, ptr %ctl)")
        self.f.ret(f"i32 {value}")

    def _side(self, bit: int, settles: int) -> None:
        """The children of one side: one with the value that settles the position ends it."""
        f = self.f
        with f.each("%free", self.after, self.layout.slot) as child:
            at = f.past(child.index, self.layout.size + 4)
            note = f.get("i32", at)
            ours = op(f, "icmp eq i32", op(f, "and i32", note, _MINE), bit)
            with f.when(ours):
                f.put("i1", "true", self.has[settles])
                value = f.variable("i32", self.against)
                with f.when(op(f, "icmp eq i32", op(f, "and i32", note, _BEYOND), 0)):
                    f.put("i32", f.call("i32", "end", f"ptr {child.index}", "ptr %ctl"), value)
                found = f.get("i32", value)
                with f.when(op(f, "icmp eq i32", found, settles)):
                    self._return(str(settles))
                with f.when(op(f, "icmp ne i32", found, _UNKNOWN)):
                    f.put("i32", op(f, "or i32", note, _DONE), at)
        with f.forever() as loop:
            best, some = f.call("ptr", "pick", "ptr %free", f"ptr {self.after}", f"i32 {bit}", "ptr %ctl"), f.label()
            f.branch(op(f, "icmp eq ptr", best, "null"), loop.done, some)
            f.begin(some)
            f.put("i32", _DONE | bit, f.past(best, self.layout.size + 4))
            value = self._value(best)
            with f.when(op(f, "icmp eq i32", value, settles)):
                f.do(f"call void @credit(ptr {best}, ptr %ctl)")
                self._return(str(settles))

    def _value(self, child: str) -> str:
        """The value of a child that was open; what is no value ends the argument here as well."""
        f = self.f
        hash = f.call("i64", "hash", f"ptr {child}")
        entry = f.call("ptr", "enter", f"ptr {child}", f"i64 {hash}", "ptr %ctl")
        with f.when(op(f, "icmp eq ptr", entry, "null")):
            f.ret(f"i32 {_STOPPED}")
        # It is no end, but it may be known.
        known = f.get("i32", f.past(entry, 8))
        value = f.variable("i32", f.op(f"zext i1 {op(f, 'icmp eq i32', known, _YES)} to i32"))
        with f.when(op(f, "icmp eq i32", known, OPEN)):
            spent, goes_on, end = f.label(), f.label(), f.label()
            f.branch(op(f, "icmp eq i64", more(f, "left", -1), 0), spent, goes_on)
            f.begin(spent)
            f.put("i32", _SPENT, value)
            f.jump(end)
            f.begin(goes_on)
            f.do(f"call void @set(ptr {entry}, i32 {op(f, 'add i32', self.against, 1)}, ptr %ctl)")
            ply = op(f, "add i32", "%ply", 1)
            f.put("i32", f.call("i32", "argue", f"ptr {child}", f"ptr {entry}", f"ptr {self.after}", "ptr %end", "ptr %ctl", f"i32 {ply}"), value)
            f.jump(end)
            f.begin(end)
        found = f.get("i32", value)
        with f.when(op(f, "icmp ugt i32", found, 1)):
            f.do(f"call void @set(ptr %e, i32 {OPEN}, ptr %ctl)")
            f.ret(f"i32 {found}")
        return found


def _too_deep(f: Function, result: str) -> None:
    with f.when(op(f, "icmp sge i32", "%ply", load(f, "deepest", "i32"))):
        f.put("i32", DEEP, "%ctl")
        f.ret(result)


# -- where the certificate leads --------------------------------------------------------------


class _Follow:
    """``follow(state, free, end, control, ply)``: a position that has to have the value claimed, and all that it rests on."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.f = Function("i32 @follow(ptr %s, ptr %free, ptr %end, ptr noalias %ctl, i32 %ply)")

    def function(self) -> Function:
        f = self.f
        _too_deep(f, "i32 1")
        self.winning = op(f, "icmp ne i32", load(f, "answer", "i32"), 0)
        self._ends()
        self.after = f.call("ptr", "grow", "ptr %s", "ptr %free", "ptr %end", "ptr %ctl")
        with f.when(op(f, "icmp eq ptr", self.after, "null")):
            f.ret("i32 1")
        self.entry = f.call("ptr", "enter", "ptr %s", f"i64 {f.call('i64', 'hash', 'ptr %s')}", "ptr %ctl")
        with f.when(op(f, "icmp eq ptr", self.entry, "null")):
            f.ret("i32 1")
        self.count = [f.variable("i32", 0), f.variable("i32", 0)]
        with f.when(op(f, "icmp ne ptr", self.after, "%free")), f.each("%free", self.after, self.layout.slot) as child:
            mine = op(f, "and i32", f.get("i32", f.past(child.index, self.layout.size + 4)), _MINE)
            for bit in (0, 1):
                more = f.op(f"zext i1 {op(f, 'icmp eq i32', mine, bit)} to i32")
                f.put("i32", op(f, "add i32", f.get("i32", self.count[bit]), more), self.count[bit])
        self._stuck()
        self._decide()
        value = op(f, "select i1", self.winning, f"i32 {_PATH}", f"i32 {_NO}")
        f.do(f"call void @set(ptr {self.entry}, i32 {value}, ptr %ctl)")
        self._below()
        with f.when(self.winning):
            f.do(f"call void @set(ptr {self.entry}, i32 {_YES}, ptr %ctl)")
        f.ret("i32 0")
        return f

    def _refuse(self, reason: str) -> None:
        self.f.put("i32", 16 + REFUSED.index(reason), "%ctl")
        self.f.ret("i32 1")

    def _ends(self) -> None:
        """Returns where nothing is to be shown, or cannot be."""
        f = self.f
        shown = op(f, "select i1", self.winning, f"i32 {_YES}", f"i32 {_NO}")
        with f.when(op(f, "icmp eq i32", f.call("i32", "known", "ptr %s", "ptr %ctl"), shown)):
            f.ret("i32 0")
        with f.when(f.call("i1", "goal", "ptr %s")):
            with f.when(self.winning):
                f.ret("i32 0")
            self._refuse("reached")
        with f.when(f.call("i1", "ended", "ptr %s", "ptr %ctl")):
            with f.when(self.winning):
                self._refuse("lost")
            f.ret("i32 0")

    def _stuck(self) -> None:
        f = self.f
        none = op(f, "icmp eq ptr", self.after, "%free")
        with f.when(none):
            with f.when(self.winning):
                self._refuse("stuck")
            f.do(f"call void @set(ptr {self.entry}, i32 {_NO}, ptr %ctl)")
            f.ret("i32 0")

    # -- the decision ---------------------------------------------------------------------

    def _decide(self) -> None:
        """Leaves without ``_DONE`` what is to be followed: by the certificate where there is a choice."""
        f = self.f
        others, mine = (f.get("i32", count) for count in self.count)
        both = op(f, "and i1", op(f, "icmp ne i32", others, 0), op(f, "icmp ne i32", mine, 0))
        several = [op(f, "icmp ugt i32", count, 1) for count in (others, mine)]
        needed = op(f, "select i1", self.winning, f"i1 {several[1]}", f"i1 {op(f, 'or i1', both, several[0])}")
        chosen, least = f.variable("i64", 0), op(f, "select i1", op(f, "xor i1", self.winning, "true"), f"i1 {both}", "i1 false")
        with f.when(needed):
            self._try()
            choice = self._read()
            most = f.op(f"zext i32 {op(f, 'select i1', self.winning, f'i32 {mine}', f'i32 {others}')} to i64")
            lower = f.op(f"sext i1 {least} to i64")
            inside = op(f, "and i1", op(f, "icmp sge i64", choice, lower), op(f, "icmp slt i64", choice, most))
            with f.when(op(f, "xor i1", inside, "true")):
                self._refuse("missing")
            f.put("i64", choice, chosen)
        self._keep(f.get("i64", chosen), op(f, "icmp ne i32", others, 0), needed)

    def _try(self) -> None:
        """Ends where so many positions as may be tried settle this one."""
        f = self.f
        open_ = op(f, "icmp eq i32", f.get("i32", f.past(self.entry, 8)), OPEN)
        tried = load(f, "tried")
        with f.when(op(f, "and i1", open_, op(f, "icmp ne i64", tried, 0))):
            store(f, "left", tried)
            answer = load(f, "answer", "i32")
            f.do(f"call void @set(ptr {self.entry}, i32 {op(f, 'sub i32', 2, answer)}, ptr %ctl)")
            value = f.call("i32", "argue", "ptr %s", f"ptr {self.entry}", f"ptr {self.after}", "ptr %end", "ptr %ctl", "i32 %ply")
            with f.when(op(f, "icmp eq i32", value, _STOPPED)):
                f.ret("i32 1")
            with f.when(op(f, "icmp eq i32", value, answer)):
                f.ret("i32 0")

    def _read(self) -> str:
        """The next decision: of the caller where it makes them, else of the list."""
        f = self.f
        decide, chosen = load(f, "decide", "ptr"), f.variable("i64", 0)
        asked, listed, end = f.label(), f.label(), f.label()
        f.branch(op(f, "icmp ne ptr", decide, "null"), asked, listed)
        f.begin(asked)
        f.put("i64", f.op(f"call i64 {decide}(ptr %s)"), chosen)
        f.jump(end)
        f.begin(listed)
        with f.when(op(f, "icmp uge i64", load(f, "read"), load(f, "given"))):
            self._refuse("missing")
        number = load(f, "read")
        f.put("i64", f.get("i64", f.op(f"getelementptr i64, ptr {load(f, 'choices', 'ptr')}, i64 {number}")), chosen)
        f.jump(end)
        f.begin(end)
        return f.get("i64", chosen)

    def _keep(self, chosen: str, others: str, needed: str) -> None:
        """Marks as done what is not followed; credits the move that was chosen."""
        f, side = self.f, f"i32 {_MINE}"
        read = f.op(f"zext i1 {needed} to i64")
        more(f, "read", read)
        # Of a win the moves of the others and the chosen own one, of a "no" the chosen one of the others, or all own ones.
        waits = op(f, "or i1", op(f, "icmp slt i64", chosen, 0), op(f, "xor i1", others, "true"))
        at = f.variable("i64", 0)
        chooses = op(f, "select i1", self.winning, side, "i32 0")
        with f.each("%free", self.after, self.layout.slot) as child:
            note_at = f.past(child.index, self.layout.size + 4)
            note = f.get("i32", note_at)
            choosing = op(f, "icmp eq i32", op(f, "and i32", note, _MINE), chooses)
            number = f.get("i64", at)
            picked = op(f, "and i1", choosing, op(f, "icmp eq i64", number, chosen))
            f.put("i64", op(f, "add i64", number, f.op(f"zext i1 {choosing} to i64")), at)
            with f.when(op(f, "and i1", picked, needed)):
                f.do(f"call void @credit(ptr {child.index}, ptr %ctl)")
            rest = op(f, "xor i1", choosing, "true")
            free = op(f, "select i1", self.winning, f"i1 {rest}", f"i1 {op(f, 'and i1', rest, waits)}")
            kept = op(f, "or i1", picked, free)
            f.put("i32", op(f, "or i32", note, op(f, "select i1", kept, "i32 0", f"i32 {_DONE}")), note_at)

    # -- what it rests on -----------------------------------------------------------------

    def _below(self) -> None:
        f = self.f
        for check in (self._bound, self._circle, self._visit):
            for bit in (0, _MINE):
                with f.each("%free", self.after, self.layout.slot) as child:
                    note = op(f, "and i32", f.get("i32", f.past(child.index, self.layout.size + 4)), _MINE | _DONE)
                    with f.when(op(f, "icmp eq i32", note, bit)):
                        check(child.index)

    def _bound(self, child: str) -> None:
        f = self.f
        beyond = op(f, "and i32", f.get("i32", f.past(child, self.layout.size + 4)), _BEYOND)
        with f.when(op(f, "icmp ne i32", beyond, 0)):
            f.put("i32", BOUND, "%ctl")
            store(f, "move", f.op(f"zext i32 {_number(f, self.layout, child)} to i64"))
            f.ret("i32 1")

    def _circle(self, child: str) -> None:
        f = self.f
        with f.when(op(f, "icmp eq i32", f.call("i32", "known", f"ptr {child}", "ptr %ctl"), _PATH)):
            self._refuse("circle")

    def _visit(self, child: str) -> None:
        f, ply = self.f, op(self.f, "add i32", "%ply", 1)
        stopped = f.call("i32", "follow", f"ptr {child}", f"ptr {self.after}", "ptr %end", "ptr %ctl", f"i32 {ply}")
        with f.when(op(f, "icmp ne i32", stopped, 0)):
            f.ret("i32 1")
