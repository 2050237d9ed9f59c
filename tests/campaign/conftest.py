from io import BytesIO
from pathlib import Path

import pytest
from jinja2.bccache import Bucket, BytecodeCache

from tests.campaign.samples import make_vault
from vaultkit.campaign import template_rendering
from vaultkit.vault import Vault


class Memory(BytecodeCache):
    """A cache of compiled templates, shared by all tests, since compiling them is most of the time of logging."""

    def __init__(self) -> None:
        self.compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.compiled:
            bucket.load_bytecode(BytesIO(self.compiled[bucket.key]))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.compiled[bucket.key] = bucket.bytecode_to_string()


MEMORY = Memory()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put locks into a folder of the test instead of the user's cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    root = tmp_path / "vault"
    template_rendering._environment(root).bytecode_cache = MEMORY
    return make_vault(root)
