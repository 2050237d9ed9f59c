"""The checks for properties that Obsidian does not read (Y1), tags that are none (Y4), and wrong types (Y3)."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from textwrap import shorten

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault import frontmatter
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.repair import MAX_PLACES, Repair, RepairContext, differences, max_examined_places
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.frontmatter import is_template
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import texts
from vaultkit.vault.property_types import PropertyType, find_misfits, read_declared_types
from vaultkit.vault.text_positions import LINE_END
from vaultkit.vault.writing.escape import format_yaml_scalar
from vaultkit.vault.writing.splice import Splice

_DASHES = "---"
_KEY_LINE = r"""["'\w][^\r\n:]*+:(?=[ \t\r\n])[^\r\n]*+"""
_MISPLACED = re.compile(
    r"\A(?!---[\r\n])(?P<opening>\s*+(?P<signs>[^\w\s\ufeff-][^\w\r\n]{0,20}?)?---[^\r\n]*+)(?:\r\n|\n)"
    rf"{_KEY_LINE}(?:\r\n|\n)(?:(?:{_KEY_LINE}|[ \t][^\r\n]*+|-(?:[ \t][^\r\n]*+)?|)(?:\r\n|\n))*"
    r"---+[ \t]*+(?:[\r\n]|\Z)"
)


def _find_misplaced_properties(note: Note) -> Iterator[Problem]:
    match = _MISPLACED.match(note.text)
    if match is None:
        return
    message, hint = "These are not properties: their first line is not just '---'.", "Write '---' in the first line."
    if match["signs"]:
        message = f"These are not properties: '{match['signs'].strip()}' is before their first '---'."
    elif match["opening"].strip() == _DASHES and match["opening"][0].isspace():
        message = "These are not properties: something is before them."
        hint = "Write '---' in the very first line: delete what is before it."
    yield FRONTMATTER_PLACE.problem_at(note, 0, message, hint)


def repair_place(note: Note, context: RepairContext) -> Iterator[Repair]:  # noqa: ARG001 (all rules are asked alike)
    """Yield the repair that makes `---` the first line, if only white space is wrong and the properties are then read.

    The repair changes how the rest of the note is parsed, so other repairs must be planned for the note from `move_up`.
    """
    match = _MISPLACED.match(note.text)
    opening = match["opening"] if match else ""
    moved_note = move_up(note, opening)
    if opening.strip() == _DASHES and moved_note.properties and not moved_note.problems:
        message = "There are spaces before the properties, or after their first '---'."
        yield Repair.at_splice(FRONTMATTER_PLACE.code, note, Splice(0, opening, _DASHES), message)


def move_up(note: Note, opening: str) -> Note:
    """Return the note with `---` in place of `opening`, the text at its start."""
    return Note(note.path, note.encoded.to_bytes(_DASHES + note.text[len(opening) :]))


def move_back(repair: Repair, opening: str) -> Repair:
    """Return a repair of the note from `move_up` with the positions that it has in the note as it is now."""
    splice = msgspec.structs.replace(repair.splice, offset=repair.splice.offset + len(opening) - len(_DASHES))
    return msgspec.structs.replace(repair, line=repair.line + len(LINE_END.findall(opening)), splice=splice)


FRONTMATTER_PLACE = Check("frontmatter-place", "warning", in_note=_find_misplaced_properties, repair=repair_place)


_HASH_WORD = re.compile(r"[ \t]#\w")
_TAGS_PROPERTY = re.compile(
    r"""^(?:tags|"tags"|'tags')[ \t]*:"""
    r"""(?:[ \t]+(?P<value>"[^"\\\r\n]*"|'[^'\r\n]*'|[^\s"'#\[\]{}|>&*!](?:[^ \t\r\n]++|[ \t]++(?![#\r\n]))*)"""
    r"""[ \t]*+(?:(?<=[ \t])#.*)?(?=[\r\n]))?""",
    re.IGNORECASE | re.MULTILINE,
)
_HASHED_TAG = r"#(?=[\w/-]*[^\W\d])[\w/-]+"
_HIDDEN_TAGS = re.compile(
    rf"(?:^[ \t]*(?P<item>-))?(?<![ \t])[ \t]++(?P<tags>{_HASHED_TAG}(?:[ \t,]+{_HASHED_TAG}){{0,30}})"
    r",?[ \t]*(?:[ \t]#[ \t].*)?(?=[\r\n])",
    re.MULTILINE,
)
_NEXT_PROPERTY = re.compile(r"^[^\s#-]", re.MULTILINE)
_SEPARATOR = re.compile(r"[\s,]")
_TAG = re.compile(r"(?=.*[^\d/])[\w/-]+")


def _find_tag_problems(note: Note) -> Iterator[Problem]:
    for start, text in _find_invalid_texts(note):
        message = f"'{text}' is not a tag: a tag has neither spaces nor commas."
        yield PROPERTY_TAGS.problem_at(note, start, message, "Write several tags as a list: [one, two].")
    for match in _find_commented_tags(note):
        message = f"'{match['tags']}' is a comment here, so there is no tag."
        correction = _tags_without_hash(note, match)
        hint = f"Write {correction}." if correction else "Write each tag as an item of its own, without '#'."
        yield PROPERTY_TAGS.problem_at(note, match.start("tags"), message, hint)


def _repair_tags(note: Note, context: RepairContext) -> Iterator[Repair]:  # noqa: ARG001 (all rules are asked alike)
    """Yield repairs: `tags: a, b` becomes `tags: [a, b]` if all parts are tags; `tags: #npc` becomes `tags: npc`."""
    for match in _find_commented_tags(note):
        correction = _tags_without_hash(note, match)
        if correction is not None:
            splice = Splice(match.start("tags"), match["tags"], correction)
            yield Repair.at_splice(PROPERTY_TAGS.code, note, splice, f"'{match['tags']}' is a comment, not a tag.")
    text_match = _match_single_text(note)
    tags = [tag.strip() for tag in text_match["value"].strip("\"'").split(",") if tag.strip()] if text_match else []
    if text_match and "," in text_match["value"] and tags and all(_TAG.fullmatch(tag) for tag in tags):
        splice = Splice(text_match.start("value"), text_match["value"], f"[{', '.join(map(format_yaml_scalar, tags))}]")
        yield Repair.at_splice(PROPERTY_TAGS.code, note, splice, f"'{text_match['value']}' is not a list of tags.")


def _find_invalid_texts(note: Note) -> Iterator[tuple[int, str]]:
    """Yield the offset and text of each item of `tags` that is no tag, since it has a space or a comma."""
    value = note.property("tags")
    texts = [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]
    invalid_texts = [text for text in texts if _SEPARATOR.search(text.strip()) and not is_template(text)]
    match = _TAGS_PROPERTY.search(note.text, 0, note.body_start) if invalid_texts else None
    search_start = 0
    if match:
        search_start = match.end() if match["value"] is None else match.start()
    for text in invalid_texts:
        offset = note.text.find(text, search_start, note.body_start)
        search_start = offset + len(text) if offset >= 0 else search_start
        yield (offset if offset >= 0 else search_start), text


def _match_single_text(note: Note) -> re.Match[str] | None:
    """Return the match of `tags: a, b`, with the value and its quotes as group `value`, or None.

    None means that the value is not a single text on one line.
    """
    match = _TAGS_PROPERTY.search(note.text, 0, note.body_start)
    value = note.property("tags") if match and match["value"] is not None else None
    if match is None or not isinstance(value, str):
        return None
    quoted_value = match["value"]
    unquoted_value = quoted_value[1:-1] if quoted_value[0] in "\"'" else quoted_value
    return match if unquoted_value.strip() == value.strip() else None


def _find_commented_tags(note: Note) -> Iterator[re.Match[str]]:
    """Yield a match for each `#npc` or `#npc #dead` under `tags` that YAML reads as a comment."""
    if not _may_hide_tags(note):
        return
    tags_match = _TAGS_PROPERTY.search(note.text, 0, note.body_start)
    if tags_match is None:
        return
    next_property = _NEXT_PROPERTY.search(note.text, tags_match.end(), note.body_start)
    end = next_property.start() if next_property else note.body_start
    for match in islice(_HIDDEN_TAGS.finditer(note.text, tags_match.end(), end), max_examined_places(note)):
        if (match["item"] or match.start() == tags_match.end()) and _becomes_tag(note, match):
            yield match


def _may_hide_tags(note: Note) -> bool:
    """Return whether `tags` or one of its items is empty and the frontmatter has a `#` before a word."""
    if note.text.find("#", 0, note.body_start) < 0 or _HASH_WORD.search(note.text, 0, note.body_start) is None:
        return False
    value = note.property("tags")
    is_empty = value is None or (isinstance(value, list) and None in value)
    return is_empty and "tags" in map(str.lower, note.properties)


def _tags_without_hash(note: Note, tags_match: re.Match[str]) -> str | None:
    """Return the YAML for tags that are a comment now: `npc` or `[npc, dead]`; None for several in one list item."""
    names = [format_yaml_scalar(name) for name in re.findall(r"[\w/-]+", tags_match["tags"])]
    if len(names) == 1:
        return names[0]
    line = note.text[note.text.rfind("\n", 0, tags_match.start("tags")) + 1 : tags_match.start("tags")]
    return None if line.strip() == "-" else f"[{', '.join(names)}]"


def _becomes_tag(note: Note, tags_match: re.Match[str]) -> bool:
    """Return whether removing the `#` of a comment would fill an empty value of `tags` and change nothing else."""
    correction = _tags_without_hash(note, tags_match) or "x"
    block = note.text[: tags_match.start("tags")] + correction + note.text[tags_match.end("tags") : note.body_start]
    new_frontmatter = frontmatter.read(block, note.path)
    changes = list(differences(note.properties, new_frontmatter.properties))
    return not new_frontmatter.problems and [(name.lower(), old_value) for name, old_value, _ in changes] == [
        ("tags", None)
    ]


PROPERTY_TAGS = Check("property-tags", "warning", in_note=_find_tag_problems, repair=_repair_tags)


_TYPE_PHRASES: Mapping[PropertyType, tuple[str, str]] = {
    "text": ("a text", "Write one text, with quotes where it begins with a bracket."),
    "number": ("a number", "Write a number without quotes, such as 7 or 1.5."),
    "checkbox": ("a checkbox", "Write true or false, without quotes."),
    "date": ("a date", "Write year, month and day, such as 2026-11-03."),
    "datetime": ("a date and time", "Write date and time, such as 2026-11-03T19:30:00."),
}
_LIST_PHRASES = ("a list", "Write the items as a list: [one, two].")


def _find_type_problems(scope: CheckScope) -> Iterator[Problem]:
    declared_types = read_declared_types(scope.vault.root)
    for note in scope.read_notes(facts for facts in scope.facts if any(find_misfits(facts.properties, declared_types))):
        for index, misfit in enumerate(find_misfits(note.properties, declared_types)):
            type_name, hint = _TYPE_PHRASES.get(misfit.type, _LIST_PHRASES)
            message = f"'{misfit.name}' is declared as {type_name}, but is {_describe_value(misfit.value)}."
            yield PROPERTY_TYPE.problem_at(
                note, _find_offset(note, misfit.name) if index < MAX_PLACES else 0, message, hint
            )


def _describe_value(value: object) -> str:
    if isinstance(value, list | Mapping):
        return "a list" if isinstance(value, list) else "a map"
    return f"'{shorten(next(iter(texts(value)), ''), 40, placeholder='...')}'"


def _find_offset(note: Note, name: str) -> int:
    """Return the offset of a property's name, or of the quote before it; 0 if it is not found, as with escapes."""
    pattern = rf"""(?P<quote>["']?){re.escape(name)}(?P=quote)[ \t]*:"""
    for prefix_pattern in ("^", r"(?<=[\s{,])"):  # most names begin a line, but in JSON they need not
        match = re.compile(prefix_pattern + pattern, re.MULTILINE).search(note.text, 0, note.body_start)
        if match:
            return match.start()
    return 0


PROPERTY_TYPE = Check("property-type", "warning", in_vault=_find_type_problems)
