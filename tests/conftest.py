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
LONG_TESTS = (
    "test_power_cut.py::test_not_one_accepted_move_is_lost",
    "test_log_processes.py::",
    "test_printing.py::test_p8",
    "test_printing.py::test_all_fonts",
    "test_printing.py::test_every_sheet_on_every_paper",
    "test_splice_fuzz.py::",
    "test_figures.py::",
    "test_rule_sheet.py::test_p4_a_table_wider",
    "test_hostile_notes.py::test_p15",
    "test_determinism.py::",
    "campaign/test_init.py::",
    "cli/test_destiny.py::",
    "cli/test_doctoring.py::",
    "test_bad_input.py::test_the_program",
    "test_playing.py::test_demo",
    "test_search.py::test_every_move",
    "-search:2]",
)
"""Single tests that take seconds: processes that are killed, sheets by the dozen, thousands of random notes."""

QUICK = "dragon-citadel"
"""The game over which the suites for all games run each time; the others have their turn with `make test-slow`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(part in item.nodeid for part in (*LONG_FOLDERS, *LONG_TESTS)):
            item.add_marker(pytest.mark.slow)
            continue
        others = any(name in item.name for name in ("propheta", "prophets-gambit", "turn-of-fate", "deck-of-destiny"))
        if others and QUICK not in item.name and item.nodeid.split("::")[0].endswith(LONG):
            item.add_marker(pytest.mark.slow)
