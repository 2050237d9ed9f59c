"""`ask`: the right passage comes first, whatever the words; house rules, other notes, and nothing at all."""

import tomllib
from pathlib import Path

import pytest

from scripts.ask_measure import misses, questions
from tests.vault.making import make_files
from vaultkit import resources
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import Compendium
from vaultkit.errors import NothingFound
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.search.answer_lines import MAX_LINES, lines
from vaultkit.search.answers import Answers
from vaultkit.search.passages import Passage
from vaultkit.search.stemming import language
from vaultkit.session.options import settle

DATA = Path(__file__).parents[1] / "data"
DECK = "---\nvaultkit-deck: birds\n---\n# Birds\n## Cards\n### Owl\nIt sees by night.\n### Wren\nIt is small.\n"


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@pytest.fixture(scope="module")
def answers(workspace: Workspace) -> Answers:
    return Answers(workspace.compendium, no_rules)


def no_rules(_: GameInfo) -> Options:
    return {}


def of_files(folder: Path, **files: str) -> Answers:
    return Answers(Compendium(make_files(folder, {f"{name}.md": text for name, text in files.items()})), no_rules)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "enough", "of"),
    [
        ("seventh-questions", 53, 60),
        pytest.param("questions", 53, 60, marks=pytest.mark.slow),
        pytest.param("more-questions", 53, 60, marks=pytest.mark.slow),
        pytest.param("fresh-questions", 28, 30, marks=pytest.mark.slow),
        pytest.param("fourth-questions", 47, 60, marks=pytest.mark.slow),
        pytest.param("fifth-questions", 23, 30, marks=pytest.mark.slow),
        pytest.param("sixth-questions", 46, 60, marks=pytest.mark.slow),
    ],
)
def test_right_passage_comes_first_as_often_as_measured(
    file: str, enough: int, of: int, answers: Answers, workspace: Workspace
) -> None:
    path = DATA / f"{file}.toml"
    assert len(questions(path)) == of
    wrong = [question["words"] for question, _ in misses(path, workspace, answers)]
    assert len(wrong) <= of - enough, wrong


def test_measured_questions_are_not_among_the_stored_ones() -> None:
    file = resources.find("rulings", "asked.toml")
    assert file
    known = tomllib.loads(file.read_text(encoding="utf-8"))
    stemmed = {
        tuple(language("en").stems(one)) for page in known.values() for listed in page.values() for one in listed
    }
    assert not [
        question["words"]
        for path in DATA.glob("*questions.toml")
        for question in questions(path)
        if tuple(language("en").stems(question["words"])) in stemmed
    ]


@pytest.mark.slow
def test_note_of_the_gm_is_answered_first_then_the_card_then_our_ruling(answers: Answers) -> None:
    note, card, ruling = answers.ask("raven")
    assert (note.source, note.text[:14]) == ("[[prophets-gambit-cos#High Deck Rules]]", "Raven. Everyon")
    assert (card.card, card.heading, card.source) == ("Raven", "Raven", "[[tarokka-deck-cos#Raven]]")
    assert card.note.endswith("tarokka-deck-cos.md") and "bare branch" in card.text and "deck:" not in card.text
    assert (ruling.ruling, ruling.note, ruling.source) == ("PG-32", "", "PG-32")


@pytest.mark.slow
def test_ruling_is_shown_with_its_open_question(answers: Answers) -> None:
    assert answers.ask("PG-32")[0].text.startswith("Open: whether you may see what you get before")
    assert answers.ask("PG-32")[0].text.partition(" Ruling: ")[2].startswith("No. All choose in secret")
    assert "ribbon red" in answers.ask("leo ribbon")[0].text


@pytest.mark.short(1)
@pytest.mark.parametrize("words", ["scorpion", "propheta scorpion"])
def test_card_is_found_by_its_spoken_name_with_the_rules_of_its_rank(words: str, answers: Answers) -> None:
    card, rule = answers.ask(words)
    assert card.text == "animal of Scorpio, season Autumn, modality Fixed, element Water"
    assert rule.source == "[[propheta#Who Wins a Trick]]" and "3. Animals;" in rule.text
    assert answers.ask("10 of spades")[0].text == "10 of Spades"
    assert not [one for one in answers.ask("leo") if "ladder" in one.text]


def test_list_item_is_shown_below_its_introduction_with_all_of_a_short_list(tmp_path: Path) -> None:
    items = "1. Bow to the owl\n2. Sneeze\n"
    text = f"# House Rules\n## Late\nWhoever is late does this:\n\n{items}{{}}\n## Early\nCake.\n\n- Yawns\n"
    told = "Whoever is late does this: 1. Bow to the owl; 2. Sneeze"
    assert of_files(tmp_path / "a", **{"House Rules": text.format("")}).ask("sneeze")[0].text == told
    long = of_files(tmp_path / "b", **{"House Rules": text.format(f"3. {'Hum. ' * 80}\n")})
    assert long.ask("sneeze")[0].text == "Whoever is late does this: Sneeze"
    assert long.ask("yawns")[0].text == "Cake. Yawns"


@pytest.mark.parametrize("words", ["raven", "ravens", "what does the Raven do?", "ravne", "RAVEN"])
def test_card_is_found_by_its_plural_in_a_question_and_with_a_typo(answers: Answers, words: str) -> None:
    assert [passage.title for passage in answers.ask(words)] == ["Raven"] * 3


@pytest.mark.parametrize("words", ["tie for lowest", "lowest tie", "the lowest, tied"])
def test_word_order_and_endings_do_not_matter(answers: Answers, words: str) -> None:
    assert {passage.source for passage in answers.ask(words)[:2]} == {"[[dragon-citadel#Forfeit]]", "DC-12"}


@pytest.mark.parametrize("words", ["DC-12", "dc 12", "dc12"])
def test_ruling_is_found_by_its_number_in_a_question(answers: Answers, words: str) -> None:
    (passage,) = answers.ask(words)
    assert passage.ruling == "DC-12" and passage.text.startswith("In co-operative play the party chooses")
    with pytest.raises(NothingFound, match="DC-99"):
        answers.ask("DC-99")


@pytest.mark.slow
def test_named_or_currently_played_game_is_answered_first(workspace: Workspace) -> None:
    anywhere = Answers(workspace.compendium, no_rules)
    assert anywhere.ask("setting up propheta")[0].source == "[[propheta#Setting Up]]"
    assert anywhere.ask("turn-of-fate setting up")[0].source == "[[turn-of-fate#Setting Up]]"
    for game in ("propheta", "turn-of-fate", "dragon-citadel"):
        assert Answers(workspace.compendium, no_rules, game).ask("setting up")[0].source == f"[[{game}#Setting Up]]"


@pytest.mark.short(1)
@pytest.mark.parametrize("words", ["gambit", "citadel", "destiny"])
def test_game_is_recognized_by_its_common_word(answers: Answers, words: str) -> None:
    title = next(info.title for info in GAMES.values() if info.short == words)
    assert answers.ask(words)[0].heading == title
    assert answers.ask(f"{words} setting up")[0].note == answers.ask(f"{title} setting up")[0].note


@pytest.mark.slow
@pytest.mark.parametrize(("words", "heading"), [("raven", "Crowns"), ("ghost", "Crowns"), ("warrior", "Heroes")])
def test_rule_of_the_intended_game_comes_before_the_text_of_the_card(
    words: str, heading: str, answers: Answers, workspace: Workspace
) -> None:
    played = Answers(workspace.compendium, no_rules, "dragon-citadel").ask(words)
    for rule, card in (answers.ask(f"dragon-citadel {words}"), answers.ask(f"{words} citadel"), played):
        assert (rule.source, card.heading) == (f"[[dragon-citadel#{heading}]]", words.capitalize())


@pytest.mark.slow
def test_game_with_only_a_score_sheet_has_no_rules(answers: Answers, tmp_path: Path) -> None:
    for words in ("skat", "Skat", "bidding in skat"):
        (skat,) = answers.ask(words)
        assert skat.text.startswith("Skat has no rules here") and "vaultkit log skat" in skat.text
    hearts = answers.ask("hearts")
    assert hearts[0].title == "Hearts" and hearts[1].card and len(hearts) == MAX_LINES
    own = of_files(tmp_path, Skat="# Skat\n## Bidding\nThe eldest hand listens.\n")
    assert [passage.source for passage in own.ask("skat bidding")] == ["[[Skat#Bidding]]", "Score sheet:"]


@pytest.mark.slow
def test_house_rule_in_force_is_shown_below_the_rule_it_replaces(workspace: Workspace) -> None:
    def random_ties(info: GameInfo) -> Options:
        return settle(info.rules(), {"low_tie": "random"} if info is GAMES["dragon-citadel"] else {})

    *_, rule = Answers(workspace.compendium, random_ties).ask("tie for lowest")
    assert (rule.ruling, rule.note, rule.title) == ("DC-12", "", "Dragon Citadel")
    assert rule.text.startswith("low_tie = random instead of default (DC-12)")
    assert Answers(workspace.compendium, random_ties).ask("DC-12")[-1] == rule
    assert rule not in Answers(workspace.compendium, random_ties).ask("raven")


@pytest.mark.slow
def test_each_of_several_meanings_is_one_line_up_to_eight(answers: Answers) -> None:
    seer = answers.ask("seer")
    assert {"[[dragon-citadel#The Seer]]", "[[tarokka-deck-cos#Seer]]", "PG-33"} <= {one.source for one in seer}
    assert len(lines(seer)) == len(seer) > 4
    for words in ("seer", "raven", "what beats a village", "cards", "player", "DC-12"):
        assert 0 < len(lines(answers.ask(words), 80)) <= MAX_LINES
        assert all(len(line) <= 80 for line in lines(answers.ask(words), 80))


def test_long_passage_is_shortened_and_states_its_topic(answers: Answers) -> None:
    (alone,) = lines(answers.ask("DC-12"))
    assert alone.startswith("DC-12 A tie for lowest: In co-operative play")
    assert lines([Passage("Tie", "word " * 900, "DC-1")])[0].endswith("word …")
    assert lines([Passage("Owl", "It flies.", "[[Birds#Cards]]")]) == ["[[Birds#Cards]] Owl: It flies."]
    assert lines([Passage("Owl", "It flies.", "[[Birds#Owl]]", heading="Owl")]) == ["[[Birds#Owl]] It flies."]


def test_names_and_headings_of_all_notes_are_searched_if_no_rule_matches(answers: Answers) -> None:
    chapel, *_ = answers.ask("drowned chapel")
    assert chapel.source == "[[The Drowned Chapel]]" and "island" in chapel.text and not chapel.heading


def test_heading_of_any_note_returns_its_section(tmp_path: Path) -> None:
    own = of_files(tmp_path, **{"Harbour": "# Harbour\n## Seven Ferries\nThey leave at dawn.\n", "Mill": "# Mill\n"})
    for words in ("7 ferries", "ferry seven", "harbour ferries"):
        ferries, *_ = own.ask(words)
        assert (ferries.source, ferries.text) == ("[[Harbour#Seven Ferries]]", "They leave at dawn.")


def test_no_answer_is_an_error_with_a_hint(answers: Answers) -> None:
    with pytest.raises(NothingFound, match="xyzzy") as nothing:
        answers.ask("xyzzy")
    assert "ask DC-12" in nothing.value.hint


def test_own_deck_of_the_vault_and_its_house_rules_are_searched(tmp_path: Path) -> None:
    table = "| Day | Dish | For |\n|---|---|---|\n| Friday | stew | all |\n"
    rules = f"# Table Rules\n## Snacks\nThe owl eats first.\n\n{table}"
    own = of_files(tmp_path, Birds=DECK, **{"Table Rules": rules})
    assert own.ask("owls")[0].source == "[[Birds#Owl]]"
    assert own.ask("wren")[0].text == "It is small."
    assert own.ask("dish on friday")[0].text == "The owl eats first. Day | Dish | For: Friday | stew | all."
    assert own.ask("snacks")[0].source == "[[Table Rules#Snacks]]"


def test_rule_note_without_headings_is_found_under_its_name(tmp_path: Path) -> None:
    own = of_files(tmp_path, **{"Ours": "---\ntags: [rules]\n---\nWhoever yawns brings cake.\n"})
    (passage,) = own.ask("who brings cake")
    assert (passage.source, passage.text, passage.heading) == ("[[Ours]]", "Whoever yawns brings cake.", "")


def test_note_with_an_ambiguous_name_is_linked_by_its_path(tmp_path: Path) -> None:
    own = of_files(tmp_path, **{"a/House Rules": "# R\n## Snacks\nCake.\n", "b/House Rules": "# R\n## Dice\nSix.\n"})
    assert own.ask("snacks")[0].source == "[[a/House Rules#Snacks]]"


def test_one_bad_note_does_not_stop_the_search(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Birds.md": DECK, "House Rules.md": b"# Rules\n\xff\xfe\xff"})
    assert Answers(Compendium(vault), no_rules).ask("owl")[0].card == "Owl"


@pytest.mark.slow
def test_tip_and_example_come_after_a_rule(tmp_path: Path) -> None:
    rule = "**Owls.** Owls may nap.\n\n"
    aside = "> [!tip] Owls\n> Owls may nap.\n\n"
    text = f"---\nvaultkit-game: propheta\n---\n# House Rules\n## A\n{aside}## B\n{rule}## Example\n{rule}"
    assert of_files(tmp_path, **{"House Rules": text}).ask("owls nap")[0].heading == "B"


def test_example_of_a_rule_note_is_found_on_request(answers: Answers) -> None:
    found = answers.ask("example of the 0 and the 7")[0]
    assert found.heading == "Who Wins a Trick" and found.text.startswith("Example: The 7 is the highest number.")
