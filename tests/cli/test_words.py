"""The words in notes and sheets: one list of ours, and those of a vault in their place."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit import resources
from vaultkit.campaign.story_phrases import SCORES_FILE, load_schema
from vaultkit.compendium.words import ENGLISH, VaultWords, load_words
from vaultkit.errors import ExitCode, InvalidError

LISTED = tomllib.loads((resources.shipped_folder("templates") / "words.toml").read_text("utf-8"))
OURS = {text for table in LISTED.values() for text in table}
CODE = Path(resources.__file__).parent
IN_TEMPLATE = re.compile(r"\"([^\"]+)\"(?= \| word| if[^|}]*\| word| else \"[^\"]+\"\) \| word)")


GAMES = (
    ("skat", "points=18/0/-48", "points=0/24/0", "points=0/0/7"),
    ("hearts", "points=6", "points=20", "points=0"),
    ("who-won", "won=yes", "won=no", "won=no"),
    ("skat", "points=1", "points=1", "points=1"),
    ("hearts", "points=1", "points=2", "points=30"),
)
ENDINGS = [case for kind, case in load_schema(SCORES_FILE) if kind == "result"]
STORY = "\n".join(
    ["[story.result]", *(f"{case} = '{{players}}'" for case in ENDINGS), "[story.last]", "any = '{who} {score}'"]
)
"""Phrases without a word of any language, for each way in which a game may end."""
ALLOWED = """
Skat Hearts Who Won vaultkit stats begin end md base Games Log vk success info failure mermaid xychart beta horizontal
title axis bar pie showData
"""
"""Titles of games, and words for Obsidian."""
HEARTS = "The points of deal add up to and has or for all but one"
"""A sentence of the definition of Hearts, which a vault may replace, too."""


def write_words(root: Path, text: str) -> None:
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    (root / ".vaultkit/templates").mkdir(parents=True, exist_ok=True)
    (root / ".vaultkit/templates/words.toml").write_text(text, "utf-8")


def in_other_letters(text: str) -> str:
    """Return a text with each letter outside its places exchanged for one of another script."""
    parts = re.split(r"(\{\w+\})", text)
    return "".join(part if part.startswith("{") else re.sub("[A-Za-z]", "ж", part) for part in parts)


def texts_in_code() -> Iterator[str]:
    """Yield the texts that code gives to a function called `words`."""
    for file in CODE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in {"words", "_words"}:
                yield from (part.value for part in node.args if isinstance(part, ast.Constant))


@pytest.mark.slow
def test_every_text_of_templates_and_code_is_in_the_words_list() -> None:
    texts = set(texts_in_code())
    for template in resources.shipped_folder("templates").glob("*.j2"):
        texts |= set(IN_TEMPLATE.findall(template.read_text("utf-8")))
    assert len(texts) > 70 and sorted(texts - OURS) == []


def test_titles_and_answers_of_shipped_games_are_in_the_words_list() -> None:
    for file in resources.shipped_folder("scoresheets").glob("*.toml"):
        table = tomllib.loads(file.read_text("utf-8"))
        columns = [*table["columns"], *table.get("table", ())]
        words = {column.get("title", column["id"]).rstrip("?: ") for column in columns}
        words |= {word for column in columns if isinstance(column.get("takes"), list) for word in column["takes"]}
        assert {word for word in words if not word.isdigit()} <= OURS, file.name


@pytest.mark.slow
@pytest.mark.usefixtures("trusting")
def test_vault_with_its_own_words_uses_none_of_ours(vk: Vaultkit, tmp_path: Path) -> None:
    entries = "".join(f"{json.dumps(text)} = {json.dumps(in_other_letters(text))}\n" for text in sorted(OURS))
    write_words(tmp_path, entries + STORY)
    (tmp_path / "Log.md").write_text("# Л\n", "utf-8")
    for number, (game, *answers) in enumerate(GAMES):
        players = zip(("Аня", "Ян", "Зоя"), answers, strict=True)
        flags = [f"--score={name}: {answer}" for name, answer in players]
        day = f"--date=2026-10-0{number + 1}"
        done = vk("log", game, *flags, "--campaign=Log", "--note=!", day, "--force", cwd=tmp_path)
        assert done.code == ExitCode.OK, done.err
    assert vk("stats", "--write", cwd=tmp_path).code == ExitCode.OK
    notes = [*(tmp_path / "Games").glob("*.md"), tmp_path / "Log.md"]
    assert len(notes) == 7
    for note in notes:
        body = re.sub(r"\A---\n.*?\n---\n|`[^`\n]+`|\^\S+|\[\[.*?\]\]", "", note.read_text("utf-8"), flags=re.DOTALL)
        ours = {word for word in re.findall("[A-Za-z]{2,}", body) if word not in ALLOWED.split()}
        assert all(word in HEARTS.split() for word in ours), (note.name, ours)


@pytest.mark.short(1)
@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ('"Rules" = "Regeln"\n"Rulez" = "x"\n', 2, "Did you mean 'Rules'?"),
        ('[counts]\n"{count} games" = "{number} Spiele"\n', 2, "Places: {count}."),
        ('"Rules" = "a|b"\n', 1, "without |"),
        ('"Rules" = """a\nb"""\n', 1, "One line"),
        ('"Rules" = 7\n', 1, "a text in quotes"),
        ("story = 7\n", 1, "is not a table"),
        ("[story.result]\nany = '{nobody}'\n", 2, "There is no place 'nobody'"),
        ("[story.results]\nany = ''\n", 1, "Did you mean 'result'?"),
    ],
)
def test_unusable_text_is_reported_with_its_line(vk: Vaultkit, tmp_path: Path, text: str, line: int, part: str) -> None:
    write_words(tmp_path, text)
    done = vk("templates", "check", cwd=tmp_path)
    assert done.code == ExitCode.PROBLEMS and f"words.toml:{line}" in done.out and part in done.out, done.out
    logged = vk("log", "skat", *(f"--score={name}: points=1" for name in ("A", "B", "C")), cwd=tmp_path)
    assert logged.code == ExitCode.INVALID and f"words.toml:{line}" in logged.err and not [*tmp_path.rglob("*.md")]
    assert vk("stats", cwd=tmp_path).code == vk("check", cwd=tmp_path).code == ExitCode.OK


@pytest.mark.slow
def test_words_apply_only_in_a_trusted_vault_but_are_read_in_any(
    vk: Vaultkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_words(tmp_path, '"Player" = "Spieler"\n"Total" = "Summe"\n"Cards That Mattered" = "Karten"\n')
    assert load_words(tmp_path)("Player") == "Player"
    with monkeypatch.context() as patch:
        patch.setattr("vaultkit.trust.is_trusted", lambda _: True)
        scores = ("--score=Ann: points=1", "--score=Ben: points=2", "--score=Cas: points=3")
        assert vk("log", "skat", *scores, cwd=tmp_path).code == ExitCode.OK
    note = next(tmp_path.rglob("*Skat*.md"))
    text = note.read_text("utf-8")
    assert "| Spieler | Points |" in text
    note.write_text(text.replace("| Ben | 2 |", "| Ben | 9 |") + "\n## Karten\n\n[[Raven]]\n", "utf-8")
    found = vk("stats", cwd=tmp_path)
    assert "score-ben is 9, not 2" in found.err and "card\tRaven\t1" in found.out


def test_values_lists_numbers_and_days_are_filled_in() -> None:
    texts = {"{others} and {last}": "{others}と{last}", ", ": "、", "{count} games": "{count}回", "November": "11月"}
    texts |= {"{day} {month} {year}": "{year}年{month}{day}日", "{column} {round} by {round}": "{round}ごとの{column}"}
    words = VaultWords(texts | {"Deal": "局", "Points": "点"})
    assert words.join(["A", "B", "C"]) == "A、BとC" and words.join(["A"]) == "A" and words.join([]) == ""
    assert ENGLISH.join(["A", "B", "C"]) == "A, B and C"
    assert (words.count(3, "game"), words.count(1, "game"), words.count(0.5, "point")) == (
        "3回",
        "1 game",
        "0.5 points",
    )
    assert words.day(date(2026, 11, 3)) == "2026年11月3日" and ENGLISH.day(date(2026, 11, 3)) == "3 November 2026"
    assert words.translate("Points Deal by Deal") == "局ごとの点"
    assert words.translate("Points Deal by Hand") == "Points Deal by Hand"
    assert words("{count} games", count="{last}") == "{last}回"


def test_invalid_toml_file_is_an_error_with_its_line(tmp_path: Path, trusting: None) -> None:
    write_words(tmp_path, '"Rules" = "x"\n"Deck" =\n')
    with pytest.raises(InvalidError) as caught:
        load_words(tmp_path)
    assert "words.toml:2" in caught.value.where
