"""Fixtures for tests of the server and its pages."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from vaultkit.web.startup import PHONE_PORT


@pytest.fixture
def own_phone_port() -> Iterator[None]:
    """Keep the default port of phones in use, so that a table gets one that nobody else wants."""
    with socket.socket() as default:
        default.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):  # another table has the port already
            default.bind(("127.0.0.1", PHONE_PORT))
            default.listen()
        yield
