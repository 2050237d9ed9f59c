"""The note that gets the log line, by every setting, for games and readings."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.campaign.samples import NOW, SESSION, SETTINGS, finished_game, log, numbered_game, tree
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.campaign.log import LogResult, check_target
from vaultkit.campaign.reading import Reading, draw_cards
from vaultkit.campaign.record_reading import record_reading
from vaultkit.campaign.undo import undo
from vaultkit.compendium import Compendium
from vaultkit.errors import InvalidError, NothingFound, VaultkitError, WriteError
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.write import Writer

LINE = f"^vk-{SESSION}"
NEWEST = Settings(campaign=CampaignSettings(log_to="newest-session"))
DAILY = Settings(campaign=CampaignSettings(log_to="daily-note"))
JOURNAL = {".obsidian/daily-notes.json": json.dumps({"format": "YYYY/YYYY-MM-DD", "folder": "J", "template": "T"})}
TODAY = "J/2026/2026-11-03.md"
SESSIONS: dict[str, str | bytes] = {
    "S/One.md": "---\ndate: 2026-10-31\nsession: 1\n---\n",
    "S/Next.md": "---\ndate: 2026-11-07\nsession: 2\n---\n",
}


def text(vault: Vault, path: str) -> str:
    return (vault.root / path).read_bytes().decode()


def a_draw(vault: Vault) -> Reading:
    make_files(vault.root, {"Birds.md": "---\nvaultkit-deck: birds\n---\n# Birds\n\n## Cards\n\n### Owl\n\nHoo.\n"})
    return draw_cards(Compendium(Vault(vault.root)).deck("birds"), 1, seed=1, now=NOW)


def log_draw(vault: Vault, settings: Settings, campaign: str | None = None) -> LogResult:
    return record_reading(a_draw(vault), Vault(vault.root), settings, campaign=campaign, now=NOW)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [NEWEST, DAILY, SETTINGS])
@pytest.mark.parametrize("campaign", [None, "newest-session", " Daily-Note ", "none", "", "Ivo"])
def test_settings_and_words_apply_to_games_and_draws(vault: Vault, settings: Settings, campaign: str | None) -> None:
    make_files(vault.root, {**SESSIONS, **JOURNAL})
    word = settings.campaign.log_to if campaign is None else campaign.strip().lower()
    places = {"newest-session": "S/One.md", "daily-note": TODAY, "note": "Campaign Log.md", "ivo": "2-World/Ivo.md"}
    expected = places.get(word, "")
    assert check_target(Vault(vault.root), settings, campaign, date(2026, 11, 3)).path == expected
    assert log_draw(vault, settings, campaign).campaign_note == expected
    logged = log(Vault(vault.root), settings=settings, campaign=campaign)
    assert logged.campaign_note == expected
    assert expected == "" or text(vault, expected).count(" ^vk-") == 2
    assert len(logged.written) == (2 if expected else 1)


@pytest.mark.short(1)
@pytest.mark.parametrize(("settings", "campaign"), [(NEWEST, None), (SETTINGS, "daily-note")])
def test_games_and_draws_are_logged_to_the_same_note(vault: Vault, settings: Settings, campaign: str | None) -> None:
    make_files(vault.root, {**SESSIONS, **JOURNAL})
    place = log_draw(vault, settings, campaign).campaign_note
    assert place == (TODAY if campaign else "S/One.md")
    assert log(Vault(vault.root), settings=settings, campaign=campaign).campaign_note == place
    assert text(vault, place).count(" ^vk-") == 2
    again = log(Vault(vault.root))
    assert (again.written, again.campaign_note) == ((), place)


def test_daily_note_created_by_obsidian_at_that_moment_gets_the_line(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_files(vault.root, JOURNAL)
    commit = Writer.commit

    def with_obsidian(writer: Writer) -> tuple[str, ...]:
        if not (vault.root / TODAY).exists():
            make_files(vault.root, {TODAY: "Mine.\n"})
        return commit(writer)

    monkeypatch.setattr(Writer, "commit", with_obsidian)
    logged = log(Vault(vault.root), settings=DAILY)
    assert text(vault, TODAY).startswith("Mine.\n\n## Log\n\n- 2026-11-03")
    assert len(list((vault.root / "Games").iterdir())) == 1
    assert logged.written == (logged.note, TODAY)


def test_daily_note_created_by_obsidian_during_the_write_is_undone_with_the_game(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_files(vault.root, JOURNAL)
    create = atomic_file.create

    def with_obsidian(target: Path, data: bytes) -> None:
        create(target, data)
        if target.parent.name == "Games":
            make_files(vault.root, {TODAY: "Mine.\n"})

    monkeypatch.setattr(atomic_file, "create", with_obsidian)
    there = Vault(vault.root)
    logged = log(there, settings=DAILY)
    assert logged.written == (logged.note, TODAY)
    assert not any("already" in remark for remark in logged.remarks)
    assert {logged.note, TODAY} <= set(there.files.paths)
    assert undo(Vault(vault.root)).restored == (logged.note, TODAY)
    assert text(vault, TODAY) == "Mine.\n" and logged.note not in Vault(vault.root).files


def test_note_with_the_exact_name_is_preferred_to_a_keyword(vault: Vault) -> None:
    make_files(vault.root, {**SESSIONS, "none.md": "", "Newest-Session.md": ""})
    assert log(Vault(vault.root), campaign="newest-session").campaign_note == "Newest-Session.md"
    assert log(Vault(vault.root), numbered_game(2), campaign="none").campaign_note == "none.md"


@pytest.mark.parametrize("campaign", ["Bram", "[[Bram#Log]]", "bram.md"])
def test_r7_name_of_several_notes_is_refused_even_if_one_is_nearer(vault: Vault, campaign: str) -> None:
    make_files(vault.root, {"NPC/Bram.md": "", "Spieler/Bram.md": ""})
    with pytest.raises(InvalidError, match="Several notes") as caught:
        check_target(Vault(vault.root), Settings(), campaign)
    assert "'NPC/Bram.md' or 'Spieler/Bram.md'" in caught.value.hint


@pytest.mark.parametrize("campaign", ["NPC/Bram", "npc/bram.md", "[[NPC/Bram#Log|x]]", "Top"])
def test_r5_whole_path_names_one_note(vault: Vault, campaign: str) -> None:
    make_files(vault.root, {"NPC/Bram.md": "", "Old/NPC/Bram.md": "", "Top.md": "", "Old/Top.md": ""})
    assert check_target(Vault(vault.root), Settings(), campaign).path in ("NPC/Bram.md", "Top.md")


@pytest.mark.parametrize("name", ["T/Day", "J"])
def test_a_template_gets_no_line(vault: Vault, name: str) -> None:
    make_files(vault.root, {"T/Day.md": "", "J.md": "", ".obsidian/templates.json": '{"folder": "t"}'})
    make_files(vault.root, {".obsidian/daily-notes.json": '{"template": "J"}'})
    with pytest.raises(InvalidError, match="is a template") as caught:
        check_target(Vault(vault.root), Settings(), name)
    assert caught.value.where == "--campaign"


def test_log_target_none_gives_no_remark(vault: Vault) -> None:
    assert log(vault, campaign="none").remarks == ()


def test_missing_campaign_note_hints_at_the_setting(vault: Vault) -> None:
    assert "vaultkit config set campaign.note" in log(vault, settings=Settings()).remarks[0]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["newest", "", "none", "daily"])
def test_unknown_setting_lists_the_three_values(vault: Vault, word: str) -> None:
    settings = Settings(campaign=CampaignSettings(note="Campaign Log", log_to=word))
    before = tree(vault.root)
    with pytest.raises(InvalidError) as caught:
        log(vault, settings=settings)
    assert caught.value.hint == Says("note", "newest-session", "daily-note")
    assert (caught.value.where, tree(vault.root)) == ("campaign.log-to", before)
    assert log(vault, settings=settings, campaign="Campaign Log").campaign_note == "Campaign Log.md"


def test_typo_of_a_keyword_gets_a_suggestion(vault: Vault) -> None:
    with pytest.raises(NothingFound) as caught:
        check_target(vault, SETTINGS, "newest-sesion")
    assert caught.value.hint.startswith("Did you mean newest-session? Make that note, or name another one")


@pytest.mark.parametrize("name", ["Nope", "Nina", "News"])
def test_keyword_is_not_suggested_for_the_name_of_a_note(vault: Vault, name: str) -> None:
    with pytest.raises(NothingFound, match=f"no campaign note '{name}'") as caught:
        check_target(vault, SETTINGS, name)
    assert "Did you mean" not in caught.value.hint


def test_missing_session_note_is_reported_before_the_game_and_with_a_hint_after_it(vault: Vault) -> None:
    before = tree(vault.root)
    with pytest.raises(InvalidError, match="no session note"):
        check_target(vault, NEWEST, None)
    with pytest.raises(InvalidError, match="no session note") as caught:
        log(vault, settings=NEWEST)
    assert f"vaultkit log --session {SESSION} --campaign NOTE" in caught.value.hint
    assert tree(vault.root) == before


@pytest.mark.slow
@pytest.mark.parametrize("first", [NEWEST, DAILY, SETTINGS])
@pytest.mark.parametrize("then", [NEWEST, DAILY, SETTINGS, Settings()])
def test_line_that_exists_elsewhere_is_not_added_again(vault: Vault, first: Settings, then: Settings) -> None:
    make_files(vault.root, {**SESSIONS, **JOURNAL})
    place = log(Vault(vault.root), settings=first).campaign_note
    before = tree(vault.root)
    again = log(Vault(vault.root), settings=then)
    assert (again.written, again.diff, again.campaign_note) == ((), "", place)
    assert f"Its line is in {place} already." in again.remarks
    assert tree(vault.root) == before
    draws = [log_draw(vault, settings).campaign_note for settings in (first, then)]
    assert draws == [place, place]


def test_a_line_that_the_gm_moved_is_found(vault: Vault) -> None:
    log(vault)
    (vault.root / "Campaign Log.md").rename(vault.root / "1-Party/Old Log.md")
    (vault.root / "Campaign Log.md").write_bytes(b"")
    again = log(Vault(vault.root))
    assert (again.campaign_note, again.written) == ("1-Party/Old Log.md", ())


def test_id_with_the_same_beginning_is_a_different_id(vault: Vault) -> None:
    make_files(vault.root, {"Other.md": f"- x {LINE}x\n- y ^a{LINE[1:]}\n"})
    assert log(Vault(vault.root)).campaign_note == "Campaign Log.md"


def test_daily_note_is_created_with_the_line_in_one_undoable_write(vault: Vault) -> None:
    make_files(vault.root, {**JOURNAL, "T.md": "---\ntags: day\n---\n# {{title}}\n\n## Log\n\n## Notes\n"})
    before = {path: found for path, found in tree(vault.root).items() if found[0]}
    logged = log(Vault(vault.root), settings=DAILY)
    assert logged.written[1:] == (TODAY,) and logged.remarks == ()
    start, _, end = text(vault, TODAY).partition("- 2026-11-03 [[")
    assert start == "---\ntags: day\n---\n# 2026-11-03\n\n## Log\n\n"
    assert end.endswith(f"{LINE}\n\n## Notes\n")
    undo(Vault(vault.root))
    after = {path: found for path, found in tree(vault.root).items() if found[0] and ".vaultkit" not in path}
    assert after == before and not (vault.root / "J").exists()


def test_links_in_a_new_daily_note_follow_the_style_of_the_vault(vault: Vault) -> None:
    make_files(vault.root, {**JOURNAL, ".obsidian/app.json": '{"newLinkFormat": "relative", "useMarkdownLinks": true}'})
    note = log(Vault(vault.root), settings=DAILY).note
    fresh = Vault(vault.root)
    link = fresh.read(TODAY).links[0]
    assert link.path == f"../../{note}"
    assert fresh.resolve(link, TODAY).path == note


def test_undo_does_not_delete_a_daily_note_with_other_text(vault: Vault) -> None:
    make_files(vault.root, JOURNAL)
    log(Vault(vault.root), settings=DAILY)
    with (vault.root / TODAY).open("ab") as file:
        file.write(b"Mine.\n")
    with pytest.raises(WriteError):
        undo(Vault(vault.root))
    assert text(vault, TODAY).endswith("Mine.\n")


def test_new_daily_note_without_a_template_has_the_heading_and_the_line(vault: Vault) -> None:
    logged = log(vault, settings=DAILY)
    assert logged.campaign_note == "2026-11-03.md"
    assert text(vault, "2026-11-03.md").startswith("## Log\n\n- 2026-11-03 [[")
    assert text(vault, "2026-11-03.md").endswith(f"{LINE}\n")


@pytest.mark.slow
def test_second_game_of_the_day_is_listed_below_the_first(vault: Vault) -> None:
    make_files(vault.root, {**JOURNAL, "T.md": "## Log\r\n"})
    for number in range(3):
        log(Vault(vault.root), numbered_game(number), settings=DAILY)
    ends = [line[-4:] for line in text(vault, TODAY).split("\r\n") if "^vk-" in line]
    assert ends == ["0000", "0001", "0002"]
    assert text(vault, TODAY).count("\n") == text(vault, TODAY).count("\r\n")


@pytest.mark.slow
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("body", ["", "---\nmood: fair\n---", "---\nmood: fair\n---\n", "Tea.\n\n## Log\n- a"])
def test_other_bytes_of_a_daily_note_are_unchanged(vault: Vault, newline: str, bom: bytes, body: str) -> None:
    data = bom + body.replace("\n", newline).encode()
    make_files(vault.root, {**JOURNAL, TODAY: data})
    assert log(Vault(vault.root), settings=DAILY).written[1:] == (TODAY,)
    written = (vault.root / TODAY).read_bytes()
    assert written.startswith(data) and LINE.encode() in written
    if "mood" in body:
        assert Vault(vault.root).read(TODAY).property("mood") == "fair"


def test_missing_template_is_reported_and_the_note_is_created(vault: Vault) -> None:
    make_files(vault.root, JOURNAL)
    logged = log(Vault(vault.root), settings=DAILY)
    assert "The template of daily notes, T, is not there" in logged.remarks[0]
    assert LINE in text(vault, TODAY)


@pytest.mark.parametrize(
    "files",
    [
        {".obsidian/daily-notes.json": '{"format": "[../../]YYYY"}'},
        {".obsidian/daily-notes.json": '{"folder": ".trash"}'},
        {**JOURNAL, "T.md": b"caf\xe9"},
        {**JOURNAL, "T.md": "```\nopen\n"},
        {**JOURNAL, TODAY: "```\nopen\n"},
        {**JOURNAL, "J": "a file"},
    ],
)
def test_f4_invalid_daily_note_is_one_error_before_and_after_the_game(
    vault: Vault, files: dict[str, str | bytes]
) -> None:
    make_files(vault.root, files)
    before = tree(vault.root)
    with pytest.raises(VaultkitError) as early:
        check_target(Vault(vault.root), DAILY, None, date(2026, 11, 3))
    with pytest.raises(VaultkitError) as late:
        log(Vault(vault.root), settings=DAILY)
    assert (early.value.message, early.value.where) == (late.value.message, late.value.where)
    assert tree(vault.root) == before


def test_check_target_makes_no_daily_note(vault: Vault) -> None:
    before = tree(vault.root)
    assert check_target(vault, DAILY, None, date(2027, 1, 2)).path == "2027-01-02.md"
    assert tree(vault.root) == before


def test_day_of_the_game_counts_and_not_the_day_of_logging(vault: Vault) -> None:
    make_files(vault.root, SESSIONS)
    late = replace(finished_game(), date=date(2026, 11, 8))
    assert log(Vault(vault.root), late, settings=NEWEST).campaign_note == "S/Next.md"
    assert log(Vault(vault.root), numbered_game(1), campaign="daily-note").campaign_note == "2026-11-03.md"
