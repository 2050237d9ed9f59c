"""The proposals of `init`: the campaign note and the players of a vault, and the paper size of a country."""

from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit.campaign.setup_proposals import MAX_PROPOSED_PLAYERS, likely_log_note, likely_players
from vaultkit.settings import locale_paper
from vaultkit.vault import Vault


def vault_of(folder: Path, *paths: str, **texts: str) -> Vault:
    make_files(folder, dict.fromkeys(paths, "") | texts)
    return Vault(folder)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["Campaign Log.md", "Session Log.md", "World.md"], "Campaign Log"),
        (["Welt/Kampagnenchronik.md", "Prolog.md", "Katalog.md"], "Kampagnenchronik"),
        (["Abenteuer-Log.md"], "Abenteuer-Log"),
        (["Journal de campagne.md", "Journal.md"], "Journal de campagne"),
        (["Diario de la campaña.md"], "Diario de la campaña"),
        (["Tagebuch.md", "Notizen.md"], "Tagebuch"),
        (["Deep/Down/Chronicle.md", "The Chronicle of Ash.md"], "The Chronicle of Ash"),
        (["Campain Lok.md"], "Campain Lok"),
        (["Session 3 Recap.md", "2026-11-03 Log.md"], ""),
        (["Dialog.md", "Blog.md", "Logistics.md", "Campaign.md"], ""),
        (["a/Log.md", "b/Log.md"], "a/Log"),
        ([], ""),
    ],
)
def test_likely_campaign_note_is_proposed(tmp_path: Path, paths: list[str], expected: str) -> None:
    assert likely_log_note(vault_of(tmp_path, *paths)) == expected


def test_templates_and_game_notes_are_not_proposed_as_campaign_note(tmp_path: Path) -> None:
    make_files(tmp_path, {".obsidian/templates.json": '{"folder": "Vorlagen"}', "Vorlagen/Campaign Log.md": ""})
    make_files(tmp_path, {"Game Log.md": "---\nvaultkit-session: 20261122-propheta-abcd\n---\n"})
    assert likely_log_note(Vault(tmp_path)) == ""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"A.md": "---\ntags: [pc]\n---\n", "B.md": "---\ntags: [npc]\n---\n"}, ("A",)),
        ({"A.md": "#character/pc here\n", "B.md": "#character/npc\n"}, ("A",)),
        ({"A.md": "---\ngespielt-von: Jo\n---\n", "Gruppe/B.md": ""}, ("A",)),
        ({"A.md": "---\nplayer:\n---\n"}, ()),
        ({"1 - Party/Bo.md": "", "1 - Party/Party.md": "", "1 - Party/dead/Cy.md": "", "World/D.md": ""}, ("Bo",)),
        ({"Die Welt/02_Spielercharaktere/Käthe Müller.md": ""}, ("Käthe Müller",)),
        ({"Party/Bo.md": "", "World/Bo.md": ""}, ("Party/Bo",)),
        ({}, ()),
    ],
)
def test_likely_players_are_proposed(tmp_path: Path, files: dict[str, str], expected: tuple[str, ...]) -> None:
    make_files(tmp_path, files)
    assert likely_players(Vault(tmp_path)) == expected


@pytest.mark.parametrize(("count", "proposed"), [(8, 8), (9, 0)])
def test_at_most_8_players_are_proposed(tmp_path: Path, count: int, proposed: int) -> None:
    assert MAX_PROPOSED_PLAYERS == 8
    assert len(likely_players(vault_of(tmp_path, *(f"PCs/{letter}.md" for letter in "abcdefghi"[:count])))) == proposed


@pytest.mark.parametrize(
    ("variables", "paper"),
    [
        ({"LANG": "en_US.UTF-8"}, "letter"),
        ({"LANG": "es_MX"}, "letter"),
        ({"LANG": "de_DE.UTF-8"}, "a4"),
        ({"LANG": "en_US.UTF-8", "LC_PAPER": "en_GB.UTF-8"}, "a4"),
        ({"LC_ALL": "C.UTF-8", "LANG": "en_US.UTF-8"}, "a4"),
        ({"LC_ALL": "", "LANG": "en_CA"}, "letter"),
        ({}, "a4"),
    ],
)
def test_paper_size_follows_the_locale(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], paper: str) -> None:
    for name in ("LC_ALL", "LC_PAPER", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert locale_paper() == paper
