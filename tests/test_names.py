"""What `scripts/names.py` counts as a name or a docstring that has to be decoded."""

import ast

import pytest

from scripts import names


def found(find: object, code: str) -> list[str]:
    return [text for _, text in find(ast.parse(code))]  # type: ignore[operator]


@pytest.mark.parametrize(
    "code", ["AGAIN = 3.0", "MOST = 12", "_HURRY: float = 0.3", "class A:\n    LIMIT = 4 * 2", "MOST_CARDS = 5"]
)
def test_a_number_without_a_unit_is_listed(code: str) -> None:
    assert found(names.find_constants, code)


@pytest.mark.parametrize(
    "code", ["HEADER_TIMEOUT_SECONDS = 3", "MAX_CARDS = 5", "DPI = 300", "DC_12 = 1", "NAME = 'x'", "ON = True"]
)
def test_number_with_its_unit_is_not_listed(code: str) -> None:
    assert not found(names.find_constants, code)


@pytest.mark.parametrize("name", ["told", "_among", "of", "plain", "checked"])
def test_function_not_named_by_a_verb_or_a_noun_is_listed(name: str) -> None:
    assert found(names.find_functions, f"def {name}(): ...") == [name]


@pytest.mark.parametrize("name", ["find_card", "title", "reading", "need", "__enter__"])
def test_function_named_by_a_verb_or_a_noun_is_not_listed(name: str) -> None:
    assert not found(names.find_functions, f"def {name}(): ...")


def test_a_property_may_be_named_by_an_adjective() -> None:
    assert not found(names.find_functions, "class A:\n    @property\n    def hidden(self): ...")


@pytest.mark.parametrize(
    "text", ["The card.", "Whether it fits.", "Return the same for a deck.", "Return what is left."]
)
def test_unclear_docstring_is_listed(text: str) -> None:
    assert found(names.find_docstrings, f"def f():\n    '''{text}'''")


@pytest.mark.parametrize("text", ["Return the card.", "DC-12: Raise an error for a lower card.", "Yield each link."])
def test_self_contained_docstring_is_not_listed(text: str) -> None:
    assert not found(names.find_docstrings, f"def f():\n    '''{text}'''")


def test_locals_count_once_for_each_function() -> None:
    assert found(names.find_locals, "def f(told):\n    found = told\n    found = 2\n    note = found") == [
        "f: found",
        "f: told",
    ]
