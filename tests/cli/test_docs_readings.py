"""The examples of docs/readings.md: in the example vault commands say what the page tells."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

PAGE = Path(__file__).resolve().parents[2] / "docs" / "readings.md"
_FILE = re.compile(r"^`([^`\n]+)`\n\n```(?:markdown|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SAID = re.compile(r"^```text\n\$ vaultkit ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = _SAID.findall(TEXT)


def test_readings_page_has_its_examples() -> None:
    assert len(EXAMPLES) == TEXT.count("```text\n") == 6
    assert len(_FILE.findall(TEXT)) == TEXT.count("```markdown\n") + TEXT.count("```toml\n") == 3


@pytest.mark.slow
@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize(("command", "told"), EXAMPLES, ids=lambda part: part.split("\n")[0][:30])
def test_command_prints_the_documented_output(vk: Vaultkit, example: Path, command: str, told: str) -> None:
    words = shlex.split(command)
    if len(words) > 1:
        for path, content in _FILE.findall(TEXT):
            (example / path).parent.mkdir(parents=True, exist_ok=True)
            (example / path).write_text(content, encoding="utf-8")
    done = vk(*words, cwd=example)
    assert done.code == ExitCode.OK, done.err
    lines = [line for line in done.out.splitlines() if not line.endswith(".md")]  # a pipe also gets the written notes
    assert [line.split() for line in lines] == [line.split() for line in told.splitlines()]
