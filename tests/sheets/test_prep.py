"""A session prepared on paper: its note, what that links, and handouts; and panels for a game master's screen."""

from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets.conftest import text_of
from tests.sheets.lint import problems
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.prep import gather_notes, print_prep
from vaultkit.sheets.screen_panels import print_screen
from vaultkit.sheets.secrecy import Secrets
from vaultkit.vault import Vault
from vaultkit.vault.queries import explorer_sort_key

FENCE = "```"
NOTES = {
    "Abend 3.md": (
        "# Der dritte Abend\n\nZuerst [[Mühle]], dann [[Leute/Änne|die Alte]] und noch einmal [[Mühle#Keller]].\n\n"
        "![[Regeln kurz]]\n\nBrief: [[Brief]]. Bild: ![[Bilder/Handouts/karte.png]]. Nie geschrieben: [[Nichts]].\n\n"
        f"{FENCE}encounter\nname: Im Keller\ncreatures:\n  - 3: Ratte\n  - Wolf\n  - Ghul, 22, hidden\n{FENCE}\n\n"
        "Danach [[Wolf]], [[Leer]] und [[Aushang]].\n"
    ),
    "Mühle.md": (
        "# Mühle\n\nSie mahlt[^1].\n\n## Keller\n\nDunkel. [[Leute/Änne]] war hier. [[Weit weg]].\n\n[^1]: Nachts.\n"
    ),
    "Leute/Änne.md": "# Änne\n\nMüllerin[^1]. Siehe [[Mühle#Keller]].\n\n[^1]: Früher.\n",
    "Weit weg.md": "# Weit weg\n\nNur in zwei Schritten.\n",
    "Regeln kurz.md": "# Regeln kurz\n\nWer würfelt, gewinnt.\n",
    "Brief.md": "---\ntags: [handout/letter]\n---\n# Ein Brief\n\nKommt.\n\n> [!secret] Nur GM\n> Falle.\n",
    "Aushang.md": "---\ntype: Handout\n---\n# Aushang\n\nBelohnung.\n",
    "Wolf.md": f"# Wolf\n\n{FENCE}statblock\nname: Wolf\nac: 13\nhp: 11\n{FENCE}\n",
    "Bestien/Ratte.md": "---\nstatblock: true\nname: Ratte\nac: 10\nhp: 2\n---\nNagt.\n",
    "Leer.md": "---\na: 1\n---\n",
    "Ohne.md": "# Ohne\n\nNichts zu verteilen.\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    from PIL import Image

    picture = tmp_path / "vault" / "Bilder" / "Handouts" / "karte.png"
    picture.parent.mkdir(parents=True)
    Image.new("RGB", (400, 300), "#884422").save(picture)
    return make_files(tmp_path / "vault", NOTES)


def make_job(folder: Path) -> PrintJob:
    return PrintJob("a4", folder / "abend.pdf", secrets=Secrets(("secret", "gm")))


def test_each_note_is_printed_once_in_the_order_of_its_first_link(vault: Vault) -> None:
    preparation = gather_notes(vault.find("Abend 3"), vault, "Handouts")
    assert [note.name for note in preparation.chapters] == ["Abend 3", "Mühle", "Änne"]
    assert [note.name for note in preparation.creatures] == ["Wolf", "Ratte"]
    assert [note.name for note in preparation.handouts] == ["Brief", "Aushang"]
    assert preparation.pictures == ["Bilder/Handouts/karte.png"]
    assert preparation.skipped == ["Leer.md"]


def test_a_larger_depth_follows_the_links_of_linked_notes(vault: Vault) -> None:
    notes = gather_notes(vault.find("Abend 3"), vault, "Handouts", 2).chapters
    assert [note.name for note in notes] == ["Abend 3", "Mühle", "Änne", "Weit weg"]
    assert [note.name for note in gather_notes(vault.find("Abend 3"), vault, "Handouts", 0).chapters] == ["Abend 3"]


@pytest.mark.slow
def test_a_session_is_one_file_with_bookmarks_and_its_handouts_another(vault: Vault, tmp_path: Path) -> None:
    session, handouts = print_prep(vault.find("Abend 3"), vault, make_job(tmp_path), "Handouts")
    assert handouts.path.name == "abend-handouts.pdf"
    assert problems(session.path) == problems(handouts.path) == []
    titles = [str(each["/Title"]) for each in PdfReader(session.path).outline if isinstance(each, dict)]
    assert titles == ["Contents", "Der dritte Abend", "Encounters", "Notes", "Creatures"]
    words = text_of(session.path).replace("\u00a0", " ")
    assert all(text in words for text in ("Im Keller", "Nachts.", "Früher.", "Wer würfelt, gewinnt."))
    assert words.count("Sie mahlt") == words.count("Müllerin") == 1
    assert "encounter: Im Keller" in words
    assert "Mühle (p. 4)" in words
    players_words = text_of(handouts.path)
    assert "Kommt." in players_words
    assert "Belohnung." in players_words
    assert not any(text in players_words for text in ("Falle", "karte", "Handouts/"))


def test_missing_handout_gives_no_second_file_but_a_hint_how_to_mark_one(vault: Vault, tmp_path: Path) -> None:
    (session,) = print_prep(vault.find("Ohne"), vault, make_job(tmp_path), "Für Spieler")
    assert session.pages == 1
    (remark,) = session.remarks
    assert all(text in remark for text in ("#handout", "type: handout", "Für Spieler"))
    assert not (tmp_path / "abend-handouts.pdf").exists()


def test_an_empty_session_note_is_an_error(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="empty"):
        print_prep(vault.find("Leer"), vault, make_job(tmp_path), "Handouts")


@pytest.mark.slow
def test_copy_for_players_omits_hidden_creatures(vault: Vault, tmp_path: Path) -> None:
    from vaultkit.sheets.rules.rule_sheet import print_rules

    job = make_job(tmp_path)
    assert "Ghul" in text_of(print_rules(vault.find("Abend 3"), vault, job).path)
    players_job = replace(job, out=tmp_path / "players.pdf", secrets=replace(job.secrets, hidden=True))
    printed = print_rules(vault.find("Abend 3"), vault, players_job)
    assert "Ghul" not in text_of(printed.path)
    assert printed.left_out["table row"] == 1


LONG = "Worte ohne Ende, und noch mehr davon. " * 30
SCREEN = f"""# Kampf

{LONG}

## Zustände

| Zustand | Wirkung |
|---|---|
| Blind | sieht nichts |

{LONG}

## Kurz

Ein Satz.

## Lang

{LONG}

### Darunter

Auch kurz.
"""


@pytest.fixture
def screen_vault(tmp_path: Path) -> Vault:
    return make_files(tmp_path / "vault", {"Kampf.md": SCREEN, "Prosa.md": f"# Prosa\n\n{LONG}\n"})


def test_a_screen_has_tables_and_short_sections_in_landscape(screen_vault: Vault, tmp_path: Path) -> None:
    printed = print_screen([(screen_vault.find("Kampf"), "")], screen_vault, make_job(tmp_path))
    page = PdfReader(printed.path).pages[0]
    assert page.mediabox.width > page.mediabox.height
    assert problems(printed.path) == []
    words = text_of(printed.path)
    assert all(text in words for text in ("Blind", "Ein Satz.", "Auch kurz.", "Darunter"))
    assert "ohne Ende" not in words
    assert "Kampf#Lang" in printed.remarks[-1]


def test_named_section_is_printed_at_any_length(screen_vault: Vault, tmp_path: Path) -> None:
    printed = print_screen([(screen_vault.find("Kampf"), "lang")], screen_vault, make_job(tmp_path))
    words = text_of(printed.path)
    assert "ohne Ende" in words
    assert "Ein Satz." not in words
    assert printed.remarks == ()


def test_empty_screen_is_an_error(screen_vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="no short section") as caught:
        print_screen([(screen_vault.find("Prosa"), "")], screen_vault, make_job(tmp_path))
    assert "Prosa" in (caught.value.hint or "")
    with pytest.raises(NothingFound, match="no heading 'Mitte'"):
        print_screen([(screen_vault.find("Kampf"), "Mitte")], screen_vault, make_job(tmp_path))


def test_folders_come_before_files_and_numbers_are_sorted_by_value() -> None:
    paths = ["b.md", "10 x.md", "2 x.md", "z/a.md", "z/B/c.md", "A/q.md"]
    assert sorted(paths, key=explorer_sort_key) == ["A/q.md", "z/B/c.md", "z/a.md", "2 x.md", "10 x.md", "b.md"]


def test_encounter_in_an_embedded_note_is_printed_where_it_is_embedded(vault: Vault, tmp_path: Path) -> None:
    fight = f"# Kampf\n\n{FENCE}encounter\nname: Brücke\ncreatures:\n  - 2: Troll\n{FENCE}\n"
    (vault.root / "Kampf.md").write_text(fight, encoding="utf-8")
    (vault.root / "Plan.md").write_text(f"![[Kampf]]\n\n{fight.replace('Troll', 'Ork')}", encoding="utf-8")
    new_vault = Vault(vault.root)
    words = text_of(print_prep(new_vault.find("Plan"), new_vault, make_job(tmp_path), "Handouts")[0].path)
    assert words.count("Troll") == words.count("Ork") == 1


@pytest.mark.slow
def test_prep_without_secrets_lacks_secret_notes_and_hidden_creatures(vault: Vault, tmp_path: Path) -> None:
    (vault.root / "Mühle.md").write_text("---\ntags: [gm]\n---\nVerrat.", encoding="utf-8")
    new_vault, job = Vault(vault.root), make_job(tmp_path)
    job = replace(job, secrets=replace(job.secrets, hidden=True))
    words = text_of(print_prep(new_vault.find("Abend 3"), new_vault, job, "Handouts")[0].path)
    assert "Müllerin" in words
    assert not any(text in words for text in ("Verrat", "Ghul"))


SECRET_SESSION = f"""# Abend

Heute [[Hinterhalt]], [[Offen|offen]] und [[Akte]].

> [!secret] Plan
> [[Spion]] wartet.
>
> {FENCE}encounter
> name: Falle
> creatures:
>   - Schatten
> {FENCE}

%% [[Notiz]] %%

{FENCE}encounter
name: Offener Kampf
creatures:
  - Geist
  - Schleicher, 22, hidden
{FENCE}
"""


@pytest.fixture
def secret_vault(tmp_path: Path) -> Vault:
    notes = {
        "Abend.md": SECRET_SESSION,
        "Hinterhalt.md": "---\ntags: [secret]\n---\n# Hinterhalt\n\n"
        f"{FENCE}encounter\nname: Gasse\ncreatures:\n  - Alp\n{FENCE}\n\n[[Verräter]] hilft. [[Brief]].\n",
        "Verräter.md": "# Verräter\n\nVerräterworte.\n",
        "Brief.md": "---\ntags: [handout]\n---\n# Brief\n\nBriefworte.\n",
        "Akte.md": "---\ngm_contact: '[[Kontakt]]'\nfriend: '[[Freund]]'\n---\n# Akte\n\nAktenworte.\n",
        **{f"{name}.md": f"# {name}\n\n{name}worte.\n" for name in ("Offen", "Spion", "Notiz", "Kontakt", "Freund")},
        **{
            f"{name}.md": f"---\ntags: [{'gm' if name == 'Geist' else 'monster'}]\n---\n# {name}\n\n"
            f"{FENCE}statblock\nname: {name}\nac: 13\ndesc: {name}werte\n{FENCE}\n"
            for name in ("Alp", "Schatten", "Geist", "Schleicher")
        },
    }
    return make_files(tmp_path / "secrets", notes)


@pytest.mark.short(1)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_prep_without_secrets_lacks_what_only_secrets_name(secret_vault: Vault, tmp_path: Path, depth: int) -> None:
    job = make_job(tmp_path)
    open_job = replace(job, secrets=replace(job.secrets, hidden=True))
    note = secret_vault.find("Abend")
    (printed,) = print_prep(note, secret_vault, open_job, "Handouts", depth)
    words = text_of(printed.path)
    assert "Offenworte" in words
    assert ("Freundworte" in words) == (depth > 1)
    secret_words = (
        "Alp",
        "Verräter",
        "Briefworte",
        "Kontaktworte",
        "Spion",
        "Notiz",
        "Falle",
        "Schatten",
        "Schleicher",
    )
    assert [each for each in (*secret_words, "Geistwerte") if each in words] == []
    assert Says("Left out", "players", "Hinterhalt.md", "Geist.md", "tags") in printed.remarks
    (remark,) = [each for each in printed.remarks if "only secrets" in each]
    deeper_names = ("Kontakt.md", "Verräter.md") if depth > 1 else ()
    assert all(name in remark for name in ("Spion.md", "Notiz.md", *deeper_names))
    assert not any(name in remark for name in ("Offen", "Akte", "Hinterhalt"))
    assert printed.left_out["note"] == (4 if depth == 1 else 7)
    preparation = gather_notes(note, secret_vault, "Handouts", 2, job.secrets)
    assert {"Alp", "Geist", "Schleicher", "Schatten"} == {each.name for each in preparation.creatures}
    assert {"Verräter", "Spion", "Notiz", "Kontakt"} < {each.name for each in preparation.chapters}


def test_cards_of_the_links_of_a_note_lack_what_only_its_secrets_name(secret_vault: Vault) -> None:
    secrets = Secrets(("secret", "gm"), hidden=True)
    card_set = note_set(secret_vault, links=secret_vault.find("Abend"), secrets=secrets)
    assert [card.title for card in card_set.cards] == ["Offen", "Akte"]
    assert Says("Left out", "players", "Spion.md", "Notiz.md", "only secrets") in card_set.remarks
    assert card_set.left_out["note"] == 3
    with pytest.raises(InvalidError, match="only for the game master"):
        note_set(secret_vault, links=secret_vault.find("Hinterhalt"), secrets=secrets)


def test_words_that_are_equal_to_the_name_of_a_secret_do_not_link_to_it(tmp_path: Path) -> None:
    text = "---\ntype: Pirat\nknown: '[[Wirt]]'\nplace: '[[Hafen\\|port]]'\ngm_contact: '[[Pirat]]'\n---\n"
    meeting = f"{text}Ein Pirat. <b>Pirat</b> `Pirat`\n\n> [!gm]\n> [[Kneipe]]"
    others = {f"{name}.md": name for name in ("Kneipe", "Pirat", "Hafen", "Wirt")}
    vault, secrets = make_files(tmp_path, {"Treffen.md": meeting, **others}), Secrets(("secret", "gm"), hidden=True)
    preparation = gather_notes(vault.find("Treffen"), vault, "Handouts", 1, secrets)
    assert [each.name for each in preparation.chapters] == ["Treffen", "Wirt", "Hafen"]
    assert preparation.remarks == (Says("Left out", "players", "Pirat.md", "Kneipe.md", "only secrets"),)


def test_note_whose_links_are_all_in_secrets_has_no_cards_for_players(tmp_path: Path) -> None:
    others = {f"{name}.md": f"# {name}\n\nText." for name in "BC"}
    vault = make_files(tmp_path, {"A.md": "%% [[B]] %% [[missing]]\n\n> [!gm]\n> [[C]]", **others})
    assert len(note_set(vault, links=vault.find("A")).cards) == 2
    with pytest.raises(InvalidError, match="Only secrets of this note link to other notes"):
        note_set(vault, links=vault.find("A"), secrets=Secrets(("gm",), hidden=True))


LONG = "A long text about the fight. " * 40
SCREEN_NOTE = f"""# Combat

## Fight

{LONG}

**GM only**

| Ambush |
|---|
| Archers |

## GM only

Traitor.

### Price

Hundred.

## Moves of [[Plan]] and [[Bribe|Bart]]

| Push |
|---|
| Trip |
"""


@pytest.fixture
def secret_screen_vault(tmp_path: Path) -> Vault:
    plan, bribe = "---\ntags: [gm]\n---\n| Coup |\n|---|\n| x |", "> [!gm]\n> Gold."
    return make_files(tmp_path, {"Combat.md": SCREEN_NOTE, "Plan.md": plan, "Bribe.md": bribe})


def print_players_screen(vault: Vault, tmp_path: Path, *names: str) -> tuple[str, PrintedFile]:
    job = make_job(tmp_path)
    sections = [(vault.find(name.partition("#")[0]), name.partition("#")[2]) for name in names]
    printed = print_screen(sections, vault, replace(job, secrets=replace(job.secrets, hidden=True)))
    return text_of(printed.path), printed


def test_screen_for_players_lacks_secret_notes_and_sections(secret_screen_vault: Vault, tmp_path: Path) -> None:
    words, printed = print_players_screen(secret_screen_vault, tmp_path, "Combat", "Plan", "Combat#GM only", "Bribe")
    assert "Trip" in words
    hidden_words = ("Archers", "Ambush", "Traitor", "Hundred", "Price", "GM only", "Coup", "Gold", "Bribe")
    assert [each for each in hidden_words if each in words] == []
    assert Says("Left out", "players", "Plan.md", "tag") in printed.remarks
    (remark,) = [each for each in printed.remarks if "Combat#GM only, Bribe" in each]
    assert remark.startswith("Left out for players")
    assert printed.left_out["note"] == 2


@pytest.mark.parametrize("name", ["Combat#GM only", "Combat#Price", "Bribe", "Plan"])
def test_screen_of_secrets_alone_is_refused(secret_screen_vault: Vault, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidError, match="only for the game master"):
        print_players_screen(secret_screen_vault, tmp_path, name)


def test_screen_for_the_game_master_counts_the_secrets_on_it(secret_screen_vault: Vault, tmp_path: Path) -> None:
    heading = "Moves of [[Plan]] and [[Bribe|Bart]]"
    printed = print_screen([(secret_screen_vault.find("Combat"), heading)], secret_screen_vault, make_job(tmp_path))
    assert not any("secret" in remark for remark in printed.remarks) and not printed.left_out
    assert "Moves of Plan and Bart" in text_of(printed.path)
    words, _ = print_players_screen(secret_screen_vault, tmp_path, f"Combat#{heading}")
    assert "Moves of […] and Bart" in words and "Plan" not in words


def test_empty_handout_is_skipped(vault: Vault) -> None:
    (vault.root / "Brief.md").write_text("---\ntags: [handout]\n---\n", encoding="utf-8")
    preparation = gather_notes(Vault(vault.root).find("Abend 3"), Vault(vault.root), "Handouts")
    assert "Brief.md" in preparation.skipped
    assert [note.name for note in preparation.handouts] == ["Aushang"]
