"""Taking back what was typed, when it was not the one who asks for it that typed it in secret (G-8)."""

from collections.abc import Collection, Iterator

from rich.text import Text

from vaultkit.games.words import Seat
from vaultkit.play.privacy import knowers
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.session import Session, Step
from vaultkit.session.undo import Undo


def take_back(session: Session, back: Undo, seats: Collection[Seat], stage: Stage, speaker: Speaker) -> bool:
    """Take back what was planned, for the people `seats` who sit at the screen; whether that was done.

    No secret of another person falls before it is said whose: the card would have to be typed again, and one who only
    means to mend the own last answer does not know that somebody else's stands behind it.
    """
    owners = sorted({seat for step in session.steps[back.to :] for seat in _owners(session, step, seats)})
    if owners and not stage.sure(_question([speaker.seat(seat) for seat in owners]), "y"):
        stage.show(Text("Nothing was taken back."))
        return False
    session.go_back(back)
    return True


def _question(names: list[str]) -> str:
    asks = f"{names[0]} asks" if len(names) == 1 else "they ask"
    return f"That takes back what {' and '.join(names)} typed in secret. Type y if {asks} for it:"


def _owners(session: Session, step: Step, seats: Collection[Seat]) -> Iterator[Seat]:
    """The people who typed a secret in this step, if any of `seats` does not know it."""
    typed = session.header.real_cards if step.chance else step.seat in session.people and not step.auto
    knowing = knowers(session, step)
    if typed and not knowing.issuperset(seats):
        yield from knowing.intersection(session.people if step.seat is None else {step.seat})
