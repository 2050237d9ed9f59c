"""What all tests share: which of them are left to the longer run."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LONG = ("games/test_combinations.py", "games/test_conformance.py", "bots/test_contract.py", "bots/test_search.py")
LONG_FOLDERS = ("reliability", "games/gambit", "games/destiny", "games/propheta", "games/fate")
LONG_FILES = ("session/test_simulate.py", "cli/test_simulate.py", "cli/test_destiny.py", "cli/test_doctoring.py",
              "cli/test_real_cards.py", "cli/test_drawing.py", "cli/test_logging.py", "cli/test_doctoring_log.py", "cli/test_bad_input.py", "cli/test_undoing.py",
              "play/test_real_cards.py", "campaign/test_init.py",
              "campaign/test_log_processes.py", "vault/test_splice_fuzz.py", "sheets/test_determinism.py")  # fmt: skip
"""Nothing in these is quick, so the short run does not even read them."""

LONG_TESTS = (
    r"test_power_cut\.py::test_not_one_accepted_move_is_lost",
    r"test_journal\.py::test_cut_off_at_any_byte",
    r"test_dealing\.py::test_the_deal_does_not_depend_on_the_hash_seed\[0\]",
    r"test_conformance\.py::test_random_games_keep_the_contract\[.*=.*=",
    r"test_greedy_\w+\.py::test_greedy_beats_random",
    r"test_terminal\.py::test_(?!hidden_hands)",
    r"test_playing\.py::test_(?!git_sees|the_same_seed|no_log|dry_run|a_hint|help)",
    r"test_greedy_(dragon_citadel|propheta)\.py::test_(dc_3|sensible)",
    r"test_mentions\.py::test_a_hostile_note",
    r"test_filled\.py::test_p7_every_layout_.*\[(?!dragon|blank)",
    r"test_conformance\.py::test_the_table_shows",
    r"test_combinations\.py::test_a_state_made_from_a_view",
    r"cli/test_reading\.py::test_a_faulty_deck",
    r"test_printing\.py::test_every_card_is_on",
    r"test_print_reference\.py::test_(all_cards|the_gms_options)",
    r"test_hidden\.py::test_l5_hostile_pieces",
    r"test_card_sheet\.py::test_a_deck_is_nine",
    r"test_transcript\.py::test_a_(file|terminal)",
    r"test_hands\.py::test_dd_5_dd_16",
    r"test_packet\.py::test_a_vault_without",
    r"test_(names|templating|structure)\.py::test_(every_pair|what_is_wrong|large_and_hostile)",
    r"test_naming_cards\.py::test_prophecies",
    r"test_index\.py::test_several_processes",
    r"test_linking\.py::test_an_edit_adds",
    r"test_inventory_list\.py::test_what_stays",
    r"test_repair\.py::test_many_repairs",
    r"test_turn\.py::test_(the_known_bottom|chance_takes)",
    r"test_search\.py::test_(looking_ahead|g3)",
    r"test_service\.py::test_(same_deck|files_of_others)",
    r"test_bad_program\.py::test_(the_program_on_everything|deep_frontmatter)",
    r"test_real_life\.py::test_processes_do_not_outlive",
    r"cli/test_reading\.py::test_a_reader_that_has_seen_enough.*(words[12]|-1)",
    r"readings/test_reading\.py::test_no_words_break",
    r"test_search\.py::test_every_move",
    r"-search:2\]",
    r"test_figures\.py::",
    r"test_printing\.py::test_(p8|all_fonts|every_sheet_on_every_paper|what_no_number_of_cards_holds.*words)",
    r"test_print_reference\.py::test_reference_cards_of_a_game_by_its_id",
    r"test_printing_backs\.py::test_(a_back_by_name|what_cannot_be_printed)",
    r"test_press\.py::test_(p13_a_deck|modes_from)",
    r"test_rule_sheet\.py::test_(p4_a_table_wider|p4_a_row_taller|the_rules_of_the_example)",
    r"test_rule_sheet\.py::test_a_short_section_.*\[(26|28|29|31|32|34|35|37)\]",
    r"test_reference\.py::test_p[46]_.*\[(?!prophets-gambit)",
    r"test_tags\.py::test_p6_a_long_list",
    r"test_hostile_notes\.py::test_p15_(much|arbitrary|marks)",
)
"""Single tests that take seconds: processes that are killed, sheets by the dozen, thousands of random notes."""

QUICK = "dragon-citadel"
"""The game over which the suites for all games run each time; the others have their turn with `make test-slow`."""

_LONG_TEST = re.compile("|".join(LONG_TESTS))


def is_long(path: Path) -> bool:
    """Whether nothing in a file or folder is quick."""
    below = path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else ""
    return below in LONG_FILES or any(below == folder or below.startswith(f"{folder}/") for folder in LONG_FOLDERS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.option.markexpr == "not slow" and is_long(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_long(item.path) or _LONG_TEST.search(item.nodeid):
            item.add_marker(pytest.mark.slow)
            continue
        others = any(name in item.name for name in ("propheta", "prophets-gambit", "turn-of-fate", "deck-of-destiny"))
        if others and QUICK not in item.name and item.nodeid.split("::")[0].endswith(LONG):
            item.add_marker(pytest.mark.slow)
