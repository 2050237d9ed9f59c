"""Small safe formulas of score sheets: numbers, columns by name, and a handful of signs; no text, no calls, no end.

`+ - * /`, `= != < <= > >=`, `and or not`, `min max sum`, `if(condition, a, b)`. Yes is 1 and no is 0.
`sum(points)` with one thing in it runs over the rounds, and so do `min` and `max`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Protocol

LONGEST = 500
DEEPEST = 20
LARGEST = Fraction(10**12)
_TOKEN = re.compile(r"\s*(?:(\d{1,9}(?:\.\d{1,6})?)(?![\w.])|([a-z][a-z0-9_.]*)|(<=|>=|!=|[-+*/()=<>,]))", re.ASCII)
_COMPARED: dict[str, Callable[[Fraction, Fraction], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_SIGNS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {"+": add, "-": sub, "*": mul}
_AGGREGATES: dict[str, Callable[[Iterable[Fraction]], Fraction]] = {
    "min": min, "max": max, "sum": lambda values: sum(values, Fraction(0))
}  # fmt: skip
WORDS = frozenset({"and", "or", "not", "if", *_AGGREGATES})
"""Words that no column can be called."""


class FormulaError(ValueError):
    """A formula that cannot be read or reckoned, and why."""


class Values(Protocol):
    """Where a formula looks up its columns: in one round, or in the whole game."""

    def of(self, name: str) -> Fraction:
        """The value of a column."""

    def rounds(self) -> "Sequence[Values]":
        """Every round by itself."""


Node = Callable[[Values], Fraction]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that was read. `bare` are the columns of one round, or of the whole; `over` run over the rounds."""

    text: str
    reckon: Node = field(compare=False)
    bare: frozenset[str]
    over: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return self.bare | self.over


def read_formula(text: str) -> Formula:
    """The formula that `text` writes. Raises FormulaError with the reason."""
    if len(text) > LONGEST:
        raise FormulaError(f"It has {len(text)} signs, and {LONGEST} is the most.")
    reader = _Reader(list(_tokens(text.lower())))
    node = reader.whole()
    return Formula(text, node, frozenset(reader.bare), frozenset(reader.over))


def _tokens(text: str) -> Iterator[str]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if not found:
            raise FormulaError(f"'{text[at:].split(maxsplit=1)[0]}' cannot stand in a formula.")
        yield found[0].strip()
        at = found.end()


class _Reader:
    """Reads tokens from left to right, each method one level of what binds tighter."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.depth = tokens, 0
        self.bare: set[str] = set()
        self.over: set[str] = set()

    def whole(self) -> Node:
        node = self._either()
        if self.tokens:
            raise FormulaError(f"'{self.tokens[0]}' stands where the formula should end.")
        return node

    def _take(self, *accepted: str) -> str:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in accepted else ""

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise FormulaError(f"'{sign}' is missing{f' before {self.tokens[0]!r}' if self.tokens else ' at the end'}.")

    def _either(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormulaError("It is nested too deeply.")
        node = self._both()
        while self._take("or"):
            node = _any_of(node, self._both())
        self.depth -= 1
        return node

    def _both(self) -> Node:
        node = self._denied()
        while self._take("and"):
            node = _all_of(node, self._denied())
        return node

    def _denied(self) -> Node:
        times = 0
        while self._take("not"):
            times += 1
        node = self._compared()
        return (lambda values: Fraction(bool(node(values)) is not bool(times % 2))) if times else node

    def _compared(self) -> Node:
        left = self._sum()
        if sign := self._take(*_COMPARED):
            right, holds = self._sum(), _COMPARED[sign]
            return lambda values: Fraction(holds(left(values), right(values)))
        return left

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._take("+", "-"):
            node = _joined(_SIGNS[sign], node, self._product())
        return node

    def _product(self) -> Node:
        node = self._signed()
        while sign := self._take("*", "/"):
            node = _joined(mul, node, self._signed()) if sign == "*" else self._divided(node)
        return node

    def _divided(self, above: Node) -> Node:
        known = len(self.bare) + len(self.over)
        below = self._signed()
        if known == len(self.bare) + len(self.over):
            _refuse_zero(below)
        return lambda values: _quotient(above(values), below(values))

    def _signed(self) -> Node:
        minus = False
        while self._take("-"):
            minus = not minus
        node = self._single()
        return (lambda values: -node(values)) if minus else node

    def _single(self) -> Node:
        if not self.tokens:
            raise FormulaError("It ends too soon.")
        token = self.tokens.pop(0)
        if token == "(":
            node = self._either()
            self._expect(")")
            return node
        if token[0].isdigit():
            number = Fraction(token)
            return lambda _: number
        if token == "if":
            return self._choice()
        if token in _AGGREGATES:
            return self._aggregate(token)
        if not token[0].isalpha() or token in WORDS:
            raise FormulaError(f"'{token}' stands where a number or a column belongs.")
        if self.tokens and self.tokens[0] == "(":
            raise FormulaError(f"There is no '{token}(...)'; there are: if, min, max and sum.")
        self.bare.add(token)
        return lambda values: values.of(token)

    def _listed(self) -> list[Node]:
        self._expect("(")
        nodes = [self._either()]
        while self._take(","):
            nodes.append(self._either())
        self._expect(")")
        return nodes

    def _choice(self) -> Node:
        nodes = self._listed()
        if len(nodes) != 3:
            raise FormulaError("'if' takes a condition and two values: if(condition, a, b).")
        condition, chosen, other = nodes
        return lambda values: chosen(values) if condition(values) else other(values)

    def _aggregate(self, name: str) -> Node:
        before, self.bare = self.bare, set()
        nodes, join = self._listed(), _AGGREGATES[name]
        if len(nodes) > 1:
            self.bare |= before
            return lambda values: _bounded(join(node(values) for node in nodes))
        self.over |= self.bare
        self.bare = before
        return lambda values: _bounded(join(nodes[0](one) for one in values.rounds()))


def _any_of(left: Node, right: Node) -> Node:
    return lambda values: Fraction(bool(left(values) or right(values)))


def _all_of(left: Node, right: Node) -> Node:
    return lambda values: Fraction(bool(left(values) and right(values)))


def _joined(sign: Callable[[Fraction, Fraction], Fraction], left: Node, right: Node) -> Node:
    return lambda values: _bounded(sign(left(values), right(values)))


def _quotient(above: Fraction, below: Fraction) -> Fraction:
    if not below:
        raise FormulaError("It divides by zero.")
    return _bounded(above / below)


def _bounded(value: Fraction) -> Fraction:
    """The value, unless formulas upon formulas have made it so large that reckoning would take for ever."""
    if abs(value) > LARGEST or value.denominator > LARGEST:
        raise FormulaError("The numbers grow too large.")
    return value


class _Nothing:
    """No columns and no rounds: what a number says by itself."""

    def of(self, name: str) -> Fraction:
        raise FormulaError(f"There is no '{name}'.")

    def rounds(self) -> Sequence[Values]:
        return (self,)


def _refuse_zero(below: Node) -> None:
    """Raises FormulaError where something is divided by what is always zero."""
    _quotient(Fraction(1), below(_Nothing()))
