"""The command `vaultkit print cards`, which prints a deck as cards to cut out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from vaultkit.cli.context import relative_to_current_folder
from vaultkit.cli.output import print_document, print_error, print_file, print_note, print_result
from vaultkit.cli.printing.options import Press, SecretPress, open_file, printer_option, sheet_command
from vaultkit.errors import ExitCode, NothingFound, UsageError
from vaultkit.text import format_count, quote_word

if TYPE_CHECKING:
    from vaultkit.sheets.cards.card_sheet import CardSet
    from vaultkit.sheets.export.print_service import ServiceExport

_MAX_SUGGESTED_FOLDER_COUNT = 6


@sheet_command
def cards(
    press: SecretPress,
    deck: Annotated[str, Argument(help="A deck by title, kind, note or alias.")] = "",
    folder: Annotated[str, Option("--from", help="Print the notes in this folder as cards.")] = "",
    tag: Annotated[str, Option("--tag", help="Print the notes with this tag as cards.")] = "",
    links: Annotated[str, Option("--links", help="Print the notes that this note links to as cards.")] = "",
    fields: Annotated[str, Option("--fields", help='For notes: only these facts, such as "ac, hp, speed".')] = "",
    selection: Annotated[str, Option("--cards", help='Only these, such as "Raven, 2x Seer, 5-9".')] = "",
    copies: Annotated[int, Option("--copies", min=1, max=200, help="Copies of each card.")] = 1,
    size: Annotated[
        str, Option("--size", help="poker (jumbo in large print), bridge, tarot, mini, euro, jumbo, index...")
    ] = "",
    duplex: Annotated[
        str, printer_option("--duplex", help_text="Backs: long-edge, short-edge, two-pass, fold or none.")
    ] = "",
    back: Annotated[str, Option("--back", help="A back by name, or a picture or note.")] = "",
    bleed: Annotated[str, Option("--bleed", help="outer, per-card, or a width such as 1.5mm.")] = "outer",
    margin: Annotated[str, printer_option("--margin", help_text="Unprintable margin.")] = "5mm",
    printer: Annotated[str, printer_option("--printer", help_text="A calibrated printer.")] = "",
    frame: Annotated[
        str,
        Option(
            "--frame",
            help="classic, full (art to the edge), parchment, plain or your own. Default: by the art.",
        ),
    ] = "",
    accessible: Annotated[
        bool, Option("--accessible/--no-accessible", help="Also write one card per page, for screen readers.")
    ] = False,
    service: Annotated[
        str, Option("--for", help="Write files for a print service: gamecrafter, makeplayingcards or drivethru.")
    ] = "",
) -> None:
    """Print a deck, or notes, as cards to cut out.

    For example: vaultkit print cards tarokka --cards "Raven, 2x Seer", vaultkit print cards --from items --size tarot
    """
    from vaultkit.sheets.cards.card_sheet import print_set, print_set_pages
    from vaultkit.sheets.cards.deck_layout import DeckLayout
    from vaultkit.sheets.cards.text_sizes import default_card_size

    if service:
        fixed_options = {"--size": bool(size), "--duplex": bool(duplex), "--bleed": bleed != "outer"}
        refuse_options(press, fixed_options | {"--margin": margin != "5mm", "--printer": bool(printer)})
    else:
        size = size or default_card_size(press.setup.theme)
        layout = DeckLayout.from_options(size, bleed=bleed, margin=margin, duplex=duplex, back=back, printer=printer)
    sources = {"--from": folder, "--tag": tag, "--links": links, "--fields": fields}
    name, card_set = _select_cards(press, deck, sources, frame, selection)
    card_set = replace(card_set, cards=tuple(card for card in card_set.cards for _ in range(copies)))
    if service:
        export_for_service(press, name, card_set, service, back)
        return
    job = press.job(name, "cards")
    printed_files = [print_set(card_set, press.workspace.vault, job, layout, accessible=accessible)]
    if accessible:
        printed_files.append(print_set_pages(card_set, job, size))
    press.report_files(*printed_files)


def _select_cards(
    press: Press, deck: str, sources: Mapping[str, str], frame: str, card_spec: str
) -> "tuple[str, CardSet]":
    """Return a name for the PDF, such as the deck's kind, and the cards to print.

    `sources` are the values of the options that select notes in place of a deck.

    Raises UsageError if neither a deck nor notes are named, or both are.
    """
    workspace, secrets = press.workspace, press.secrets
    option = next((name for name, value in sources.items() if value), "")
    if deck and option:
        raise UsageError(f"A deck and {option} do not go together.", hint=f"Leave out '{deck}', or {option}.")
    if deck and not _is_deck(press, deck):
        deck, sources = "", {**sources, "--from": deck}
    folder, tag, links, fields = sources.values()
    if folder or tag or links:
        from vaultkit.sheets.notecards.note_cards import note_set

        note_cards = note_set(
            workspace.vault, workspace.vault_path(folder) if folder else "", tag,
            workspace.note(links) if links else None, frame=frame, selection=card_spec,
            vault_name=workspace.settings.print.vault_name, secrets=secrets,
            fields=tuple(filter(None, map(str.strip, fields.split(",")))),
        )  # fmt: skip
        return _file_name_part(note_cards.name), note_cards
    if not deck:
        hint = "For example: vaultkit print cards tarokka, or: vaultkit print cards --from Items. Decks: vaultkit deck"
        raise UsageError(
            "Name a deck, or the notes to make cards of with --from FOLDER, --tag TAG or --links NOTE.", hint=hint
        )
    from vaultkit.sheets.cards.deck_cards import deck_set

    try:
        note = workspace.compendium.deck(deck)
    except NothingFound as error:
        error.hint = f"{error.hint} {_folders_hint(workspace.vault.note_paths)}".strip()
        raise
    return _file_name_part(note.deck.kind) or "deck", deck_set(note, workspace.vault, frame, card_spec, secrets)


def _folders_hint(paths: Sequence[str]) -> str:
    """Return a hint with the commands that print the folders with the most notes as cards."""
    counts = Counter(path.rpartition("/")[0] for path in paths if "/" in path)
    commands = [
        f"vaultkit print cards --from {quote_word(folder)}"
        for folder, count in counts.most_common(_MAX_SUGGESTED_FOLDER_COUNT)
        if count > 1
    ]
    return f"The notes in a folder as cards: {', '.join(commands)}." if commands else ""


def _is_deck(press: Press, name: str) -> bool:
    """Return whether a name is to be read as that of a deck: always, unless only a folder of notes has it."""
    from vaultkit.vault.queries import find_folder

    with suppress(NothingFound):
        press.workspace.compendium.deck(name)
        return True
    with suppress(NothingFound):
        return not find_folder(press.workspace.vault, name)
    return True


def _file_name_part(name: str) -> str:
    """Return the name of a tag, folder or kind of deck, which may contain any character, as part of a file name."""
    from vaultkit.vault.file_names import name_part

    return name_part(name.lstrip("#").replace("/", " ")).lower()


def export_for_service(press: Press, name: str, cards: "CardSet", service: str, back: str = "") -> None:
    """Write the cards for a print service, and print what its preflight check found.

    Raises Exit with code 1 if the service would refuse the files.
    """
    from vaultkit.sheets.export.print_service import export_set
    from vaultkit.sheets.export.vendor import load_vendor

    vendor = load_vendor(service, press.workspace.root)
    default_path = press.setup.output_path(name, service)
    output_path = default_path if vendor.files == "pdf" else press.out or default_path.with_suffix("")
    theme = replace(press.setup.theme, cmyk=vendor.inks == "cmyk")
    export = export_set(cards, press.workspace.vault, vendor, out=output_path, theme=theme, back=back)
    _print_export(export, vendor.title, press)
    for remark in (*export.remarks, *cards.remarks):
        print_note(remark)
    if press.opened and not press.dry_run:
        open_file(export.place)
    if not export.is_accepted:
        print_error(f"{vendor.title} would refuse it as it is. Correct the lines marked NO.")
        raise typer.Exit(ExitCode.PROBLEMS)


def refuse_options(press: Press, options: Mapping[str, bool]) -> None:
    """Raise UsageError for an option in use that a print service decides.

    `options` maps options to whether they are in use.
    """
    all_options = {**options, "--paper": press.given_paper is not None, "--preview": press.preview}
    used_options = [name for name, is_given in all_options.items() if is_given]
    if used_options:
        hint = "A print service has its own size, paper and order."
        raise UsageError(f"{used_options[0]} does not go with --for.", hint=hint)


def _print_export(export: "ServiceExport", title: str, press: Press) -> None:
    from vaultkit.theme.glyphs import missing_character_remarks

    if press.as_json:
        names = ("name", "ok", "needed", "detail")
        checks = [{name: getattr(check, name) for name in names} for check in export.checks]
        file_names = [file.as_posix() for file in export.files]
        verdict = {"accepted": export.is_accepted, "reasons": export.reasons}
        print_document({"place": export.place.as_posix(), **verdict, "files": file_names, "checks": checks})
    else:
        for check in export.checks:
            failure_mark = "NO" if check.needed else "look"
            print_result(f"{'ok' if check.ok else failure_mark}\t{check.name}\t{check.detail}")
    verb, path = "Would make" if press.dry_run else "Made", relative_to_current_folder(export.place)
    sentence = f"{verb} for {title}: {path} ({format_count(len(export.files), 'file')})"
    if press.dry_run:
        print_note(sentence)
    else:
        print_file(path, sentence, as_json=press.as_json)
    for remark in (*press.setup.remarks, *missing_character_remarks(export.missing)):
        print_note(remark)
