"""A pause of Python's garbage collector, which slows down code that makes many small objects."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collector() -> Iterator[None]:
    """Pause the garbage collector while many objects are built that form few or no reference cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.freeze()  # otherwise the next collection would visit all that was built
            gc.enable()
