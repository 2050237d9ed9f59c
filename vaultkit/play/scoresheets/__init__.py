"""The scores of a game with real cards, asked for at the screen."""

from vaultkit.play.scoresheets.tallying import Tallying

__all__ = ["Tallying"]
