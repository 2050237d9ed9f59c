from pathlib import Path

import pytest

from tests.growth import IN_STEP, growth
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.settings_edit import settings_splice
from vaultkit.errors import InvalidError
from vaultkit.settings import VAULT_CONFIG_PATH, Settings, line_of, load
from vaultkit.vault import Note


def written(root: Path, text: str | bytes) -> Path:
    file = root / VAULT_CONFIG_PATH
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def refused(root: Path, text: str | bytes, line: int = 0) -> InvalidError:
    """What is said; it names the file and, where `line` is given, the line."""
    with pytest.raises(InvalidError) as caught:
        load(written(root, text), root / "none.toml")
    file = str(root / VAULT_CONFIG_PATH)
    assert caught.value.where == f"{file}:{line}" if line else caught.value.where.startswith(file)
    return caught.value


def test_default_settings(tmp_path: Path) -> None:
    found = load(tmp_path, tmp_path / "none.toml")
    assert found == Settings()
    assert (found.campaign.heading, found.campaign.folder, found.print.paper) == ("Log", "Games", "")


def test_settings_of_the_vault_override_those_of_the_user(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text(
        'players = ["Bram"]\n[print]\npaper = "letter"\nfolder = "Sheets"\n[games.dragon-citadel]\nmode = "coop"'
    )
    vault = written(tmp_path / "vault", '[print]\npaper = "a4"\n[games.dragon-citadel]\nmode = "competitive"\nx = 4\n')
    found = load(vault, user)
    assert (found.players, found.print.paper, found.print.folder) == (("Bram",), "a4", "Sheets")
    assert found.games == {"dragon-citadel": {"mode": "competitive", "x": 4}}
    assert found.origins["print.paper"] == str(vault / VAULT_CONFIG_PATH)
    assert found.origins["print.folder"] == found.origins["players"] == str(user)


def test_settings_with_a_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    vault = written(tmp_path, b'\xef\xbb\xbf[campaign]\r\nnote = "Log \xc3\xa9"\r\n')
    assert load(vault, tmp_path / "none.toml").campaign.note == "Log é"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("player = []", "no setting 'player'", "Did you mean 'players'?"),
        ("[campaign]\nnotes = ''", "no setting 'campaign.notes'", "campaign.folder, campaign.heading"),
        ("[print]\npaper = 4", "'print.paper' must be a text", ""),
        ("players = 'Bram'", "'players' must be a list", "players ="),
        ("players = ['Bram', 3]", "'players' must be a list", "players ="),
        ("campaign = 'x'", "'campaign' must be a section", "[campaign]"),
        ("[games]\npropheta = 1", "'games.propheta' must be a section", "[games.propheta]"),
        ("a = [", "cannot be read", ""),
        (b"a = '\xff'", "cannot be read", ""),
        ("a = " + "[" * 5000, "more than 40 tables and lists", ""),
        ("a = " + "1" * 5000, "more than 999 digits", ""),
    ],
)
def test_mistakes_in_settings_are_reported(tmp_path: Path, text: str | bytes, message: str, hint: str) -> None:
    error = refused(tmp_path, text)
    assert message in error.message
    assert hint in error.hint


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_settings_in_other_unicode_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    vault = written(tmp_path, '[campaign]\r\nnote = "Größe"\r\n'.encode(encoding))
    assert load(vault, tmp_path / "none.toml").campaign.note == "Größe"
    assert line_of(vault / VAULT_CONFIG_PATH, "campaign", "note") == 2


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("note = Chronik # mine", 'note = "Chronik"'),
        ("note = „Chronik“", 'note = "Chronik"'),
        ("note = 3 Kings", 'note = "3 Kings"'),
        (r'note = "Kampagne\Chronik"', 'Write / instead of \\: note = "Kampagne/Chronik"'),
        (r'note = "Kampagne\neu"', "write / instead of"),
        ('note = "Chronik', ""),
        ("note = 7", ""),
    ],
)
def test_common_toml_mistakes_get_a_hint(tmp_path: Path, line: str, hint: str) -> None:
    error = refused(tmp_path, f"[campaign]\n{line}\n", line=2)
    assert hint in error.hint


@pytest.mark.parametrize("value", ["-1", '"30"', "1.5", "true"])
def test_number_for_a_text_setting_is_reported_with_its_line(tmp_path: Path, value: str) -> None:
    error = refused(tmp_path, f"[history]\n\ndays = {value}", line=3)
    assert error.message == Says("history.days", "whole number", "0 or more", "without quotes")


def test_folder_in_place_of_the_settings_file(tmp_path: Path) -> None:
    (tmp_path / VAULT_CONFIG_PATH).mkdir(parents=True)
    with pytest.raises(InvalidError, match="cannot be read"):
        load(tmp_path, tmp_path / "none.toml")


def test_the_example_vault_has_settings(tmp_path: Path) -> None:
    assert load(resources.shipped_folder("vault-example"), tmp_path / "none.toml").campaign.note


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[games.propheta]\nmemory = 1", 2),
        ("\ufeffmemory = 2\r\n[ games . 'propheta' ] # x\r\n\r\n\"memory\" = 1", 4),
        ("[games.other]\nmemory = 1\n[games.propheta]\nmemory-2 = 1\n  memory= 1", 5),
        ("games.propheta.memory = 1", 0),
        ("", 0),
    ],
)
def test_the_line_of_a_setting_is_found(tmp_path: Path, text: str, line: int) -> None:
    assert line_of(written(tmp_path, text) / VAULT_CONFIG_PATH, "games.propheta", "memory") == line


@pytest.mark.slow
@pytest.mark.parametrize("text", ["[print]\npaper = b{}c\n", "[{}b\n"])
def test_white_space_in_a_wrong_line_takes_linear_time(tmp_path: Path, text: str) -> None:
    def read(size: int) -> None:
        assert refused(tmp_path, text.format(" " * size)).hint is not None
        assert line_of(tmp_path / VAULT_CONFIG_PATH, "print", "theme") == 0

    assert growth(read, 8_000) < IN_STEP


@pytest.mark.parametrize("text", [f"players = {'[' * 60}{']' * 60}", f"players = {'[' * 900}", f"{'a.' * 1_000}a = 1"])
def test_settings_nested_too_deeply_are_refused(tmp_path: Path, text: str) -> None:
    assert "more than 40 tables and lists" in refused(tmp_path, text).message


@pytest.mark.parametrize(
    ("text", "line"),
    [('[print]\npapier = "a4"\n', 3), ("players = Ada\n", 2), (f'[campaign]\nnote = "{"x" * 10_001}"\n', 3)],
)
def test_lines_of_the_settings_are_counted_as_in_toml(tmp_path: Path, text: str, line: int) -> None:
    error = refused(tmp_path, f"# one\u2028still\x85one\n{text}", line)
    assert "Ada" not in text or error.hint == 'A text needs straight quotes: players = "Ada"'


@pytest.mark.slow
def test_a_long_list_in_the_settings_is_replaced_in_time() -> None:
    def replace(size: int) -> None:
        text = "players = [\n" + '  "Ada", # x\n' * size + ']\n[print]\npaper = "a4"\n'
        splice = settings_splice(Note(VAULT_CONFIG_PATH, text.encode()), "", {"players": ["Bo"]})
        assert splice is not None

    assert growth(replace, 800) < IN_STEP
