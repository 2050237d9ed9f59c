"""The server in its own thread, with a socket for this computer only, and one for phones if there are any."""

import asyncio
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address

from starlette.types import ASGIApp
from uvicorn import Server as Uvicorn

from vaultkit.errors import UsageError, WriteError
from vaultkit.text import join_words
from vaultkit.web.request_guard import ConnectionLimiter, server_config
from vaultkit.web.seat_sessions import SeatSessions

LOOPBACK_ADDRESS = "127.0.0.1"
_STOP_TIMEOUT_SECONDS = 3.0
"""Seconds that the server has to stop."""


_PRIVATE_NETWORKS = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_VIRTUAL_PREFIXES = (
    "br-", "cni", "docker", "flannel", "ham", "lxc", "lxd", "ppp", "tailscale", "tap", "tun", "utun", "vboxnet", "veth",
    "virbr", "vmnet", "wg", "zt", "hyper-v", "virtualbox", "vmware", "vethernet", "wireguard", "wsl", "vpn",
)  # fmt: skip
"""The prefixes of network interfaces to which no phone is connected."""
_RETRY_SECONDS = 0.1
_PROBE_ADDRESS = ("192.0.2.1", 9)
"""An address for documentation, to which nothing is sent: the system only tells which interface it would use."""


def open_socket(port: int = 0, address: str = LOOPBACK_ADDRESS) -> socket.socket:
    """Return a socket at an address and `port`, 0 for any free port. Raises WriteError if none is free."""
    # Without the protocol's number asyncio would let small answers wait for others to go with them (40 ms each).
    server_socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":  # else another program could take over a port that is in use
            server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # else a table that was killed could not come back for minutes
            server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server_socket.bind((address, port))
        server_socket.listen()
    except OSError as error:
        server_socket.close()
        raise WriteError(f"The table could not be opened at {address}:{port}: {error.strerror}.") from error
    return server_socket


def reopen_socket(port: int, address: str = LOOPBACK_ADDRESS, seconds: float = 0) -> tuple[socket.socket, bool]:
    """Return a socket at this port, or at another one if the port stays in use, and whether it is the same port.

    With `port` 0, any free port is as good.

    Wait up to `seconds` for the port: connections of a process that was killed may keep it for a moment.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return open_socket(port, address), True
        except WriteError:
            if time.monotonic() >= deadline:
                return open_socket(0, address), False
            time.sleep(_RETRY_SECONDS)


class ServerThread:
    """A thread that runs uvicorn for each of the applications at its own socket.

    `failed` is called with the error if the server stops by itself.
    """

    def __init__(
        self, served: Sequence[tuple[ASGIApp, socket.socket]], on_failure: Callable[[BaseException], None]
    ) -> None:
        limiter = ConnectionLimiter()
        self._served = [(Uvicorn(server_config(app, limiter)), server_socket) for app, server_socket in served]
        self._on_failure = on_failure
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Start to answer requests."""
        _silence_loggers()
        self._thread.start()
        self._ready.wait()

    def call(self, function: Callable[..., None], *values: object) -> None:
        """Call a function in the event loop: at once before the loop starts, and never after it has ended."""
        if self._loop is None:
            function(*values)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *values)

    def stop(self, sessions: SeatSessions) -> None:
        """Tell all pages that the server ends, and stop it; connections that do not end in time are closed."""
        for client in sessions.clients:
            self.call(client.outbox.end)
        for uvicorn, _ in self._served:
            uvicorn.should_exit = True
        self._thread.join(_STOP_TIMEOUT_SECONDS)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - whoever waits for errands must hear of it
            self._on_failure(error)
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._ready.set)
        await asyncio.gather(*(uvicorn.serve(sockets=[server_socket]) for uvicorn, server_socket in self._served))


def _silence_loggers() -> None:
    """Turn the loggers of the server off, since nothing about requests may be printed in the host's terminal."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False


def choose_address(requested_address: str | None, pick: Callable[[Sequence[str]], str] | None) -> str:
    """Return the requested address; without one, the only address of this computer, or the one that `pick` chooses.

    Raises UsageError for an address that phones must not use, or for several without `pick`, WriteError for none.
    """
    known_addresses = list_addresses()
    if requested_address is not None:
        return _check_address(requested_address, known_addresses)
    if not known_addresses:
        hint = "Join a Wi-Fi or open a hotspot, or play on one screen with --table."
        raise WriteError("This computer has no address in a private network, so no phone can reach it.", hint=hint)
    if len(known_addresses) == 1:
        return known_addresses[0]
    if pick is None:
        hint = f"--address {known_addresses[0]}"
        raise UsageError(f"This computer has several addresses: {join_words(known_addresses)}.", hint=hint)
    return _check_address(pick(known_addresses), known_addresses)


def list_addresses() -> list[str]:
    """Return the private IPv4 addresses to which phones may connect, that of the default route first."""
    import ifaddr

    private_addresses = [
        str(ip.ip)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4 and _is_private(str(ip.ip)) and not _is_virtual(str(adapter.name), adapter.nice_name)
    ]
    first = _outgoing_address()
    return sorted(dict.fromkeys(private_addresses), key=lambda address: address != first)


def _check_address(text: str, known_addresses: Sequence[str]) -> str:
    try:
        address = IPv4Address(text.strip())
    except AddressValueError as error:
        message = f"'{text}' is not an address such as 192.168.1.20."
        with suppress(AddressValueError):
            message = f"{IPv6Address(text.strip('[] '))} is an IPv6 address, and phones can only join by IPv4."
        raise UsageError(message, hint=_addresses_hint(known_addresses)) from error
    if not (address.is_loopback or _is_private(str(address))):
        raise UsageError(f"{address} is not an address of a private network.", hint=_addresses_hint(known_addresses))
    if not _is_address_of_this_computer(str(address)):
        raise UsageError(f"This computer does not have the address {address}.", hint=_addresses_hint(known_addresses))
    return str(address)


def _is_address_of_this_computer(address: str) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def _addresses_hint(known_addresses: Sequence[str]) -> str:
    if known_addresses:
        return f"This computer has {join_words(known_addresses)}: --address {known_addresses[0]}"
    return "This computer has no address in a private network."


def _is_private(address: str) -> bool:
    return any(IPv4Address(address) in network for network in _PRIVATE_NETWORKS)


def _is_virtual(*names: str) -> bool:
    words = [word for name in names for word in name.casefold().replace("(", " ").split()]
    return any(word.startswith(_VIRTUAL_PREFIXES) for word in words)


def _outgoing_address() -> str:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_PROBE_ADDRESS)
            return str(probe.getsockname()[0])
    except OSError:
        return ""
