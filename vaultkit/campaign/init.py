"""Making a vault ready: a commented settings file, and a game's notes from the example vault."""

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from vaultkit import resources
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import InvalidError
from vaultkit.games.registry import GameInfo, find
from vaultkit.settings import CONFIG
from vaultkit.vault import Vault
from vaultkit.vault.writing.write import Writer, carry_out
from vaultkit.wording import listing

CONFIG_TEXT = """\
# Settings of vaultkit for this vault.
#
# Lines that begin with # are remarks. To use a setting, take its # away. If you misspell one, vaultkit says so and
# lists what it knows. Where something is set more than once, the later of these wins: this file, the frontmatter of
# a rule note, --set on the command line.

# Who plays: names or aliases of notes in this vault, so that results can link to them. A name without a note is a
# guest, and is written as plain text.
# players = ["Ysolde Marr", "Bram Tolliver"]

[campaign]
# The note that gets one line for every finished game. Without it vaultkit writes the game's own note and no more.
# note = "Campaign Log"

# The heading in that note under which the line goes. It is made if it is missing.
# heading = "Log"

# The folder for the notes of finished games.
# folder = "Games"

# Which note gets the line: "note", which is the one above; "newest-session", the newest of your own session notes; or
# "daily-note", Obsidian's daily note of that day.
# log-to = "note"

# The folder of your own session notes. Without it they are known by the tag "session", or by a property "session".
# sessions = "Sessions"

# The property of your session notes that holds the date in your world. A game's note gets it, too.
# in-world = "fc-date"

# The heading in a character's note under which rewards are listed. It is made if it is missing.
# loot-heading = "Loot"

[stats]
# The note that `vaultkit stats --write` keeps up to date, and its list for Obsidian's Bases. Without these: two files
# in the folder for the notes of finished games.
# note = "Games/Statistics"
# base = "Games/Games.base"

[history]
# What vaultkit wrote can be taken back for so many days, and as long as all of it together is no larger than so many
# megabytes. 0 sets no limit. The newest 20 writes, and those of the last day, are kept in any case.
# days = 365
# megabytes = 200

[print]
# Paper for everything that you print: "a4" or "letter".
# paper = "a4"

# The colours: "classic", "forest", or a theme of your own in .vaultkit/print/themes/.
# theme = "classic"

# Where PDFs go, from the vault's folder on. Without it: the folder that you are in.
# folder = "Sheets"

# true for all that you print: no fills; nothing in colour; words of 16 points and more; a face for weak eyes.
# ink-saver = false
# grey = false
# large = false
# easy-read = false

# What Obsidian calls this vault: for links and codes on paper that open a note there.
# vault-name = "My Campaign"

# House rules, game by game. The options of a game: vaultkit rules dragon-citadel --options
#
# [games.dragon-citadel]
# mode = "competitive"
"""


_KINDS = {"variant-rules": "rule note", "decks": "deck", "tables": "table", "items": "item"}
"""What a note is, by the folder that it lies in."""
_ASKED_FOR = ("rule note", "deck")
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".gif")


@dataclass
class Prepared:
    """What `init` made, or would make: `config` "" if it was there already; `notes` are all other vault paths."""

    config: str = ""
    notes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    diff: str = ""

    @property
    def summary(self) -> str:
        """What was copied, in one line: `1 rule note, 1 deck, 54 pictures, 8 tables, 10 items`; "" if nothing was."""
        return ", ".join(_counted(self.notes))


def init(vault: Vault, *, game: str = "", now: datetime, dry_run: bool = False) -> Prepared:
    """Write the settings file, and with `game` copy in that game's rule note and deck with all that they link to.

    Nothing that exists is overwritten. Raises UsageError for an unknown game, WriteError where nothing can be written.
    """
    info = find(game) if game else None
    return carry_out(vault, lambda fresh: _plan(fresh, info, now), dry_run=dry_run)[0]


def _plan(vault: Vault, info: GameInfo | None, now: datetime) -> tuple[Prepared, Writer]:
    prepared, writer = Prepared(), Writer(vault, "init", now)
    if vault.file(CONFIG).exists():
        prepared.remarks.append(f"{CONFIG} is there already and stays as it is.")
    else:
        prepared.config = CONFIG
        writer.create(CONFIG, CONFIG_TEXT)
    if info:
        _copy_game(vault, info, writer, prepared)
    prepared.diff = writer.diff()
    return prepared, writer


def _copy_game(vault: Vault, info: GameInfo, writer: Writer, prepared: Prepared) -> None:
    example = Vault(resources.shipped("vault-example"))
    shipped, own = Compendium(example), Compendium(vault)
    rule_note = shipped.rule_note(info.id, (info.title, *info.aliases))
    if rule_note is None:
        raise InvalidError(f"The example vault has no rule note for {info.title}.", hint="Install vaultkit again.")
    decks = {deck.note.path for deck in shipped.decks if deck.deck.kind == info.deck}
    present = [deck.note.path for deck in own.decks if deck.deck.kind == info.deck]
    others = {deck.note.path for deck in shipped.decks} - decks
    if present and present[0] not in decks:
        prepared.remarks.append(f"This vault has a {info.deck} deck already, {present[0]}; no second one is added.")
        others |= decks
        decks = set()
    theirs = own.rule_note(info.id, (info.title, *info.aliases))
    start = [rule_note.note.path, *sorted(decks)]
    if theirs and theirs.note.path != rule_note.note.path:
        prepared.remarks.append(f"This vault has the rules of {info.title} already, {theirs.note.path}.")
        start = sorted(decks)
    stay = [path for path in _linked(example, start, others) if not _copy(example, path, vault, writer, prepared)]
    if not prepared.notes and theirs and present:
        where = f"its rules are {theirs.note.path}, its deck is {present[0]}"
        prepared.remarks = [f"{info.title} is here already, and nothing was copied: {where}."]
        return
    prepared.remarks += [*_staying(stay), *_besides(prepared.notes)]


def _linked(example: Vault, start: list[str], left_out: set[str]) -> Iterator[str]:
    """The files at `start` and all that they lead to, so that no link of the copies is dead."""
    pending, seen = list(start), {*start, *left_out}
    while pending:
        path = pending.pop(0)
        yield path
        for link in example.read(path).links if path.lower().endswith(".md") else ():
            target = example.resolve(link, path).path
            if target and target not in seen:
                seen.add(target)
                pending.append(target)


def _copy(example: Vault, path: str, vault: Vault, writer: Writer, prepared: Prepared) -> bool:
    """Plan the copy of one file; False if there is another one of this path in the vault."""
    data = example.file(path).read_bytes()
    target = vault.file(path)
    if target.exists():
        return target.is_file() and target.read_bytes() == data
    prepared.notes.append(path)
    writer.create(path, data.decode("utf-8") if path.endswith(".md") else data)
    return True


def _staying(paths: list[str]) -> Iterator[str]:
    if len(paths) == 1:
        yield f"{paths[0]} is there already and stays as it is."
    elif paths:
        yield f"{len(paths)} files are there already and stay as they are, such as {paths[0]}."


def _besides(paths: list[str]) -> Iterator[str]:
    """What came without being asked for by name, and why."""
    counted = tuple(_counted(path for path in paths if _kind(path) not in _ASKED_FOR))
    if counted:
        yield f"The rules and the deck lead to {listing(counted)}, copied as well so that no link is dead."


def _counted(paths: Iterable[str]) -> Iterator[str]:
    counts = Counter(map(_kind, paths))
    for kind in ("rule note", "deck", "picture", "table", "item", "note", "file"):
        if counts[kind]:
            yield f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}"


def _kind(path: str) -> str:
    if path.lower().endswith(".md"):
        return _KINDS.get(posixpath.basename(posixpath.dirname(path)), "note")
    return "picture" if path.lower().endswith(_PICTURES) else "file"
