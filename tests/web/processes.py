"""A table in its own process, and browsers that talk to it over real connections."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, Self

WAIT = 20.0


class Process:
    """A process that runs `vaultkit WORDS --table` in a vault and has printed its address."""

    def __init__(
        self,
        vault: Path,
        *words: str,
        state: Path | None = None,
        environment: Mapping[str, str] | None = None,
        patience: float = WAIT,
        keyboard: int = subprocess.DEVNULL,
    ) -> None:
        self.vault = vault
        home = {"XDG_STATE_HOME": str(state or vault.parent / "state")}
        env = {**os.environ, **home, **(environment or {}), "VAULTKIT_VAULT": str(vault), "PYTHONUNBUFFERED": "1"}
        began = time.monotonic()
        self.errors = vault.parent / f"errors-{time.monotonic_ns()}.txt"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "vaultkit", *words, "--table"], cwd=vault, env=env, text=True,
                stdin=keyboard, stdout=subprocess.PIPE, stderr=errors,
            )  # fmt: skip
        found = until(
            lambda: re.search(r"http://127\.0\.0\.1:(\d+)/#(\S+)", self.said) or self.process.poll() is not None,
            patience,
        )
        assert isinstance(found, re.Match), self.said
        self.port, self.code = int(found[1]), found[2]
        self.most = max(3.0, 2 * (time.monotonic() - began))
        """The seconds in which it must end: three, or twice its starting time on a busy machine."""

    @property
    def said(self) -> str:
        return self.errors.read_text()

    def sit(self) -> "Browser":
        return Browser(self.port).sit(self.code)

    def interrupt(self, times: int = 1) -> None:
        for _ in range(times):
            self.process.send_signal(signal.SIGINT)

    def end(self) -> tuple[int, str]:
        """Wait for the process to end by itself, and return its exit code and stdout."""
        out, _ = self.process.communicate(timeout=WAIT)
        return self.process.returncode, out

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Browser:
    """A browser with its cookie and its stream."""

    def __init__(self, port: int, cookie: str = "", at: str = "") -> None:
        self.port, self.cookie, self.at = port, cookie, at

    def sit(self, code: str) -> "Browser":
        status, headers, value = self.post("/sit", {"token": code})
        assert status == 200, value
        self.at, self.cookie = value["at"], headers["set-cookie"].partition(";")[0]
        return self

    def connect(self, seconds: float = WAIT) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=seconds)

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        connection = self.connect()
        connection.request("GET", path, headers={"Cookie": self.cookie, **headers})
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body

    def post(self, path: str, value: object, **headers: str) -> tuple[int, Any, Any]:
        connection = self.connect()
        given = {"Cookie": self.cookie, "Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(value), {**given, **headers})
        response = connection.getresponse()
        body = json.loads(response.read())
        connection.close()
        return response.status, response.headers, body

    def order(self, do: str, **more: object) -> tuple[int, Any]:
        with self.stream() as stream:
            question = stream.scene()["question"]
        status, _, value = self.post(f"{self.at}order", {"question": question, "do": do, **more})
        return status, value

    def stream(self) -> "Stream":
        connection = self.connect()
        connection.request("GET", f"{self.at}stream", headers={"Cookie": self.cookie})
        return Stream(connection, connection.getresponse())

    def raw(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)


class Stream:
    """An open stream of events."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        assert response.status == 200, response.status
        self._connection, self._response = connection, response

    def event(self) -> tuple[str, str]:
        """Return the next event's name and data, or ("", "") at the end of the stream."""
        fields: dict[str, str] = {}
        while line := self._response.readline().decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            fields[name] = value
        return fields.get("event", ""), fields.get("data", "")

    def scene(self) -> Any:
        """Return the next Scene."""
        name, data = self.event()
        assert name == "scene", f"{name or 'nothing'} came instead of a Scene"
        return json.loads(data)

    def question(self, but: str = "") -> Any:
        """Return the next Scene with a question other than `but`."""
        while (scene := self.scene())["question"] in (None, but):
            pass
        return scene

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def until(seen: Any, seconds: float = WAIT) -> Any:
    """Call `seen` until its result is truthy, and return that."""
    last = time.monotonic() + seconds
    while not (found := seen()):
        assert time.monotonic() < last, "it took too long"
        time.sleep(0.02)
    return found
