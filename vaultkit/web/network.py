"""The address by which phones in the own network reach this computer."""

import socket
from collections.abc import Callable, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv4Network

from vaultkit.errors import UsageError, WriteError
from vaultkit.text import join_words

_PRIVATE_NETWORKS = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_VIRTUAL_PREFIXES = (
    "br-", "cni", "docker", "flannel", "ham", "lxc", "lxd", "ppp", "tailscale", "tap", "tun", "utun", "vboxnet", "veth",
    "virbr", "vmnet", "wg", "zt", "hyper-v", "virtualbox", "vmware", "vethernet", "wireguard", "wsl", "vpn",
)  # fmt: skip
"""Beginnings of the names of interfaces that no phone is behind."""
_PROBE_ADDRESS = ("192.0.2.1", 9)
"""An address that is nobody's. Nothing is sent there: the system only says which way it would go."""


def choose_address(requested_address: str | None, pick: Callable[[Sequence[str]], str] | None) -> str:
    """The `wanted` address; without one the only one there is, or that which `pick` takes of several.

    Raises UsageError for an address that phones may not use, or several without anybody to ask, WriteError for none.
    """
    known_addresses = list_addresses()
    if requested_address is not None:
        return _check_address(requested_address, known_addresses)
    if not known_addresses:
        hint = "Join a wifi or open a hotspot, or play with --table at one screen."
        raise WriteError("This computer has no address in a network of your own, so no phone can reach it.", hint=hint)
    if len(known_addresses) == 1:
        return known_addresses[0]
    if pick is None:
        raise UsageError(
            f"This computer has several addresses: {join_words(known_addresses)}.",
            hint=f"--address {known_addresses[0]}",
        )
    return _check_address(pick(known_addresses), known_addresses)


def list_addresses() -> list[str]:
    """The private IPv4 addresses of interfaces that phones may be behind, first that which leads out of here."""
    import ifaddr

    private_addresses = [
        str(ip.ip)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4 and _is_private(str(ip.ip)) and not _is_virtual(str(adapter.name), adapter.nice_name)
    ]
    first = _outgoing_address()
    return sorted(dict.fromkeys(private_addresses), key=lambda one: one != first)


def _check_address(text: str, known_addresses: Sequence[str]) -> str:
    try:
        address = IPv4Address(text.strip())
    except AddressValueError as error:
        raise UsageError(
            f"'{text}' is no address such as 192.168.1.20.", hint=_addresses_hint(known_addresses)
        ) from error
    if not (address.is_loopback or _is_private(str(address))):
        raise UsageError(f"{address} is no address of a network of your own.", hint=_addresses_hint(known_addresses))
    return str(address)


def _addresses_hint(known_addresses: Sequence[str]) -> str:
    return (
        f"This computer has {join_words(known_addresses)}."
        if known_addresses
        else "This computer has none in a network of your own."
    )


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
