"""Forty evenings, logged by a script in vaults of three languages, and read again without any code of vaultkit."""

import csv
import io
import random
import re
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.counts import count

EVENINGS = count(40, 40)
FIRST_DAY = date(2026, 1, 3)


@dataclass(frozen=True)
class Language:
    """A vault in one language: its words, its players, its line ends and its format of dates."""

    name: str
    players: tuple[str, ...]
    words: str
    line_end: str
    day_format: str
    day_in_title: str
    session_name: str
    forbidden: str = ""


ENGLISH_TEXTS = """
At the table|Score Sheet|Player|Total|Points Deal by Deal|How It Went|The record|highest score|level with|share the win
finished|last|clearly|Written by|from the scores|points|joint|away
"""
GERMAN = """
"At the table" = "Am Tisch"
"Score Sheet" = "Punktezettel"
"Player" = "Spieler"
"Total" = "Summe"
"Points" = "Punkte"
"Deal" = "Spiel"
"{column} {round} by {round}" = "{column} je {round}"
"How It Went" = "Verlauf"
"The record" = "Protokoll"
"Session {session}" = "Partie {session}"
"from the scores that were written down" = "nach dem Zettel"
"Written by vaultkit {version}" = "Geschrieben von vaultkit {version}"
"{day} {month} {year}" = "{day}. {month} {year}"
"{others} and {last}" = "{others} und {last}"
"{count} point" = "{count} Punkt"
"{count} points" = "{count} Punkte"
"{seats} has the highest score, {v0}." = "{seats} hat am meisten: {v0}."
"{seats} share the win with {v0}." = "{seats} teilen sich den Sieg mit {v0}."
"{seats} are level with {v0}, and nobody has won." = "{seats} sind gleichauf mit {v0}, niemand gewinnt."
"""
JAPANESE = """
"At the table" = "参加者"
"Score Sheet" = "得点表"
"Player" = "名前"
"Total" = "合計"
"Points" = "点"
"Deal" = "局"
"{column} {round} by {round}" = "{round}ごとの{column}"
"How It Went" = "経過"
"The record" = "記録"
"Session {session}" = "対局 {session}"
"from the scores that were written down" = "紙の得点から"
"Written by vaultkit {version}" = "vaultkit {version} 作成"
"{title}, {day}" = "{title}　{day}"
", " = "、"
"{others} and {last}" = "{others}と{last}"
"{count} point" = "{count}点"
"{count} points" = "{count}点"
"{seats} has the highest score, {v0}." = "{seats}が{v0}点で一位。"
"{seats} share the win with {v0}." = "{seats}が{v0}点で同点首位。"
"{seats} are level with {v0}, and nobody has won." = "全員{v0}点で引き分け。"
"""
MONTHS = [f"{date(2026, number, 1):%B}" for number in range(1, 13)]
GERMAN_MONTHS = re.findall(r"\w+", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
GERMAN_DAYS = "".join(f'"{english}" = "{german}"\n' for english, german in zip(MONTHS, GERMAN_MONTHS, strict=True))
STORY = """
[story.result]
any = "{winners} · {score}"
clear = "{winners} · {score}"
close = "{winners} · {score}"
shared = "{winners} = {score}"
joint = "{winners}"
plain = "{winners}"
[story.last]
any = "{who} · {score}"
"""
LANGUAGES = (
    Language("en", ("Ysolde", "Bram", "Sefa"), "", "\n", "%Y-%m-%d", "{d.day} {d:%B} {d.year}", "Session {n}"),
    Language("de", ("Käthe", "Jürgen", "Söhnke"), GERMAN + GERMAN_DAYS + STORY, "\r\n", "%d.%m.%Y",
             "{d.day}. {month} {d.year}", "Spielabend {n}", ENGLISH_TEXTS),
    Language("ja", ("花子", "太郎", "次郎"), JAPANESE + '"{day} {month} {year}" = "{year}年{month}{day}日"\n'
             + "".join(f'"{a}" = "{n}月"\n' for n, a in enumerate(MONTHS, 1)) + STORY,
             "\n", "%Y年%m月%d日", "{d.year}年{d.month}月{d.day}日", "セッション{n}", ENGLISH_TEXTS),
)  # fmt: skip


def evenings(seed: str) -> list[tuple[date, list[list[int]]]]:
    """Return the day of each evening and the points of each player in each deal."""
    rng = random.Random(seed)
    games = []
    for number in range(EVENINGS):
        deals = [[0, 0, 0] for _ in range(rng.randint(1, 12))]
        for deal in deals:
            deal[rng.randrange(3)] = rng.choice((18, 20, 22, 23, 24, 30, 36, -40, -48, 59, -96))
        games.append((FIRST_DAY + timedelta(days=7 * number), deals))
    return games


def make_vault(root: Path, language: Language) -> dict[str, bytes]:
    """Write a vault of a language, and return the bytes of the GM's own notes."""
    (root / ".obsidian").mkdir(parents=True)
    (root / ".vaultkit/templates").mkdir(parents=True)
    if language.words:
        (root / ".vaultkit/templates/words.toml").write_text(language.words, "utf-8")
    (root / ".vaultkit/config.toml").write_text('[campaign]\nnote = "Log"\n', "utf-8")
    own = {
        f"{name}.md": f"# {name}{language.line_end}{language.line_end}text é 漢{language.line_end}"
        for name in language.players
    }
    own["Log.md"] = language.line_end.join(
        ["# Chronik", "", "## Log", "", "- own line ✎", "", "## After", "", "text", ""]
    )
    for path, text in own.items():
        (root / path).write_bytes(text.encode())
    return {path: text.encode() for path, text in own.items()}


def properties(text: str) -> dict[str, object]:
    """Read the properties of a note: texts, and lists of texts."""
    lines = text.split("---\n")[1].splitlines()
    values, key = dict[str, object](), ""
    for line in lines:
        if item := re.fullmatch(r"  - (.*)", line):
            entry = values[key]
            assert isinstance(entry, list)
            entry.append(item[1].strip('"'))
        else:
            key, _, value = line.partition(":")
            key = key.strip('"')
            values[key] = value.strip().strip('"') or []
    return values


def tables(text: str) -> list[list[list[str]]]:
    """Read the tables of a note, each as rows of cells."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    return [[[cell.strip().replace("\\-", "-") for cell in row.strip("|").split("|")] for row in block.splitlines()]
            for block in blocks]  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("language", LANGUAGES, ids=[language.name for language in LANGUAGES])
def test_forty_evenings_are_logged_and_counted_in_every_language(
    vk: Vaultkit, tmp_path: Path, language: Language
) -> None:
    root = tmp_path / language.name
    own = make_vault(root, language)
    games = evenings(language.name)
    for number, (day, deals) in enumerate(games, 1):
        flags = ["--date", day.strftime(language.day_format), "--note", language.session_name.format(n=number)]
        if number % 3 == 0:  # pasted from a spreadsheet
            rows = [f"{index}\t" + "\t".join(map(str, deal)) for index, deal in enumerate(deals, 1)]
            table = tmp_path / "deals.tsv"
            table.write_text("\n".join(["\t" + "\t".join(language.players), *rows]) + "\n", "utf-8")
            done = vk("log", "skat", "--from", str(table), *flags, cwd=root)
        else:
            columns = zip(language.players, zip(*deals, strict=True), strict=True)
            scores = [f"--score={name}: points={'/'.join(map(str, points))}" for name, points in columns]
            done = vk("log", "skat", *scores, *flags, cwd=root)
        assert done.code == 0, done.err
    log_lines = (root / "Log.md").read_bytes().decode().split(language.line_end)
    assert own["Log.md"].decode().split(language.line_end) == [line for line in log_lines if "^vk-" not in line]
    assert (b"\r\n" in own["Log.md"]) == ("\r\n" in language.line_end)
    assert (root / "Log.md").read_bytes().count(b"\n") == (root / "Log.md").read_bytes().count(
        language.line_end.encode()
    )
    for path in own.keys() - {"Log.md"}:
        assert (root / path).read_bytes() == own[path]
    notes = sorted((root / "Games").glob("*.md"))
    assert len(notes) == len(games)
    wins = dict.fromkeys(language.players, 0)
    for note, (day, deals), number in zip(notes, games, range(1, len(games) + 1), strict=True):
        text = note.read_bytes().decode()
        assert note.name == f"{day} Skat 1.md" and "\r" not in text
        values = properties(text)
        totals = {name: sum(deal[seat] for deal in deals) for seat, name in enumerate(language.players)}
        assert all(values[f"score-{name.casefold()}"] == str(total) for name, total in totals.items())
        best = max(totals.values())
        winners = [name for name, total in totals.items() if total == best]
        winners = [] if len(winners) == 3 else winners
        assert values["winners"] in ([f"[[{name}]]" for name in winners], "[]") and values["date"] == day.isoformat()
        assert bool(winners) == (values["winners"] != "[]")
        for name in winners:
            wins[name] += 1
        links = {f"[[{name}]]": name for name in language.players}
        sheet, *rounds = tables(text)
        assert {links[row[0]]: int(row[-1]) for row in sheet[2:]} == totals
        if len(deals) > 1:
            by_deal, so_far = ([list(map(int, row[1:])) for row in table[2:]] for table in rounds)
            assert by_deal == [list(points) for points in zip(*deals, strict=True)]
            assert so_far == [list(accumulate(points)) for points in by_deal]
        day_text = language.day_in_title.format(d=day, month=GERMAN_MONTHS[day.month - 1])
        assert day_text in text and language.session_name.format(n=number) in text
        line = next(line for line in log_lines if line.endswith(f"^vk-{values['vaultkit-session']}"))
        assert line.startswith(f"- {day} [[") and str(best) in line
        body = text.split("---\n", 2)[2] + line
        for words in filter(None, map(str.strip, re.split(r"[|\n]", language.forbidden))):
            assert words not in body, (note.name, words)
    plays = list(csv.DictReader(io.StringIO(vk("stats", "--csv", cwd=root).out)))
    assert len(plays) == 3 * len(games)
    assert {name: sum(row["won"] == "yes" for row in plays if row["player"] == name) for name in wins} == wins
    for _ in games:
        assert vk("undo", cwd=root).code == 0
    assert not [*(root / "Games").glob("*.md")] and {path: (root / path).read_bytes() for path in own} == own
