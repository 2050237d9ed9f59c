"""The note of one finished game, and the line for the campaign's log, each from its template."""

from pathlib import Path

from vaultkit.campaign.page import Page
from vaultkit.campaign.templating import render
from vaultkit.errors import InvalidError
from vaultkit.vault import Note


def session_note(page: Page, vault: Path | None) -> str:
    """The text of the note. Raises InvalidError if the template loses the property by which the note is known."""
    text = render("session-note.md.j2", page.context(), vault)
    said = Note(page.path, text.encode("utf-8")).property("vaultkit-session")
    if said != page.result.session:
        raise InvalidError(
            "The template of session notes must write the property 'vaultkit-session'.",
            where="session-note.md.j2",
            hint="Without it the same game would be logged twice. Write: vaultkit-session: {{ session }}",
        )
    return text if text.endswith("\n") else f"{text}\n"


def log_line(page: Page, note: str, vault: Path | None) -> str:
    """The line that leads from the campaign note to the session note `note`; exactly one, with its block id."""
    link = page.link(note, page.result.title)
    text = render("log-line.md.j2", {**page.context(), "link": link, "block": block_id(page.result.session)}, vault)
    line = text.strip()
    if len(line.splitlines()) != 1 or not line.endswith(f" ^{block_id(page.result.session)}"):
        raise InvalidError(
            "The template of the log line must make one line that ends with its block id.",
            where="log-line.md.j2",
            hint="Without it the same game would be logged twice. End the line with: ^{{ block }}",
        )
    return line


def block_id(session: str) -> str:
    """The block id, without `^`, by which the campaign note knows a session's line."""
    return f"vk-{session}"
