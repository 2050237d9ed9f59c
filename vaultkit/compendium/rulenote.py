"""The GM's own rule notes, and the house rules in them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.vault import Note
from vaultkit.vault.facts import Facts, texts

GAME, PROPERTY = "vaultkit-game", "vaultkit-options"
HOW_TO_SET = f'Write {PROPERTY}: ["key=value"].'


@dataclass(frozen=True)
class RuleNote:
    """The note that explains one game."""

    game: str
    note: Note

    @property
    def options(self) -> Mapping[str, str]:
        """House rules in its frontmatter: `vaultkit-options: ["mode=competitive"]`, or a map `vaultkit: options:`.

        Raises UsageError for an entry that is not `key=value`.
        """
        found: dict[str, str] = {}
        for entry in self.written:
            if not entry.is_pair:
                raise UsageError(f"'{entry.text}' is no option.", where=self.note.path, hint=HOW_TO_SET)
            found[entry.key] = entry.value
        return found

    @property
    def written(self) -> Iterator["WrittenOption"]:
        """The same as they stand there, faulty ones included."""
        nested = self.note.property("vaultkit")
        given = nested.get("options") if isinstance(nested, dict) else None
        for key, value in given.items() if isinstance(given, dict) else ():
            yield WrittenOption(str(key), str(key), "".join(texts(value)))
        for text in texts(self.note.property(PROPERTY)):
            key, equals, value = text.partition("=")
            yield WrittenOption(text, key.strip(), value.strip(), bool(equals))


@dataclass(frozen=True, slots=True)
class WrittenOption:
    """An option in frontmatter: `text` is what can be found there. One without `=` is no pair, and sets nothing."""

    text: str
    key: str
    value: str
    is_pair: bool = True


def is_rule_note(note: Note | Facts, game: str, titles: frozenset[str]) -> bool:
    """Whether a note explains `game`: it says so, or its name, title or an alias is among `titles` (casefolded)."""
    said = texts(note.property(GAME))
    return said[0].strip().lower() == game if said else _goes_by(note, titles)


def may_be_rule_note(note: Note | Facts, titles: frozenset[str]) -> bool:
    """Whether a note explains any game at all, `titles` (casefolded) being those of all games."""
    return bool(texts(note.property(GAME))) or _goes_by(note, titles)


def _goes_by(note: Note | Facts, titles: frozenset[str]) -> bool:
    names = {note.name.casefold(), note.title.casefold(), *(alias.casefold() for alias in note.aliases)}
    return bool(names & titles)
