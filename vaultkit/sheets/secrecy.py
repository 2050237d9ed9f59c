"""Secrets of the game master: the decision whether a name, a property or a whole note is a secret.

`text/secret_parts.py` finds the secret parts of a note with it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.errors import InvalidError
from vaultkit.sheets.secret_names import is_secret_label, is_secret_name
from vaultkit.text import format_count, join_words
from vaultkit.vault import Note

PLAYERS_COPY = "players' copy"
Counts = Mapping[str, int]
"""The number of secrets by kind; the kinds are the keys of `PLURALS`."""
PLURALS = {
    "note": "notes", "heading": "headings", "callout": "callouts", "property": "properties", "field": "fields",
    "HTML block": "HTML blocks", "code block": "code blocks", "table row": "table rows",
    "table column": "table columns", "comment": "comments", "embed": "embeds", "link": "links", "card": "cards",
}  # fmt: skip
"""The plurals of the kinds of secrets, in the order in which counts are listed."""
_TRUE_VALUES = {"true", "yes"}


@dataclass(frozen=True)
class Secrets:
    """The rules about secrets: `kinds` are the words of the setting `print.secrets` that mark them.

    With `hidden`, secrets are left out, as in a players' copy.
    """

    kinds: tuple[str, ...] = ()
    hidden: bool = False

    def is_secret_name(self, name: str, *, alone: bool = False) -> bool:
        """Return whether a name marks a secret, by `secret_names.is_secret_name`.

        With `alone`, an ambiguous word such as `keeper` is enough.
        """
        return is_secret_name(name, self.kinds, alone=alone)

    def is_secret_label(self, label: str) -> bool:
        """Return whether a label before a colon makes the text after it a secret, by `secret_names.is_secret_label`."""
        return is_secret_label(label, self.kinds)

    def is_secret_note(self, note: Note) -> bool:
        """Return whether a whole note is a secret."""
        return bool(self.reason(note))

    def reason(self, note: Note) -> str:
        """Return what marks a whole note as a secret: `tag`, `property`, `name` or `title`; "" if it is none."""
        if not self.kinds:
            return ""
        if any(self.is_secret_name(part, alone=True) for tag in _tags(note) for part in tag.split("/")):
            return "tag"
        if any(
            str(value).casefold() in _TRUE_VALUES and self.is_secret_name(key) for key, value in note.properties.items()
        ):
            return "property"
        if self.is_secret_name(note.name):
            return "name"
        titles = [heading.text for heading in note.headings if heading.level == 1]
        return "title" if len(titles) == 1 and self.is_secret_name(titles[0]) else ""

    def sift_properties(self, properties: Mapping[str, object]) -> tuple[dict[str, object], int]:
        """Return the properties, without secret ones if secrets are hidden, and the number of secrets.

        Nested properties are treated alike.
        """
        visible_properties, count = dict[str, object](), 0
        for key, value in properties.items():
            if self.is_secret_name(key):
                count += value not in (None, "", False)
                visible_properties |= {} if self.hidden else {key: value}
            else:
                visible_properties[key], nested_count = self._sift_value(value)
                count += nested_count
        return visible_properties, count

    def _sift_value(self, value: object) -> tuple[object, int]:
        if isinstance(value, Mapping):
            return self.sift_properties(value)
        if not isinstance(value, list):
            return value, 0
        secret_entries = [
            entry for entry in value if isinstance(entry, Mapping) and self.is_secret_name(str(entry.get("name") or ""))
        ]
        sifted_entries = [self._sift_value(entry) for entry in value if entry not in secret_entries or not self.hidden]
        return [entry for entry, _ in sifted_entries], len(secret_entries) + sum(count for _, count in sifted_entries)

    def remark(self, counts: Counts, holder: str) -> tuple[str, ...]:
        """Return a sentence in a tuple on the secrets that a file holds or lacks, or an empty tuple if there are none.

        `holder` is the beginning of the sentence if secrets are not hidden: `This sheet holds`.
        """
        kind_counts = [counted_secrets(number, kind) for kind in PLURALS if (number := counts.get(kind, 0))]
        if not kind_counts:
            return ()
        total = format_count(sum(counts.values()), "secret")
        if self.hidden:
            return (f"Left out for players: {total} ({join_words(kind_counts)}).",)
        return (f"{holder} {total} for the game master. A copy for players: --no-secrets.",)

    def filter_notes(self, notes: Sequence[Note]) -> tuple[list[Note], tuple[str, ...]]:
        """Return the notes, without secret ones if secrets are hidden, and remarks on the omitted ones.

        Raises InvalidError if no note is left.
        """
        hidden = [note for note in notes if self.hidden and self.is_secret_note(note)]
        visible_notes = [note for note in notes if note not in hidden]
        reasons = list(dict.fromkeys(map(self.reason, hidden)))
        if not visible_notes:
            hint = "Leave out --no-secrets to print it for yourself."
            reason_text = f"its {reasons[0]}"
            raise InvalidError(
                f"This note is for the game master alone, by {reason_text}.", where=hidden[0].path, hint=hint
            )
        if not hidden:
            return visible_notes, ()
        reason_text = f"its {reasons[0]}" if len(hidden) == 1 else f"their {join_words(map(_plural, reasons))}"
        return visible_notes, (f"Left out for players: {join_words(note.path for note in hidden)}, by {reason_text}.",)


def counted_secrets(number: int, kind: str) -> str:
    """Return a number with a kind of secret, such as `1 property` or `2 properties`."""
    return f"{number} {kind if number == 1 else PLURALS[kind]}"


def counts_by_plural(counts: Counts) -> dict[str, int]:
    """Return counts by the plural names of their kinds: `{"callouts": 2}`."""
    return {PLURALS[kind]: counts[kind] for kind in PLURALS if counts.get(kind)}


def add_counts(counts: Iterable[Counts]) -> Counter[str]:
    """Return the sum of several counts by kind."""
    return sum(map(Counter[str], counts), Counter[str]())


def _tags(note: Note) -> Iterator[str]:
    """Yield the tags of a note, including the ones in its property `tag`, which older vaults use."""
    yield from note.tags
    value = note.properties.get("tag")
    for entry in value if isinstance(value, list) else [value]:
        yield from str(entry or "").replace(",", " ").split()


def _plural(reason: str) -> str:
    return "properties" if reason == "property" else f"{reason}s"


NO_SECRETS = Secrets()
