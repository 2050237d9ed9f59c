"""Taking back what was typed (G-8); a secret that somebody else typed is not taken back without asking."""

from collections.abc import Collection, Iterator

from rich.text import Text

from vaultkit.games.words import Seat
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.scene.knowledge import knowers
from vaultkit.session import Session, Step
from vaultkit.session.undo import Undo


def take_back(session: Session, back: Undo, seats: Collection[Seat], stage: Stage, speaker: Speaker) -> bool:
    """Take back what was planned, for the people `seats` who sit at the screen; returns whether that was done.

    Before a secret of another person is taken back, the screen says whose it is: that person would have to type it
    again, and whoever wants to mend their own last answer may not know that another one came after it.
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
