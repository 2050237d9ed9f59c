"""What all tests share: which of them are left to the longer run."""

import pytest

LONG = ("games/test_combinations.py", "games/test_conformance.py", "bots/test_contract.py", "bots/test_search.py")
LONG_FOLDERS = (
    "games/gambit/",
    "games/destiny/",
    "games/propheta/",
    "games/fate/",
    "session/test_simulate",
    "cli/test_simulate",
    "test_real_cards",
)
QUICK = "dragon-citadel"
"""The game over which the suites for all games run each time; the others have their turn with `make test-slow`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(folder in item.nodeid for folder in LONG_FOLDERS):
            item.add_marker(pytest.mark.slow)
            continue
        others = any(name in item.name for name in ("propheta", "prophets-gambit", "turn-of-fate", "deck-of-destiny"))
        if others and QUICK not in item.name and item.nodeid.split("::")[0].endswith(LONG):
            item.add_marker(pytest.mark.slow)
