"""Formulas of score sheets: their values, what they refuse, and that they always end."""

import ast
import contextlib
import operator
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.games.formula import (
    MAX_FORMULA_CHARS,
    MAX_NESTING_DEPTH,
    Cells,
    FormulaError,
    FormulaPlace,
    formula_text,
    read_formula,
)


def evaluate_first(text: str, **columns: list[int]) -> Fraction:
    """Return the formula's value in the first round; each column is a list over the rounds."""
    rounds = range(len(next(iter(columns.values()), [0])))
    cells = Cells(lambda name, _, number: Fraction(columns[name][number]), rounds)
    return read_formula(text).evaluate(FormulaPlace(cells))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 - 2 - 1", 4),
        ("1/2 + 1/2", 1),
        ("-2 * -3", 6),
        ("2.5 * 2", 5),
        ("12 / 2 / 3", 2),
        ("1 < 2", 1),
        ("2 <= 1", 0),
        ("1 = 1 and 2 != 3", 1),
        ("not 1 or 0", 0),
        ("not (1 and 0)", 1),
        ("not not 5", 1),
        ("if(1 > 2, 10, 20)", 20),
        ("min(3, 1, 2)", 1),
        ("max(3, 1, 2)", 3),
        ("sum(3, 1, 2)", 6),
        ("IF(1, 2, 3)", 2),
        ("if(0, 1 / (2 - 2 * a), 4)", 4),
        ("a / a + 6 / (a + 1)", 4),
        ("1 or 0 and 0", 1),
        ("2 + 3 > 4", 1),
        ("round(2.5) - 10 * round(-2.5)", 33),
        ("floor(-2.5) + ceil(-2.5) + round(7 / 3)", -3),
        ("round = 1 and next = 1", 0),
    ],
)
def test_values_of_formulas(text: str, value: int) -> None:
    assert evaluate_first(text, a=[1], round=[1], next=[2]) == value


def test_columns_are_used_by_name_and_over_the_rounds() -> None:
    columns = {"won": [10, 0, -5], "tricks": [1, 2, 3]}
    assert evaluate_first("won * 2 + tricks", **columns) == 21
    assert evaluate_first("sum(won)", **columns) == 5 and evaluate_first("max(won - tricks)", **columns) == 9
    assert evaluate_first("sum(won > 0) + min(tricks)", **columns) == 2
    formula = read_formula("sum(won) + tricks + sum(tricks, bonus)")
    assert (formula.bare, formula.over) == ({"tricks", "bonus"}, {"won"})


TITLES = {"a": "Geese", "b": "Bid", "won": "Won it", "sum_1": "A*B", "swords.total": "Swords", "players": "players"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2*a-3*B", "2 × Geese − 3 × Bid"),
        (
            "if(WON and b>=2,max(2*a,b-10),0)",
            "highest of (2 × Geese, Bid − 10) if Won it and Bid is at least 2, else 0",
        ),
        ("if(won, sum(a), min(a)) - b", "(sum of Geese if Won it, else lowest of Geese) − Bid"),
        ("if(a = 1, 1, if(a != 2, 2, 3))", "1 if Geese is 1, else 2 if Geese is not 2, else 3"),
        ("not (a < 1 or b <= 2) and a > 3", "not (Geese is below 1 or Bid is at most 2) and Geese is above 3"),
        ("-(a + b) * 0.50 / players", "−(Geese + Bid) × 0.5 ÷ players"),
        ("sum(a * b) + sum_1 + swords.total", "sum of (Geese × Bid) + A*B + Swords"),
    ],
)
def test_formula_is_described_in_words_with_the_same_meaning(text: str, words: str) -> None:
    assert formula_text(text, TITLES) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "ends too soon"),
        ("1 +", "ends too soon"),
        ("(1", "')' is missing"),
        ("1 2", "from '2' on"),
        ("1 / 0", "divides by zero"),
        ("1 / (2 - 2)", "divides by zero"),
        ("open(1)", "if(condition, a, b)"),
        ("'a'", "not allowed"),
        ("a[0]", "not allowed"),
        ("a ** 2", "from '*' on"),
        ("__import__", "not allowed"),
        ("if(1, 2)", "if(condition"),
        ("min()", "numbers, columns"),
        ("and", "from 'and' on"),
        ("1 = 1 = 1", "numbers, columns"),
        ("1e9", "not allowed"),
        ("9999999999", "not allowed"),
        ('a = "x"', "not allowed"),
        ("lambda: 1", "not allowed"),
        ("+1", "numbers, columns"),
        ("(1, 2)", "numbers, columns"),
        ("sum(*a)", "numbers, columns"),
        ("1(2)", "numbers, columns"),
        ("sum", "numbers, columns"),
    ],
)
def test_invalid_formulas_are_refused(text: str, words: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(words)):
        read_formula(text)


@pytest.mark.slow
def test_too_long_deep_or_endless_formulas_are_refused() -> None:
    with pytest.raises(FormulaError, match=f"{MAX_FORMULA_CHARS} is the maximum"):
        read_formula("1+" * MAX_FORMULA_CHARS + "1")
    with pytest.raises(FormulaError, match="nested too deeply"):
        read_formula("(" * (MAX_NESTING_DEPTH + 1) + "1" + ")" * (MAX_NESTING_DEPTH + 1))
    assert evaluate_first("-" * 400 + "1") == 1 and evaluate_first("not " * 100 + "1") == 1
    with pytest.raises(FormulaError, match="too large"):
        evaluate_first(" * ".join(["999999999"] * 40))
    with pytest.raises(FormulaError, match="divides by zero"):
        evaluate_first("1 / a", a=[0])


NUMBERS = st.integers(0, 99).map(str)
FORMULAS = st.recursive(
    NUMBERS,
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=8,
)
SIGNS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def by_python(node: ast.expr) -> int:
    if isinstance(node, ast.BinOp):
        return int(SIGNS[type(node.op)](by_python(node.left), by_python(node.right)))  # type: ignore[index]
    assert isinstance(node, ast.Constant) and isinstance(node.value, int)
    return node.value


@pytest.mark.slow
@given(st.lists(st.tuples(NUMBERS, st.sampled_from("+-*")), max_size=8), FORMULAS)
def test_arithmetic_matches_python(parts: list[tuple[str, str]], last: str) -> None:
    text = " ".join(f"{number} {sign}" for number, sign in parts) + " " + last
    try:
        assert evaluate_first(text) == by_python(ast.parse(text.strip(), mode="eval").body)
    except FormulaError as error:
        assert "too large" in str(error) or "deeply" in str(error)


@given(st.text(alphabet="ab01 +-*/()=<>!,.ifminsum'\"[]{}\\\n", max_size=60))
def test_any_words_are_read_or_refused(text: str) -> None:
    with contextlib.suppress(FormulaError, KeyError):
        evaluate_first(text, a=[1, 2], b=[0, 3])
