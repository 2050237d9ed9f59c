"""Where games of the GM's own are defined: files in `.vaultkit/games/`, and notes with the property `vaultkit-game`.

A definition is read as plain tables; what they mean is for others to know. A note's property is such a table itself.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vaultkit import resources
from vaultkit.compendium.plain_tables import Tables, read_text, read_toml
from vaultkit.compendium.rulenote import GAME
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.sorting import slug
from vaultkit.vault import Vault

FOLDER = "scoresheets"


@dataclass(frozen=True)
class RawSheet:
    """The definition of one game as plain tables, which tell its path in the vault, or what a file of ours is called.

    `fault` says why there is none. `ours` is shipped with vaultkit.
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
        """The id and the title, in small letters."""
        return frozenset({self.game, self.title.casefold()})


def raw_sheets(vault: Vault | None) -> Iterator[RawSheet]:
    """Every definition: the vault's files, its notes, and then those shipped with vaultkit."""
    ours = resources.shipped(FOLDER)
    files = [path for _, path in resources.listing(FOLDER, "*.toml", vault.root if vault else None)]
    yield from (_of_file(path) for path in files if not path.is_relative_to(ours))
    yield from _notes(vault) if vault else ()
    yield from (_of_file(path, ours=True) for path in sorted(ours.glob("*.toml")))


def shipped_sheet(game: str) -> RawSheet:
    """The definition of a game that can be played here, too."""
    return _of_file(resources.shipped(FOLDER) / "played" / f"{game}.toml", ours=True)


def _of_file(path: Path, *, ours: bool = False) -> RawSheet:
    where, game = resources.name_of(FOLDER, path), path.stem.casefold()
    try:
        return RawSheet(game, read_toml(read_text(path, where), where), ours)
    except InvalidError as error:
        return RawSheet(game, Tables(where), ours, error)


def _notes(vault: Vault) -> Iterator[RawSheet]:
    """Notes whose property is a table. Where that has no `id` and `title`, the game is called as its note is.

    The note's aliases are the game's, too. Where the property is a word, the note explains the game of that name.
    """
    for facts in vault.note_facts:
        if isinstance(said := facts.property(GAME), dict):
            with suppress(VaultkitError):  # one that has gone since the notes were listed
                note, table = vault.read(facts.path), {"title": facts.name, **said}
                if isinstance(aliases := table.get("aliases", []), list):
                    table["aliases"] = [*aliases, *facts.aliases]
                game = str(table.pop("id", slug(note.name, "-")))
                yield RawSheet(game, Tables(note.path, table, note.text[: note.body_start].splitlines(), (GAME,)))
