"""`make test` runs the cases of a simple test together, reports each that failed, and names no slow test."""

import pytest

from tests.collecting import cases_of, names_of_tests, together


def parametrized(*values: object) -> list[pytest.Mark]:
    return [pytest.mark.parametrize("number", values).mark]


def refuse_even(number: int) -> None:
    assert number % 2


def test_each_failed_case_is_reported_with_its_values() -> None:
    together(refuse_even, cases_of(refuse_even, parametrized(1, 3)))()
    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases failed") as caught:
        together(refuse_even, cases_of(refuse_even, parametrized(2, 3, 4)))()
    assert [error.__notes__ for error in caught.value.exceptions] == [["case: {'number': 2}"], ["case: {'number': 4}"]]


def test_two_parameters_give_all_pairs_and_a_fixture_or_a_marked_case_none() -> None:
    def multiply(number: int, other: int) -> None: ...

    def need_folder(number: int, tmp_path: object) -> None: ...

    other = pytest.mark.parametrize("other", [5, 6]).mark
    assert [tuple(case.values()) for case in cases_of(multiply, [*parametrized(1, 2), other])] == [
        (1, 5), (1, 6), (2, 5), (2, 6)
    ]  # fmt: skip
    assert cases_of(need_folder, parametrized(1, 2)) == cases_of(refuse_even, []) == []
    assert cases_of(refuse_even, parametrized(1, pytest.param(2, marks=pytest.mark.slow))) == []


def test_test_is_skipped_only_if_each_case_is() -> None:
    def skip_even(number: int) -> None:
        if not number % 2:
            pytest.skip("even")

    together(skip_even, cases_of(skip_even, parametrized(1, 2)))()
    with pytest.raises(pytest.skip.Exception, match="even"):
        together(skip_even, cases_of(skip_even, parametrized(2, 4)))()


def test_slow_tests_are_not_among_the_names_of_short_ones() -> None:
    text = "import x\n\n\n@pytest.mark.slow\ndef test_a() -> None: ...\n\n\ndef test_b() -> None: ...\n"
    assert (names_of_tests(text, quick=False), names_of_tests(text, quick=True)) == (["test_a", "test_b"], ["test_b"])
    assert names_of_tests(f"pytestmark = [pytest.mark.slow]\n{text}", quick=True) == []
