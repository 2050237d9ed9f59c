"""Modules without parts of others that they load and that nobody here needs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def without(*parts: str) -> Iterator[None]:
    """Modules that are loaded within go without these `module.Class`, unless the module is loaded already."""
    missing = [part.rpartition(".") for part in parts]
    stubs = {name: ModuleType(name) for name, _, _ in missing if name not in sys.modules}
    for name, _, part in missing:
        if name in stubs:
            setattr(stubs[name], part, type(part, (), {}))
    sys.modules.update(stubs)
    try:
        yield
    finally:
        for name in stubs:
            del sys.modules[name]
