"""A search for files that break a promise, by mutations that Hypothesis draws, and their reduction to small ones."""

import faulthandler
import hashlib
import os
import tempfile
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.mutations import mutants, repeated_parts
from tests.fuzz.surfaces import CORPUS, surfaces
from tests.fuzz.trial import GROWTH_REPETITIONS, BrokenPromise, Trials, limit_memory

BATCH_EXAMPLES = 800
BATCH_SECONDS = 20.0
GROWTH_SHARE = 0.3
MAX_REDUCTION_SECONDS = 20.0
Trial = Callable[[bytes], object]


@dataclass(frozen=True)
class Finding:
    """A file that breaks a promise when a command reads it, and how; `key` is equal for findings of one cause."""

    surface: str
    command: str
    data: bytes
    key: str
    text: str

    def save(self) -> Path:
        """Add the file to the corpus, and return its path."""
        digest = hashlib.sha256(self.key.encode()).hexdigest()[:8]
        number = surfaces()[self.surface].commands.index(self.command)
        file = CORPUS / self.surface / f"found-{digest}-{number}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(self.data)
        return file


@dataclass(frozen=True)
class Batch:
    """Some examples of one surface and one command, which a process of their own tries."""

    surface: str
    command: str
    seed: int
    seconds: float
    grows: bool
    last_file: str

    def run(self) -> list[Finding]:
        """Try the examples. The bytes tried last are kept in `last_file`, for a process that dies."""
        surface, end = surfaces()[self.surface], monotonic() + self.seconds
        findings: dict[str, Finding] = {}
        seeds = surface.seeds(self.surface) or [b"x"]
        with tempfile.TemporaryDirectory(dir=_memory_folder()) as folder:
            trials = Trials(Path(folder))
            _attempt(lambda: trials.run(surface, self.command, seeds[0]))
            limit_memory()

            def examine(trial: Trial, data: bytes, whole: Callable[[bytes], bytes] = bytes) -> None:
                """Try data, and keep the file that `whole` makes of the smallest part that fails equally."""
                if monotonic() > end:
                    return
                Path(self.last_file).write_bytes(whole(data))
                if (failure := _attempt(lambda: trial(data))) and failure[0] not in findings:
                    small = reduce(data, lambda part: (_attempt(lambda: trial(part)) or ("",))[0] == failure[0])
                    findings[failure[0]] = Finding(self.surface, self.command, whole(small), *failure)

            @seed(self.seed)
            @settings(
                max_examples=BATCH_EXAMPLES, database=None, deadline=None, phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )  # fmt: skip
            @given(mutants(seeds))
            def try_mutants(data: bytes) -> None:
                examine(lambda part: trials.run(surface, self.command, part), data)

            @seed(self.seed)
            @settings(try_mutants._hypothesis_internal_use_settings, max_examples=100)  # type: ignore[attr-defined]
            @given(repeated_parts(seeds))
            def try_repetitions(parts: tuple[bytes, bytes, bytes]) -> None:
                head, part, tail = parts
                examine(
                    lambda data: trials.check_growth(surface, self.command, lambda n: head + data * n + tail),
                    part,
                    lambda data: head + data * GROWTH_REPETITIONS[-1] + tail,
                )

            (try_repetitions if self.grows else try_mutants)()
        return list(findings.values())


def hunt(minutes: float, first_seed: int, names: tuple[str, ...] = (), workers: int = 2) -> Iterator[Finding]:
    """Try files for so many minutes, in processes, and yield a finding for each cause."""
    end, keys = monotonic() + minutes * 60, set[str]()
    with tempfile.TemporaryDirectory() as folder:
        pending = _batches(first_seed, names, folder)
        pool = ProcessPoolExecutor(workers, get_context("spawn"), max_tasks_per_child=1)
        try:
            running = {}
            while monotonic() < end or running:
                while len(running) < workers and monotonic() < end:
                    batch = next(pending)
                    running[pool.submit(batch.run)] = batch
                future = next(iter(running))
                batch = running.pop(future)
                try:
                    findings = future.result(timeout=BATCH_SECONDS + 200)
                except (BrokenProcessPool, TimeoutError) as error:
                    data = Path(batch.last_file).read_bytes()
                    findings = [Finding(batch.surface, batch.command, data, f"{batch.surface} {error!r}", repr(error))]
                    for process in (pool._processes or {}).values():
                        process.kill()
                    pool = ProcessPoolExecutor(workers, get_context("spawn"), max_tasks_per_child=1)
                    running.clear()
                yield from (finding for finding in findings if finding.key not in keys)
                keys.update(finding.key for finding in findings)
        finally:
            pool.shutdown(cancel_futures=True)


def _batches(first_seed: int, names: tuple[str, ...], folder: str) -> Iterator[Batch]:
    """Yield batches without end: each command of each surface in turn, in a random order."""
    random, number = Random(first_seed), 0
    pairs = [(name, command) for name in names or surfaces() for command in surfaces()[name].commands]
    while True:
        for name, command in random.sample(pairs, len(pairs)):
            number += 1
            grows, last_file = random.random() < GROWTH_SHARE, str(Path(folder) / f"last-{number}")
            yield Batch(name, command, random.randrange(2**32), BATCH_SECONDS, grows, last_file)


def _attempt(trial: Callable[[], object]) -> tuple[str, str] | None:
    """Return a key and a text for what a trial raises, None if it raises nothing."""
    try:
        trial()
    except Exception as error:  # noqa: BLE001
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if "/vaultkit/" in frame.filename]
        place = f"{Path(own[-1].filename).name}:{own[-1].name}" if own else ""
        detail = str(error)[:40] if isinstance(error, BrokenPromise) else place
        text = "".join(traceback.format_list(frames[-6:])) + f"{type(error).__name__}: {error}"[:500]
        return f"{type(error).__name__} {detail}", text
    return None


def reduce(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """Return a smaller input that still fails, without parts of halving size, for a limited time."""
    end, size = monotonic() + MAX_REDUCTION_SECONDS, max(len(data) // 2, 1)
    while size:
        start = 0
        while start < len(data):
            if monotonic() > end:
                return data
            if fails(shorter := data[:start] + data[start + size :]):
                data = shorter
            else:
                start += size
        size //= 2
    return data


def _memory_folder() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112


faulthandler.enable()
