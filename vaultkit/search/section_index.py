"""The search index of a vault: the words and names of all sections of its notes, in SQLite's full-text search (FTS5).

It lies in the user's cache folder beside the index of facts. Notes that have changed are read again before a search.
"""

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple

import msgspec

from vaultkit import files, resources
from vaultkit.compendium import Compendium
from vaultkit.errors import VaultkitError
from vaultkit.search.passages import PassageEntry
from vaultkit.search.section_names import find_piece_names, split_name, without_article
from vaultkit.search.sections import parent_headings, property_text, section_bounds
from vaultkit.search.stemming import Language, guess_language, split_words
from vaultkit.search.vocabulary import Vocabulary
from vaultkit.vault import Heading, Note
from vaultkit.vault.conflict_copies import find_conflict_copies
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.frontmatter import Frontmatter
from vaultkit.vault.index import reader_version
from vaultkit.vault.index.fact_reader import pause_garbage_collector
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.structure import Structure
from vaultkit.vault.walk import Stamp, is_settled

NOTE_NAME, ALIAS, TITLE, HEADING, PIECE, PART = range(6)
"""The kinds of names: the file name, an alias and the title of a note, of a section and a piece of it, and parts."""
_SCHEMA = """
CREATE TABLE notes (id INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER,
    inode INTEGER, read_ns INTEGER);
CREATE TABLE sections (id INTEGER PRIMARY KEY AUTOINCREMENT, note INTEGER, number INTEGER);
CREATE INDEX sections_by_note ON sections (note);
CREATE TABLE names (key TEXT, kind INTEGER, section INTEGER, name TEXT);
CREATE INDEX names_by_key ON names (key);
CREATE INDEX names_by_section ON names (section);
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB);
CREATE VIRTUAL TABLE words USING fts5 (name, above, body, content="", detail=column,
    tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
"""
_NAMED_SECTIONS = "names JOIN sections ON sections.id = section JOIN notes ON notes.id = note"
"""The join of the names with their sections and notes."""
_MARKUP = re.compile(
    r"[\]\[<h*_`](?:(?<=\])\([^()\n]*+(?>(?:\([^()\n]*\)[^()\n]*+)*)\)|(?<=\[)\[[^\[\]|\n]*\||(?<=<)[^<>\n]*>|(?<=h)ttps?://\S+|(?<=[*_`])[*_`]*)"
)
"""The parts of Markdown that are no words for readers: targets of links, HTML tags, and signs within words.

The pattern begins with a set, which Python searches far faster than alternatives.
"""
_MAX_COMMON_SHARE = 0.2
"""The share of all sections above which a word finds no sections in place of a word of the question."""
_NOTE_SHARE = 0.7
"""The weight of what a note has of a question, compared with what the section has."""
_MAX_STALE_FACTOR = 2
"""The number of sections indexed ever, for each that is in the vault, above which the index is made again."""
_MIN_COMMON_COUNT = 50
"""The number of sections up to which a word is never too common."""
_MAX_WORD_BYTES = 1000
"""The longest word of the vocabulary; SQLite cuts words of 32,768 bytes, which may then be no UTF-8."""
_MIN_PROGRESS_NOTES = 500
"""The number of changed notes from which the progress of reading them is shown."""
_MAX_LANGUAGE_SAMPLE_COUNT = 100
"""The number of notes by which the language of a vault is guessed."""
_MAX_LANGUAGE_SAMPLE_LENGTH = 20_000
"""The number of characters of each of these notes that are read."""
_entries_decoder = msgspec.msgpack.Decoder(list[PassageEntry])


class SectionPlace(NamedTuple):
    """A section of a note: the note's path, and the section's number in `section_bounds`."""

    path: str
    number: int


class NamedPlace(NamedTuple):
    """A section that has a name or contains something with it; `kind` is the kind of name."""

    name: str
    kind: int
    place: SectionPlace


class SectionIndex:
    """The sections of all notes of a vault. It is up to date with the notes from the time when it is created.

    With `file` None, or if the file cannot be used, the index is made in memory.
    """

    def __init__(self, compendium: Compendium, file: Path | None) -> None:
        self._compendium, self._vault = compendium, compendium.vault
        self._database = _open(file)
        try:
            self._update()
        except sqlite3.Error:  # another process is writing, or the file is damaged
            self._database.close()
            if file is not None:
                _remove(file)
            self._database = _open(None)
            self._update()

    @pause_garbage_collector()
    def _update(self) -> None:
        """Read the notes that have changed since they were indexed, and forget deleted ones."""
        listing = self._vault.listing
        stamps = {path: stamp for path, stamp in listing.stamps.items() if is_note(path)}
        rows = self._database.execute("SELECT path, size, mtime_ns, ctime_ns, inode, read_ns FROM notes").fetchall()
        current = {path for path, *stamp, read_ns in rows if _is_current(stamps.get(path), Stamp(*stamp), read_ns)}
        changed = [path for path in stamps if path not in current]
        gone = [row[0] for row in rows if row[0] not in current]
        definitions = _definitions_state(self._vault.root)
        if not changed and not gone and self._fact("definitions") == definitions:
            return
        facts, silent_paths = self._vault.facts, self._find_silent_notes(stamps)
        old_silent_paths = {*json.loads(self._fact("silent") or b"[]")}
        gone += (silent_paths ^ old_silent_paths) & current
        changed += (silent_paths ^ old_silent_paths) & current
        self._database.execute("BEGIN IMMEDIATE")
        self._delete(gone)
        for number, path in enumerate(changed, 1):
            if len(changed) >= _MIN_PROGRESS_NOTES:
                self._vault.show_progress(number, len(changed))
            values = (path, *stamps[path], listing.began_ns)
            note_id = self._database.execute("INSERT INTO notes VALUES (NULL, ?, ?, ?, ?, ?, ?)", values).lastrowid
            if path not in silent_paths:
                self._add_note(facts[path], note_id)
        self._save_fact("silent", json.dumps(sorted(silent_paths)).encode())
        self._save_games(definitions)
        word_counts = self._database.execute(
            "SELECT term, doc FROM vocabulary WHERE length(CAST(term AS BLOB)) <= ?", (_MAX_WORD_BYTES,)
        )
        self._save_fact("vocabulary", "".join(f"\n{word} {count}" for word, count in word_counts).encode() + b"\n")
        if self._fact("language") is None or len(changed) > len(current):
            self._save_fact("language", self._guess_language().encode())
        self._database.execute("COMMIT")

    def _find_silent_notes(self, paths: Iterable[str]) -> set[str]:
        """Return the notes that answer nothing: templates, and conflict copies whose original is in the vault."""
        folders = tuple(f"{folder}/" for folder in template_folders(self._vault.root))
        copies = {path for path, original in find_conflict_copies(self._vault).items() if original}
        return {path for path in paths if path in copies or path.startswith(folders)}

    def _save_games(self, definitions: bytes) -> None:
        """Save the entries of rule notes and cards, and the names of games that have only a score sheet."""
        from vaultkit.search.game_entries import card_entries, rule_entries
        from vaultkit.session.scoresheets import ScoreSheets

        entries = [*rule_entries(self._compendium), *card_entries(self._compendium)]
        sheets = [(sheet.info.title, sheet.info.id) for sheet in ScoreSheets(self._vault).defined.values()]
        self._save_fact("entries", msgspec.msgpack.encode(entries))
        self._save_fact("sheets", msgspec.msgpack.encode(sheets))
        self._save_fact("definitions", definitions)

    def _delete(self, paths: Iterable[str]) -> None:
        """Forget the sections of notes. Their words stay until the index is made again, but find no section."""
        for path in paths:
            ids = self._database.execute(
                "SELECT sections.id FROM sections JOIN notes ON notes.id = note WHERE path = ?", (path,)
            ).fetchall()
            for table, column in (("names", "section"), ("sections", "id")):
                self._database.executemany(f"DELETE FROM {table} WHERE {column} = ?", ids)
            self._database.execute("DELETE FROM notes WHERE path = ?", (path,))

    def _add_note(self, facts: Facts, note_id: int | None) -> None:
        """Add the sections of a note; a note that cannot be read has none."""
        with suppress(VaultkitError, OSError):
            if facts.unreadable is None:
                note = Note(facts.path, files.read(self._vault.root / facts.path, files.NOTE_BYTES))
                # These save parsing the note again.
                note.__dict__["structure"] = Structure(facts.anchors)
                note.__dict__["_frontmatter"] = Frontmatter(facts.properties, note.body_start)
                self._add_sections(note, note_id, section_bounds(note))

    def _add_sections(self, note: Note, note_id: int | None, bounds: Sequence[tuple[Heading, int]]) -> None:
        parents = parent_headings(heading for heading, _ in bounds)
        note_names = [*dict.fromkeys((note.name, *note.aliases, note.title))]
        for number, ((heading, end), headings_above) in enumerate(zip(bounds, parents, strict=True)):
            text = note.text[heading.end : end]
            body = _MARKUP.sub(" ", f"{'' if number else property_text(note)} {text}")
            if number and not heading.text.strip():
                continue
            above = " ".join([*note_names, *headings_above] if number else note_names[1:])
            identifier = self._database.execute(
                "INSERT INTO sections (note, number) VALUES (?, ?)", (note_id, number)
            ).lastrowid
            self._database.execute(
                "INSERT INTO words (rowid, name, above, body) VALUES (?, ?, ?, ?)",
                (identifier, heading.text or note.name, above, body),
            )
            names = [] if heading.text == note.title else [(heading.text, HEADING)]
            if not number:
                aliases = ((alias, ALIAS) for alias in note.aliases)
                names = [(note.name, NOTE_NAME), *aliases, (note.title, TITLE)]
            names += [(part, PART) for name, _ in names for part in split_name(name)]
            names += [(name, PIECE) for name in find_piece_names(text)]
            self._database.executemany(
                "INSERT INTO names VALUES (?, ?, ?, ?)",
                ((key, kind, identifier, name) for name, kind in names if (key := without_article(name))),
            )

    def _guess_language(self) -> str:
        paths = self._database.execute(
            "SELECT path FROM notes ORDER BY rowid % 101, path LIMIT ?", (_MAX_LANGUAGE_SAMPLE_COUNT,)
        ).fetchall()
        words: list[str] = []
        for (path,) in paths:
            with suppress(VaultkitError, OSError):
                words += split_words(_MARKUP.sub(" ", self._vault.read(path).body[:_MAX_LANGUAGE_SAMPLE_LENGTH]))
        return guess_language(words)

    def _fact(self, name: str) -> bytes | None:
        row = self._database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def _save_fact(self, name: str, value: bytes) -> None:
        self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    @cached_property
    def language(self) -> str:
        """The code of the language of most notes."""
        return (self._fact("language") or b"").decode()

    @cached_property
    def game_entries(self) -> list[PassageEntry]:
        """The entries of rule notes and cards."""
        return _entries_decoder.decode(self._fact("entries") or b"\x90")

    @cached_property
    def score_sheets(self) -> list[tuple[str, str]]:
        """The titles and ids of the games that have a score sheet but no rules in vaultkit."""
        return msgspec.msgpack.decode(self._fact("sheets") or b"\x90", type=list[tuple[str, str]])

    @cached_property
    def size(self) -> int:
        """The number of sections."""
        return int(self._database.execute("SELECT count(*) FROM sections").fetchone()[0])

    def find_names(self, keys: Iterable[str]) -> list[NamedPlace]:
        """Return the sections with one of some names, which `name_key` has written; notes come first."""
        unique_keys = [*dict.fromkeys(map(without_article, keys))]
        rows = self._database.execute(
            f"SELECT name, kind, path, number FROM {_NAMED_SECTIONS} "
            f"WHERE key IN ({', '.join('?' * len(unique_keys))}) ORDER BY kind, length(path), path, number",
            unique_keys,
        )
        return _unique_rows(rows)

    def find_longer_names(self, key: str) -> list[NamedPlace]:
        """Return the notes whose name has the words of a key among others; names that begin with them come first."""
        rows = self._database.execute(
            f"SELECT name, kind, path, number FROM {_NAMED_SECTIONS} "
            "WHERE kind < :kind AND instr(' ' || key || ' ', :word) "
            "ORDER BY instr(' ' || key, :word) > 1, length(key), path",
            {"kind": HEADING, "word": f" {without_article(key)} "},
        )
        return _unique_rows(rows)

    def names(self) -> Iterator[str]:
        """Yield the names of all notes and headings."""
        yield from (
            name for (name,) in self._database.execute("SELECT DISTINCT name FROM names WHERE kind < ?", (PIECE,))
        )

    def note_names(self, path: str) -> list[str]:
        """Return the name of a note, its aliases and its title."""
        rows = self._database.execute(
            f"SELECT name FROM {_NAMED_SECTIONS} WHERE path = ? AND kind < ? ORDER BY names.rowid",
            (path, HEADING),
        )
        return [name for (name,) in rows]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of all notes."""
        return Vocabulary(self._fact("vocabulary") or b"\n", self.size)

    def find_sections(
        self, weighted_stems: Iterable[tuple[float, Mapping[str, float]]], language: Language, limit: int
    ) -> list[SectionPlace]:
        """Return up to `limit` sections with most of a question in them, or else in their notes.

        `weighted_stems` has, for each word of the question, its weight and the stems that count as the word, each with
        a share. A stem in many sections finds none, unless it is that of the word itself.
        """
        max_count = max(self.size * _MAX_COMMON_SHARE, _MIN_COMMON_COUNT)
        scores: defaultdict[tuple[int, int], float] = defaultdict(float)
        note_scores: defaultdict[int, float] = defaultdict(float)
        for weight, shares in weighted_stems:
            share_of_place: dict[tuple[int, int], float] = {}
            for stem, share in sorted(shares.items(), key=lambda item: item[1]):
                if share == 1 or self.vocabulary.count(stem, language) <= max_count:
                    share_of_place.update(dict.fromkeys(self._match(self.vocabulary.forms(stem, language)), share))
            share_of_note: dict[int, float] = {}
            for place, share in share_of_place.items():
                scores[place] += weight * share
                share_of_note[place[0]] = max(share, share_of_note.get(place[0], 0.0))
            for note, share in share_of_note.items():
                note_scores[note] += weight * share
        for place in scores:
            scores[place] += _NOTE_SHARE * note_scores[place[0]]
        best = nsmallest(limit, scores, key=lambda place: (-scores[place], place))
        return [SectionPlace(self._path(note), number) for note, number in best]

    def _path(self, note_id: int) -> str:
        return str(self._database.execute("SELECT path FROM notes WHERE id = ?", (note_id,)).fetchone()[0])

    def _match(self, forms: Iterable[str]) -> list[tuple[int, int]]:
        """Return the ids of notes and the numbers of the sections that contain one of some words."""
        rows = self._database.execute(
            "SELECT note, number FROM words JOIN sections ON sections.id = words.rowid WHERE words MATCH ?",
            (" OR ".join(f'"{form}"' for form in sorted(forms)) or '""',),
        )
        return rows.fetchall()

    def is_missing_number(self, key: str) -> bool:
        """Return whether names of notes have a number after a word of a key, but none the number of the key.

        For `session 8`, that is so if there are notes of sessions 1 to 7.
        """
        word, _, number = key.rpartition(" ")
        rows = self._database.execute(
            "SELECT key FROM names WHERE kind < ? AND key GLOB ?", (HEADING, f"*{word} [0-9]*")
        )
        numbers = {match[1] for (name,) in rows for match in re.finditer(rf"\b{re.escape(word)} (\d+)\b", name)}
        return bool(numbers) and number not in numbers


def _unique_rows(rows: Iterable[tuple[str, int, str, int]]) -> list[NamedPlace]:
    """Return the first row of each section."""
    named_places: dict[SectionPlace, NamedPlace] = {}
    for name, kind, path, number in rows:
        place = SectionPlace(path, number)
        named_places.setdefault(place, NamedPlace(name, kind, place))
    return [*named_places.values()]


def _definitions_state(root: Path) -> bytes:
    """Return a text that changes when a file changes that defines a game in the vault."""
    definitions = resources.list_files("scoresheets", "*.toml", root)
    return repr([(str(path), path.stat().st_mtime_ns) for _, path in definitions]).encode("utf-8", "surrogateescape")


def _is_current(stamp: Stamp | None, indexed_stamp: Stamp, read_ns: int) -> bool:
    return stamp == indexed_stamp and is_settled(indexed_stamp, read_ns)


def _open(file: Path | None) -> sqlite3.Connection:
    """Return the database, with empty tables if the file is new or was made by other code."""
    try:
        if file is not None:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = sqlite3.connect(file or ":memory:", timeout=1.0, isolation_level=None, check_same_thread=False)
        database.execute("PRAGMA synchronous = OFF")  # what a power cut destroys is read again
        is_made = database.execute("PRAGMA user_version").fetchone()[0] == reader_version.stat_checksum()
        if not is_made or _is_mostly_stale(database):
            _create_tables(database)
    except (sqlite3.Error, OSError):
        if file is None:
            raise
        _remove(file)
        return _open(None)
    return database


def _is_mostly_stale(database: sqlite3.Connection) -> bool:
    """Return whether most sections that were ever indexed have changed since."""
    last_id, count = database.execute(
        "SELECT (SELECT coalesce(max(seq), 0) FROM sqlite_sequence), (SELECT count(*) FROM sections)"
    ).fetchone()
    return bool(last_id > _MAX_STALE_FACTOR * max(count, _MIN_COMMON_COUNT))


def _create_tables(database: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):  # the file is new
        database.execute("DELETE FROM sqlite_sequence")
    for table in ("vocabulary", "words", "notes", "sections", "names", "facts"):
        database.execute(f"DROP TABLE IF EXISTS {table}")
    database.executescript(_SCHEMA)
    database.execute(f"PRAGMA user_version = {reader_version.stat_checksum()}")


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink()
