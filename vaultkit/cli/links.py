"""The command `vaultkit links NOTE`, which shows the links of a note or to it, and links the card names in it."""

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from vaultkit.cli.context import IndexedContext, current_time, with_options
from vaultkit.cli.output import print_diff, print_document, print_note, print_table
from vaultkit.errors import MissingNote, UsageError
from vaultkit.text import format_count, group, quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.card_links import LinkResult
    from vaultkit.compendium.linking.card_linker import Edit
    from vaultkit.vault import Link, Vault


def _add_option(name: str, help_text: str) -> Any:
    return Option(name, help=help_text, rich_help_panel="With --add")


@with_options
def links(
    desk: IndexedContext,
    notes: Annotated[
        list[str], Argument(metavar="NOTE...", help="Notes by name, path, title or alias; other files by name.")
    ],
    back: Annotated[bool, Option("--back", help="Show the links from other notes and canvases to it.")] = False,
    add: Annotated[bool, Option("--add", help="Link card names in these notes: preview.")] = False,
    write: Annotated[bool, _add_option("--write", "Write the links.")] = False,
    deck: Annotated[
        str, _add_option("--deck", "The deck to link to. Default: the game's, already linked ones, or all.")
    ] = "",
    any_case: Annotated[
        bool, _add_option("--any-case", "Also lower-case words and words that begin a sentence.")
    ] = False,
    first: Annotated[bool, _add_option("--first", "Only the first mention of each card in a note.")] = False,
    generated: Annotated[
        bool,
        _add_option("--generated", "Include notes of a generated compendium; the next conversion overwrites them."),
    ] = False,
    pick: Annotated[
        list[str] | None, _add_option("--pick", "Which card a name means, NAME=card; saved with --write.")
    ] = None,
) -> None:
    """Show where the links of a note lead; --add links card names.

    --add previews the changes; --write writes them, `undo` reverts them. Headings, code, comments and existing links
    stay unchanged.

    For example: vaultkit links "House Rules" --back, vaultkit links "House Rules" --add --deck tarokka
    """
    if add and back:
        raise UsageError("--back shows links, and --add makes some.", hint="Leave one of them out.")
    if add:
        from vaultkit.campaign.card_links import link_notes

        picks = dict(map(_parse_pick, pick or ()))
        result = link_notes(
            desk.workspace, notes, deck=deck, any_case=any_case, first_only=first,
            allow_generated=generated, write=write, now=current_time(), picks=picks,
        )  # fmt: skip
        _print_link_result(result, as_json=desk.as_json, write=write)
        return
    note, add_options = " ".join(notes), {"--write": write, "--deck": deck, "--any-case": any_case, "--first": first}
    add_options |= {"--generated": generated, "--pick": pick}
    command = f"vaultkit links {quote_word(note)}"
    if option := next((name for name, value in add_options.items() if value), ""):
        raise UsageError(f"{option} is for --add.", hint=f"To link the cards in it: {command} --add")
    if len(notes) > 1 and desk.vault.lookup(note) is None:
        names = (" ".join(notes[:count]) for count in range(len(notes), 0, -1))
        first_name = next(filter(desk.vault.lookup, names), notes[0])
        hint = f"One after the other: vaultkit links {quote_word(first_name)}. A name of several words needs quotes."
        raise UsageError("This shows the links of one note.", hint=hint)
    _print_links(desk, note, back=back)


def _print_links(desk: IndexedContext, note: str, *, back: bool) -> None:
    from vaultkit.vault.queries import links_in

    vault = desk.vault
    path, links_to_note = _find_links_to(desk, note) if back else (vault.find_file(desk.workspace.vault_path(note)), [])
    if back:
        rows = [{"note": source, **_link_document(vault, source, link)} for source, link in links_to_note]
    else:
        rows = [_link_document(vault, path, link) for link in links_in(vault, path)]
    if desk.as_json:
        print_document(rows)
        return
    headers = ("note", "place", "text", "subpath", "status") if back else ("place", "text", "target", "status")
    cells = ({**row, "place": f"{row['line']}:{row['column']}", "target": _target_with_subpath(row)} for row in rows)
    print_table(headers, ([cell_row[name] for name in headers] for cell_row in cells))
    print_note(f"{format_count(len(rows), 'link')} {'to' if back else 'in'} {path}.")


def _find_links_to(desk: IndexedContext, note: str) -> "tuple[str, list[tuple[str, Link]]]":
    """Return the path of a note or file, and the links to it.

    For a name that no note has, return a text about the name in place of the path, and the broken links with that name.
    Raises MissingNote if there are none.
    """
    from vaultkit.vault.queries import links_to, links_to_name

    try:
        path = desk.vault.find_file(desk.workspace.vault_path(note))
    except MissingNote:
        if broken_links := list(links_to_name(desk.vault, note)):
            return f"'{note}', which is not a note", broken_links
        raise
    return path, list(links_to(desk.vault, path))


def _target_with_subpath(row: dict[str, Any]) -> str:
    """Return the target and subpath in the row of a link, joined by `#`; for a missing file, as the link names them."""
    target = row["target"] or row["path"]
    return f"{target}#{row['subpath']}" if row["subpath"] else target


def _read_raw_link(vault: "Vault", source: str, link: "Link") -> str:
    """Return a link as it is written in its note; for the node of a canvas, the path of its file."""
    from vaultkit.vault.file_facts import is_note

    if is_note(source):
        return vault.read(source).text[link.start : link.end] or link.target
    display_text = f"|{link.text}" if link.text != link.target else ""
    return link.target if link.kind == "canvas" else f"{'!' * link.embed}[[{link.target}{display_text}]]"


def _link_document(vault: "Vault", source: str, link: "Link") -> dict[str, Any]:
    target = vault.resolve(link, source)
    return {
        "line": link.line,
        "column": link.column,
        "kind": "embed" if link.embed else link.kind,
        "raw": _read_raw_link(vault, source, link),
        "text": link.text,
        "path": link.path,
        "target": link.path if link.external else target.path,
        "subpath": link.subpath,
        "status": target.status,
    }


def _print_link_result(result: "LinkResult", *, as_json: bool, write: bool) -> None:
    for sentence in result.remarks:
        print_note(sentence)
    if as_json:
        rows = [{"note": path, "links": edit.links} for path, edit in result.edits.items()]
        print_document(rows[0] if len(rows) == 1 else rows)
    elif result.diff:
        print_diff(result.diff)
    for path, edit in result.edits.items():
        _print_edit(path, edit, write)
    if result.diff and not result.written:
        print_note("Nothing was written; add --write to write it.")


def _parse_pick(word: str) -> tuple[str, str]:
    name, equals, card = (part.strip() for part in word.partition("="))
    if not (name and equals and card):
        raise UsageError(
            f"'{word}' does not say which card is meant.",
            hint='Write NAME=card, such as: --pick "Rogue=tarokka:4-stars"',
        )
    return name, card


def _print_edit(path: str, edit: "Edit", write: bool) -> None:
    name_count, card_count = len(edit.links), len({card_link.target for card_link in edit.links})
    verb_phrase = "linked" if write else "would link"
    outcome = f"{verb_phrase} {format_count(name_count, 'name')} to {format_count(card_count, 'card')}"
    print_note(f"{path}: {outcome if name_count else 'no unlinked card names found'}.")
    for decks, texts in group((name.decks, name.text) for name in edit.unclear).items():
        deck_names = " and of ".join(f"'{deck}'" for deck in decks)
        quoted_texts = ", ".join(f"'{text}'" for text in texts)
        verb = "is a card" if len(texts) == 1 else "are cards"
        print_note(f"  {quoted_texts} {verb} of {deck_names}; say which you mean: --deck NAME")
    for name in edit.others:
        pick = f'--pick "{name.text}=card"'
        print_note(f"  '{name.text}' is also the note '{name.path}'; if the card is meant: {pick}")
    if edit.left:
        print_note(f"  These cannot be linked where they are: {', '.join(edit.left)}")
