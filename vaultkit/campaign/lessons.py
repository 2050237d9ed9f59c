"""Lessons on games, made from the examples in a vault's rule notes."""

from collections.abc import Callable
from itertools import pairwise

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.shipped_notes import way_to_rule_note
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.scene.lesson import Lesson
from vaultkit.search.passages import Passage
from vaultkit.session.examples.example_setup import ExampleSetup, try_example
from vaultkit.session.examples.parser import Example, examples_of
from vaultkit.vault import Note

_HINT = "vaultkit check says what is wrong in which line."


def examples_for(notes: GameNotes) -> list[Example | InvalidError]:
    """Return the examples of a game's rule note, with an error in place of each that cannot be read.

    Raises InvalidError without a rule note, NothingFound if it has no examples.
    """
    if notes.rule_note is None:
        hint = way_to_rule_note(notes.info)
        raise InvalidError(f"This vault has no rule note for {notes.info.title}.", hint=hint)
    note = notes.rule_note.note
    if examples := [
        example for example in examples_of(note) if isinstance(example, InvalidError) or example.game == notes.info.id
    ]:
        return examples
    hint = "docs/rule-notes.md tells how to write one; the rule notes of the demo have some: vaultkit demo"
    raise NothingFound(f"'{note.path}' has no examples to learn {notes.info.title} from.", hint=hint)


def lesson_of(notes: GameNotes, to_plain_text: Callable[[str], str]) -> Lesson:
    """Return the lesson of a game; `to_plain_text` converts Markdown to plain text and drops the examples in it.

    Raises InvalidError without a rule note and if no example can be played, NothingFound if the note has no examples.
    """
    candidates = examples_for(notes)
    assert notes.rule_note is not None, "the examples stand in it"
    workspace, note = notes.workspace, notes.rule_note.note
    example_setup = ExampleSetup(workspace.vault, workspace.compendium)
    faults = [next(iter(try_example(example_setup, note, candidate)[0]), None) for candidate in candidates]
    if all(faults):
        raise InvalidError(f"No example of {notes.info.title} can be played.", where=note.path, hint=_HINT)
    examples = [fault or candidate for candidate, fault in zip(candidates, faults, strict=True)]
    bot_flags = " --seat bot:easy" * (notes.game.seats_under(notes.option_values(()))[0] - 1)
    return Lesson(
        notes.info.title,
        examples,
        lambda example: example_setup.create_rehearsal(note, example),
        lambda session: notes.reference(session, to_plain_text),
        to_plain_text(_opening_of(note)),
        _passages_before(
            note, next(candidate for candidate in examples if isinstance(candidate, Example)), to_plain_text
        ),
        f"That is all. Now play: vaultkit play {notes.info.id} --seat NAME{bot_flags}",
    )


def _passages_before(note: Note, example: Example, to_plain_text: Callable[[str], str]) -> list[Passage]:
    """Return the text below each heading before an example, except in sections whose parent section ended before it."""
    headings_above = [heading for heading in note.headings[1:] if heading.line < example.line]
    passages = list[Passage]()
    for heading, next_heading in pairwise(headings_above):
        earlier_headings = (earlier for earlier in reversed(headings_above) if earlier.start < heading.start)
        parent = next((earlier for earlier in earlier_headings if earlier.level < heading.level), None)
        text = to_plain_text(note.text[heading.end : next_heading.start])
        if text.strip() and (parent is None or note.section_end(parent) > headings_above[-1].start):
            passages.append(Passage(heading.text, text))
    return passages


def _opening_of(note: Note) -> str:
    """Return the text between the title of a note and its next heading."""
    title, next_heading = (*note.headings, None, None)[:2]
    return note.text[title.end : next_heading.start if next_heading else None] if title else ""
