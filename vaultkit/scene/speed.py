"""How fast bots play where people look on."""

from vaultkit.errors import UsageError
from vaultkit.spelling import did_you_mean

SPEEDS = {"slow": 2.5, "fast": 0.8, "off": 0.0}
"""The seconds that a bot's move is seen before the next one follows."""


def seconds_of(speed: str) -> float:
    """The seconds of a speed. Raises UsageError for one that there is not."""
    if speed not in SPEEDS:
        raise UsageError(f"There is no speed '{speed}'.", hint=did_you_mean(speed, SPEEDS, then="slow, fast or off."))
    return SPEEDS[speed]
