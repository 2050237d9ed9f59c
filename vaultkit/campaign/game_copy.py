"""Copies of a shipped game into a vault: its rule note, deck and pictures, with links that lead to the new places."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

from vaultkit import files, resources
from vaultkit.campaign.shipped_notes import shipped_rule_note, way_to_rule_note
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import NothingFound
from vaultkit.games.registry import GameInfo
from vaultkit.text import format_count
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.file_names import safe_parts
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.write import Writer

GAMES_FOLDER = "Card Games"
"""The folder for games in a vault without a folder of ttrpg-convert-cli."""
_CONVERTER_FOLDER = "CLI"
_SHIPPED_ROOT = "3-Mechanics/CLI/"
"""The folder of the games in the example vault; every link between files of a game begins with it."""
_LINK = re.compile(rf"(?P<opening>!?\[(?P<text>[^\]]*)\]\(/)(?P<path>{_SHIPPED_ROOT}[^)#]+)(?P<end>(?:#[^)]*)?\))")
_KINDS = {"variant-rules": "rule note", "decks": "deck", "img": "picture", "tables": "table", "items": "item"}
"""The kinds of shipped files, by the name of their folder."""
_EXTRA_KINDS = ("table", "item")


class GameCopy:
    """A plan to copy a game's rule note and deck with their pictures into one `folder` of a vault.

    Without `folder`, it is that of ttrpg-convert-cli or GAMES_FOLDER. With `has_extras`, the treasure tables and
    example items that the rules name are copied, too. `paths` are the vault paths of the copies, `remarks` sentences
    about what the vault has already; nothing of it is overwritten.
    """

    def __init__(self, vault: Vault, info: GameInfo, folder: str = "", *, has_extras: bool = False) -> None:
        hint = "Name a folder of the vault, such as 'Rules/Card Games'."
        folder = "/".join(safe_parts(folder, f"--folder {folder}", hint)) or _find_games_folder(vault)
        self.folder = posixpath.dirname(vault.files.respell_folder(f"{folder}/note.md"))
        self.paths: list[str] = []
        self.remarks: list[str] = []
        self._vault, self._info, self._has_extras = vault, info, has_extras
        self._example = Vault(resources.shipped_folder("vault-example"))
        self._counts = Counter[str]()
        self._linked_kinds = {"rule note", "deck", "picture", *(_EXTRA_KINDS if has_extras else ())}

    @property
    def summary(self) -> str:
        """The copies in one line: `1 rule note, 1 deck, 54 pictures`; "" without any."""
        return ", ".join(format_count(self._counts[kind], kind) for kind in _KINDS.values() if self._counts[kind])

    def plan(self, writer: Writer) -> None:
        """Plan the copies. Raises NothingFound if there is nothing of the game to copy."""
        diff_before = writer.diff()
        shipped_paths = list(self._follow_links(list(self._start_paths())))
        changed_paths = [path for path in shipped_paths if not self._plan_file(path, writer)]
        own = Compendium(self._vault)
        rules = own.rule_note(self._info.id, (self._info.title, *self._info.aliases))
        deck = next((deck.note.path for deck in own.decks if deck.deck.kind == self._info.deck), "")
        if writer.diff() == diff_before and rules and deck:
            where = f"its rules are {rules.note.path}, its deck is {deck}"
            self.remarks = [f"{self._info.title} is here already, and nothing was copied: {where}."]
        elif changed_paths:
            count = len(changed_paths)
            files_text = self._place(changed_paths[0]) if count == 1 else f"{count} files"
            example_text = f", such as {self._place(changed_paths[0])}" if count > 1 else ""
            verbs = "exists already and stays as it is" if count == 1 else "exist already and stay as they are"
            self.remarks.append(f"{files_text} {verbs}{example_text}.")

    def _start_paths(self) -> Iterator[str]:
        """Yield the shipped paths of the rule note and of the deck, each unless the vault has its own elsewhere."""
        own, title = Compendium(self._vault), self._info.title
        rules, own_rules = shipped_rule_note(self._info), own.rule_note(self._info.id, (title, *self._info.aliases))
        decks = [deck.note.path for deck in Compendium(self._example).decks if deck.deck.kind == self._info.deck]
        own_decks = [deck.note.path for deck in own.decks if deck.deck.kind == self._info.deck]
        if rules is None:
            message = f"There is no rule note of {title} to copy."
            if own_decks or not decks:
                raise NothingFound(message, hint=way_to_rule_note(self._info))
            self.remarks.append(f"{message} {way_to_rule_note(self._info)}")
        elif own_rules and own_rules.note.path != self._place(rules.note.path):
            self.remarks.append(f"This vault has the rules of {title} already, {own_rules.note.path}.")
        else:
            yield rules.note.path
        if own_decks and own_decks[0] not in map(self._place, decks):
            self._linked_kinds.remove("deck")
            self.remarks.append(f"This vault has a {self._info.deck} deck already, {own_decks[0]}; none is added.")
        else:
            yield from decks

    def _follow_links(self, paths: list[str]) -> Iterator[str]:
        """Yield the shipped `paths` and the files to which links of copied notes lead, directly or not, each once.

        From notes that the vault has changed, only links to extras are followed.
        """
        for path in paths:  # grows meanwhile
            yield path
            kinds = self._linked_kinds if self._is_new_or_unchanged(path) else self._linked_kinds & {*_EXTRA_KINDS}
            for link in _LINK.finditer(self._example.read(path).text) if is_note(path) else ():
                if link["path"] not in paths and _kind_of(link["path"]) in kinds:
                    paths.append(link["path"])

    def _is_new_or_unchanged(self, path: str) -> bool:
        """Return whether the vault has no file at the place of a shipped file, or a copy of any version of it."""
        target = self._vault.file(self._place(path))
        return not target.exists() or (
            target.is_file() and files.read(target, files.PICTURE_BYTES) in self._versions(path)
        )

    def _plan_file(self, path: str, writer: Writer) -> bool:
        """Plan the copy of a shipped file, or new links in an older copy; return False for a changed file, which stays.

        An older copy gets links to the extras when these are added.
        """
        place, versions = self._place(path), self._versions(path)
        if not self._is_new_or_unchanged(path):
            return False
        if not self._vault.file(place).exists():
            self.paths.append(place)
            self._counts[_kind_of(path)] += 1
            writer.create(place, versions[0].decode() if is_note(path) else versions[0])
        elif self._has_extras and is_note(path) and self._vault.read(place).text != versions[0].decode():
            writer.change(place, lambda note: Splice(0, note.text, versions[0].decode()), generated=True)
        return True

    def _versions(self, path: str) -> list[bytes]:
        """Return a shipped file as this plan copies it, then as other runs may have copied it to the same place."""
        data = files.read(self._example.file(path), files.PICTURE_BYTES)
        if not is_note(path):
            return [data]
        without_extras = self._linked_kinds.difference(_EXTRA_KINDS)
        linked_kinds = (self._linked_kinds, without_extras, {*without_extras, "deck"}, {*_KINDS.values()})
        return [self._relink(data.decode(), kinds).encode() for kinds in linked_kinds]

    def _relink(self, text: str, linked_kinds: set[str]) -> str:
        """Return the text of a shipped note with links to the places of copies; other kinds become plain text."""

        def replace(link: re.Match[str]) -> str:
            is_linked = _kind_of(link["path"]) in linked_kinds
            return f"{link['opening']}{quote(self._place(link['path']))}{link['end']}" if is_linked else link["text"]

        return _LINK.sub(replace, text)

    def _place(self, path: str) -> str:
        """Return the vault path for a shipped file.

        A folder of ttrpg-convert-cli has subfolders by kind; elsewhere the rules and the deck lie side by side.
        """
        path = path.removeprefix(_SHIPPED_ROOT)
        if posixpath.basename(self.folder) != _CONVERTER_FOLDER:
            path = re.sub("^(?:variant-rules|decks)/", "", path)
        path = f"{self.folder}/{path}"
        return self._vault.files.resolve_exact_path(path).path or self._vault.files.respell_folder(path)


def _find_games_folder(vault: Vault) -> str:
    """Return the folder of ttrpg-convert-cli if the vault has one, else GAMES_FOLDER."""
    for path in vault.files.paths:
        parents = path.split("/")[:-1]
        if _CONVERTER_FOLDER in parents:
            return "/".join(parents[: parents.index(_CONVERTER_FOLDER) + 1])
    return GAMES_FOLDER


def _kind_of(path: str) -> str:
    return _KINDS[posixpath.basename(posixpath.dirname(path))]
