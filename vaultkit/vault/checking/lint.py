"""What is written so that Obsidian cannot read it as it is meant, and what no link and no property therefore tells."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from textwrap import shorten

from vaultkit.errors import Problem, Severity
from vaultkit.vault import frontmatter, subpath
from vaultkit.vault.facts import texts
from vaultkit.vault.links import is_external, split_destination, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.places import TextOffsets
from vaultkit.vault.property_types import PropertyType, misfits
from vaultkit.vault.quicklook import (
    has_spaced_destination,
    hides_tags,
    holds_nested_list,
    misplaced_properties,
    wrong_tags,
)
from vaultkit.vault.resolve import Files
from vaultkit.vault.structure import events
from vaultkit.vault.writing.escape import yaml_scalar

_SPACED = re.compile(
    r"\((?P<destination>(?![<\s])(?:[^()<>\r\n]|\([^()\r\n]*\)){1,1000}?)"
    r"""(?:[ \t]+(?:"[^"\r\n]*"|'[^'\r\n]*'))?[ \t]*\)"""
)
_BRACKETS = re.compile(r"\[\[[^\[\]\r\n]+\]\]")
_TAGS = re.compile(
    r"""^(?:tags|"tags"|'tags')[ \t]*:"""
    r"""(?:[ \t]+(?P<value>"[^"\\\r\n]*"|'[^'\r\n]*'|[^\s"'#\[\]{}|>&*!][^\r\n]*?)[ \t]*(?:[ \t]#.*)?(?=[\r\n]))?""",
    re.IGNORECASE | re.MULTILINE,
)
_HASHED = r"#(?=[\w/-]*[^\W\d])[\w/-]+"
_HIDDEN_TAGS = re.compile(
    rf"(?:^[ \t]*(?P<item>-))?(?<![ \t])[ \t]++(?P<tags>{_HASHED}(?:[ \t,]+{_HASHED})*)"
    r",?[ \t]*(?:[ \t]#[ \t].*)?(?=[\r\n])",
    re.MULTILINE,
)
_NEXT_PROPERTY = re.compile(r"^[^\s#-]", re.MULTILINE)
_LISTS = frozenset({"tags", "aliases", "cssclasses", "tag", "alias", "cssclass"})
_TYPES: Mapping[PropertyType, tuple[str, str]] = {
    "text": ("a text", "Write one text, with quotes where it begins with a bracket."),
    "number": ("a number", "Write a number without quotes, such as 7 or 1.5."),
    "checkbox": ("a checkbox", "Write true or false, without quotes."),
    "date": ("a date", "Write year, month and day, such as 2026-11-03."),
    "datetime": ("a date and time", "Write date and time, such as 2026-11-03T19:30:00."),
}
_LIST = ("a list", "Write the items as a list: [one, two].")
MOST_BRACKETS = 100
"""`[[X]]` in one frontmatter that are looked at, since each costs a reading of it."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a note's text, by the offset at which it starts."""

    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def problems(note: Note, files: Files) -> Iterator[Problem]:
    """What stands so that it is no link (L3, L6), no tag (Y4) or no property (Y1)."""
    for passage in spaced_destinations(note, files):
        message = f"'{passage.text}' has a space, so that this is no link."
        yield _problem(note, passage, "link-space", message, f"Write '{encoded(passage.text)}'.", severity="error")
    for passage in bare_links(note, files):
        message = f"'{passage.text}' without quotes is a list in a list, not a link."
        yield _problem(note, passage, "property-link", message, f"Write {quoted(passage)}, with the quotes.")
    for passage in bad_tags(note):
        message = f"'{passage.text}' is no tag: a tag has neither spaces nor commas."
        yield _problem(note, passage, "property-tags", message, "Write several tags as a list: [one, two].")
    for passage in hidden_tags(note):
        message = f"'{passage.text}' is a comment here, so that there is no tag."
        written = without_hash(note, passage)
        hint = f"Write {written}." if written else "Write each tag as an item of its own, without '#'."
        yield _problem(note, passage, "property-tags", message, hint)
    for passage in misplaced(note):
        yield _problem(note, passage, "frontmatter-place", *_misplaced_words(passage))


def _misplaced_words(passage: Passage) -> tuple[str, str]:
    if passage.text.strip() == "---" and passage.text[0].isspace():
        return (
            "These are no properties: something stands before them.",
            "Write '---' in the very first line: delete what stands before it.",
        )
    return "These are no properties: their first line is not '---' alone.", "Write '---' in the first line."


def wrong_types(note: Note, declared: Mapping[str, PropertyType]) -> Iterator[Problem]:
    """Properties whose value is not of the type that the vault declares for them, by lower-case name (Y3)."""
    for misfit in misfits(note.properties, declared):
        wanted, hint = _TYPES.get(misfit.type, _LIST)
        message = f"'{misfit.name}' is declared as {wanted}, but is {_shown(misfit.value)}."
        yield _problem(note, Passage(_place(note, misfit.name), misfit.name), "property-type", message, hint)


def _shown(value: object) -> str:
    if isinstance(value, list | Mapping):
        return "a list" if isinstance(value, list) else "a map"
    return f"'{shorten(next(iter(texts(value)), ''), 40, placeholder='...')}'"


def _place(note: Note, name: str) -> int:
    """Where a property's name starts, or the quote before it; 0 for one that is written in an unusual way."""
    written = rf"""(?P<quote>["']?){re.escape(name)}(?P=quote)[ \t]*:"""
    for before in ("^", r"(?<=[\s{,])"):  # most stand at the start of a line, but those of JSON need not
        found = re.compile(before + written, re.MULTILINE).search(note.text, 0, note.body_start)
        if found:
            return found.start()
    return 0


def encoded(destination: str) -> str:
    """A Markdown link's destination with its spaces as Obsidian writes them."""
    return destination.replace(" ", "%20")


def spaced_destinations(note: Note, files: Files) -> Iterator[Passage]:
    """Destinations of `[text](my note.md)`, where they lead to a file or heading, so that prose is no alarm."""
    return (passage for passage in _with_spaces(note) if _leads(passage.text, note, files))


def _with_spaces(note: Note) -> Iterator[Passage]:
    """What looks like a destination and has a space in it, wherever it leads."""
    if not has_spaced_destination(note.text, note.body_start):
        return
    for bracket in _closing_brackets(note):
        match = _SPACED.match(note.text, bracket + 1)
        if match is not None and " " in match["destination"]:
            yield Passage(match.start("destination"), match["destination"])


def _closing_brackets(note: Note) -> Iterator[int]:
    """Offsets of each `]` in the body that closes a `[` and ends no link, outside of code, math, HTML and links."""
    offset = TextOffsets(note.body, note.body_start)
    opened, links = 0, 0
    for event, span in events(note.body):
        if not isinstance(event, dict):
            continue
        begun, ended, text = event.get("Start"), event.get("End"), event.get("Text")
        links += _is_link(begun) - (ended in ("Link", "Image"))
        if ended in ("Paragraph", "Item", "TableCell", "Heading"):
            opened = 0
        elif text in ("[", "!["):
            opened += 1
        elif text == "]" and opened and not links:
            opened -= 1
            yield offset(span["start"])


def _is_link(begun: object) -> bool:
    return isinstance(begun, dict) and ("Link" in begun or "Image" in begun)


def _leads(destination: str, note: Note, files: Files) -> bool:
    if is_external(destination):
        return False
    path, heading = split_destination(destination)
    if not path:
        return subpath.find_heading(note.headings, heading) is not None
    return files.resolve(path, note.path).path is not None


def bare_links(note: Note, files: Files) -> Iterator[Passage]:
    """Each `[[X]]` in the frontmatter that YAML reads as a list in a list, as it does without quotes."""
    if not holds_nested_list(note.properties):
        return
    found = islice(_BRACKETS.finditer(note.text, 0, note.body_start), MOST_BRACKETS)
    for passage in (Passage(match.start(), match[0]) for match in found):
        changed = _changes_when_quoted(note, passage)
        if changed is not None and (_is_one_text(changed) or _names_a_file(passage, note, files)):
            yield passage


def quoted(passage: Passage) -> str | None:
    """The passage as a YAML text in quotes; None if it holds both kinds of quotes."""
    if '"' not in passage.text and "\\" not in passage.text:
        return f'"{passage.text}"'
    return None if "'" in passage.text else f"'{passage.text}'"


def _changes_when_quoted(note: Note, passage: Passage) -> object:
    """The list that becomes a link, and nothing else does, when the passage is quoted; None if that is not so."""
    inserted = quoted(passage)
    if inserted is None:
        return None
    block = note.text[: passage.start] + inserted + note.text[passage.end : note.body_start]
    after = frontmatter.read(block, note.path)
    changed = list(differences(note.properties, after.properties))
    if after.problems or len(changed) != 1 or changed[0][0].lower() in _LISTS:
        return None
    _, was, becomes = changed[0]
    return was if isinstance(was, list) and becomes == passage.text else None


def differences(before: object, after: object, name: str = "") -> Iterator[tuple[str, object, object]]:
    """Where two readings of properties differ: the property's name, the value before and the value after."""
    if isinstance(before, Mapping) and isinstance(after, Mapping) and list(before) == list(after):
        for key, value in before.items():
            yield from differences(value, after[key], name or str(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for one, other in zip(before, after, strict=True):
            yield from differences(one, other, name)
    elif repr(before) != repr(after):
        yield name, before, after


def _is_one_text(value: object) -> bool:
    """Whether a nested list holds one text: two or a number may be meant as the list that they are."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return isinstance(value, str)


def _names_a_file(passage: Passage, note: Note, files: Files) -> bool:
    _, path, _ = split_wikilink(passage.text[2:-2])
    return bool(path) and files.resolve(path, note.path).path is not None


def bad_tags(note: Note) -> Iterator[Passage]:
    """Each text under `tags` that Obsidian drops, since a tag has neither spaces nor commas."""
    wrong = wrong_tags(note.property("tags"))
    found = _TAGS.search(note.text, 0, note.body_start) if wrong else None
    behind = found.end() if found and found["value"] is None else found.start() if found else 0
    for text in wrong:
        place = note.text.find(text, behind, note.body_start)
        behind = place + len(text) if place >= 0 else behind
        yield Passage(place if place >= 0 else behind, text)


def tag_text(note: Note) -> Passage | None:
    """The value of `tags: a, b` as written, quotes included; None unless it is one text on one line."""
    value = note.property("tags")
    found = _TAGS.search(note.text, 0, note.body_start)
    if not isinstance(value, str) or found is None or found["value"] is None:
        return None
    written = found["value"]
    bare = written[1:-1] if written[0] in "\"'" else written
    return Passage(found.start("value"), written) if bare.strip() == value.strip() else None


def hidden_tags(note: Note) -> Iterator[Passage]:
    """Each `#npc` under `tags` that YAML reads as a comment, and nothing beside it; also `#npc #dead` (Y4)."""
    if "tags" not in map(str.lower, note.properties) or not hides_tags(note.property("tags"), note.text):
        return
    found = _TAGS.search(note.text, 0, note.body_start)
    if found is None:
        return
    behind = _NEXT_PROPERTY.search(note.text, found.end(), note.body_start)
    end = behind.start() if behind else note.body_start
    for match in islice(_HIDDEN_TAGS.finditer(note.text, found.end(), end), MOST_BRACKETS):
        passage = Passage(match.start("tags"), match["tags"])
        if (match["item"] or match.start() == found.end()) and _becomes_tag(note, passage):
            yield passage


def without_hash(note: Note, passage: Passage) -> str | None:
    """What to write for one of the `hidden_tags`: `npc` or `[npc, dead]`; None if several stand in one list item."""
    names = [yaml_scalar(name) for name in re.findall(r"[\w/-]+", passage.text)]
    if len(names) == 1:
        return names[0]
    line = note.text[note.text.rfind("\n", 0, passage.start) + 1 : passage.start]
    return None if line.strip() == "-" else f"[{', '.join(names)}]"


def _becomes_tag(note: Note, passage: Passage) -> bool:
    """Whether a tag in place of the passage would be one where now is nothing, and all else would stay."""
    written = without_hash(note, passage) or "x"
    block = note.text[: passage.start] + written + note.text[passage.end : note.body_start]
    after = frontmatter.read(block, note.path)
    changed = list(differences(note.properties, after.properties))
    return not after.problems and [(name.lower(), was) for name, was, _ in changed] == [("tags", None)]


def misplaced(note: Note) -> Iterator[Passage]:
    """The text up to the end of the line that should be `---` and the first one, for it to begin properties (Y1)."""
    found = misplaced_properties(note.text)
    if found is not None:
        yield Passage(0, note.text[: found.end("opening")])


def _problem(
    note: Note, passage: Passage, code: str, message: str, hint: str, *, severity: Severity = "warning"
) -> Problem:
    place = (note.places.line(passage.start), note.places.column(passage.start))
    return Problem(note.path, *place, code, message, hint, severity)
