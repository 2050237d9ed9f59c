"""The command `vaultkit links NOTE`, which shows where the links of a note lead, and which notes lead to it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli.context import IndexedCommandContext, with_options
from vaultkit.cli.output import print_document, print_note, print_table
from vaultkit.errors import MissingNote
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.vault import Link, Vault


@with_options
def links(
    desk: IndexedCommandContext,
    note: Annotated[
        str, typer.Argument(help="A note by its name, path, title or alias; a canvas or file by its name.")
    ],
    back: Annotated[bool, typer.Option("--back", help="The links of other notes and canvases to it instead.")] = False,
) -> None:
    """Show the links of a note and where each leads.

    For example: vaultkit links "House Rules" --back
    """
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


def _find_links_to(desk: IndexedCommandContext, note: str) -> "tuple[str, list[tuple[str, Link]]]":
    """Return the path of a note or file, and the links to it.

    For a name that no note has, return a text about the name in place of the path, and the broken links with that name.
    Raises MissingNote if there are none.
    """
    from vaultkit.vault.queries import links_to, links_to_name

    try:
        path = desk.vault.find_file(desk.workspace.vault_path(note))
    except MissingNote:
        if broken_links := list(links_to_name(desk.vault, note)):
            return f"'{note}', which is no note", broken_links
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
