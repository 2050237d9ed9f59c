"""The note of one finished game, and the line for the campaign's log, each from its template."""

from pathlib import Path

from vaultkit.campaign.keys import SESSION
from vaultkit.campaign.page import Page
from vaultkit.campaign.templating import render_line, render_note


def session_note(page: Page, vault: Path | None) -> str:
    """The text of the note. Raises InvalidError if the template loses the property by which the note is known."""
    return render_note("session-note.md.j2", page.context(), (SESSION, page.result.session), vault)


def log_line(page: Page, note: str, vault: Path | None) -> str:
    """The line that leads from the campaign note to the session note `note`; exactly one, with its block id."""
    link = page.link(note, page.result.title)
    return render_line("log-line.md.j2", {**page.context(), "link": link}, block_id(page.result.session), vault)


def block_id(session: str) -> str:
    """The block id, without `^`, by which the campaign note knows a session's line."""
    return f"vk-{session}"
