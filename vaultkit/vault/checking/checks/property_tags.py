"""The check of the property `tags` for texts that are no tags: with a space or a comma, or after a `#` (Y4)."""

import re
from collections.abc import Iterator
from itertools import islice

from vaultkit.errors import Problem
from vaultkit.vault import frontmatter
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.repair import Repair, RepairContext, differences, max_examined_places
from vaultkit.vault.frontmatter import is_template
from vaultkit.vault.note import Note
from vaultkit.vault.writing.escape import format_yaml_scalar
from vaultkit.vault.writing.splice import Splice

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


def _find_problems(note: Note) -> Iterator[Problem]:
    for start, text in _find_invalid_texts(note):
        message = f"'{text}' is no tag: a tag has neither spaces nor commas."
        yield CHECK.problem_at(note, start, message, "Write several tags as a list: [one, two].")
    for match in _find_commented_tags(note):
        message = f"'{match['tags']}' is a comment here, so that there is no tag."
        correction = _tags_without_hash(note, match)
        hint = f"Write {correction}." if correction else "Write each tag as an item of its own, without '#'."
        yield CHECK.problem_at(note, match.start("tags"), message, hint)


def _repairs(note: Note, context: RepairContext) -> Iterator[Repair]:  # noqa: ARG001 (all rules are asked alike)
    """Yield repairs: `tags: a, b` becomes `tags: [a, b]` if all parts are tags; `tags: #npc` becomes `tags: npc`."""
    for match in _find_commented_tags(note):
        correction = _tags_without_hash(note, match)
        if correction is not None:
            splice = Splice(match.start("tags"), match["tags"], correction)
            yield Repair.at_splice(CHECK.code, note, splice, f"'{match['tags']}' is a comment, not a tag.")
    text_match = _match_single_text(note)
    tags = [tag.strip() for tag in text_match["value"].strip("\"'").split(",") if tag.strip()] if text_match else []
    if text_match and "," in text_match["value"] and tags and all(_TAG.fullmatch(tag) for tag in tags):
        splice = Splice(text_match.start("value"), text_match["value"], f"[{', '.join(map(format_yaml_scalar, tags))}]")
        yield Repair.at_splice(CHECK.code, note, splice, f"'{text_match['value']}' is no list of tags.")


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


CHECK = Check("property-tags", "warning", in_note=_find_problems, repair=_repairs)
