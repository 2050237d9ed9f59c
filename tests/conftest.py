"""What all tests share: which of them are left to the longer run."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent

# A machine with other work to do is no fault of what is tested.
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")

LONG_FOLDERS = ("games/destiny", "games/fate", "games/gambit", "games/propheta", "reliability")
LONG_FILES = (
    "campaign/test_init.py",
    "campaign/test_log_processes.py",
    "cli/test_bad_input.py",
    "cli/test_destiny.py",
    "cli/test_docs_readings.py",
    "cli/test_doctoring.py",
    "cli/test_doctoring_log.py",
    "cli/test_drawing.py",
    "cli/test_logging.py",
    "cli/test_new_users.py",
    "cli/test_press.py",
    "cli/test_printing_backs.py",
    "cli/test_reading.py",
    "cli/test_real_cards.py",
    "cli/test_scripts_that_end.py",
    "cli/test_simulate.py",
    "cli/test_undoing.py",
    "games/citadel/test_figures.py",
    "games/test_turn.py",
    "play/test_real_cards.py",
    "session/test_simulate.py",
    "sheets/cards/test_evening.py",
    "sheets/cards/test_large.py",
    "sheets/scores/test_code.py",
    "sheets/scores/test_layouts.py",
    "sheets/test_determinism.py",
    "sheets/test_hostile_notes.py",
    "sheets/test_imposed.py",
    "sheets/text/test_sizes.py",
    "vault/test_bad_program.py",
    "vault/test_splice_fuzz.py",
)
"""Nothing in these is quick, so the short run does not even read them."""

LONG_TESTS = {
    "bots/test_contract.py": r"equal_views|sensible",
    "bots/test_greedy_dragon_citadel.py": r"greedy_beats_random|dc_3|sensible",
    "bots/test_greedy_propheta.py": r"dc_3|sensible",
    "bots/test_greedy_prophets_gambit.py": r"greedy_beats_random",
    "bots/test_registry.py": r".*-search:2\]",
    "bots/test_search.py": r"looking_ahead|g3|every_move",
    "vault/test_list_property.py": r"what_stays",
    "campaign/paper/test_answers.py": r"a_sum_is",
    "campaign/readings/test_reading.py": r"no_words_break",
    "campaign/test_log.py": r"f4_folders",
    "campaign/test_session_note.py": r"hostile_name_in",
    "campaign/test_templating.py": r"what_is_wrong",
    "cli/test_linking.py": r"(?!link_writes_once|backlinks_as_json|link_shows)",
    "cli/test_playing.py": r"(?!git_sees|the_same_seed|no_log|dry_run|a_hint|help)",
    "cli/test_print_reference.py": r"all_cards|the_gms_options|reference_cards_of_a_game|a_frame",
    "cli/test_printing.py": r"(?!the_name_of_the_file|p15|a_read_only)",
    "cli/test_roll.py": r"what_cannot_be_rolled|without_a_table|words_filter",
    "cli/test_rules.py": r"(?!g_11_rules_lists|options_are|every_kind|a_ruling_of)|g_11_rules_lists.*\[(?!dragon)",
    "cli/test_templates.py": r"eject_copies",
    "compendium/test_dice.py": r"a_roll_lies",
    "compendium/test_gathering.py": r"every_marked",
    "compendium/test_linking.py": r"an_edit_adds",
    "compendium/test_mentions.py": r"a_hostile_note",
    "games/test_combinations.py": r"a_state_made_from_a_view|an_event_names",
    "games/test_conformance.py": r"random_games_keep_the_contract\[.*=.*=|the_table_shows",
    "games/test_hands.py": r"dd_5_dd_16|dd_16_(the_best|how_rare)|the_order_of",
    "play/test_naming_cards.py": r"prophecies|a_misnamed",
    "play/test_terminal.py": r"(?!hidden_hands)",
    "session/test_dealing.py": r"the_deal_does_not_depend_on_the_hash_seed",
    "session/test_journal.py": r"cut_off_at_any_byte",
    "session/test_power_cut.py": r"not_one_accepted_move_is_lost",
    "sheets/cards/test_pages.py": r"p4_every_letter",
    "sheets/export/test_service.py": (
        r"same_deck|files_of_others|"
        r"p13_(one_picture_a_card\[make|pictures)|the_preflight_(finds_colours|names)"
    ),
    "sheets/filled/test_filled.py": r"p7_(any_words|every_layout|filled_by)",
    "sheets/filled/test_refused.py": r"a_damaged|bytes_that",
    "sheets/geometry/test_imposition.py": r"p3_the_ruler",
    "sheets/scores/test_played.py": r"(?!scores_stand)",
    "sheets/test_booklet.py": r"no_word|what_is_left",
    "sheets/test_calibration.py": r"p3_what_is_saved",
    "sheets/test_card_sheet.py": r"a_deck_is_nine|p4_a_book",
    "sheets/test_images.py": r"p10_a_deck|a_picture_that_cannot",
    "sheets/test_packet.py": r"a_vault_without|parts_come",
    "sheets/test_paper.py": r"larger_papers",
    "sheets/test_preview.py": r"p14_pages_of",
    "sheets/test_qr.py": r"p12_the_code_of_a_rule_sheet",
    "sheets/test_reference.py": r"nine_to_a_page|p[46]_",
    "sheets/test_rule_sheet.py": (
        r"a_long_table|a_short_section_.*\[(26|28|29|31|32|34|35|37)\]|numbers_go_on|"
        r"p4_a_(table_wider|row_taller)|p5_page|the_rules_of_the_example"
    ),
    "sheets/test_score_sheet.py": r"a_file_that|one_page_for",
    "sheets/test_several_notes.py": r"equal_headings|links_between",
    "sheets/test_standards.py": r"p6_structure\[(?!rules\])",
    "sheets/test_theme.py": r"p11_the_ink_saver",
    "sheets/text/test_tags.py": r"p5_a_head|p6_a_(broken|long_list|row_taller)",
    "test_docs.py": r"the_command_reference",
    "test_start.py": r"help_loads_nothing_heavy\[words[23]\]",
    "test_transcript.py": r"a_(file|terminal)",
    "vault/test_bad_input.py": r"a_line_of_a_hundred|odd_notes",
    "vault/test_hidden.py": r"l5_hostile_pieces",
    "vault/test_index.py": r"several_processes",
    "vault/test_lint.py": r"long_lines",
    "vault/test_names.py": r"every_pair",
    "vault/test_real_life.py": r"processes_do_not_outlive",
    "vault/test_repair.py": r"many_repairs|repairs_change",
    "vault/test_structure.py": r"large_and_hostile",
    "vault/test_vaults.py": r"a_mistake_of|f2_y1",
}
"""Single tests by what follows `test_` in their names: processes that are killed, sheets by the dozen, thousands of
random notes. Of what a package is for, at least one test stays in the short run."""

EVERY_GAME = ("bots/test_contract.py", "bots/test_search.py", "games/test_combinations.py", "games/test_conformance.py")
QUICK = "dragon-citadel"
"""The game over which the suites for all games run each time; the others have their turn with `make test-slow`."""

_LONG_TEST = {path: re.compile(f"test_(?:{names})") for path, names in LONG_TESTS.items()}
_OTHERS = ("propheta", "prophets-gambit", "turn-of-fate", "deck-of-destiny")


def is_long(path: Path) -> bool:
    """Whether nothing in a file or folder is quick."""
    below = _below(path)
    return below in LONG_FILES or any(below == folder or below.startswith(f"{folder}/") for folder in LONG_FOLDERS)


def _is_long_test(item: pytest.Item) -> bool:
    below = _below(item.path)
    if below in _LONG_TEST and _LONG_TEST[below].match(item.name):
        return True
    return below in EVERY_GAME and QUICK not in item.name and any(name in item.name for name in _OTHERS)


def _below(path: Path) -> str:
    return path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else ""


def pytest_configure() -> None:
    gone = [name for name in (*LONG_FOLDERS, *LONG_FILES, *LONG_TESTS, *EVERY_GAME) if not (HERE / name).exists()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py names what is not there: {', '.join(gone)}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.option.markexpr == "not slow" and is_long(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_long(item.path) or _is_long_test(item):
            item.add_marker(pytest.mark.slow)
