"""Small safe formulas of score sheets: numbers, columns by name, and a handful of signs; no text, no calls, no end.

`+ - * /`, `= != < <= > >=`, `and or not`, `min max sum`, `if(condition, a, b)`. Yes is 1 and no is 0.
`sum(points)` with one thing in it runs over the rounds, and so do `min` and `max`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import NamedTuple, Protocol

LONGEST = 500
DEEPEST = 20
LARGEST = Fraction(10**12)
_TOKEN = re.compile(r"\s*(?:(\d{1,9}(?:\.\d{1,6})?)(?![\w.])|([a-z][a-z0-9_.]*)|(<=|>=|!=|[-+*/()=<>,]))", re.ASCII)


class FormulaError(ValueError):
    """A formula that cannot be read or reckoned, and why."""


class Values(Protocol):
    """Where a formula looks up its columns: in one round, or in the whole game; here there are none."""

    def of(self, name: str) -> Fraction:
        """The value of a column."""
        raise FormulaError(f"There is no '{name}'.")

    def rounds(self) -> "Sequence[Values]":
        """Every round by itself."""
        return (self,)


class _Nothing(Values):
    """No columns and no rounds: what a number says by itself."""


Node = Callable[[Values], Fraction]


class Formula(NamedTuple):
    """A formula that was read. `bare` are the columns of one round, or of the whole; `over` run over the rounds."""

    reckon: Node
    bare: frozenset[str]
    over: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return self.bare | self.over


@lru_cache(maxsize=1_000)
def read_formula(text: str) -> Formula:
    """The formula that `text` writes. Raises FormulaError with the reason."""
    if len(text) > LONGEST:
        raise FormulaError(f"It has {len(text)} signs, and {LONGEST} is the most.")
    reader = _Reader(list(_tokens(text.lower())))
    node = reader.value()
    if reader.tokens:
        raise FormulaError(f"'{reader.tokens[0]}' stands where the formula should end.")
    return Formula(node, frozenset(reader.bare), frozenset(reader.over))


def _tokens(text: str) -> Iterator[str]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if not found:
            raise FormulaError(f"'{text[at:].split(maxsplit=1)[0]}' cannot stand in a formula.")
        yield found[0].strip()
        at = found.end()


def _bounded(value: Fraction | int) -> Fraction:
    """The value, unless formulas upon formulas have made it so large that reckoning would take for ever."""
    found = Fraction(value)
    if abs(found) > LARGEST or found.denominator > LARGEST:
        raise FormulaError("The numbers grow too large.")
    return found


def _quotient(above: Fraction, below: Fraction) -> Fraction:
    if not below:
        raise FormulaError("It divides by zero.")
    return above / below


def _both(join: Callable[[Fraction, Fraction], Fraction | bool]) -> Callable[[Node, Node], Node]:
    """A sign that looks at both its sides, as `and` and `or` do not."""
    return lambda left, right: lambda values: _bounded(join(left(values), right(values)))


class _Level(NamedTuple):
    """Signs that bind equally tight: those between two values, and a `prefix` before one of them or all."""

    between: Mapping[str, Callable[[Node, Node], Node]]
    prefix: str = ""
    turned: Callable[[Node], Node] = lambda node: node
    once: bool = False


_LEVELS = (
    _Level({"or": lambda left, right: lambda values: Fraction(bool(left(values) or right(values)))}),
    _Level({"and": lambda left, right: lambda values: Fraction(bool(left(values) and right(values)))}),
    _Level(
        {sign: _both(join) for sign, join in {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}.items()},
        *("not", lambda node: lambda values: Fraction(not node(values)), True),
    ),
    _Level({"+": _both(add), "-": _both(sub)}),
    _Level({"*": _both(mul), "/": _both(_quotient)}),
    _Level({}, "-", lambda node: lambda values: -node(values)),
)
"""From the loosest to the tightest."""
_AGGREGATES: Mapping[str, Callable[[Iterable[Fraction]], Fraction | int]] = {"min": min, "max": max, "sum": sum}
WORDS = frozenset({"and", "or", "not", "if", *_AGGREGATES})
"""Words that no column can be called."""


class _Reader:
    """Reads tokens from left to right. `bare` and `over` are the columns so far, as often as they are named."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.depth = tokens, 0
        self.bare: list[str] = []
        self.over: list[str] = []

    def value(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormulaError("It is nested too deeply.")
        node = self._joined(0)
        self.depth -= 1
        return node

    def _take(self, *accepted: str) -> str:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in accepted else ""

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise FormulaError(f"'{sign}' is missing{f' before {self.tokens[0]!r}' if self.tokens else ' at the end'}.")

    def _joined(self, place: int) -> Node:
        """The terms that the signs of one level join, from left to right."""
        if place == len(_LEVELS):
            return self._single()
        level, prefixes = _LEVELS[place], 0
        while self._take(level.prefix):
            prefixes += 1
        node = self._joined(place + 1)
        while sign := self._take(*level.between):
            named = len(self.bare) + len(self.over)
            other = self._joined(place + 1)
            if sign == "/" and named == len(self.bare) + len(self.over):
                _quotient(Fraction(1), other(_Nothing()))  # always zero, whatever the columns are
            node = level.between[sign](node, other)
            if level.once:
                break
        for _ in range(min(prefixes, 2 - prefixes % 2)):  # two undo each other, yet `not not 5` is 1
            node = level.turned(node)
        return node

    def _single(self) -> Node:
        if not self.tokens:
            raise FormulaError("It ends too soon.")
        token = self.tokens.pop(0)
        if token == "(":
            node = self.value()
            self._expect(")")
            return node
        if token[0].isdigit():
            number = Fraction(token)
            return lambda _: number
        if token == "if" or token in _AGGREGATES:
            return self._called(token)
        if not token[0].isalpha() or token in WORDS:
            raise FormulaError(f"'{token}' stands where a number or a column belongs.")
        if self.tokens[:1] == ["("]:
            raise FormulaError(f"There is no '{token}(...)'; there are: if, min, max and sum.")
        self.bare.append(token)
        return lambda values: values.of(token)

    def _called(self, name: str) -> Node:
        """The value of `if(...)`, `min(...)` and their like."""
        named, nodes = len(self.bare), self._listed()
        if name != "if" and len(nodes) == 1:
            self.over += self.bare[named:]
            del self.bare[named:]
            return lambda values: _bounded(_AGGREGATES[name](nodes[0](one) for one in values.rounds()))
        if name != "if":
            return lambda values: _bounded(_AGGREGATES[name](node(values) for node in nodes))
        if len(nodes) != 3:
            raise FormulaError("'if' takes a condition and two values: if(condition, a, b).")
        condition, chosen, other = nodes
        return lambda values: chosen(values) if condition(values) else other(values)

    def _listed(self) -> list[Node]:
        self._expect("(")
        nodes = [self.value()]
        while self._take(","):
            nodes.append(self.value())
        self._expect(")")
        return nodes
