"""The pictures of cards as pages show them: scaled, and kept for the next time."""

from collections.abc import Callable, Mapping

from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import DeckNote

Picture = Callable[[], tuple[bytes, str] | None]
"""Makes a picture when it is first asked for, in a thread of its own: its bytes and its media type."""


def pictures(workspace: Workspace, deck: DeckNote) -> Mapping[str, Picture]:  # noqa: ARG001
    """Whatever pages may fetch, by the name that `Marks.face` takes: cards by their ids, and backs."""
    return {}
