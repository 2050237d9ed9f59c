"""The speeds at which the moves of bots are shown."""

from vaultkit.errors import UsageError
from vaultkit.spelling import did_you_mean

SPEEDS = {"slow": 2.5, "fast": 0.8, "off": 0.0}
"""The seconds between a bot's move and the next one, by speed."""


def seconds_of(speed: str) -> float:
    """Return the seconds between moves at a speed. Raises UsageError for an unknown speed."""
    if speed not in SPEEDS:
        raise UsageError(
            f"'{speed}' is not a speed.", hint=did_you_mean(speed, SPEEDS, suffix="Accepted: slow, fast or off.")
        )
    return SPEEDS[speed]
