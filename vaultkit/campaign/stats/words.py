"""Numbers of statistics in words, the same in the note and in the terminal."""


def per_cent(share: float) -> str:
    """`42 %` of 0.42; what is nearly all or nearly nothing is not called all or nothing."""
    rounded = round(100 * share)
    if rounded in {0, 100} and share not in {0, 1}:
        rounded = 1 if rounded == 0 else 99
    return f"{rounded} %"


def number(value: float) -> str:
    """A score without a needless `.0`."""
    return str(int(value)) if value == int(value) else str(value)


def seats(fewest_and_most: tuple[int, int]) -> str:
    """`2 to 4`, or `3` where it was always so many."""
    fewest, most = fewest_and_most
    return str(most) if fewest == most else f"{fewest} to {most}"
