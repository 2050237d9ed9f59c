"""From the name of a seat to the note of who sat there."""

import posixpath
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from vaultkit.errors import Problem, WriteError
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.writing.write import refuse_generated

_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")


def shown(name: str) -> str:
    """The name without a link's brackets: `Zoë` of `[[1-Party/Zoë Müller|Zoë]]`."""
    link = _LINK.fullmatch(name.strip())
    if link is None:
        return name
    text, path, _ = split_wikilink(link[1])
    return (text if "|" in link[1] else posixpath.basename(path).removesuffix(".md")) or name


class Players:
    """Looks for notes by name, then by alias: first among the `players` of the settings, then in the whole vault.

    A name with more than one note stays plain text, and `problems` says so. A name without any is a guest.
    """

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault = vault
        self._party = party
        self.problems: list[Problem] = []

    def note(self, name: str) -> str | None:
        """The vault path of the note that `name` means; None for a guest, or where it is not clear.

        A name may be a link, `[[Note|Name]]`.
        """
        link = _LINK.fullmatch(name.strip())
        linked = self._linked(split_wikilink(link[1])[1]) if link else None
        return linked or self._called(name)

    def _linked(self, path: str) -> str | None:
        """The note that a link's path leads to; a bare name may mean several notes, or an alias."""
        found = self._vault.files.resolve(path, "").path if "/" in path else None
        if found is None or not found.lower().endswith(".md"):
            return self._called(posixpath.basename(path))
        return None if self._is_generated(found) else found

    def _called(self, name: str) -> str | None:
        wanted = _key(name)
        found = self._among(self._members, wanted) or self._among(self._names_of_all, wanted)
        found = found or [path for path in self._with_alias(wanted) if not self._is_generated(path)]
        if len(found) > 1:
            listed = " and ".join(found[:2])
            message = f"'{name}' may be {listed}, so the name was not linked."
            hint = "Name one of them under 'players' in .vaultkit/config.toml, or take the alias out of the other."
            self.problems.append(Problem(found[0], 0, 0, "ambiguous-player", message, hint, "warning"))
        return found[0] if len(found) == 1 else None

    def in_party(self, name: str) -> bool:
        """Whether it is a player of the settings, by name or alias; a bot may play for one of them."""
        return _key(name) in self._members

    @cached_property
    def _members(self) -> Mapping[str, list[str]]:
        """Notes of the settings' players, by their names and aliases."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for entry in self._party:
            for path in self._names_of_all.get(_key(entry)) or self._with_alias(_key(entry)):
                for name in (_stem(path), *self._aliases_of(path)):
                    if path not in found[_key(name)]:
                        found[_key(name)].append(path)
        return found

    def _aliases_of(self, path: str) -> tuple[str, ...]:
        facts = self._vault.facts.get(path)
        return facts.aliases if facts else ()

    def _among(self, notes: Mapping[str, list[str]], wanted: str) -> list[str]:
        """The notes called so; one whose own name it is comes before those that have it as an alias."""
        found = [path for path in notes.get(wanted, ()) if not self._is_generated(path)]
        return [path for path in found if _key(_stem(path)) == wanted] or found

    @cached_property
    def _names_of_all(self) -> Mapping[str, list[str]]:
        return _grouped((_key(_stem(path)), path) for path in self._vault.note_paths)

    def _with_alias(self, wanted: str) -> list[str]:
        return [facts.path for facts in self._vault.note_facts if wanted in map(_key, facts.aliases)]

    def _is_generated(self, path: str) -> bool:
        """Whether it is a note of the compendium: a guest called Wizard is not the class."""
        facts = self._vault.facts.get(path)
        try:
            refuse_generated(facts or Facts(path))
        except WriteError:
            return True
        return False


def _grouped(pairs: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in pairs:
        if path not in groups[name]:
            groups[name].append(path)
    return groups


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


def _stem(path: str) -> str:
    return posixpath.basename(path)[:-3]
