"""Small safe formulas of score sheets: numbers, columns by name, and a few operators and functions; no loops.

The operators are `+ - * /`, `= != < <= > >=` and `and or not`. Yes is 1 and no is 0. The functions are
`if(condition, a, b)`, `floor`, `ceil`, `round`, `previous`, `next`, and `min`, `max` and `sum`. With a single argument,
such as `sum(points)`, the last three take its values in all rounds, or those of several players in
`sum(others(points))` and `sum(team(points))`.
"""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, count, pairwise
from math import ceil, floor
from operator import add, eq, ge, gt, le, lt, mul, ne, neg, not_, sub
from typing import NamedTuple

from vaultkit.budget import Budget, Limit
from vaultkit.games.messages import Seat

MAX_FORMULA_CHARS = 500
MAX_NESTING_DEPTH = 20
MAX_VALUE = Fraction(10**12)
MAX_STEPS = Limit("The formulas take", 500_000, "steps", "Shorten them, or log fewer rounds.")
"""The most operations for all values of one game, which take about a second."""
_TOKEN = re.compile(r"\d{1,9}(?:\.\d{1,6})?(?![\w.])|[a-z][a-z0-9_.]*|<=|>=|!=|[-+*/()=<>,]|(?P<unfit>\S+)", re.ASCII)


_CONDITION_LAST = re.compile(r"(?P<value>.+?)\s+if\s+(?P<condition>.+?)(?:\s+else\s+(?P<other>.+))?", re.IGNORECASE)
"""A formula whose condition stands behind the value, as in `20 if bid = tricks else 0`."""


class FormulaError(ValueError):
    """The reason why a formula cannot be read or evaluated."""


def new_budget() -> Budget:
    """Return the budget of the formulas of one game."""
    return Budget(MAX_STEPS)


@dataclass
class Cells:
    """The values that the formulas of a game use.

    `find` returns the value of a column by its name, seat and round number. `rounds` are the numbers of all rounds.
    `team` returns the seats of a seat's team in a round, that seat included.
    """

    find: Callable[[str, Seat | None, int], Fraction]
    rounds: Sequence[int] = ()
    seats: Sequence[Seat] = (0,)
    team: Callable[[Seat, int], Sequence[Seat]] = lambda seat, _: (seat,)
    budget: Budget = field(default_factory=new_budget)
    aggregates: dict[tuple[int, Seat | None, int], Fraction] = field(default_factory=dict)


class FormulaPlace(NamedTuple):
    """The place where a formula is evaluated: a seat, None for all together, in round `number`, or in the whole game.

    The number of the whole game is 0.
    """

    cells: Cells
    seat: Seat | None = 0
    number: int = 0

    def places_by_round(self) -> "Sequence[FormulaPlace]":
        """Return the place in each round; in a game without rounds, only the current one."""
        return [self._replace(number=round_number) for round_number in self.cells.rounds] or [self]

    def places_by_seat(self, name: str) -> "Sequence[FormulaPlace]":
        """Return the places of the other players if `name` is `others`, else of the seat's team."""
        seat = 0 if self.seat is None else self.seat
        others = (other for other in self.cells.seats if other != seat)
        seats = others if name == "others" else self.cells.team(seat, self.number)
        return [self._replace(seat=other) for other in seats]


_NO_PLACE = FormulaPlace(Cells(lambda *_: Fraction(0)))
"""The place for formulas without columns."""
FormulaFunction = Callable[[FormulaPlace], Fraction]


class ColumnUse(NamedTuple):
    """A use of a column in a formula: in all rounds (`over`), or `shift` rounds later, with -1 for the one before."""

    name: str
    over: bool = False
    shift: int = 0

    @property
    def is_earlier(self) -> bool:
        """Whether only the value of an earlier round is used."""
        return not self.over and self.shift < 0


class Formula(NamedTuple):
    """A parsed formula: the columns that it uses, and the functions whose value depends on the round or the seat."""

    evaluate: FormulaFunction
    uses: frozenset[ColumnUse]
    functions: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(use.name for use in self.uses)

    @property
    def bare(self) -> frozenset[str]:
        """The columns whose value in a single round is used."""
        return frozenset(use.name for use in self.uses if not use.over)

    @property
    def over(self) -> frozenset[str]:
        """The columns whose values in all rounds are used."""
        return frozenset(use.name for use in self.uses if use.over)


@lru_cache(maxsize=1_000)
def read_formula(text: str) -> Formula:
    """Parse a formula. Raises FormulaError with the reason."""
    compiler, tree = _Compiler(), _parse_tree(text)
    node, weight = compiler.compile(tree, ColumnUse("")), _weight(tree)

    def evaluate(place: FormulaPlace) -> Fraction:
        place.cells.budget.spend(weight)
        return node(place)

    return Formula(evaluate, frozenset(compiler.uses), frozenset(compiler.functions))


def _weight(tree: ast.AST) -> int:
    """Return the number of operations in a part of a formula."""
    return sum(1 for _ in ast.walk(tree))


def _parse_tree(text: str) -> ast.expr:
    """Return the syntax tree of a formula, made by Python's own parser. Raises FormulaError."""
    if len(text) > MAX_FORMULA_CHARS:
        raise FormulaError(f"It has {len(text)} signs, and {MAX_FORMULA_CHARS} is the maximum.")
    matches = list(_TOKEN.finditer(" ".join(text.lower().split())))  # other white space becomes a space
    if bad_token := next(filter(None, (match["unfit"] for match in matches)), ""):
        raise FormulaError(f"'{bad_token}' is not allowed in a formula.")
    tokens = [match[0] for match in matches]
    if max(accumulate((token == "(") - (token == ")") for token in tokens), default=0) >= MAX_NESTING_DEPTH:
        raise FormulaError("It is nested too deeply.")
    source = " ".join(_to_python_token(*pair) for pair in pairwise([*tokens, ""]))
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        if match := _CONDITION_LAST.fullmatch(text):
            form = f"if({match['condition']}, {match['value']}, {match['other'] or 0})"
            raise FormulaError(f"A condition comes first: {form}.") from error
        words = source[: (error.offset or MAX_FORMULA_CHARS**2) - 1].split()
        raise FormulaError(_explain_syntax_error(tokens, words)) from error


_DOT = "\u00b7"
"""The character that replaces a dot in names of columns, since a dot has a meaning of its own in Python."""
_ALLOWED_PARTS_MESSAGE = (
    "Between its operators it may have numbers, columns, if(condition, a, b), min(...), max(...), sum(...), floor(a), "
    "ceil(a), round(a), previous(a) and next(a); in the brackets of sum, min or max also others(a) or team(a)."
)
_AGGREGATES: Mapping[str, Callable[[Iterable[Fraction]], Fraction | int]] = {
    "sum": sum, "min": lambda values: min(values, default=0), "max": lambda values: max(values, default=0),
}  # fmt: skip
_ROUNDINGS: Mapping[str, Callable[[Fraction], int]] = {
    "floor": floor, "ceil": ceil, "round": lambda value: (-1 if value < 0 else 1) * floor(abs(value) + Fraction(1, 2)),
}  # fmt: skip
"""The functions that return a whole number; halves are rounded away from zero."""
_SHIFTS = {"previous": -1, "next": 1}
_SEAT_GROUPS = frozenset({"others", "team"})
FORMULA_WORDS = frozenset({"and", "or", "not", "if", *_AGGREGATES})
"""The words that have a meaning in formulas, so that no column can have their names."""
FUNCTION_WORDS = frozenset({*_ROUNDINGS, *_SHIFTS, *_SEAT_GROUPS})
"""The words that are functions before a bracket, and names of columns elsewhere."""
PLACE_NAMES = {"players": "number of players", "round_number": "number of the round"}
"""The names in formulas that are no columns, with their meaning."""


def _check_magnitude(value: Fraction | int) -> Fraction:
    """Return the value as a fraction.

    Raises FormulaError if it is so large that further arithmetic could take for ever.
    """
    if abs(fraction := Fraction(value)) > MAX_VALUE or fraction.denominator > MAX_VALUE:
        raise FormulaError("The numbers grow too large.")
    return fraction


def _divide(dividend: Fraction, divisor: Fraction) -> Fraction:
    if not divisor:
        raise FormulaError("It divides by zero.")
    return dividend / divisor


_OPERATIONS: Mapping[type[ast.AST], Callable[[Fraction, Fraction], Fraction | bool]] = {
    ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: _divide, ast.Eq: eq, ast.NotEq: ne,
    ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge,
}  # fmt: skip


def _to_python_token(token: str, next_token: str) -> str:
    """Return a token in Python's syntax. Columns get the prefix `_`, so that none is a keyword of Python."""
    is_function = token in FORMULA_WORDS or (token in FUNCTION_WORDS and next_token == "(")
    if token[0].isalpha() and not is_function:
        return f"_{token.replace('.', _DOT)}"
    return {"=": "==", "if": "choose"}.get(token) or token.lstrip("0") or "0"


def _explain_syntax_error(tokens: Sequence[str], parsed_tokens: Sequence[str]) -> str:
    """Return the reason why tokens are no formula; `parsed_tokens` are the ones that Python could parse."""
    if tokens.count("(") > tokens.count(")"):
        return "')' is missing at the end."
    remaining_tokens = tokens[len(parsed_tokens) :]
    return f"It cannot be read from '{remaining_tokens[0]}' on." if remaining_tokens else "It ends too soon."


_node_numbers = count()


class _Compiler:
    """A compiler of syntax trees, which collects the columns and functions that it finds."""

    def __init__(self) -> None:
        self.uses: set[ColumnUse] = set()
        self.functions: set[str] = set()

    def compile(self, tree: ast.AST, use: ColumnUse) -> FormulaFunction:
        """Return a function that computes a part of a syntax tree; `use` says in which rounds its columns are taken.

        Raises FormulaError for syntax that formulas do not have.
        """
        match tree:
            case ast.Constant(value=number):
                value = Fraction(str(number))
                return lambda _: value
            case ast.Name(id=name) if name.startswith("_"):
                column = name[1:].replace(_DOT, ".")
                self.uses.add(use._replace(name=column))
                return lambda place: place.cells.find(column, place.seat, place.number)
            case ast.UnaryOp(op=ast.Not() | ast.USub() as operator, operand=part):
                node = self.compile(part, use)
                unary_operation = not_ if isinstance(operator, ast.Not) else neg
                return lambda place: Fraction(unary_operation(node(place)))
            case ast.BoolOp(op=operator, values=parts):
                nodes = [self.compile(part, use) for part in parts]
                all_or_any = all if isinstance(operator, ast.And) else any
                return lambda place: Fraction(all_or_any(node(place) for node in nodes))
            case (
                ast.BinOp(left=left_tree, op=operator, right=right_tree)
                | ast.Compare(left=left_tree, ops=[operator], comparators=[right_tree])
            ):
                left, right = self.compile(left_tree, use), self.compile(right_tree, use)
                operation = _OPERATIONS[type(operator)]
                has_column = any(isinstance(part, ast.Name) and part.id[0] == "_" for part in ast.walk(right_tree))
                if operation is _divide and not has_column:
                    _divide(Fraction(1), right(_NO_PLACE))  # the divisor is constant: raises if it is 0
                return lambda place: _check_magnitude(operation(left(place), right(place)))
            case ast.Call(func=ast.Name(id=name), args=parts) if parts:
                return self._compile_call(name, parts, use)
        raise FormulaError(_ALLOWED_PARTS_MESSAGE)

    def _compile_call(self, name: str, parts: Sequence[ast.expr], use: ColumnUse) -> FormulaFunction:
        """Return a function that computes a call of the function `name`. Raises FormulaError for an unknown one."""
        part = parts[0]
        if name in _AGGREGATES and len(parts) == 1:
            match part:
                case ast.Call(func=ast.Name(id=group), args=[inner]) if group in _SEAT_GROUPS:
                    self.functions.add(group)
                    return self._aggregate(name, inner, use, lambda place: place.places_by_seat(group))
            aggregate = self._aggregate(name, part, ColumnUse("", over=True), FormulaPlace.places_by_round)
            return lambda place: aggregate(place._replace(number=0))  # equal in all rounds
        if name in _SHIFTS and len(parts) == 1:
            if not use.over:
                self.functions.add(name)
            return self._shift(part, use, _SHIFTS[name])
        nodes = [self.compile(part, use) for part in parts]
        if name == "choose" and len(nodes) == 3:
            return lambda place: nodes[1](place) if nodes[0](place) else nodes[2](place)
        if name in _ROUNDINGS and len(nodes) == 1:
            return lambda place: Fraction(_ROUNDINGS[name](nodes[0](place)))
        if name in _AGGREGATES:
            return lambda place: _check_magnitude(_AGGREGATES[name](node(place) for node in nodes))
        raise FormulaError(_ALLOWED_PARTS_MESSAGE)

    def _aggregate(
        self, name: str, tree: ast.expr, use: ColumnUse, places: Callable[[FormulaPlace], Sequence[FormulaPlace]]
    ) -> FormulaFunction:
        """Return a function that aggregates the values of a part in several places; a value is computed once only."""
        node, weight, number = self.compile(tree, use), _weight(tree), next(_node_numbers)

        def aggregate(place: FormulaPlace) -> Fraction:
            cells, key = place.cells, (number, place.seat, place.number)
            if key not in cells.aggregates:
                several = places(place)
                cells.budget.spend(weight * len(several))
                cells.aggregates[key] = _check_magnitude(_AGGREGATES[name](map(node, several)))
            return cells.aggregates[key]

        return aggregate

    def _shift(self, tree: ast.expr, use: ColumnUse, shift: int) -> FormulaFunction:
        """Return a function that computes a part some rounds later; 0 where there is no such round."""
        node = self.compile(tree, use._replace(shift=use.shift + shift))

        def evaluate(place: FormulaPlace) -> Fraction:
            number = place.number + shift
            return node(place._replace(number=number)) if number in place.cells.rounds else Fraction(0)

        return evaluate


_OPERATOR_WORDS = {
    " if ": " if ", " else ": ", else ", " == ": " is ", " != ": " is not ", " < ": " is below ",
    " <= ": " is at most ", " > ": " is above ", " >= ": " is at least ", " and ": " and ", " or ": " or ",
    "not ": "not ", " * ": " × ", " / ": " ÷ ", " - ": " \u2212 ", "-": "\u2212",
    "sum": "sum of ", "min": "lowest of ", "max": "highest of ", "others": "the others' ", "team": "the team's ",
    "previous": "previous ", "next": "next ", "floor": "rounded down ", "ceil": "rounded up ", "round": "rounded ",
}  # fmt: skip
"""Python's operators, and the functions, in words."""
_FUNCTION_PATTERN = "|".join(sorted({*_AGGREGATES, *FUNCTION_WORDS}))
_SINGLE_ARGUMENT = re.compile(rf"\b({_FUNCTION_PATTERN})\(((?:{_FUNCTION_PATTERN})*_[^\W_]\w*)\)")
_ENGLISH_WORDS = re.compile(r"[a-z].*[a-z']")
_OPERATOR_OR_COLUMN = re.compile(rf"_[\w{_DOT}]+|{'|'.join(map(re.escape, _OPERATOR_WORDS))}")


class _ConditionTransformer(ast.NodeTransformer):
    """A transformer of calls `choose(condition, a, b)` into expressions `a if condition else b`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.IfExp(*node.args) if ast.unparse(node.func) == "choose" else node


def formula_text(text: str, titles: Mapping[str, str], words: Callable[[str], str] = str) -> str:
    """Return a formula in words, with the `titles` of its columns: `2 × Geese`, `5 if Won, else sum of Points`.

    `words` returns the text to write for an English one, such as `sum of`.
    """
    source, simpler_source = "", ast.unparse(_ConditionTransformer().visit(_parse_tree(text)))
    while source != simpler_source:
        source, simpler_source = simpler_source, _SINGLE_ARGUMENT.sub(r"\1\2", simpler_source)
    names = {**{name: words(meaning) for name, meaning in PLACE_NAMES.items()}, **titles}

    def replace(piece: re.Match[str]) -> str:
        if not (english := _OPERATOR_WORDS.get(piece[0])):
            return names[piece[0][1:].replace(_DOT, ".")]
        return _ENGLISH_WORDS.sub(lambda part: words(part[0]), english)

    return _OPERATOR_OR_COLUMN.sub(replace, source)
