"""Widths of the columns of a table, which add up to the width of the table and break as few cells as possible."""

import math

_WIDTH_STEP_PT, _MAX_WIDTH_STEPS, _LINE_BREAK_FACTOR = 6.0, 12, 1.06
"""The points moved between two columns at once, the most such moves, and the factor by which breaks lengthen text."""


def split_columns(needed_widths: list[float], width: float) -> list[list[int]]:
    """Return the column indices of each part of a table, so that a part is at most `width` points wide if possible.

    Each part begins with the first column. A table of one or two columns is never split.
    """
    if sum(needed_widths) <= width or len(needed_widths) < 3:
        return [list(range(len(needed_widths)))]
    parts: list[list[int]] = [[0]]
    for column in range(1, len(needed_widths)):
        if len(parts[-1]) > 1 and sum(needed_widths[n] for n in parts[-1]) + needed_widths[column] > width:
            parts.append([0])
        parts[-1].append(column)
    return parts


def reduce_lines(widths: list[float], min_widths: list[float], cell_lengths: list[list[float]]) -> list[float]:
    """Return the column widths after moving space between columns as long as that saves lines."""
    best_widths, best_counts = list(widths), _count_lines(widths, cell_lengths)
    for _ in range(_MAX_WIDTH_STEPS):
        candidates = [
            (_count_lines(trial_widths, cell_lengths), trial_widths)
            for step in (_WIDTH_STEP_PT, 3 * _WIDTH_STEP_PT, 6 * _WIDTH_STEP_PT)
            for giver in range(len(best_widths))
            for taker in range(len(best_widths))
            if giver != taker and best_widths[giver] - step >= min_widths[giver]
            for trial_widths in [[w + step * ((n == taker) - (n == giver)) for n, w in enumerate(best_widths)]]
        ]
        trial_counts, trial_widths = min(candidates, default=(best_counts, best_widths))
        if trial_counts >= best_counts:
            return best_widths
        best_widths, best_counts = trial_widths, trial_counts
    return best_widths


def _count_lines(widths: list[float], cell_lengths: list[list[float]]) -> tuple[int, int]:
    """Return the estimated number of lines in all rows, and in all cells.

    The estimate takes into account that a broken line is rarely full.
    """
    line_counts = [
        [
            1 if length <= width else math.ceil(length * _LINE_BREAK_FACTOR / width)
            for length, width in zip(row, widths, strict=True)
        ]
        for row in cell_lengths
    ]
    return sum(map(max, line_counts)), sum(map(sum, line_counts))


def distribute_width(min_widths: list[float], max_widths: list[float], width: float, fills_width: bool) -> list[float]:
    """Return column widths that add up to `width`, or to less if every cell fits on one line.

    With `fills_width` they always add up to `width`.
    """
    if sum(max_widths) <= width:
        spare_width = (width - sum(max_widths)) / len(max_widths) if fills_width else 0
        return [m + spare_width for m in max_widths]
    if sum(min_widths) >= width:
        return [n * width / sum(min_widths) for n in min_widths]
    weights = [max(m - n, 0.01) ** 0.75 for n, m in zip(min_widths, max_widths, strict=True)]
    widths = list(min_widths)
    for _ in range(4):
        spare_width = width - sum(widths)
        open_columns = [n for n in range(len(widths)) if widths[n] < max_widths[n] - 0.01]
        total_weight = sum(weights[n] for n in open_columns)
        if spare_width < 0.5 or not total_weight:
            break
        for n in open_columns:
            widths[n] = min(max_widths[n], widths[n] + spare_width * weights[n] / total_weight)
    return widths
