"""Proposals for the first settings of a vault: the likely campaign note, the players' notes and the paper."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vaultkit.campaign.property_names import SESSION
from vaultkit.settings import Settings, locale_paper
from vaultkit.spelling import find_nearest
from vaultkit.text import plain_letters
from vaultkit.vault import Vault
from vaultkit.vault.note import is_generated
from vaultkit.vault.note_facts import Facts, texts
from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.resolve import key

DEFAULT_LOG_NOTE = "Campaign Log"
"""The usual name of a campaign note."""
MAX_PROPOSED_PLAYERS = 8
"""The maximum number of players that are proposed; a folder with more notes holds other people, too."""
_MIN_LOG_SIMILARITY_PERCENT = 85
"""The similarity in per cent from which a name counts as a misspelt DEFAULT_LOG_NOTE."""
_CAMPAIGN = r"(?:campaign|kampagne|campagn|campanh?a|adventure|abenteuer|avent|avvent)"
_LOG = re.compile(
    rf"\blogs?\b|logb(?:ook|uch)|(?:{_CAMPAIGN}|sitzung)[ns]*[\W_]*log\b|journal|chroni|cronac|cronic|\bdiar|tagebuch|protokoll|recap"
)
_PARTY_WORDS = {
    *("party", "pc", "pcs", "player", "players", "player character", "player characters", "heroes", "adventurers"),
    *("sc", "scs", "spieler", "spielercharakter", "spielercharaktere", "held", "helden", "heldin", "gruppe"),
    *("pj", "pjs", "joueur", "joueurs", "personnages joueurs", "jugador", "jugadores", "pg", "giocatori"),
}
"""Tags and folders of the players' characters, in plain letters, without numbers at the beginning."""
_PLAYER_PROPERTIES = ("player", "played-by", "spieler", "gespielt-von", "joueur", "jugador", "giocatore", "speler")
"""Properties of a character's note that name the person who plays it."""


@dataclass(frozen=True)
class SetupAnswers:
    """The first settings of a vault. None leaves the default.

    `campaign` is the name of the campaign note, or a value of `campaign.log-to`; "" for none. `paper` is a paper's
    name, `players` are the names of players.
    """

    campaign: str | None = None
    paper: str | None = None
    players: tuple[str, ...] | None = None


def propose_answers(vault: Vault, settings: Settings) -> SetupAnswers:
    """Return the likely answers for a vault; `settings` come from the user's own file."""
    campaign = settings.campaign.note or likely_log_note(vault)
    return SetupAnswers(campaign, settings.print.paper or locale_paper(), settings.players or likely_players(vault))


def likely_log_note(vault: Vault) -> str:
    """Return the name of the note that is most likely the campaign's log; "" if none is likely.

    Its name says so in one of several languages, or is DEFAULT_LOG_NOTE misspelt. Of several, the shallowest counts.
    """
    notes = [facts for facts in _own_notes(vault) if not re.search(r"\d", facts.name)]
    ranks = [(-_log_score(note.name), note.path.count("/"), len(note.name), note.path) for note in notes]
    score, *_, path = min(ranks, default=(0, ""))
    if score:
        return _link_name(vault, path)
    paths = {note.name.casefold(): note.path for note in notes}
    nearest = find_nearest(DEFAULT_LOG_NOTE.casefold(), paths, min_score=_MIN_LOG_SIMILARITY_PERCENT)
    return _link_name(vault, paths[nearest]) if nearest else ""


def _log_score(name: str) -> int:
    """Return 2 for the name of a campaign's log, 1 for that of any log, 0 for other names."""
    letters = plain_letters(name)
    return (1 + bool(re.search(_CAMPAIGN, letters))) if _LOG.search(letters) else 0


def likely_players(vault: Vault) -> tuple[str, ...]:
    """Return the names of the likely notes of players, () for none or more than MAX_PROPOSED_PLAYERS.

    A tag such as `pc` or a property such as `player` marks them; if no note has one, a folder such as `Party` does.
    """
    notes = list(_own_notes(vault))
    marked_notes = [facts for facts in notes if _is_marked_as_player(facts)]
    players = marked_notes or [facts for facts in notes if _is_in_party_folder(facts)]
    return tuple(_link_name(vault, facts.path) for facts in players) if len(players) <= MAX_PROPOSED_PLAYERS else ()


def _is_marked_as_player(facts: Facts) -> bool:
    tag_words = (word for tag in facts.tags for word in tag.split("/"))
    has_tag = any(plain_letters(word).replace("-", " ").replace("_", " ") in _PARTY_WORDS for word in tag_words)
    return has_tag or any(texts(facts.property(name)) for name in _PLAYER_PROPERTIES)


def _is_in_party_folder(facts: Facts) -> bool:
    """Return whether the note lies directly in a folder of players and is not the note about that folder."""
    folder = facts.path.rpartition("/")[0].rpartition("/")[2]
    folder_name, name = (re.sub(r"^[\W\d_]+", "", plain_letters(text)) for text in (folder, facts.name))
    return folder_name in _PARTY_WORDS and name not in {folder_name, *_PARTY_WORDS}


def _own_notes(vault: Vault) -> Iterator[Facts]:
    """Yield the notes that the user wrote, without templates and the notes of games."""
    templates = tuple(key(f"{folder}/") for folder in template_folders(vault.root))
    for facts in vault.note_facts:
        if not (is_generated(facts) or facts.property(SESSION) or key(facts.path).startswith(templates)):
            yield facts


def _link_name(vault: Vault, path: str) -> str:
    """Return the name of a note, or its path without `.md` if several notes have that name."""
    name = path.rpartition("/")[2].removesuffix(".md")
    resolution = vault.locate(name)
    return name if (resolution.status, resolution.path) == ("ok", path) else path.removesuffix(".md")
