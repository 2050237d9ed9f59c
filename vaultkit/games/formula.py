"""Small safe formulas of score sheets: numbers, columns by name, and a few operators and functions; no loops.

The operators are `+ - * /`, `= != < <= > >=` and `and or not`, the functions `min`, `max`, `sum` and
`if(condition, a, b)`. Yes is 1 and no is 0. `sum`, `min` and `max` with a single argument, such as `sum(points)`, take
its values in all rounds.
"""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from operator import add, eq, ge, gt, le, lt, mul, ne, neg, not_, sub
from typing import NamedTuple

MAX_FORMULA_CHARS = 500
MAX_NESTING_DEPTH = 20
MAX_VALUE = Fraction(10**12)
_TOKEN = re.compile(r"\d{1,9}(?:\.\d{1,6})?(?![\w.])|[a-z][a-z0-9_.]*|<=|>=|!=|[-+*/()=<>,]|(?P<unfit>\S+)", re.ASCII)


class FormulaError(ValueError):
    """The reason why a formula cannot be read or evaluated."""


class CellReference(NamedTuple):
    """The place where a formula is evaluated: round `number`, or the whole game if that is 0.

    `find` returns the value of a column by its name and round number. `rounds` are the numbers of all rounds.
    """

    find: Callable[[str, int], Fraction]
    number: int = 0
    rounds: Sequence[int] = ()

    def places_by_round(self) -> "Sequence[CellReference]":
        """Return a reference to each round; in a game without rounds, only the current one."""
        return [self._replace(number=round_number) for round_number in self.rounds] or [self]


_NO_CELL = CellReference(lambda *_: Fraction(0))
"""The place for formulas without columns."""
FormulaFunction = Callable[[CellReference], Fraction]


class Formula(NamedTuple):
    """A parsed formula. `bare` are the columns used by themselves, `over` those of which it takes all rounds."""

    evaluate: FormulaFunction
    bare: frozenset[str]
    over: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return self.bare | self.over


@lru_cache(maxsize=1_000)
def read_formula(text: str) -> Formula:
    """Parse a formula. Raises FormulaError with the reason."""
    columns: list[tuple[str, bool]] = []
    node = _compile_node(_parse_tree(text), False, columns)
    return Formula(node, *(frozenset(name for name, over in columns if over == many) for many in (False, True)))


def _parse_tree(text: str) -> ast.expr:
    """Return the syntax tree of a formula, made by Python's own parser. Raises FormulaError."""
    if len(text) > MAX_FORMULA_CHARS:
        raise FormulaError(f"It has {len(text)} signs, and {MAX_FORMULA_CHARS} is the most.")
    matches = list(_TOKEN.finditer(" ".join(text.lower().split())))  # other white space becomes a space
    if bad_token := next(filter(None, (match["unfit"] for match in matches)), ""):
        raise FormulaError(f"'{bad_token}' cannot stand in a formula.")
    tokens = [match[0] for match in matches]
    if max(accumulate((token == "(") - (token == ")") for token in tokens), default=0) >= MAX_NESTING_DEPTH:
        raise FormulaError("It is nested too deeply.")
    source = " ".join(map(_to_python_token, tokens))
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        words = source[: (error.offset or MAX_FORMULA_CHARS**2) - 1].split()
        raise FormulaError(_explain_syntax_error(tokens, words)) from error


_DOT = "\u00b7"
"""The character that replaces a dot in names of columns, since a dot has a meaning of its own in Python."""
_ALLOWED_PARTS_MESSAGE = (
    "Between its signs it may have numbers, columns, if(condition, a, b), min(...), max(...) and sum(...) alone."
)
_AGGREGATES: Mapping[str, Callable[[Iterable[Fraction]], Fraction | int]] = {"min": min, "max": max, "sum": sum}
FORMULA_WORDS = frozenset({"and", "or", "not", "if", *_AGGREGATES})
"""The words that have a meaning in formulas, so that no column can have their names."""


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


def _to_python_token(token: str) -> str:
    """Return a token in Python's syntax. Columns get the prefix `_`, so that none is a keyword of Python."""
    if token[0].isalpha() and token not in FORMULA_WORDS:
        return f"_{token.replace('.', _DOT)}"
    return {"=": "==", "if": "choose"}.get(token) or token.lstrip("0") or "0"


def _explain_syntax_error(tokens: Sequence[str], parsed_tokens: Sequence[str]) -> str:
    """Return the reason why tokens are no formula; `parsed_tokens` are the ones that Python could parse."""
    if tokens.count("(") > tokens.count(")"):
        return "')' is missing at the end."
    remaining_tokens = tokens[len(parsed_tokens) :]
    return f"It cannot be read from '{remaining_tokens[0]}' on." if remaining_tokens else "It ends too soon."


def _compile_node(tree: ast.AST, is_over_rounds: bool, columns: list[tuple[str, bool]]) -> FormulaFunction:
    """Return a function that computes a part of a syntax tree, and append the columns in it to `columns`.

    Each column is appended with `is_over_rounds`: whether its values in all rounds are taken. Raises FormulaError for
    syntax that formulas do not have.
    """
    match tree:
        case ast.Constant(value=number):
            value = Fraction(str(number))
            return lambda _: value
        case ast.Name(id=name) if name.startswith("_"):
            column = name[1:].replace(_DOT, ".")
            columns.append((column, is_over_rounds))
            return lambda place: place.find(column, place.number)
        case ast.UnaryOp(op=ast.Not() | ast.USub() as operator, operand=part):
            node = _compile_node(part, is_over_rounds, columns)
            unary_operation = not_ if isinstance(operator, ast.Not) else neg
            return lambda place: Fraction(unary_operation(node(place)))
        case ast.BoolOp(op=operator, values=parts):
            nodes = [_compile_node(part, is_over_rounds, columns) for part in parts]
            all_or_any = all if isinstance(operator, ast.And) else any
            return lambda place: Fraction(all_or_any(node(place) for node in nodes))
        case (
            ast.BinOp(left=left_tree, op=operator, right=right_tree)
            | ast.Compare(left=left_tree, ops=[operator], comparators=[right_tree])
        ):
            left, column_count = _compile_node(left_tree, is_over_rounds, columns), len(columns)
            right, operation = _compile_node(right_tree, is_over_rounds, columns), _OPERATIONS[type(operator)]
            if operation is _divide and len(columns) == column_count:
                _divide(Fraction(1), right(_NO_CELL))  # without columns the divisor is constant: raises if it is 0
            return lambda place: _check_magnitude(operation(left(place), right(place)))
        case ast.Call(func=ast.Name(id=name), args=parts):
            is_over_rounds = is_over_rounds or len(parts) == 1
            return _compile_call(name, [_compile_node(part, is_over_rounds, columns) for part in parts])
    raise FormulaError(_ALLOWED_PARTS_MESSAGE)


def _compile_call(name: str, nodes: Sequence[FormulaFunction]) -> FormulaFunction:
    """Return a function that computes a call of `if`, `min`, `max` or `sum`. Raises FormulaError for others."""
    if name == "choose" and len(nodes) == 3:
        return lambda place: nodes[1](place) if nodes[0](place) else nodes[2](place)
    if name not in _AGGREGATES or not nodes:
        raise FormulaError(_ALLOWED_PARTS_MESSAGE)
    aggregate = _AGGREGATES[name]
    if len(nodes) == 1:
        return lambda place: _check_magnitude(aggregate(map(nodes[0], place.places_by_round())))
    return lambda place: _check_magnitude(aggregate(node(place) for node in nodes))


_OPERATOR_WORDS = {
    " else ": ", else ", " == ": " is ", " != ": " is not ", " < ": " is below ", " <= ": " is at most ",
    " > ": " is above ", " >= ": " is at least ", " * ": " × ", " / ": " ÷ ", " - ": " \u2212 ", "-": "\u2212",
    "sum": "sum of ", "min": "lowest of ", "max": "highest of ",
}  # fmt: skip
"""Python's operators in words."""
_OPERATOR_OR_COLUMN = re.compile(rf"_[\w{_DOT}]+|{'|'.join(map(re.escape, _OPERATOR_WORDS))}")


class _ConditionTransformer(ast.NodeTransformer):
    """A transformer of calls `choose(condition, a, b)` into expressions `a if condition else b`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.IfExp(*node.args) if ast.unparse(node.func) == "choose" else node


def formula_text(text: str, titles: Mapping[str, str]) -> str:
    """Return a formula in words, with the `titles` of its columns: `2 × Geese`, `5 if Won, else sum of Points`."""
    expression = ast.unparse(_ConditionTransformer().visit(_parse_tree(text)))
    source = re.sub(r"(sum|min|max)\((_[^\W_]\w*)\)", r"\1\2", expression)
    return _OPERATOR_OR_COLUMN.sub(
        lambda piece: _OPERATOR_WORDS.get(piece[0]) or titles[piece[0][1:].replace(_DOT, ".")], source
    )
