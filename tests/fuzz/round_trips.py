"""What is printed is parsed as the same value, and a splice that is undone leaves the same bytes."""

import tomllib
from collections.abc import Callable

import msgspec

from vaultkit import files
from vaultkit.campaign.correction.game_check import every_check
from vaultkit.campaign.settings_edit import settings_splice
from vaultkit.errors import VaultkitError
from vaultkit.games.definition_reader import definition_text, raw_definition, read_definition
from vaultkit.schema import SchemaError
from vaultkit.session.journal_records import DECODE_ERRORS, decode_header, decode_record, encode
from vaultkit.vault import Note
from vaultkit.vault.bases import read_base_file
from vaultkit.vault.checking.check import inspect
from vaultkit.vault.file_facts import facts_of
from vaultkit.vault.index.fact_reader import encode as encode_facts
from vaultkit.vault.note_facts import Facts, texts
from vaultkit.vault.writing.properties import edit_list, remove_property, set_property
from vaultkit.vault.writing.splice import Splice, append, insert_under, smallest_splice

ROUND_TRIP_ERRORS = (VaultkitError, SchemaError, tomllib.TOMLDecodeError)


class BrokenPromise(Exception):
    """Something that vaultkit promises of any file and did not keep."""


def require(is_kept: bool, promise: str) -> None:
    if not is_kept:
        raise BrokenPromise(promise)


def check_note(data: bytes) -> None:
    """Read all facts of a note, and plan every kind of splice."""
    note = Note("Note.md", data)
    _check_facts(facts_of(note.path, data, lambda note: inspect(note, every_check())))
    require(note.encoded.to_bytes(note.text) == data, "a text is written as it was read")
    require(smallest_splice(note.text, note.text).growth == 0, "a splice of nothing changes nothing")
    names = [name for name in note.properties if isinstance(name, str)][:2] if not note.problems else []
    for name in (*names, "aliases", "new"):
        _check_properties(note, name)
    for plan in (insert_under(note, "Log", "- new ^id"), append(note, "- new ^id")):
        if after := _written(note, plan):
            require("- new ^id" in after.text, "a line is inserted")
            require(str(after.properties) == str(note.properties), "a line in the body changes no property")


def _check_facts(facts: Facts) -> None:
    stored = msgspec.msgpack.decode(encode_facts(facts), type=Facts)
    for part in ("title", "problems", "unreadable", "tags", "anchors", "links"):
        require(getattr(stored, part) == getattr(facts, part), f"{part} are stored as they are")


def _check_properties(note: Note, name: str) -> None:
    for value in ("x: 'y'", ["[[A]]", "#"], 7):
        if after := _written(note, _planned(lambda value=value: set_property(note, name, value))):
            require(after.property(name) == value, "a property reads back as it was set")
            require(set_property(after, name, value) is None, "a property is set once")
    if after := _written(note, _planned(lambda: edit_list(note, name, lambda item: item != "a", ["b"]))):
        require("b" in texts(after.property(name)), "an item reads back as it was added")
    if after := _written(note, _planned(lambda: remove_property(note, name))):
        require(after.property(name) is None, "a property that was removed is gone")


def _planned(plan: Callable[[], Splice | None]) -> Splice | None:
    """Return a splice, None if the plan refuses to make one."""
    try:
        return plan()
    except VaultkitError:
        return None


def _written(note: Note, splice: Splice | None) -> Note | None:
    """Return a note after a splice, None without one. Raises BrokenPromise if the inverse does not restore it."""
    if splice is None:
        return None
    after = note.with_text(splice.apply(note.text))
    require(after.encoded.to_bytes(splice.inverse().apply(after.text)) == note.data, "a splice undone is identity")
    return Note(after.path, after.data)


def check_definition(data: bytes) -> None:
    raw = raw_definition(files.parse_toml(data.decode(errors="replace")))
    read_definition("duel", files.parse_toml(data.decode(errors="replace")))
    require(raw_definition(files.parse_toml(definition_text(raw))) == raw, "a definition is printed as it was read")


def check_journal(data: bytes) -> None:
    for number, line in enumerate(data.splitlines(), 1):
        try:
            record = decode_record(line) if number > 1 else decode_header(line)
        except DECODE_ERRORS:
            continue
        again = encode(record).rstrip(b"\n")
        same = decode_record(again) if number > 1 else decode_header(again)
        require(same == record, "a line of a journal is written as it was read")


def check_settings(data: bytes) -> None:
    note = Note("config.toml", data)
    for section, values in (("", {"players": ["Ada", "Bo"]}), ("print", {"paper": "letter", "grey": True})):
        if splice := settings_splice(note, section, values):
            after = Note(note.path, note.encoded.to_bytes(splice.apply(note.text)))
            require(settings_splice(after, section, values) is None, "a setting is set once")
            require(after.encoded.to_bytes(splice.inverse().apply(after.text)) == data, "a setting undone is identity")


def check_canvas(data: bytes) -> None:
    _check_facts(facts_of("Board.canvas", data))


def check_base(data: bytes) -> None:
    base = read_base_file("Games.base", data)
    for name in (*base.names(), *base.view_names, *base.formula_names, *base.configured_names):
        base.line_of(str(name))


ROUND_TRIPS: dict[str, Callable[[bytes], None]] = {
    "=note": check_note,
    "=definition": check_definition,
    "=journal": check_journal,
    "=settings": check_settings,
    "=canvas": check_canvas,
    "=base": check_base,
}
"""The round trips by the names that they have among the commands of surfaces."""
