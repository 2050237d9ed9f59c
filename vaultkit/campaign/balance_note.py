"""A balance report as a note of its own, with charts that Obsidian draws by itself (Mermaid)."""

import posixpath
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from vaultkit import __version__
from vaultkit.campaign.templating import render
from vaultkit.errors import InvalidError
from vaultkit.games.options import Value
from vaultkit.session.balance import Balance, MomentReport
from vaultkit.session.seats import SeatSpec
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing.escape import property_text
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.write import Writer

TEMPLATE = "simulation.md.j2"
KEY = "vaultkit-simulation"
"""The property by which the note is known, wherever it was moved."""

MOST_MOMENTS = 40


def plan(vault: Vault, folder: str, context: Mapping[str, object], now: datetime) -> tuple[Writer, str]:
    """A Writer that makes the note, or brings it up to date, and the vault path of the note.

    Raises InvalidError for a template that cannot be used.
    """
    mark, title = str(context["mark"]), str(context["title"])
    text = _text(context, vault.root)
    there = [facts.path for facts in vault.note_facts if facts.property(KEY) == mark]
    path = min(there, default=posixpath.join(folder, f"{title}.md"))
    writer = Writer(vault, "simulate", now)
    if there:
        writer.change(path, lambda note: _replaced(note, text))
    else:
        writer.create(path, text)
    return writer, path


def told(
    balance: Balance,
    *,
    game: str,
    title: str,
    seats: Sequence[SeatSpec],
    seed: int,
    options: Mapping[str, Value],
    card_names: Mapping[str, str],
) -> dict[str, object]:
    """The values for the template. `options` are those that differ from their defaults."""
    return {
        "mark": f"{game} {len(seats)}",
        "title": f"Balance of {title} for {len(seats)}",
        "game": title,
        "game_id": game,
        "games": balance.games,
        "seed": seed,
        "options": [property_text(f"{key}={value}") for key, value in sorted(options.items())],
        "seats": [{"name": spec.name, "report": report} for spec, report in zip(seats, balance.seats, strict=True)],
        "outcomes": balance.outcomes,
        "shared": balance.shared,
        "length": balance.length,
        "moments": [_moment(one, card_names) for one in balance.moments[:MOST_MOMENTS]],
        "version": __version__,
    }


def _moment(moment: MomentReport, card_names: Mapping[str, str]) -> dict[str, object]:
    what = card_names.get(moment.card, moment.card)
    return {"kind": moment.kind.replace("-", " "), "card": what, "wins": moment.wins}


def _text(context: Mapping[str, object], root: Path) -> str:
    text = render(TEMPLATE, context, root)
    if Note("Balance.md", text.encode("utf-8")).property(KEY) != context["mark"]:
        raise InvalidError(
            f"The template of balance reports must write the property '{KEY}'.",
            where=TEMPLATE,
            hint=f"Without it the next report would not find the note. Write: {KEY}: {{{{ mark | yaml }}}}",
        )
    return text if text.endswith("\n") else f"{text}\n"


def _replaced(note: Note, text: str) -> Splice | None:
    """The whole note made new, in its own kind of line ends; None if it says this already."""
    new = text.replace("\n", "\r\n") if "\r\n" in note.text else text
    return Splice(0, note.text, new) if new != note.text else None
