"""Filled score sheets as input of `vaultkit log`: covered boxes are asked for, and unreadable boxes are reported."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.cli.output import print_error, terminal
from vaultkit.errors import InvalidError

if TYPE_CHECKING:
    from vaultkit.campaign.scoresheets.sheet_merge import FilledSheet
    from vaultkit.campaign.workspace import Workspace


def read_filled_sheet(path: Path, workspace: "Workspace", as_json: bool) -> "FilledSheet":
    """Return the values of a filled score sheet.

    At a terminal, the person is asked for the contents of covered boxes. Raises InvalidError, after printing all
    problems, if boxes cannot be read or are still covered.
    """
    from vaultkit.sheets.filled_sheets import filled_sheet
    from vaultkit.terminal.confirmations import ask_covered, line_asker

    read = partial(filled_sheet.read_filled_sheet, path, workspace.root, workspace.score_sheets)
    filled = read()
    if filled.covered and (ask := line_asker(partial(terminal, stderr=as_json))):
        filled = read(ask_covered(filled.covered, ask))
    covered_texts = [box.sentence for box in filled.covered[:_MAX_BOX_LINES]]
    for sentence in (*(problem.message_with_hint for problem in filled.problems), *covered_texts):
        print_error(f"{path}: {sentence}")
    if filled.problems:
        message = f"{_count_boxes(filled.problems)} of this sheet cannot be read. Nothing was written."
        hint = "Correct the boxes listed above, save the sheet, and try again."
        raise InvalidError(message, where=str(path), hint=hint)
    if filled.covered:
        message = f"Something covers {_count_boxes(filled.covered).lower()} of this sheet. Nothing was written."
        hint = "At a terminal you are asked what the page shows. Else give the scores with --score, or type them "
        hint += "into the boxes and delete what lies over them."
        raise InvalidError(message, where=str(path), hint=hint)
    return filled


def _count_boxes(boxes: Sequence[object]) -> str:
    return "One box" if len(boxes) == 1 else f"{len(boxes)} boxes"


_MAX_BOX_LINES = 10
"""The maximum number of covered boxes that are listed."""
