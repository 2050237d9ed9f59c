"""Names that Windows keeps for itself."""

DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"))
)
"""In lower case, without an ending."""


def is_device(name: str) -> bool:
    """Whether Windows keeps a name for a device, whatever its ending: `con`, `Aux.md`."""
    return name.partition(".")[0].rstrip(" ").lower() in DEVICES
