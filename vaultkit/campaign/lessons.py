"""Lessons on games, made from the examples in a vault's rule notes."""

import re
from collections.abc import Callable

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.shipped_notes import way_to_rule_note
from vaultkit.compendium.card_text import plain_words
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.scene.lesson import Lesson
from vaultkit.search.sections import own_text
from vaultkit.search.stemming import language, language_codes
from vaultkit.session.examples.example_setup import ExampleSetup, try_example
from vaultkit.session.examples.parser import MAX_EXAMPLES_PER_NOTE, Example, examples_of
from vaultkit.vault import Note

_MAX_AIM_WORDS = 40
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
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
    hint = "docs/rule-notes.md explains how to write one; the demo's rule notes have some: vaultkit demo"
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
        sorted(examples, key=_lesson_order),
        lambda example: example_setup.create_rehearsal(note, example),
        lambda session: notes.reference(session, to_plain_text),
        find_aim(note),
        f"That is all. Now play: vaultkit play {notes.info.id} --seat NAME{bot_flags}",
    )


def _lesson_order(example: Example | InvalidError) -> int:
    """Return the place of an example in its lesson, the last one for an example without a number."""
    place = example.content.lesson if isinstance(example, Example) else None
    return MAX_EXAMPLES_PER_NOTE + 1 if place is None else place


def find_aim(note: Note) -> str:
    """Return what a rule note says about the aim of its game: the paragraph that begins with such a word in bold.

    Without one, the first sentences above the second heading are returned, up to `_MAX_AIM_WORDS` words.
    """
    languages = [language(code) for code in language_codes()]
    opening = own_text(note, note.headings[0].text) if note.headings else ""
    blocks = [block for block in opening.split("\n\n") if block.strip() and not block.startswith(("*", "_", ">", "|"))]
    paragraphs = [block for block in opening.split("\n\n") if block.startswith("**")]
    for block in paragraphs:
        name = plain_words(block.split("**")[1])
        if any({*tongue.content_stems(name)} & tongue.goal_words for tongue in languages):
            return plain_words(block)
    sentences, aim = _SENTENCE_END.split(plain_words(" ".join(blocks))), ""
    while sentences and len(f"{aim} {sentences[0]}".split()) <= _MAX_AIM_WORDS:
        aim = f"{aim} {sentences.pop(0)}".strip()
    return aim
