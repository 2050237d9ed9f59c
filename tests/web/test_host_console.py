"""The host's terminal: pause, handing a seat to a bot and back, undo, addresses and the end."""

import os
import pty
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.driver import Table
from tests.web.phone_driver import phone_table
from tests.web.processes import Browser, wait_until
from tests.web.test_game_at_the_table import BRAM, FREE, YSOLDE, go_on, open_game, workspace  # noqa: F401
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.session import Session
from vaultkit.web.startup import HostConsole


def desk(table: Table, told: list[str]) -> Callable[[str], None]:
    return HostConsole(lambda: "", table.host, told.append, lambda: "http://127.0.0.1:1/#c").run_line


@pytest.mark.slow
def test_host_pauses_and_hands_a_seat_to_a_bot_and_back_and_undoes(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    with open_game(workspace, tmp_path, "turn-of-fate", YSOLDE, BRAM, options=FREE) as (table, session):
        told: list[str] = []
        host = desk(table, told)
        host("PAUSE\n")
        assert "paused" in table.scene()["regions"]["ask"]
        assert table.order("offer", offer=0).status == 422
        assert table.order("uncover").status == 422
        assert table.order("who").status == 200
        host("go on")
        assert "paused" not in table.scene()["regions"]["ask"]
        before = len(session.steps)
        assert _decide(table, session, wait=True)
        host("undo")
        assert (told[-1], len(session.steps)) == ("Taken back.", before)
        other = 1 - session.prompt.seat if session.prompt else 0
        host(f"bot {session.name(other)[:2]}")
        assert session.people == (1 - other,)
        host("who")
        assert told[-1] == f"{session.name(1 - other)} plays. Bots: {session.name(other)}."
        before = len(session.steps)
        assert _decide(table, session)
        assert any(step.seat == other for step in session.steps[before:]), "the bot has played"
        host(f"bot {session.name(1 - other)}")
        assert "The last person's seat" in told[-1]
        host(f"back {session.name(other)}")
        assert session.people == (0, 1)
        for typed, answer in (("bot", "Whose seat?"), ("back Bram", "No bot holds"), ("dance", "bot NAME"),
                              ("address", "http://127.0.0.1:1/#c"), ("end", "closes")):  # fmt: skip
            told.clear()
            host(typed)
            assert sum(answer in line for line in told) == 1 and max(map(len, told)) < 80
        assert table.host.left


def _decide(table: Table, session: Session, *, wait: bool = False) -> bool:
    """Make one decision for the seat that is asked and, unless `wait`, advance."""
    before = len(session.steps)
    while len(session.steps) == before:
        sight = table.page.sight(table.door.clients[0])
        do = "uncover" if sight.cover and not sight.cover.is_open else "offer"
        assert table.order(do, offer=0, sure=True).status == 200
    if not wait:
        go_on(table)
    return True


def test_host_reads_who_has_joined_before_the_game_begins(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    table = phone_table(GameNotes.from_name(workspace, "propheta"), tmp_path, 3)
    told: list[str] = []
    with table.game.session:
        ask, (one, two, three) = desk(table, told), table.game.names
        for typed in ("who", "go on", "pause", "undo"):
            ask(typed)
        table.phone(1)
        ask("who")
        ask(f"bot {one}")
        ask("who")
        begin = Says("until", "Begin the game", "page")
        assert told[:4] == [Says(f"Not here yet: {one}, {two} and {three}"), begin, begin, begin]
        assert told[4] == f"Joined: {two}. Not here yet: {one} and {three}."
        assert told[6] == f"Joined: {two}. Not here yet: {three}. Bots: {one}."
        table.begin()
        ask("who")
        assert told[7] == f"{two} and {three} play. Bots: {one}."
        ask("go on")
        assert told[8] == Says("not paused")
        ask("pause")
        ask("go on")
        assert told[9:] == [Says("Paused", "go on"), Says("game goes on")]


def test_bot_cannot_take_over_real_cards(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    from tests.terminal.refereed import begin
    from vaultkit.errors import UsageError

    with begin(tmp_path, "propheta", ("Ysolde", "Bram", "Sefa")) as session, pytest.raises(UsageError, match="bot"):
        session.lend(0, "fair")


@pytest.mark.slow
def test_host_commands_typed_in_a_real_terminal_are_executed(tmp_path: Path) -> None:
    vault = shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    words = ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "Bram", "--seed", "3", "--table", "--speed", "off")
    pid, terminal = pty.fork()
    if not pid:
        env = {**os.environ, "VAULTKIT_VAULT": str(vault), "XDG_STATE_HOME": str(tmp_path), "BROWSER": "/bin/false"}
        os.chdir(vault)
        os.execve(sys.executable, [sys.executable, "-m", "vaultkit", *words], env)
    said = ""

    def shows(what: str) -> re.Match[str]:
        nonlocal said
        last = time.monotonic() + 20
        while not (found := re.search(what, said)):
            assert time.monotonic() < last, said
            said += os.read(terminal, 4096).decode(errors="replace")
        return found

    found = shows(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)")
    shows("Type help")
    browser = Browser(int(found[1])).sit(found[2])
    os.write(terminal, b"pause\n")
    shows("Paused")
    assert browser.order("uncover")[0] == 422
    os.write(terminal, b"go on\nbot Bram\n")
    shows("A bot plays for Bram")
    os.write(terminal, b"end\n")
    shows(r"Continue with:\s+vaultkit resume")
    assert wait_until(lambda: os.waitpid(pid, os.WNOHANG)[0])
    os.close(terminal)
