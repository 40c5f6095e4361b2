"""The rule language: expressions, fields, actions, triggers, chance, goals and norms as data.

Imports the standard library only, loads in milliseconds, and knows neither a solver nor
a game. Everything in the project may import it.
"""

from monjudge.model.language.check import RuleSetError
from monjudge.model.language.evaluate import evaluate
from monjudge.model.language.expr import (
    FALSE,
    TRUE,
    Expr,
    ExpressionError,
    add,
    as_int,
    bind,
    both,
    children,
    const,
    either,
    eq,
    field,
    ite,
    le,
    lift,
    lookup,
    lt,
    maximum,
    member,
    minimum,
    mul,
    negate,
    rebuild,
    substitute,
    var,
    walk,
)
from monjudge.model.language.family import Domain, Family, Table
from monjudge.model.language.game import ActionBuilder, Cells, Game, each, gain, primed, put, reads
from monjudge.model.language.parse import parse_expr
from monjudge.model.language.quantify import (
    all_of,
    any_of,
    at_least,
    count_of,
    max_of,
    min_of,
    sum_of,
    tabulate,
)
from monjudge.model.language.rules import (
    ME,
    NATURE,
    Action,
    Clause,
    Effect,
    Goal,
    Hopeless,
    LimitReached,
    Measure,
    Monotone,
    Move,
    Norm,
    Param,
    Pieces,
    Restless,
    RuleSet,
    Simultaneous,
    State,
    Switch,
    Symmetry,
    Trigger,
    TurnStructure,
)
from monjudge.model.language.shapes import Multiset, Optional, Stack
from monjudge.model.language.text import Scope, print_expr
from monjudge.model.language.tokens import TextError

__all__ = [
    "FALSE", "ME", "NATURE", "TRUE", "Action", "ActionBuilder", "Cells", "Clause", "Domain", "Effect", "Expr",
    "ExpressionError", "Family", "Game", "Goal", "Hopeless", "LimitReached", "Measure", "Monotone", "Move", "Multiset", "Norm",
    "Optional", "Param", "Pieces", "Restless", "RuleSet", "RuleSetError", "Scope", "Simultaneous", "Stack", "State", "Switch",
    "Symmetry", "Table", "TextError", "Trigger", "TurnStructure", "add", "all_of", "any_of", "as_int", "at_least",
    "bind", "both", "children", "const", "count_of", "each", "either", "eq", "evaluate", "field", "gain", "ite",
    "le", "lift", "lookup", "lt", "max_of", "maximum", "member", "min_of", "minimum", "mul", "negate",
    "parse_expr", "primed", "print_expr", "put", "reads", "rebuild", "substitute", "sum_of", "tabulate", "var",
    "walk",
]  # fmt: skip
