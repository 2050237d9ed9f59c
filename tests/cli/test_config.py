"""`config` as a command: one line of the settings changes, and every other byte stays."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.campaign.settings_edit import settings_splice
from vaultkit.cli.shell_completion import find_candidates
from vaultkit.errors import ExitCode, InvalidError, WriteError
from vaultkit.settings import VAULT_CONFIG_PATH, load
from vaultkit.vault import Note


def edited(before: str, section: str, key: str, value: object) -> str:
    """Return a settings file with one value set."""
    note = Note(VAULT_CONFIG_PATH, before.encode())
    splice = settings_splice(note, section, {key: value})
    return splice.apply(note.text) if splice else note.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[campaign]\nnote = "A"  # mine\n', '[campaign]\nnote = "Log"  # mine\n'),
        ("[campaign]\r\nnote='A # b'#mine\r\n[print]\r\n", '[campaign]\r\nnote="Log"#mine\r\n[print]\r\n'),
        ('[campaign]\n# note = "A"\n\n# folder = "B"\n', '[campaign]\nnote = "Log"\n\n# folder = "B"\n'),
        ('[campaign]\nfolder = "B"\n\n# more\n[print]', '[campaign]\nfolder = "B"\nnote = "Log"\n\n# more\n[print]'),
        ("[campaign]", '[campaign]\nnote = "Log"'),
        ("[campaign]\n\n[print]\n", '[campaign]\nnote = "Log"\n\n[print]\n'),
        ('# x\n[print]\npaper = "a4"', '# x\n[print]\npaper = "a4"\n\n[campaign]\nnote = "Log"\n'),
        ("", '[campaign]\nnote = "Log"\n'),
        ('campaign.note = "A"\n', 'campaign.note = "Log"\n'),
        ('[ "campaign" ]\n"note" = """A\nB"""\n', '[ "campaign" ]\n"note" = "Log"\n'),
        ('[stats]\nnote = "S"\n[campaign]\nnote = "A"\n', '[stats]\nnote = "S"\n[campaign]\nnote = "Log"\n'),
        ('[campaign]\nnote = "Log" # mine\n', '[campaign]\nnote = "Log" # mine\n'),
    ],
)
def test_one_setting_changes_and_everything_else_stays(before: str, after: str) -> None:
    assert edited(before, "campaign", "note", "Log") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('# who\nplayers = [\n  "A", # one\n  "B",\n]\n[print]\n', '# who\nplayers = ["C"]\n[print]\n'),
        ('# who\n# players = ["A"]\n\n[print]\n', '# who\nplayers = ["C"]\n\n[print]\n'),
        ('[print]\npaper = "a4"\n', 'players = ["C"]\n[print]\npaper = "a4"\n'),
    ],
)
def test_list_setting_above_all_sections(before: str, after: str) -> None:
    assert edited(before, "", "players", ["C"]) == after


def test_uneditable_settings_file_is_refused() -> None:
    with pytest.raises(WriteError, match="line by line") as refused:
        edited('campaign = { note = "A" }\n', "campaign", "note", "Log")
    assert 'note = "Log"' in refused.value.hint
    with pytest.raises(InvalidError, match="cannot be read"):
        edited("[campaign\n", "campaign", "note", "Log")


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("key", "words", "value"),
    [
        ("campaign.note", ["Campaign", "Log"], "Campaign Log"),
        ("campaign.heading", ['Say "hi" \\o/'], 'Say "hi" \\o/'),
        ("players", ["Ysolde, Bram", "Sefa"], ["Ysolde", "Bram", "Sefa"]),
        ("print.large", ["Yes"], True),
        ("history.days", ["0"], 0),
        ("games.propheta.follow", ["none"], "none"),
        ("link.picks.Rogue", ["tarokka:rogue"], "tarokka:rogue"),
    ],
)
def test_setting_is_validated_read_back_and_undone(
    vk: Vaultkit, example: Path, key: str, words: list[str], value: object
) -> None:
    config = example / VAULT_CONFIG_PATH
    before = config.read_bytes()
    done = vk("config", "set", key, *words, "--json", cwd=example)
    assert done.code == ExitCode.OK and done.json["value"] == value, done.err
    assert vk("config", "get", key, "--json", cwd=example).json["value"] == value
    assert load(example).origins[key] == str(config)
    assert vk("config", "set", key, *words, cwd=example).out == ""
    if config.read_bytes() != before:
        vk("undo", cwd=example)
    assert config.read_bytes() == before


def test_defaults_of_a_house_rule_and_of_a_level_can_be_shown(vk: Vaultkit, example: Path) -> None:
    assert vk("config", "get", "games.propheta.leak_guard", "--json", cwd=example).json["value"] == "true"
    assert vk("config", "get", "check.link-unresolved", cwd=example).out == "error\n"


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("print.large", "maybe"), "config set print.large true"),
        (("history.days", "1.5"), "whole number"),
        (("campaign.nots", "X"), "Did you mean 'campaign.note'?"),
        (("zzzz", "X"), "vaultkit config list"),
        (("players", "\u200b"), "is not a list of names"),
        (("play.speed", "quick"), "slow, fast, off"),
        (("campaign.log-to", "daily"), "daily-note"),
        (("print.paper", "a44"), "a4, letter"),
        (("games.propheta.folow", "none"), "games.propheta.follow"),
        (("propheta.follow", "none"), "games.propheta.follow"),
        (("turn-of-fate.undoo", "off"), "games.turn-of-fate.undo"),
        (("games.propheta.xyz", "none"), "vaultkit rules propheta --options"),
        (("games.nothing.follow", "none"), "no game 'nothing'"),
        (("games.propheta.follow", "never"), "follow"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_is_written(
    vk: Vaultkit, example: Path, words: tuple[str, ...], said: str
) -> None:
    before = (example / VAULT_CONFIG_PATH).read_bytes()
    done = vk("config", "set", *words, cwd=example)
    assert done.code in (ExitCode.USAGE, ExitCode.NOTHING) and said in done.err
    assert (example / VAULT_CONFIG_PATH).read_bytes() == before


def test_missing_settings_file_is_created_and_a_faulty_setting_corrected(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    done = vk("config", "set", "campaign.note", "Log", cwd=tmp_path)
    assert done.code == ExitCode.OK and "no note 'Log'" in done.err
    config = tmp_path / VAULT_CONFIG_PATH
    assert config.read_text(encoding="utf-8") == '[campaign]\nnote = "Log"\n'
    config.write_text("[print]\npaper = 4\n", encoding="utf-8")
    assert vk("config", "list", cwd=tmp_path).code == ExitCode.INVALID
    assert vk("config", "set", "print.paper", "letter", "--dry-run", cwd=tmp_path).out.endswith('+paper = "letter"\n')
    assert config.read_text(encoding="utf-8") == "[print]\npaper = 4\n"
    assert vk("config", "set", "print.paper", "letter", cwd=tmp_path).code == ExitCode.OK
    assert vk("config", "get", "print.paper", cwd=tmp_path).out == "letter\n"


def test_list_shows_the_source_of_each_setting(vk: Vaultkit, example: Path) -> None:
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in vk("config", cwd=example).out.splitlines()}
    assert rows["campaign.note"] == ["Campaign Log", ".vaultkit/config.toml"]
    assert rows["print.large"] == ["false", "default"]
    assert vk("config", cwd=example).out == vk("config", "list", cwd=example).out


def test_keys_are_completed() -> None:
    keys = [value for value, _ in find_candidates(["config", "set"], "")]
    assert {"campaign.note", "players", "print.ink-saver"} <= {*keys}
    assert [value for value, _ in find_candidates(["config"], "")] == ["list", "get", "set"]
