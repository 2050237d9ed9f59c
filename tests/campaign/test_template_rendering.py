import time
from itertools import count
from pathlib import Path

import pytest

from tests.campaign.samples import finished_game, log, tree
from vaultkit.campaign.session_note import SessionPage
from vaultkit.campaign.template_rendering import render
from vaultkit.campaign.template_samples import SAMPLES, try_template
from vaultkit.campaign.templates import template_source
from vaultkit.errors import InvalidError
from vaultkit.vault import Vault
from vaultkit.vault.writing.link_style import Linker

pytestmark = pytest.mark.usefixtures("trusting")

DOUBLE = "{% set n = namespace(a='x' * 99999) %}{% for i in range(9) %}{% set n.a = n.a ? n.a %}{% endfor %}"
"""A template whose text, after nine rounds, has fifty million characters."""
SHARED = "{% set n = namespace(a=[1]) %}{% for i in range(40) %}{% set n.a = ? %}{% endfor %}"
"""A template whose list takes little memory, but after forty rounds has a million million numbers as text."""


def write_template(vault: Vault, text: str, name: str = "session-note.md.j2") -> None:
    folder = vault.root / ".vaultkit/templates"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_own_template_is_preferred_and_may_extend_ours(vault: Vault) -> None:
    write_template(vault, '{% extends "shipped/session-note.md.j2" %}{% block colophon %}\nOur night.\n{% endblock %}')
    text = vault.read(log(vault).note).text
    assert "Our night.\n" in text
    assert "The record" not in text
    assert "## Score Sheet" in text


def test_own_parts_may_be_included(vault: Vault) -> None:
    write_template(vault, "---\nvaultkit-session: {{ session | yaml }}\n---\n{% include 'part.md.j2' %}")
    write_template(vault, "Won by {{ winners | length }}.", "part.md.j2")
    assert vault.read(log(vault).note).body == "Won by 4.\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("template", "line", "said"),
    [
        ("{{ session }}\n{{ nothing }}", 2, "nothing"),
        ("\n{% for %}", 2, ""),
        ("\n\n{{ 1 / 0 }}", 3, "division"),
        ("\n" + "{% for seat in seats %}\n" * 25 + "{% endfor %}" * 25, 22, "nested too deeply"),
        ("\n{{ " + "[" * 999 + "]" * 999 + " }}", 2, "nested too deeply"),
        ("\n{{ seats[0] }}", 2, "a whole SeatText"),
        ("\n{{ [seats] | join }}", 2, "a whole list"),
        ("\n{{ match }}", 2, "None"),
        ("{{ session.__class__.__mro__ }}", 1, "unsafe"),
        ("{{ ''.__class__.__base__.__subclasses__() }}", 1, "unsafe"),
        ("{{ seats[0].__init__.__globals__ }}", 1, "unsafe"),
        ("{{ self.__init__ }}", 1, ""),
        ("{% include '../../../../etc/passwd' %}", 1, "passwd"),
        ("{% include '/etc/passwd' %}", 1, "passwd"),
        ("{% include '../config.toml' %}", 1, "config"),
        ("{% include 'linked.md.j2' %}", 1, "linked"),
        ("{% include 'session-note.md.j2' %}", 1, ""),
        ("{% extends 'session-note.md.j2' %}", 1, ""),
        ("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", 1, "20,000 rounds"),
        (
            "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
            1,
            "20,000 rounds",
        ),
        ("{% for a in range(19000) %}" + "x" * 60 + "{% endfor %}", 0, "1,000,000 letters"),
        ("{{ 'x' * 999999999 }}", 1, "1,000,000 letters"),
        ("{{ 9 ** 9 ** 9 }}", 1, "too big"),
        ("{{ range(999999999) }}", 1, "too big"),
        (DOUBLE.replace("?", "~"), 1, "1,000,000 letters"),
        (DOUBLE.replace("?", "+"), 1, "1,000,000 letters"),
        ("{{ '%999999999d' % 1 }}", 1, "too big"),
        ("{{ '%*d' | format(999999999, 1) }}", 1, "too big"),
        ("{{ '%(a)999999999d' | format(a=1) }}", 1, "too big"),
        ("{{ '%((a)b)999999999d' % {'(a)b': 1} }}", 1, "too big"),
        ("{{ ('%(a)s' * 99999) | format(a='x' * 99999) }}", 1, "1,000,000 letters"),
        ("{{ ['x' * 99999] * 99999 }}", 1, "1,000,000 letters"),
        (SHARED.replace("?", "[n.a, n.a]"), 1, ""),
        (SHARED.replace("?", "{1: n.a, 2: n.a}"), 1, ""),
        (SHARED.replace("?", "dict(a=n.a, b=n.a)"), 1, ""),
        ("{% set a, b = namespace(), namespace() %}{% set a.c = b %}", 1, "namespace"),
        ("{{ ('x' * 9999) | replace('x', 'y' * 9999) }}", 1, "1,000,000 letters"),
        ("{{ ('x' * 9999).replace('x', 'y' * 9999) }}", 1, "1,000,000 letters"),
        ("{{ range(9999) | join('y' * 9999) }}", 1, "1,000,000 letters"),
        ("{{ 'x' | indent(999999999, true) }}", 1, "1,000,000 letters"),
        ("{{ 'x'.ljust(999999999) }}", 1, "may not be called"),
        ("{{ '{:999999999}'.format(1) }}", 1, "may not be called"),
        ("{{ lipsum(999999) }}", 1, "lipsum"),
        *((f"{{{{ 'x' | {name}(999999999) }}}}", 1, name) for name in ("center", "wordwrap", "slice", "batch")),
    ],
)
def test_mistake_is_reported_with_its_line(vault: Vault, template: str, line: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    write_template(vault, template)
    (vault.root / ".vaultkit/templates/linked.md.j2").symlink_to(tmp_path / "secret")
    with pytest.raises(InvalidError) as caught:
        log(vault)
    place = ".vaultkit/templates/session-note.md.j2"
    assert caught.value.where == (f"{place}:{line}" if line else place)
    assert said.lower() in caught.value.message.lower()
    assert caught.value.hint
    assert not (vault.root / "Games").exists()


@pytest.mark.short(3)
@pytest.mark.parametrize("name", ["session-note.md.j2", "log-line.md.j2"])
@pytest.mark.parametrize("template", ["hello", "- one\n- two ^{{ block | default('x') }}"])
def test_a_template_that_would_log_twice_is_refused(vault: Vault, name: str, template: str) -> None:
    write_template(vault, template, name)
    with pytest.raises(InvalidError) as caught:
        log(vault)
    assert caught.value.where == f".vaultkit/templates/{name}"
    assert caught.value.hint.endswith(".")


@pytest.mark.parametrize(
    "text", ["- {{ date }}:\n{{ reason }} ^{{ block }}", "- {{ winners | join(', ') }} ^{{ block }}"]
)
def test_template_line_of_two_lines_or_an_object_is_refused_and_not_written(vault: Vault, text: str) -> None:
    write_template(vault, text, "log-line.md.j2")
    before = tree(vault.root)
    with pytest.raises(InvalidError):
        log(vault)
    assert tree(vault.root) == before


def test_line_separator_of_unicode_ends_no_line_of_a_template(vault: Vault) -> None:
    write_template(vault, "- {{ date }}\u2028won ^{{ block }}", "log-line.md.j2")
    log(vault)
    assert "\u2028won ^vk-" in Vault(vault.root).read("Campaign Log.md").text


def test_filters_that_do_not_enlarge_their_values_are_allowed(vault: Vault) -> None:
    use = "{{ [1, 2] | join(', ') }}; {{ [{'a': {'b': 1}}] | join('', 'a.b') }}; "
    use += "{{ 'a-b'.replace('-', ' ').title() ~ 1 }}; "
    use += "{{ 'a\n\nb' | indent('> ') }}; {{ 'aa' | replace('a', 'b', 1) }}; "
    use += "{{ '%(a)s%%' % {'a': 5} }}; {{ '%-3s!' | format(1) }}"
    write_template(vault, use, "used.md.j2")
    assert render("used.md.j2", {}, vault.root) == "1, 2; 1; A B1; a\n\n> b; ba; 5%; 1  !"


def test_values_are_not_rendered_as_templates() -> None:
    context = {"date": "d", "link": "{{ 7*7 }}", "reason": "r", "facts": [], "block": "b"}
    context |= {"standing": [], "real_cards": False}
    assert render("log-line.md.j2", context, None).strip() == "- d {{ 7*7 }}: r. ^b"


def test_busy_or_sleeping_computer_does_not_refuse_a_template(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    write_template(vault, "{% for i in range(3) %}{{ i }}{% endfor %}", "used.md.j2")
    monkeypatch.setattr(time, "monotonic", count(0, 3600).__next__)
    assert render("used.md.j2", {}, vault.root) == "012"


@pytest.mark.slow
def test_samples_have_the_values_that_games_and_readings_have(vault: Vault) -> None:
    given = set(SessionPage(finished_game(), "Game.md", [None] * 4, Linker(vault)).context())
    assert SAMPLES["session-note.md.j2"].keys() == given | {"link"}
    assert SAMPLES["log-line.md.j2"].keys() == given | {"link"}
    for name, values in SAMPLES.items():
        remark = template_source(name, None).values | template_source("reading.md.j2", None).values
        assert not [key for key in values if key not in remark | given | {"link", "block"}], name
        assert [*try_template(name, None)], name


def test_a_missing_template_is_named(vault: Vault) -> None:
    with pytest.raises(InvalidError) as caught:
        render("none.md.j2", {}, vault.root)
    assert caught.value.where == "none.md.j2"
