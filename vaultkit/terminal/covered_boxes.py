"""Boxes of a filled score sheet over which something was drawn: whoever is there says what the page shows."""

from collections.abc import Callable, Sequence

from vaultkit.campaign.scoresheets.input_formats import CoveredBox

MAX_SINGLE_QUESTION_COUNT = 12
_YES, _NO = frozenset(("y", "yes")), frozenset(("n", "no"))


def ask_covered(covered: Sequence[CoveredBox], ask: Callable[[str], str]) -> dict[str, str]:
    """Return what the covered boxes show, by the names of their fields, as a person reads it off the page.

    Of very many boxes it is asked at once whether their fields are right.
    """
    if len(covered) > MAX_SINGLE_QUESTION_COUNT and _are_fields_right(covered, ask):
        return {box.field: box.text for box in covered}
    return {box.field: _ask_text(box, ask) for box in covered}


def _are_fields_right(covered: Sequence[CoveredBox], ask: Callable[[str], str]) -> bool:
    answer = "?"
    while answer.casefold() not in _YES | _NO:
        answer = ask(
            f"Something covers {len(covered)} boxes of this sheet, such as: {covered[0].sentence} "
            "Are the fields below right, all of them (y or n)? "
        ).strip()
    return answer.casefold() in _YES


def _ask_text(box: CoveredBox, ask: Callable[[str], str]) -> str:
    default_hint = f"Enter for '{box.text}', - for an empty box" if box.text else "Enter for an empty box"
    answer = ask(f"{box.sentence} What does the page show ({default_hint})? ").strip()
    return box.text if not answer else "" if not answer.strip("-") else answer
