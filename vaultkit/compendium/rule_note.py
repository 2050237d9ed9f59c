"""Rule notes, each of which explains a game, and the house rules in their frontmatter."""

import re
from collections.abc import Iterator, Mapping

import msgspec

from vaultkit.errors import UsageError
from vaultkit.vault import Note
from vaultkit.vault.note_facts import Facts, texts

GAME_PROPERTY, OPTIONS_PROPERTY = "vaultkit-game", "vaultkit-options"
_FENCE_PATTERNS = [(mark[:1], re.compile(mark + rb"[ \t]*(?i:play)\b")) for mark in (b"```", b"~~~")]
"""For each kind of fence, its character and the pattern of a fence that opens a `play` block.

Few notes contain the characters, so they are searched first.
"""
OPTIONS_HINT = f'Write {OPTIONS_PROPERTY}: ["key=value"].'


def has_play_blocks(note: Note) -> bool:
    """Return whether a note may contain `play` blocks."""
    return any(character in note.data and fence.search(note.data) is not None for character, fence in _FENCE_PATTERNS)


class RuleNote(msgspec.Struct, frozen=True):
    """The note that explains one game."""

    game: str
    note: Note

    @property
    def options(self) -> Mapping[str, str]:
        """The house rules in the frontmatter: `vaultkit-options: ["mode=competitive"]`, or a map `vaultkit: options:`.

        Raises UsageError for an entry that is not `key=value`.
        """
        values: dict[str, str] = {}
        for entry in self.entries:
            if not entry.is_pair:
                raise UsageError(f"'{entry.text}' is not an option.", where=self.note.path, hint=OPTIONS_HINT)
            values[entry.key] = entry.value
        return values

    @property
    def entries(self) -> Iterator["WrittenOption"]:
        """The house rules in the frontmatter as written, faulty ones included."""
        nested = self.note.property("vaultkit")
        options_map = nested.get("options") if isinstance(nested, dict) else None
        for key, value in options_map.items() if isinstance(options_map, dict) else ():
            yield WrittenOption(str(key), str(key), "".join(texts(value)))
        for text in texts(self.note.property(OPTIONS_PROPERTY)):
            key, equals, value = text.partition("=")
            yield WrittenOption(text, key.strip(), value.strip(), bool(equals))


class WrittenOption(msgspec.Struct, frozen=True):
    """An option as written in frontmatter, where it is `text`; without `=`, `is_pair` is false and it sets nothing."""

    text: str
    key: str
    value: str
    is_pair: bool = True


def explained_games(note: Note | Facts, games_by_title: Mapping[str, str]) -> frozenset[str]:
    """Return the ids of the games that a note explains.

    The note names the game in its frontmatter, or its name, title or an alias is a casefolded title of the game.
    """
    if game_names := texts(note.property(GAME_PROPERTY)):
        return frozenset({game_names[0].strip().lower()})
    names = (note.name.casefold(), note.title.casefold(), *map(str.casefold, note.aliases))
    return frozenset(games_by_title[name] for name in names if name in games_by_title)
