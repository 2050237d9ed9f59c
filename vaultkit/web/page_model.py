"""The contents of one page as values: the view of its client, and what only a browser needs."""

from dataclasses import dataclass

from vaultkit.games.messages import Sentence
from vaultkit.host.view_state import EntryDraft, ViewState
from vaultkit.web.opaque_ids import OpaqueIds
from vaultkit.web.roster import Roster


@dataclass(frozen=True, slots=True, kw_only=True)
class PageModel(ViewState):
    """Everything that one page may see.

    Offers of the scene are chosen by their place in it, counted from 0: `{"do": "offer", "offer": "2"}`, with a story
    `"tale": "..."` beside it. `fresh` are the sentences of what has happened since the last Scene of this page; `steps`
    is how many sentences there are. `company` is there if people play with phones. Real cards are named so:
    `{"do": "name", "words": "6 of Swords"}`.
    """

    marks: OpaqueIds
    fresh: tuple[Sentence, ...] = ()
    steps: int = 0
    company: Roster | None = None

    @property
    def pad(self) -> EntryDraft | None:
        """The draft, if real cards or other answers are to be named."""
        return None if self.scene.offers else self.draft
