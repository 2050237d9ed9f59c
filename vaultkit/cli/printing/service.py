"""`vaultkit print cards DECK --for SERVICE`: files for a print service, and the preflight report."""

from typing import TYPE_CHECKING

import typer

from vaultkit.cli.output import count, document, say, talk
from vaultkit.cli.printing.press import Press
from vaultkit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultkit.compendium import DeckNote
    from vaultkit.sheets.export.service import Exported


def send(
    press: Press, deck: "DeckNote", service: str, back: str = "", frame: str = "classic", wanted: str = ""
) -> None:
    """Writes the deck or the `wanted` cards for a print service and tells what its preflight found.

    Exit code 1 if it would be refused.
    """
    from dataclasses import replace

    from vaultkit.sheets.export.service import export_deck
    from vaultkit.sheets.export.vendor import load_vendor

    vendor = load_vendor(service, press.workspace.root)
    place = press.place(f"{deck.deck.kind}-{vendor.name}")
    out = place if vendor.files == "pdf" else press.out or place.with_suffix("")
    theme = replace(press.theme, cmyk=vendor.inks == "cmyk")
    vault = press.workspace.vault
    made = export_deck(deck, vault, vendor, out=out, theme=theme, back=back, frame=frame, wanted=wanted)
    _tell(made, vendor.title, press)
    if press.opened:
        typer.launch(str(made.place))
    if not made.accepted:
        talk(f"{vendor.title} would refuse it. Mend what says NO, and print again.")
        raise typer.Exit(ExitCode.PROBLEMS)


def refuse(press: Press, options: "Mapping[str, bool]") -> None:
    """Raises UsageError for an option that was given although a print service decides it."""
    asked = {**options, "--paper": press.given_paper is not None, "--preview": press.preview}
    given = [name for name, is_given in asked.items() if is_given]
    if given:
        raise UsageError(
            f"{given[0]} does not go with --for.",
            hint="A print service has its own size, paper and order.",
        )


def _tell(made: "Exported", title: str, press: Press) -> None:
    if press.as_json:
        checks = [{"name": c.name, "ok": c.ok, "needed": c.needed, "detail": c.detail} for c in made.checks]
        names = [file.as_posix() for file in made.files]
        document({"place": made.place.as_posix(), "accepted": made.accepted, "files": names, "checks": checks})
    else:
        for check in made.checks:
            say(f"{'ok' if check.ok else 'NO' if check.needed else 'look'}\t{check.name}\t{check.detail}")
    talk(f"For {title}: {made.place} ({count(len(made.files), 'file')})")
    for remark in press.theme_remarks:
        talk(remark)
    if made.missing:
        talk(f"No font here has these characters: {' '.join(made.missing)}")
