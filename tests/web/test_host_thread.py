"""The loop of the table: when it shows what changed, and when it ends by itself."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from vaultkit.web import host_thread
from vaultkit.web.host_thread import CommandQueue, HostThread
from vaultkit.web.seat_sessions import SeatSessions


class Steps:
    """A page whose host changes as often as listed for each step, then closes."""

    def __init__(self, changes: list[int], *, over: bool = False) -> None:
        self.host = SimpleNamespace(closed=False, over=over, revision=0)
        self.changes = changes

    def go_on(self, *, watched: bool) -> float:
        self.host.revision += self.changes.pop(0)
        self.host.closed = not self.changes
        return 0.01


def serve(page: Steps, sessions: Any, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the loop, and return how often the pages were told."""
    published: list[None] = []
    monkeypatch.setattr(HostThread, "publish", lambda _: published.append(None))
    monkeypatch.setattr(host_thread, "_IDLE_CLOSE_SECONDS", 0.05)
    HostThread(cast(Any, page), sessions, CommandQueue(), cast(Any, None)).run()
    return len(published)


def test_pages_are_told_what_changed_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    assert serve(Steps([0, 1, 0, 0, 3, 0]), SeatSessions(), monkeypatch) == 2


@pytest.mark.parametrize(("over", "watched", "ends"), [(True, False, True), (True, True, False), (False, False, False)])
def test_only_a_finished_table_at_which_nobody_looks_ends_by_itself(
    over: bool, watched: bool, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, client = Steps([0] * 15, over=over), SimpleNamespace(outbox=SimpleNamespace(streams=[1] * watched))
    serve(page, SimpleNamespace(clients=(client,)), monkeypatch)
    assert bool(page.changes) == ends
