"""Command lines that are not quite right but can mean one thing only, and do that."""

import shlex
from datetime import date
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.campaign.dates import absolute_day
from vaultkit.campaign.players import split_names
from vaultkit.cli.shell_completion import find_candidates
from vaultkit.errors import ExitCode
from vaultkit.web.server import choose_address

CHESS = "--score 'Ysolde: White, won' --score 'Bram: Black, lost'"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "lines", "said"),
    [
        ("roll d6 x3", 3, "d6, seed"),
        ("roll d6 3 times", 3, "d6, seed"),
        ("roll 3 d6", 1, "3d6, seed"),
        ("roll two d6", 1, "2d6, seed"),
        ("roll drei d8", 1, "3d8, seed"),
        ("roll 1d6 times 3", 3, "d6, seed"),
        ("roll d6 twice", 2, "d6, seed"),
        ("roll --list loot", 8, "magic-item-table-a"),
        ("'print rules House Rules' --dry-run", 1, "House Rules-rules.pdf"),
        ("vk print-rules propheta --dry-run", 1, "propheta-rules.pdf"),
        ("print rules propheta --booklet --dry-run", 1, "propheta-booklet.pdf"),
        ("print rules --booklet propheta --paper letter --dry-run", 1, "propheta-booklet.pdf"),
        ("print rules propheta --booklet letter --paper letter --dry-run", 1, "propheta-booklet.pdf"),
        ("print prep next --dry-run", 2, "Next Session-prep.pdf"),
        ("print prep 'Session 5' --dry-run", 1, "2026-10-31 Session 5-prep.pdf"),
        ("print scores skat --players 2-4 --dry-run", 1, "skat-scores.pdf"),
        ("draw three decktet", 3, "Draw from Decktet"),
        ("draw 2 cards from standard deck", 2, "Draw from Standard Deck"),
        ("deck list", 4, ""),
        ("print cards items --dry-run", 1, "items-cards.pdf"),
        ("print score sheet for chess --dry-run", 1, "chess-scores.pdf"),
        (f"log chess last friday {CHESS}", 2, "Games/2026-10-30 Chess 1.md"),
        (f"log chess --date '31 October' {CHESS}", 2, "Games/2026-10-31 Chess 1.md"),
        ("log skat --score 'Ysolde 120' --score 'Bram: 3' --score 'Odhran: points=1'", 2, "Skat 1.md"),
        ("log who-won --score 'Ysolde won' --score 'Bram: no'", 2, "Who Won 1.md"),
        ("log chess --score 'Ysolde black won' --score 'Bram White lost'", 2, "Chess 1.md"),
        ("print cards tarokka --cards 'Raven; 2x Seer' --dry-run", 1, "tarokka-cards.pdf"),
        ("log skat --score 'Ysolde=12, Bram: 3; Sefa 1'", 2, "Skat 1.md"),
        ("log a game of hearts --score 'sefa - 6' --score bram=20 --score 'Odhran 0'", 2, "Hearts 1.md"),
        ("roll 'd6,' d8", 2, "d6, d8, seed"),
        ("check People", 0, "10 notes"),
        ("game new 'Goose Fair' --players 2 --column Geese", 1, "goose-fair.toml"),
        ("print rules Places --dry-run", 1, "Places-rules.pdf"),
        ("print screen Home 'House Rules#Dice' --dry-run", 1, "Home and House Rules-screen.pdf"),
        ("print rules Home Ivo 'House Rules' --dry-run", 1, "Home and 2 more-rules.pdf"),
    ],
)
def test_unambiguous_command_line_is_executed(vk: Vaultkit, example: Path, line: str, lines: int, said: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    assert done.code == ExitCode.OK and said in done.out + done.err, done.err
    assert len(done.out.splitlines()) == lines


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("play propheta --seed 7", '--seed 7 --seat "Ysolde Marr" --seat "Bram Tolliver"'),
        ("play deck-of-destiny", 'vaultkit play deck-of-destiny --seat "Ysolde Marr"\n'),
        ("play chess Ysolde", "vaultkit log chess"),
        ("log chess Ysolde won", '--score "NAME: colour=White, result=won"'),
        ("log chess --score Ysolde 1 Bram 0", "Put what --score says in quotes"),
        ("log chess --date someday", "yesterday, friday"),
        ("log --from 'House Rules.md'", "vaultkit log GAME --example"),
        ("links Home.md 'Campaign Log.md'", "vaultkit links Home.md."),
        ("roll magic", "magic-item-table-a"),
        ("roll loot", "vaultkit roll individual-treasure-0-4, "),
        ("roll Wetter", 'vaultkit roll "What Is in the Bottle", '),
        ("roll schatz", "vaultkit roll magic-item-table-d."),
        ("roll 3d", "as in 3d6."),
        ("roll zwei w6", "With a d, for die: 2d6."),
        ("print prep", 'vaultkit print prep "Next Session", vaultkit print prep "2026-10-31 Session 5"'),
        ("print prep Sessions", 'vaultkit print prep "Next Session", vaultkit print prep "2026-10-31 Session 5"'),
        ("print prep Factions", 'Its notes: vaultkit print prep "The Ashen Court", '),
        ("print prep Session", 'vaultkit print prep "2026-10-31 Session 5"'),
        ("print prep 2026", 'The newest first: vaultkit print prep "2026-10-31 Session 5"'),
        ("draw tarot", "Did you mean 'tarokka'?"),
        ("print cards npcs", "vaultkit print cards --from 2-World/People"),
        ("undo one", "The last write: vaultkit undo. The one with the number 1: vaultkit undo 1."),
        ("replay --seed 5", "No game was played in this vault yet"),
        ("play propheta --phones --address fd00::2", "fd00::2 is an IPv6 address, and phones can only join by IPv4."),
        ("play propheta --resume", "Continue a game: vaultkit resume."),
        ("config set paper a4", "'print.paper'"),
        ("print prep 'Sesion 4'", "'4-Sessions/2026-10-17 Session 4.md'"),
        ("print prep session2", "Session 2.md'"),
        ("print rules 2-WorldPeopleIvo.md", "'2-World/People/Ivo.md'"),
        ("print rules 'C:\\Vault\\Home.md.'", "'Home.md'"),
        ("print rules C:VaultHome", "Put a path with backslashes in quotes."),
        ("print screen Plases", "'2-World/Places'"),
        ("check Faktions", "'2-World/Factions'"),
        ("print screen 'House Rules' 'the hush'", 'vaultkit print screen "House Rules#The Hush"'),
        ("print screen '#Dice'", 'vaultkit print screen "House Rules#Dice"'),
        ("print rules ''", "Name a note."),
        ("log yahtzee --score 'Sefa 3 8'", '--score "Sefa: ones=3, twos=8"'),
        ("links Dice", 'Print that section: vaultkit print screen "House Rules#Dice"'),
        ("print screen Home --landscape", "Panels are always in landscape format: vaultkit print screen Home"),
        ("print cards decktet --copies 2 --portrait", "vaultkit print cards decktet --copies 2 --open"),
        ("print scores chess --paper=us", "vaultkit print scores chess --paper letter"),
        ("print prep Home Ivo", "It takes one NOTE: vaultkit print prep Home. For several, run it once for each."),
        ("print scores --game chess", "vaultkit print scores chess."),
        ("print scores=chess --dry-run", "'vaultkit print scores chess --dry-run'"),
        ("stats!", "vaultkit stats"),
        ("print rules Home --booklet letter", "--booklet letter --paper letter"),
        ("print rules Home --booklet a4 --paper letter", "--booklet a4 --paper a4"),
        ("print cards decktet --cards '0x the Moon'", '--cards "2x the Moon"'),
        ("print cards --from People --fields hp", "Fields of these notes: Faction, "),
        ("print cards --from People --fields seet", "Did you mean 'Seat'?"),
        ("roll 'what is in the bottle' 4", 'vaultkit roll "what is in the bottle" x4'),
        ("roll bottel", "Did you mean 'What Is in the Bottle'?"),
        ("simulate propheta greedy greedy", "vaultkit simulate GAME --seats random,random"),
        ("simulate propheta --seats greddy,random", "Did you mean 'greedy'?"),
        ("log skat --score 'Bram: 30 10 5'", '--score "Bram: points=30/10/5"'),
        ("log skat --score 'Sefa Quill 18 0'", '--score "Sefa Quill: points=18/0"'),
        ("log yahtzee --score 'Sefa: 3 8'", '--score "Sefa: ones=3, twos=8"'),
        ("log hearts Sefa 12 Bram 3", '--score "Sefa: 12" --score "Bram: 3"'),
        ("log hearts --score Sefa=12 Bram=3", '--score "Sefa: 12" --score "Bram: 3"'),
        ("log --edit 2 1", "Begin with 2 only"),
        ("games new hearts --players 4 --column Points", "vaultkit games edit Hearts. To replace it"),
        ("games new Fair --column Hay --column Eggs", "--players 2-4 --column Hay --column Eggs"),
        ("games new Fair --players 2 --column Hay --target lots", "--target 100, or a column: hay"),
        ("undo --rescue x.md", "There is nothing to undo."),
        ("config set print.paper=letter", "vaultkit config set print.paper letter."),
        ("print cards tarokka --cards Raven Seer", '--cards "Raven, Seer".'),
        ("log chess --example scores.toml", "vaultkit log chess --example > scores.toml"),
        ("doctor decktet", "vaultkit deck decktet."),
        ("print session latest", "vaultkit print session 1."),
        ("stats last week", "vaultkit stats --since 2026-11-03"),
        ("draw 3", "The deck comes first: vaultkit draw DECK 3."),
        ("check --folder People", "vaultkit check People."),
        ("links House Rules back", 'vaultkit links "House Rules".'),
    ],
)
def test_ambiguous_command_line_is_explained(vk: Vaultkit, example: Path, line: str, hint: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    assert done.code != ExitCode.OK and not done.out and hint in done.err


@pytest.mark.slow
def test_writes_are_undone_by_a_range_and_named_by_words(vk: Vaultkit, example: Path) -> None:
    for day in ("31 October", "friday", "yesterday"):
        vk(*shlex.split(f"log chess --date '{day}' {CHESS}"), cwd=example)
    assert "vaultkit undo 3 (log of Chess" in vk("undo", "CHESS", cwd=example).err
    assert "The newest is 3." in vk("undo", "2-4", cwd=example).err
    assert "replaced no other program's text" in vk("undo", "--rescue", "x.md", cwd=example).err
    assert len(list((example / "Games").glob("*Chess*"))) == 3
    assert vk("undo", "#1", "to", "2", cwd=example).code == ExitCode.OK
    assert [path.name for path in (example / "Games").glob("*Chess*")] == ["2026-11-02 Chess 1.md"]


@pytest.mark.short(1)
@pytest.mark.parametrize("name", ["chess", "1", "2026-10-31 Chess 1.md"])
def test_logged_game_whose_note_was_deleted_can_be_logged_again(vk: Vaultkit, example: Path, name: str) -> None:
    vk(*shlex.split(f"log chess --date '31 October' {CHESS}"), cwd=example)
    (example / "Games" / "2026-10-31 Chess 1.md").unlink()
    done = vk("log", "--edit", name, cwd=example)
    assert done.code == ExitCode.NOTHING and (name == "1" or "(note deleted) can be logged again: " in done.err)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("gestern", "2026-11-02"),
        ("avant-hier", "2026-11-01"),
        ("lunes", "2026-11-02"),
        ("31 October", "2026-10-31"),
        ("4 November", "2025-11-04"),
        ("31.10.", "2026-10-31"),
        ("1.5", "1.5"),
    ],
)
def test_day_without_a_year_or_in_another_language_is_the_most_recent_one(words: str, day: str) -> None:
    assert absolute_day(words, date(2026, 11, 3)) == day


def test_a_picture_that_is_missing_is_named(vk: Vaultkit, example: Path) -> None:
    (example / "Inn.md").write_text("# Inn\n\n![[no-such.png]]\n", encoding="utf-8")
    done = vk("print", "rules", "Inn", cwd=example)
    assert done.code == ExitCode.OK and done.err == Says("Inn.md", "not", "found", "no-such.png")


def test_values_of_settings_complete(example: Path) -> None:
    def complete(key: str) -> list[str]:
        return [value for value, _ in find_candidates(["--vault", str(example), "config", "set", key], "")]

    assert complete("print.large") == ["true", "false"] and "letter" in complete("print.paper")
    assert "Ysolde Marr" in complete("players") and complete("campaign.heading") == []


def test_names_are_split_at_commas_and_an_address_must_be_local() -> None:
    assert split_names(["Ysolde, Bram", "bot:easy"]) == ["Ysolde", "Bram", "bot:easy"]
    assert choose_address("127.0.0.1", None) == "127.0.0.1"
    with pytest.raises(Exception, match="does not have the address"):
        choose_address("10.255.255.254", None)


@pytest.mark.slow
def test_game_removed_from_the_notes_is_listed_as_such(vk: Vaultkit, example: Path) -> None:
    vk("play", "propheta", "--seat=bot:easy", "--seat=bot:easy", "--seed=1", cwd=example)
    assert "finished\t" in vk("sessions", cwd=example).out
    vk("undo", cwd=example)
    assert "finished, taken back\t" in vk("sessions", cwd=example).out
    assert "Every finished game" not in vk("log", cwd=example).err


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "line",
    [
        "delete House",
        "games delete wizard",
        "print delete chess",
        "deck remove tarokka",
        "templates rm x",
        "vk trash x",
    ],
)
def test_a_deletion_gets_no_hint_that_makes_something(vk: Vaultkit, example: Path, line: str) -> None:
    hint = vk(*shlex.split(line), cwd=example).err.partition("Hint: ")[2]
    assert "vaultkit undo" in hint and not any(word in hint for word in ("new", "print", "init", "eject"))


@pytest.mark.slow
def test_a_number_names_a_game_in_the_list_of_games(vk: Vaultkit, example: Path) -> None:
    ids = []
    for seed in (1, 2):
        vk("play", "propheta", "--seat=bot:easy", "--seat=bot:easy", f"--seed={seed}", cwd=example)
    ids = [line.split("\t")[0] for line in vk("sessions", cwd=example).out.splitlines()]
    assert [vk("replay", str(number), "--json", cwd=example).json["session"] for number in (1, 2)] == ids
    hint = vk("replay", cwd=example).err
    assert all(f"vaultkit replay {session}" in hint for session in ids)
    assert ids[0] in vk("print", "session", "1", "--dry-run", cwd=example).out
    assert vk("replay", "3", cwd=example).code == ExitCode.NOTHING


def test_a_vault_with_nothing_to_trust_is_not_asked_about(vk: Vaultkit, example: Path) -> None:
    done = vk("trust", cwd=example)
    assert done.code == ExitCode.OK and "nothing was changed" in done.err
    assert vk("trust", "--revoke", cwd=example).err.endswith("was not trusted.\n")


@pytest.mark.short(1)
@pytest.mark.parametrize(("players", "seats"), [("two", [2, 2]), ("2 to 4", [2, 4]), ("Ysolde, Bram, Sefa", [3, 3])])
def test_players_are_a_number_or_names(vk: Vaultkit, example: Path, players: str, seats: list[int]) -> None:
    vk("games", "new", "Geese", "--players", players, "--column", "Eggs", "--win", "highest", cwd=example)
    assert f"players = {seats}" in (example / ".vaultkit" / "games" / "geese.toml").read_text(encoding="utf-8")
    options = ("--players", players, "--dry-run", "--json")
    assert len(vk("print", "scores", "geese", *options, cwd=example).json["sheets"]) == seats[1]


@pytest.mark.slow
def test_a_sheet_without_what_counts_says_how_to_print_it(vk: Vaultkit, example: Path) -> None:
    small = vk("print", "scores", "chess", "--paper", "a4", "--dry-run", cwd=example).err
    assert "left out. Larger paper may have room: --paper a3" in small
    assert "left out" not in vk("print", "scores", "chess", "--paper", "a3", "--dry-run", cwd=example).err


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("print rules 'House Rules' --copies 2", 'vaultkit print rules "House Rules" --open'),
        ("print rules Home --copies=2", "vaultkit print rules Home --open"),
        ("print rules --landscape 'House Rules'", 'vaultkit print rules "House Rules" --open'),
        ("print scores 'Copies of 2' --printer-name HP", 'vaultkit print scores "Copies of 2" --open'),
    ],
)
def test_repeated_command_leaves_out_a_wrong_option_with_its_value(
    vk: Vaultkit, example: Path, line: str, command: str
) -> None:
    assert f"which has that choice: {command}" in vk(*shlex.split(line), cwd=example).err


@pytest.mark.short(1)
@pytest.mark.parametrize("words", [("reading", "omen"), ("draw", "tarokka", "2", "--log")])
def test_same_cards_are_laid_and_logged_in_the_same_note_by_the_named_command(
    vk: Vaultkit, example: Path, words: tuple[str, ...]
) -> None:
    words = (*words, "--question", 'Say "yes" for $5?', "--campaign", "House Rules")
    preview = vk(*words, "--seed", "4", "--dry-run", cwd=example)
    (hint,) = (line for line in f"{preview.err}{preview.out}".splitlines() if "The same cards again: " in line)
    again = vk(*shlex.split(hint.partition(": vaultkit ")[2]), cwd=example)
    assert again.code == ExitCode.OK and again.out.splitlines()[0] == preview.out.splitlines()[0]
    assert 'Say "yes" for \\$5?' in (example / "House Rules.md").read_text(encoding="utf-8")
