"""Session preparation: a note with the notes that it links in one file, and handouts for the players in another."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath

from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.sheets.notecards.content import NoteContent
from vaultkit.sheets.notecards.kinds import kind_of, load_kinds
from vaultkit.sheets.packet import PacketPart, draw_cards, draw_notes, draw_with_contents
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.pdf.output_file import sibling_path
from vaultkit.sheets.rules.chapter import Chapter, chapter_of
from vaultkit.sheets.rules.rule_sheet import print_chapters, reading_plan
from vaultkit.sheets.secrecy import NO_SECRETS, Secrets, add_counts, describe_linked_secrets
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.encounter_block import KINDS as ENCOUNTER_KINDS
from vaultkit.sheets.text.encounter_block import read_encounters
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.text.setting import Place
from vaultkit.sheets.text.stat_block import stat_fence, stat_source
from vaultkit.sheets.vault_source import VaultSource, find_visible_links
from vaultkit.theme.image_transcoding import is_named_as_picture
from vaultkit.theme.model import join_first_names
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import Link
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.note_facts import texts
from vaultkit.vault.queries import find_linked_files
from vaultkit.vault.resolve import key
from vaultkit.vault.tags import is_within

HANDOUT = "handout"
"""The tag, and the value of the property `type`, that mark a note as a handout."""
_ENCOUNTERS_TITLE, _NOTES_TITLE, _CREATURES_TITLE = "Encounters", "Notes", "Creatures"
_MAX_LISTED_NAMES = 6


@dataclass
class Preparation:
    """The notes of a session, by the way in which they are printed, in the order of the first link to each.

    `chapters` begin with the note of the session itself; `creatures` have stat blocks. `handouts` are notes, and
    `pictures` the vault paths of picture files, for the players. `skipped` names empty and unreadable notes. `remarks`
    are on the notes that are hidden secrets, or that only such secrets name; `left_out` is the number of these notes.
    """

    chapters: list[Note]
    creatures: list[Note] = field(default_factory=list)
    handouts: list[Note] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    left_out: int = 0


def gather_notes(
    note: Note, vault: Vault, handout_folder: str, depth: int = 1, secrets: Secrets = NO_SECRETS
) -> Preparation:
    """Return the notes to print for a session: `note`, and the notes up to `depth` links away.

    A note that is only embedded as a whole is printed where it is embedded. If secrets are hidden, nothing is followed
    that only a secret names. Raises InvalidError if `note` itself is a hidden secret.
    """

    def get_links(path: str) -> list[Link]:
        with suppress(VaultkitError):
            return find_visible_links(vault.read(path), secrets)
        return []

    preparation, hidden_notes = Preparation([note]), list[Note]()
    linked_files = find_linked_files(vault, note.path, depth, get_links)
    for path, is_embedded in linked_files.items():
        if not is_note(path):
            if is_named_as_picture(path) and _is_in_folder(path, handout_folder):
                preparation.pictures.append(path)
            continue
        try:
            linked_note = vault.read(path)
        except VaultkitError:
            preparation.skipped.append(path)
            continue
        if not (stat_fence(linked_note) + linked_note.body).strip():
            preparation.skipped.append(path)
        elif is_handout(linked_note, handout_folder):
            preparation.handouts.append(linked_note)
        elif secrets.hidden and secrets.is_secret_note(linked_note):
            hidden_notes.append(linked_note)
        elif not is_embedded:
            (preparation.creatures if _has_stat_block(linked_note) else preparation.chapters).append(linked_note)
    fighters = _find_fighters(preparation, vault, secrets)
    all_notes = list(dict.fromkeys([note, *preparation.creatures, *hidden_notes, *fighters]))
    (_, *preparation.creatures), remarks = secrets.filter_notes(all_notes)
    all_files = find_linked_files(vault, note.path, depth) if secrets.hidden else {}
    unlinked_paths = [path for path in all_files if path not in linked_files and is_note(path)]
    preparation.remarks = (*remarks, *describe_linked_secrets(unlinked_paths))
    preparation.left_out = len(all_notes) - len(preparation.creatures) - 1 + len(unlinked_paths)
    return preparation


def _has_stat_block(note: Note) -> bool:
    return stat_source(note, parse(note.body)) is not None


def _find_fighters(preparation: Preparation, vault: Vault, secrets: Secrets) -> Iterator[Note]:
    """Yield the notes with stat blocks of creatures that only the encounters name."""
    printed_paths = {note.path for note in (*preparation.chapters, *preparation.creatures)}
    for note in preparation.chapters:
        source = VaultSource(note, vault, "")
        for encounter in (each for block in _encounter_sources(note, secrets) for each in read_encounters(block)):
            for combatant in encounter.combatants:
                if combatant.is_hidden and secrets.hidden:
                    continue
                fighter = source.find_creature(combatant.name)
                if fighter is not None and fighter.path not in printed_paths and _has_stat_block(fighter):
                    printed_paths.add(fighter.path)
                    yield fighter


def is_handout(note: Note, folder: str) -> bool:
    """Return whether a note is for the players: by its tag, its property `type`, or its folder."""
    types = [text.strip().casefold() for text in texts(note.property("type"))]
    is_marked = HANDOUT in types or any(is_within(tag, HANDOUT) for tag in note.tags)
    return is_marked or _is_in_folder(note.path, folder)


def _is_in_folder(path: str, folder: str) -> bool:
    """Return whether a file is below a folder that is given by its path, or by its name at any depth."""
    folder_key = key(folder.replace("\\", "/").strip("/"))
    folders = [key(str(parent)) for parent in PurePosixPath(path).parents]
    return bool(folder_key) and any(f"/{each}".endswith(f"/{folder_key}") for each in folders)


def print_prep(note: Note, vault: Vault, job: PrintJob, handout_folder: str, depth: int = 1) -> list[PrintedFile]:
    """Print a session note with the notes that it links, and the handouts among them as a players' copy.

    The second file is missing if there are no handouts. Raises InvalidError if the note is empty, or a hidden secret.
    """
    preparation = gather_notes(note, vault, handout_folder, depth, job.secrets)
    session_file = _print_session(preparation, vault, job)
    if not preparation.handouts and not preparation.pictures:
        way = f"To get one, link a note with the tag #{HANDOUT}, with type: {HANDOUT}, or in a folder {handout_folder}."
        return [replace(session_file, remarks=(*session_file.remarks, f"There is no handout among them. {way}"))]
    handout_file, remarks = _print_handouts(preparation, vault, job)
    session_file = replace(session_file, remarks=(*session_file.remarks, *remarks))
    return [session_file, *([handout_file] if handout_file else [])]


def _print_session(preparation: Preparation, vault: Vault, job: PrintJob) -> PrintedFile:
    plan, note = reading_plan(job), preparation.chapters[0]
    sources = [source for each in preparation.chapters for source in _encounter_sources(each, job.secrets)]
    make_builder = partial(_PrepTextBuilder, separate_sources=frozenset(sources))
    first, *others = [replace(chapter_of(each, vault, job), make_builder=make_builder) for each in preparation.chapters]
    if len(others) > 1:
        others = [replace(others[0], text="", title=_NOTES_TITLE, path="", title_node=None, parts=tuple(others))]
    chapters = [first, *_encounter_chapters(sources, first), *others]
    parts = [PacketPart(tuple(each.title for each in chapters), partial(draw_notes, chapters=chapters, plan=plan), 1)]
    if preparation.creatures:
        kinds = load_kinds(vault.root)
        contents = [NoteContent(each, vault, kind_of(each, kinds), job.secrets) for each in preparation.creatures]
        cards = [content.card(job.vault_name) for content in contents]
        decks = {_CREATURES_TITLE: [each.card for each in cards]}
        counts = add_counts([each.secrets for each in cards])
        draw = partial(draw_cards, decks=decks, title=first.title, job=job, secrets=counts)
        parts.append(PacketPart(tuple(decks), draw, max_level=1))
    if len(chapters) == len(parts) == 1:
        printed = print_chapters(chapters, plan, job)
    else:
        titles = tuple(title for part in parts for title in part.titles)
        document = draw_with_contents(
            parts, plan, job, f"{first.title}: Prep", about=note.title, language=first.language
        )
        printed = document.save(job.out, titles)
    skipped = join_first_names(preparation.skipped, _MAX_LISTED_NAMES)
    remarks = [f"Left out, since these notes are empty or cannot be read: {skipped}."] if skipped else []
    left_out = add_counts([printed.left_out, {"note": preparation.left_out}])
    return replace(printed, remarks=(*printed.remarks, *remarks, *preparation.remarks), left_out=left_out)


def _encounter_chapters(sources: Sequence[str], session: Chapter) -> Iterator[Chapter]:
    """Yield a chapter with all encounters, if there are any; names in them are found as from the session note."""
    if sources:
        text = "\n\n".join(f"~~~~~encounter\n{source.rstrip()}\n~~~~~" for source in sources)
        yield Chapter(text, _ENCOUNTERS_TITLE, source=session.source, secrets=session.secrets, lists_linked_notes=False)


def _encounter_sources(note: Note, secrets: Secrets) -> Iterator[str]:
    """Yield the texts of the encounters in a note outside of hidden secrets."""
    tree = parse(note.body)
    filter_secrets(tree, secrets)
    blocks = (node for node in tree.walk() if node.kind == "CodeBlock" and node.type_name in ENCOUNTER_KINDS)
    yield from (source for source in (block.words() for block in blocks) if read_encounters(source))


@dataclass
class _PrepTextBuilder(TextBuilder):
    """A builder of blocks that only names the encounters in `separate_sources`, which are on a sheet of their own."""

    separate_sources: frozenset[str] = frozenset()

    def _add_encounters(self, source: str, place: Place) -> bool:
        if source not in self.separate_sources:  # it is in an embedded note
            return super()._add_encounters(source, place)
        encounters = read_encounters(source)
        for encounter in encounters:
            self._add_line([Node("Emphasis", children=[Node("Text", f"[encounter: {encounter.name}]")])], place)
        return bool(encounters)


def _print_handouts(
    preparation: Preparation, vault: Vault, job: PrintJob
) -> tuple[PrintedFile | None, tuple[str, ...]]:
    """Return the file of the handouts, or None if all are secrets, and remarks on omitted ones."""
    secrets = replace(job.secrets, hidden=True)
    players_job = replace(job, out=sibling_path(job.out, "handouts"), secrets=secrets, qr=False)
    notes, remarks = list[Note](), tuple[str, ...]()
    if preparation.handouts:
        try:
            notes, remarks = secrets.filter_notes(preparation.handouts)
        except InvalidError as error:
            remarks = (error.message_with_hint,)
    chapters = [chapter_of(note, vault, players_job) for note in notes]
    source = VaultSource(preparation.chapters[0], vault, "", secrets)
    for number, path in enumerate(preparation.pictures, 1):
        title = "Picture" if len(preparation.pictures) == 1 else f"Picture {number}"
        chapters.append(Chapter(f"![[/{path}]]", title, source=source, secrets=secrets))
    if not chapters:
        return None, remarks
    return print_chapters(chapters, reading_plan(players_job, 1), players_job), remarks
