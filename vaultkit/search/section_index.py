"""The search index of a vault: the words and names of all sections of its notes, in SQLite's full-text search (FTS5).

It lies in the user's cache folder beside the index of facts. Notes that have changed are read again before a search.
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from vaultkit import files, resources
from vaultkit.errors import VaultkitError
from vaultkit.search.passages import PassageEntry
from vaultkit.search.sections import parent_headings, property_text, section_bounds
from vaultkit.search.stemming import ENGLISH, GERMAN, Language, guess_language, name_key, split_words
from vaultkit.text import plain_letters
from vaultkit.vault import Heading, Note
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.frontmatter import Frontmatter
from vaultkit.vault.index import reader_version
from vaultkit.vault.index.fact_reader import pause_garbage_collector
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.structure import Structure
from vaultkit.vault.walk import Stamp, is_settled

if TYPE_CHECKING:
    from vaultkit.compendium import Compendium

NOTE_NAME, ALIAS, TITLE, HEADING, PIECE = range(5)
"""The kinds of names: the file name, an alias and the title of a note, and those of a section and a piece of it."""
_SCHEMA = """
CREATE TABLE notes (path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER,
    read_ns INTEGER);
CREATE TABLE sections (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT, number INTEGER);
CREATE INDEX sections_by_path ON sections (path);
CREATE TABLE names (key TEXT, kind INTEGER, section INTEGER, name TEXT);
CREATE INDEX names_by_key ON names (key);
CREATE INDEX names_by_section ON names (section);
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB);
CREATE VIRTUAL TABLE words USING fts5 (name, above, body, content="", detail=column,
    tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
"""
_MARKUP = re.compile(
    r"[\]\[<h*_`](?:(?<=\])\([^)\n]*\)|(?<=\[)\[[^\[\]|\n]*\||(?<=<)[^<>\n]*>|(?<=h)ttps?://\S+|(?<=[*_`])[*_`]*)"
)
"""The parts of Markdown that are no words for readers: targets of links, HTML tags, and signs within words.

The pattern begins with a set, which Python searches far faster than alternatives.
"""
_PIECE_NAME = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?:\*{2,3}|__)(?P<bold>[^*_\n]{2,60}?)[.:]?(?:\*{2,3}|__)"
    r"|^[ \t]*>[ \t>]*\[![^\]\n]+\][+-]?[ \t]+(?P<callout>[^\n]{2,80})$"
    r"|^[ \t]*(?:-[ \t]+)?name:[ \t]*[\"']?(?P<field>[^\"'\n]{2,60})"
    r"|^[ \t|>]*\^(?P<block>[A-Za-z0-9-]+)[ \t]*$",
    re.MULTILINE,
)
"""The name of a piece: the bold beginning of a line, the title of a callout, a name in a statblock, or a block id."""
_ARTICLES = re.compile(r"(?:the|an?|der|die|das|le|la|les|el|los|las|il|lo|gli|i|os?|as?) (?=\w)")
"""Articles at the beginning of a name, which may be left out."""
_COLUMN_WEIGHTS = "6.0, 2.0, 1.0"
"""The weights of a word in the name of a section, in the headings and note names above it, and in its text."""
_PREFIX_LENGTH = 3
"""The number of letters at the beginning of a word that all its forms share, apart from irregular ones."""
_MIN_RELATED_LENGTH = 4
"""The number of letters that related words share at least."""
_MIN_COMPOUND_LENGTH = 8
"""The number of letters from which a word that is not German may be a compound, such as `shipwreck`."""
_MAX_ENDING_LENGTH = 3
"""The number of letters at the end in which related words differ at most."""
_MAX_COMMON_SHARE = 0.2
"""The share of all sections above which a word finds no sections by itself if the question has a rarer word."""
_MAX_STALE_FACTOR = 2
"""The number of sections indexed ever, for each that is in the vault, above which the index is made again."""
_MIN_COMMON_COUNT = 50
"""The number of sections up to which a word is never too common."""
_MIN_PROGRESS_NOTES = 500
"""The number of changed notes from which the progress of reading them is shown."""
_MAX_LANGUAGE_SAMPLE_COUNT = 100
"""The number of notes by which the language of a vault is guessed."""
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

    def __init__(self, compendium: "Compendium", file: Path | None) -> None:
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
        rows = self._database.execute("SELECT * FROM notes").fetchall()
        current = {path for path, *stamp, read_ns in rows if _is_current(stamps.get(path), Stamp(*stamp), read_ns)}
        changed, gone = (
            [path for path in stamps if path not in current],
            [row[0] for row in rows if row[0] not in current],
        )
        definitions = _definitions_state(self._vault.root)
        if not changed and not gone and self._fact("definitions") == definitions:
            return
        facts = self._vault.facts
        self._database.execute("BEGIN IMMEDIATE")
        self._delete(gone)
        for number, path in enumerate(changed, 1):
            if len(changed) >= _MIN_PROGRESS_NOTES:
                self._vault.show_progress(number, len(changed))
            self._add_note(facts[path])
            values = (path, *stamps[path], listing.began_ns)
            self._database.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)", values)
        self._save_games(definitions)
        if self._fact("language") is None or len(changed) > len(current):
            self._save_fact("language", self._guess_language().encode())
        self._database.execute("COMMIT")

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
            ids = self._database.execute("SELECT id FROM sections WHERE path = ?", (path,)).fetchall()
            for table, column in (("names", "section"), ("sections", "id")):
                self._database.executemany(f"DELETE FROM {table} WHERE {column} = ?", ids)
            self._database.execute("DELETE FROM notes WHERE path = ?", (path,))

    def _add_note(self, facts: Facts) -> None:
        """Add the sections of a note; a note that cannot be read has none."""
        with suppress(VaultkitError, OSError):
            if facts.unreadable is None:
                note = Note(facts.path, files.read(self._vault.root / facts.path, files.MAX_NOTE_BYTES))
                # These save parsing the note again.
                note.__dict__["structure"] = Structure(facts.anchors)
                note.__dict__["_frontmatter"] = Frontmatter(facts.properties, note.body_start)
                self._add_sections(note, section_bounds(note))

    def _add_sections(self, note: Note, bounds: Sequence[tuple[Heading, int]]) -> None:
        headings = [heading for heading, _ in bounds]
        note_names = [*dict.fromkeys((note.name, *note.aliases, note.title))]
        for number, (heading, end) in enumerate(bounds):
            text = note.text[heading.end : end]
            body = _MARKUP.sub(" ", f"{'' if number else property_text(note)} {text}")
            if number and not heading.text.strip():
                continue
            above = " ".join([*note_names, *parent_headings(headings, number)] if number else note_names[1:])
            identifier = self._database.execute(
                "INSERT INTO sections (path, number) VALUES (?, ?)", (note.path, number)
            ).lastrowid
            self._database.execute(
                "INSERT INTO words (rowid, name, above, body) VALUES (?, ?, ?, ?)",
                (identifier, heading.text or note.name, above, body),
            )
            names = [] if heading.text == note.title else [(heading.text, HEADING)]
            if not number:
                aliases = ((alias, ALIAS) for alias in note.aliases)
                names = [(note.name, NOTE_NAME), *aliases, (note.title, TITLE)]
            names += [(next(filter(None, match.groups())), PIECE) for match in _PIECE_NAME.finditer(text)]
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
                words += split_words(_MARKUP.sub(" ", self._vault.read(path).body))
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
            "SELECT name, kind, path, number FROM names JOIN sections ON sections.id = section "
            f"WHERE key IN ({', '.join('?' * len(unique_keys))}) ORDER BY kind, length(path), path, number",
            unique_keys,
        )
        return _unique_rows(rows)

    def find_longer_names(self, key: str) -> list[NamedPlace]:
        """Return the notes whose name has the words of a key among others; names that begin with them come first."""
        rows = self._database.execute(
            "SELECT name, kind, path, number FROM names JOIN sections ON sections.id = section "
            "WHERE kind < ?1 AND instr(' ' || key || ' ', ?2) ORDER BY instr(' ' || key, ?2) > 1, length(key), path",
            (HEADING, f" {without_article(key)} "),
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
            "SELECT name FROM names JOIN sections ON sections.id = section WHERE path = ? AND kind < ? "
            "ORDER BY names.rowid",
            (path, HEADING),
        )
        return [name for (name,) in rows]

    def sections_of(self, paths: Iterable[str], limit: int) -> list[SectionPlace]:
        """Return the first `limit` sections of some notes."""
        query = "SELECT path, number FROM sections WHERE path = ? LIMIT ?"
        return [SectionPlace(*row) for path in paths for row in self._database.execute(query, (path, limit))][:limit]

    def search(self, stem_groups: Sequence[Collection[str]], language: Language, limit: int) -> list[SectionPlace]:
        """Return up to `limit` sections with a stem of each group, then up to `limit` with a stem of any group."""
        groups = [frozenset().union(*(self.forms(stem, language) for stem in stems)) for stems in stem_groups]
        groups = [group for group in groups if group]
        counts = [self._count_forms(group) for group in groups]
        rare_groups = [
            group for group, count in zip(groups, counts, strict=True) if count <= self.size * _MAX_COMMON_SHARE
        ]
        expressions = [_match_expression(groups, "AND"), _match_expression(rare_groups or groups, "OR")]
        places = (place for text in dict.fromkeys(filter(None, expressions)) for place in self._match(text, limit))
        return [*dict.fromkeys(places)]

    def find_notes(self, stem_groups: Sequence[Collection[str]], language: Language, limit: int) -> list[str]:
        """Return the paths of up to `limit` notes with words of at least two groups, the rarest words first."""
        scores: defaultdict[str, list[float]] = defaultdict(list)
        for stems in stem_groups:
            forms = frozenset().union(*(self.forms(stem, language) for stem in stems))
            count = self._count_forms(forms)
            if forms and count <= max(self.size * _MAX_COMMON_SHARE, _MIN_COMMON_COUNT):
                rows = self._database.execute(
                    "SELECT DISTINCT path FROM words JOIN sections ON sections.id = words.rowid WHERE words MATCH ?",
                    (_match_expression([forms], "OR"),),
                )
                for (path,) in rows:
                    scores[path].append(log(1 + self.size / count))
        paths = [path for path, weights in scores.items() if len(weights) > 1]
        return sorted(paths, key=lambda path: (-sum(scores[path]), path))[:limit]

    def _match(self, expression: str, limit: int) -> list[SectionPlace]:
        rows = self._database.execute(
            "SELECT path, number FROM words JOIN sections ON sections.id = words.rowid "
            f"WHERE words MATCH ? ORDER BY bm25(words, {_COLUMN_WEIGHTS}) LIMIT ?",
            (expression, limit),
        )
        return [SectionPlace(*row) for row in rows]

    @lru_cache(maxsize=1000)  # noqa: B019 - an index lives as long as the answer
    def forms(self, stem: str, language: Language) -> frozenset[str]:
        """Return the words of the vault, without accents, that have a stem."""
        prefixes = {
            stem[:_PREFIX_LENGTH],
            *(plain_letters(form)[:_PREFIX_LENGTH] for form in language.irregular_forms(stem)),
        }
        return frozenset(
            term
            for prefix in prefixes
            for term in self._vocabulary(prefix)
            if language.stem(term) == stem or (language.code != ENGLISH and _are_near(language.stem(term), stem))
        )

    @lru_cache(maxsize=1000)  # noqa: B019 - an index lives as long as the answer
    def _vocabulary(self, prefix: str) -> dict[str, int]:
        """Return the words that begin with some letters, each with the number of sections that contain it."""
        rows = self._database.execute(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?", (prefix, f"{prefix}\U0010ffff")
        )
        return dict(rows.fetchall())

    @lru_cache(maxsize=1000)  # noqa: B019 - an index lives as long as the answer
    def related_stems(self, stem: str, language: Language) -> frozenset[str]:
        """Return the stems of words of the vault that are derived from the same word as a stem, or are a part of it.

        They share its beginning: `drink` and `drinkable`. In German they may be a part of a compound, or the reverse.
        """
        if len(stem) < _MIN_RELATED_LENGTH:
            return frozenset()
        near = {language.stem(term) for term in self._vocabulary(stem[:_MIN_RELATED_LENGTH])}
        related = {
            other
            for other in near
            if _count_shared_letters(stem, other) >= max(len(stem), len(other)) - _MAX_ENDING_LENGTH
        }
        if len(stem) >= _MIN_COMPOUND_LENGTH or language.code == GERMAN:
            related |= {other for other in map(language.stem, self._vocabulary("")) if _is_compound(stem, other)}
        return frozenset(related)

    def count(self, stem: str, language: Language) -> int:
        """Return the number of sections, at most, that contain a word with a stem."""
        return self._count_forms(self.forms(stem, language))

    def _count_forms(self, forms: Iterable[str]) -> int:
        return min(self.size, sum(self._vocabulary(form[:_PREFIX_LENGTH]).get(form, 0) for form in forms))

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

    def name_words(self, first_letter: str) -> set[str]:
        """Return the words, without accents, of the names of notes and headings that begin with a letter."""
        rows = self._database.execute("SELECT key FROM names WHERE kind < ?", (PIECE,))
        return {word for (key,) in rows for word in key.split() if word.startswith(first_letter)}


def _unique_rows(rows: Iterable[tuple[str, int, str, int]]) -> list[NamedPlace]:
    """Return the first row of each section."""
    named_places: dict[SectionPlace, NamedPlace] = {}
    for name, kind, path, number in rows:
        place = SectionPlace(path, number)
        named_places.setdefault(place, NamedPlace(name, kind, place))
    return [*named_places.values()]


def _count_shared_letters(stem: str, other_stem: str) -> int:
    """Return the number of letters at the beginning that two stems share."""
    pairs = enumerate(zip(stem, other_stem, strict=False))
    return next((index for index, (letter, other) in pairs if letter != other), min(len(stem), len(other_stem)))


def _is_compound(stem: str, other_stem: str) -> bool:
    """Return whether one of two stems is the beginning or the end of the other."""
    shorter, longer = sorted((stem, other_stem), key=len)
    return (len(shorter) >= _MIN_RELATED_LENGTH and longer.startswith(shorter)) or (
        len(shorter) > _MIN_RELATED_LENGTH and longer.endswith(shorter)
    )


def _are_near(stem: str, other_stem: str) -> bool:
    """Return whether two stems differ by up to two letters at the end, as they do if accents are missing."""
    shorter, longer = sorted((stem, other_stem), key=len)
    return len(shorter) > _PREFIX_LENGTH and longer.startswith(shorter) and len(longer) <= len(shorter) + 2


def _match_expression(groups: Iterable[Iterable[str]], operator: str) -> str:
    """Return an expression of FTS5 for sections with a form of each group (`AND`) or of any group (`OR`)."""
    return f" {operator} ".join("({})".format(" OR ".join(f'"{form}"' for form in sorted(group))) for group in groups)


def without_article(name: str) -> str:
    """Return the key of a name, without an article at its beginning."""
    return _ARTICLES.sub("", name_key(name), count=1) if name else ""


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
