"""The definitions of the GM's own games, from files in `.vaultkit/games/` and notes with `vaultkit-game`.

A definition is read as plain tables, which other modules interpret. The property of a note is such a table itself.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from vaultkit import resources, trust
from vaultkit.compendium.rule_note import GAME_PROPERTY
from vaultkit.compendium.toml_tables import Tables, read_text, read_toml
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.text import fold_game_id, lookalike_key, name_key, slug, to_game_id
from vaultkit.vault import Vault
from vaultkit.vault.file_names import is_device
from vaultkit.vault.text_positions import LINE_END

DEFINITIONS_FOLDER = "scoresheets"
_MAX_TITLE_BYTES = 120
"""The bytes of a title that go into an id."""
KEPT_NAME_PATTERN = re.compile(r"sha256-[0-9a-f]+")
"""The pattern of the name, without suffix, of a kept file: a definition by which games were logged."""


@dataclass(frozen=True)
class RawSheet:
    """The definition of one game as plain tables, which carry its path in the vault or its name in vaultkit.

    `fault` is the error if it cannot be read. `ours` is True for a definition shipped with vaultkit.
    """

    game: str
    tables: Tables
    ours: bool = False
    fault: InvalidError | None = None

    @property
    def title(self) -> str:
        return str(self.tables.table.get("title", self.game))

    @property
    def names(self) -> frozenset[str]:
        """The id and the title, as keys for the comparison of names."""
        return frozenset({lookalike_key(self.game), lookalike_key(self.title)})


def raw_sheets(vault: Vault | None) -> Iterator[RawSheet]:
    """Yield every definition: the vault's files, its notes, and then the definitions shipped with vaultkit."""
    shipped_folder_path = resources.shipped_folder(DEFINITIONS_FOLDER)
    files = [path for _, path in resources.list_files(DEFINITIONS_FOLDER, "*.toml", vault.root if vault else None)]
    yield from (_read_file(path) for path in files if not path.is_relative_to(shipped_folder_path))
    yield from _read_notes(vault) if vault else ()
    yield from (_read_file(path, ours=True) for path in sorted(shipped_folder_path.glob("*.toml")))


def shipped_sheet(game: str) -> RawSheet:
    """Return the shipped definition of a game that vaultkit can also play."""
    return _read_file(resources.shipped_folder(DEFINITIONS_FOLDER) / "played" / f"{game}.toml", ours=True)


def kept_file(root: Path, definition: str) -> Path:
    """Return the path at which the definition with this id is kept in a vault."""
    return resources.vault_folder(DEFINITIONS_FOLDER, root) / "kept" / f"{definition}.toml"


def kept_definitions(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the id and the path in the vault of each definition that is kept in it."""
    for path in sorted(kept_file(root, "").parent.glob("*.toml")):
        if KEPT_NAME_PATTERN.fullmatch(path.stem):
            yield path.stem, resources.name_of(DEFINITIONS_FOLDER, path)


def kept_sheet(game: str, definition: str, root: Path) -> RawSheet:
    """Return the definition with this id by which a game was logged. Raise InvalidError if it is not in the vault."""
    path = kept_file(root, definition)
    if not (KEPT_NAME_PATTERN.fullmatch(definition) and path.is_file() and trust.may_use_file(root, path, data=True)):
        where = resources.name_of(DEFINITIONS_FOLDER, path)
        message = f"This game was logged by a definition of {game} that is no longer in this vault: {where:.200}."
        hint = "Bring that file back from a backup, another computer or git. Until then the numbers in its note count."
        raise InvalidError(message, hint=hint)
    return replace(_read_file(path), game=game)


def game_id(title: str) -> str:
    """Return the id of a game with this title: its letters and digits, in lower case, with hyphens between words.

    A title without any gets an id made from its hash. A name reserved by Windows for a device, such as Con, gets one
    word more.
    """
    short_title = title.encode()[:_MAX_TITLE_BYTES].decode(errors="ignore")
    words = to_game_id(short_title) or f"game-{_hash(title)}"
    return f"{words}-game" if is_device(words) else words


def latin_id(title: str) -> str:
    """Return the id that versions up to 0.4 gave to a game with this title, in Latin letters only."""
    return slug(title, "-") or f"game-{_hash(title)}"


def _hash(title: str) -> str:
    return hashlib.sha256(name_key(title).encode()).hexdigest()[:6]


def _read_file(path: Path, *, ours: bool = False) -> RawSheet:
    where, game = resources.name_of(DEFINITIONS_FOLDER, path), fold_game_id(path.stem)
    try:
        return RawSheet(game, read_toml(read_text(path, where), where), ours)
    except InvalidError as error:
        return RawSheet(game, Tables(where), ours, error)


def _read_notes(vault: Vault) -> Iterator[RawSheet]:
    """Yield the definitions in notes whose property is a table.

    A table without `id` and `title` gets them from the note's name, and the note's aliases are the game's, too. If the
    property is a word, the note only explains the game of that name.
    """
    for facts in vault.note_facts:
        if isinstance(definition := facts.property(GAME_PROPERTY), dict):
            with suppress(VaultkitError):  # a note deleted since the notes were listed
                note, table = vault.read(facts.path), {"title": facts.name, **definition}
                if isinstance(aliases := table.get("aliases", []), list):
                    table["aliases"] = [*aliases, *facts.aliases]
                game = fold_game_id(str(table.pop("id", game_id(note.name))))
                yield RawSheet(game, Tables(note.path, table, LINE_END.split(note.head), (GAME_PROPERTY,)))
