"""Comparison of vaultkit's reading of a vault with the record that Obsidian's cache left of it.

Usage: python -m scripts.compare_obsidian VAULT DUMP

DUMP is the file `metadata.json` that the plug-in metadata-extractor writes. For each note its headings, links, targets,
tags and aliases are compared, and every difference is shown; the exit code is 1 if there is any.

Only notes that are unchanged since the dump count: by the commits if the vault is a git work tree, else by the times of
the files. A dump may be older than its commit. So a note does not count if the dump names words that are not in it, or
describes the note of an earlier commit.

The plug-in shortens a link to its last part, and leaves out embeds that lead nowhere and links to files that are no
notes; before 1.0.0 it left out embeds of headings, and looked for a target by the shortened name, often in vain, so
that targets of that time are not compared. Left out are links that a template fills in, which vaultkit ignores, and
those whose file was in the vault then and is not now. Obsidian before 1.9 also read the properties `tag` and `alias`,
and split their texts at commas and blanks: tags and aliases are alike if they are so by the rules of today or by those.
"""

import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vaultkit.vault import Note, Vault
from vaultkit.vault.file_facts import PICTURE_SUFFIXES, is_note
from vaultkit.vault.note_facts import texts
from vaultkit.vault.tags import find_tags

POINTS = ("headings", "links", "targets", "tags", "aliases")
MAX_EARLIER_VERSIONS = 5
Entry = Mapping[str, Any]
"""The dump's record of a note."""
Reading = Mapping[str, Counter[Any]]
"""The content of a note as Obsidian or vaultkit reads it, by point."""


class Comparison:
    """A vault, and the dump that the plug-in made of it."""

    def __init__(self, vault: Vault, dump: Path) -> None:
        self._vault = vault
        self._is_old = _plugin_version(dump) < (1,)
        self._entries: dict[str, Entry] = {entry["relativePath"]: entry for entry in json.loads(dump.read_bytes())}
        times = _commit_numbers(vault.root) or {path: vault.file(path).stat().st_mtime for path in vault.note_paths}
        dump_time = times.get(dump.resolve().relative_to(vault.root).as_posix(), dump.stat().st_mtime)
        self._ages = {path: dump_time - times.get(path, dump_time) for path in self._entries}

    def differences(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the path of each note that counts, and a description of each point that differs."""
        for path in self._vault.note_paths:
            if self._ages.get(path, -1) >= 0 and not self._vault.facts[path].unreadable:
                note = self._vault.read(path)
                differences = self._compare(note)
                if not differences or not self._is_newer_than_dump(note):
                    yield path, differences

    def record(self, path: str) -> Reading:
        """Return what Obsidian read in a note."""
        entry = self._entries[path]
        links = [(_clean(link["link"]), link.get("relativePath")) for link in _links(entry)]
        links = [link for link in links if not self._is_left_out(link[0], path)]
        return {
            "headings": Counter((heading["level"], heading["heading"]) for heading in entry.get("headings", ())),
            "links": Counter(link for link, _ in links),
            "targets": Counter(() if self._is_old else links),
            "tags": Counter(entry.get("tags", ())),
            "aliases": Counter(set(entry.get("aliases", ()))),
        }

    def _compare(self, note: Note) -> dict[str, str]:
        obsidian, readings = self.record(note.path), list(self._readings(note))
        return {
            point: f"only Obsidian: {_format(obsidian[point] - readings[0][point])}\n"
            f"  only vaultkit: {_format(readings[0][point] - obsidian[point])}"
            for point in POINTS
            if all(obsidian[point] != reading[point] for reading in readings)
        }

    def _is_newer_than_dump(self, note: Note) -> bool:
        """Return whether the dump names words that are not in the note, or describes an earlier version of it."""
        entry, text = self._entries[note.path], _clean(note.text).lower()
        names = [item.get("heading") or item.get("link") or "" for item in (*entry.get("headings", ()), *_links(entry))]
        parts = (*names, *(part for tag in entry.get("tags", ()) for part in tag.split("/")))
        if any(word not in text for part in parts for word in _clean(part).lower().split()):
            return True
        log = _git(self._vault.root, "log", "--format=%h", f"-{MAX_EARLIER_VERSIONS}", "--skip=1", "--", note.path)
        versions = (_git(self._vault.root, "show", f"{commit}:./{note.path}") for commit in log.decode().split())
        return any(not self._compare(Note(note.path, data)) for data in versions)

    def _is_left_out(self, link: str, path: str) -> bool:
        """Return whether a template fills in a link, or its target in the dump is no longer in the vault."""
        targets = [
            item.get("relativePath", path) for item in _links(self._entries[path]) if _clean(item["link"]) == link
        ]
        return "<%" in link or any(target not in self._vault.facts for target in targets)

    def _readings(self, note: Note) -> Iterator[Reading]:
        """Yield what vaultkit reads in a note, by the rules for properties of today and of Obsidian before 1.9."""
        links = [link for link in self._shortened_links(note) if not self._is_left_out(link[0], note.path)]
        shared: Reading = {
            "headings": Counter((heading.level, heading.text) for heading in note.headings),
            "links": Counter(link for link, _ in links),
            "targets": Counter(() if self._is_old else links),
        }
        old_tags = [*_old_texts(note, "tags", r"[,\s]+"), *_old_texts(note, "tag", r"[,\s]+")]
        old_aliases = [*_old_texts(note, "aliases", ","), *_old_texts(note, "alias", ",")]
        for tags, aliases in (note.tags, note.aliases), (find_tags(note.text, note.body_start, old_tags), old_aliases):
            yield {**shared, "tags": Counter({tag.lower() for tag in tags}), "aliases": Counter(set(aliases))}

    def _shortened_links(self, note: Note) -> Iterator[tuple[str, str | None]]:
        """Yield the links of a note that the plug-in records, shortened as it does that, each with its target."""
        recorded_links = {_clean(link["link"]) for link in _links(self._entries[note.path])}
        for link in note.links:
            if link.kind not in ("wikilink", "markdown") or link.external:
                continue
            target = self._vault.files.resolve(link.path, note.path).path
            short_link = _clean(_clean(link.target).rpartition("/")[2])
            is_lost_picture = Path(link.path).suffix in PICTURE_SUFFIXES and short_link not in recorded_links
            is_recorded = is_note(target) if target else not (link.embed or is_lost_picture)
            if is_recorded and not (self._is_old and link.embed and link.subpath):
                yield short_link, target


def _plugin_version(dump: Path) -> tuple[int, ...]:
    """Return the version of the plug-in that the file beside the dump names, (1,) if there is none."""
    manifest = dump.with_name("manifest.json")
    version = json.loads(manifest.read_bytes())["version"] if manifest.exists() else "1"
    return tuple(map(int, re.findall(r"\d+", version)))


def _commit_numbers(root: Path) -> dict[str, float]:
    """Return the number of each file's last commit, of which the last one has 0; empty if there is no repository."""
    log = _git(root, "log", "-z", "--format=%x01", "--name-only", "--no-renames", "--relative").decode()
    numbers: dict[str, float] = {}
    for number, paths in enumerate(log.split("\x01")[1:]):
        for path in paths.replace("\n", "\0").split("\0"):
            numbers.setdefault(path, -number)
    return numbers


def _git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False).stdout


def _links(entry: Entry) -> list[Mapping[str, Any]]:
    links: list[Mapping[str, Any]] = entry.get("links", [])
    return links


def _clean(link: str) -> str:
    """Return a link without differences that lead nowhere else: kinds of blanks and accents, and an empty heading."""
    spaced = unicodedata.normalize("NFC", link).replace("\u00a0", " ")
    return re.sub(r"\s*#\s*", "#", spaced).strip().rstrip("#")


def _old_texts(note: Note, name: str, separator: str) -> Iterator[str]:
    """Yield the texts of a property, split as Obsidian did before 1.9."""
    for text in () if note.problems else texts(note.property(name)):
        yield from (part.strip() for part in re.split(separator, text) if part.strip())


def _format(items: Counter[Any]) -> str:
    return ", ".join(sorted(map(str, items.elements()))) or "-"


def main(arguments: list[str]) -> int:
    """Print every difference and the counts, and return 1 if there is any difference."""
    vault = Vault(Path(arguments[0]))
    comparison = Comparison(vault, Path(arguments[1]))
    notes = dict(comparison.differences())
    for path, differences in notes.items():
        print("".join(f"{path}: {point}\n  {difference}\n" for point, difference in differences.items()), end="")
    alike_count = sum(not differences for differences in notes.values())
    print(f"{alike_count} of {len(notes)} notes alike; {len(vault.note_paths) - len(notes)} do not count")
    for point in POINTS:
        count = sum(comparison.record(path)[point].total() for path in notes)
        print(f"{point}: {count}, different in {sum(point in differences for differences in notes.values())} notes")
    return int(alike_count < len(notes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
