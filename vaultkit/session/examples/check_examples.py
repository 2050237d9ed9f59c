"""The check of examples in rule notes, which plays each one with the house rules and compares the results."""

from collections.abc import Iterator

from vaultkit.compendium import rule_note
from vaultkit.errors import Problem, split_place
from vaultkit.games.registry import by_title
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.selection import CheckScope

MAX_TOTAL_STEPS = 20_000
"""The maximum number of steps that one run of the check plays, so that it ends in any vault."""
_MIN_STEPS_PER_EXAMPLE = 20
"""The minimum number of steps that are counted for an example."""


def _check_examples(selection: CheckScope) -> Iterator[Problem]:
    """Yield the errors of all examples, until `MAX_TOTAL_STEPS` steps have been played."""
    titles = by_title()
    notes = selection.suspect_notes(EXAMPLE_CHECK.code)
    rule_notes = [note for note in notes if rule_note.explained_games(note, titles)]
    if not rule_notes:
        return
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.session.examples.example_setup import ExampleSetup, try_example
    from vaultkit.session.examples.parser import MAX_EXAMPLES_PER_NOTE, blocks, examples_of

    remaining_steps, setup = MAX_TOTAL_STEPS, ExampleSetup(selection.vault, selection.get_shared(Compendium))
    for note in rule_notes:
        for example in examples_of(note):
            if remaining_steps <= 0:
                words = "Examples from here on are not played: there are too many in this vault."
                yield EXAMPLE_CHECK.file_problem(note.path, words)
                return
            errors, steps = try_example(setup, note, example)
            remaining_steps -= max(steps, _MIN_STEPS_PER_EXAMPLE)
            for error in errors:
                line = split_place(error.where)[1]
                yield Problem(note.path, line, 1, EXAMPLE_CHECK.code, error.message, error.hint)
        if len([*blocks(note.text)]) > MAX_EXAMPLES_PER_NOTE:
            words = f"Only the first {MAX_EXAMPLES_PER_NOTE} examples of this note are played."
            yield EXAMPLE_CHECK.file_problem(note.path, words)


EXAMPLE_CHECK = Check("rule-example", in_vault=_check_examples, quick=rule_note.has_play_blocks, of_decks=True)
CHECKS = (EXAMPLE_CHECK,)
