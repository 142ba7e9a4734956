"""The demo chip as a snapshot on disk: made at the first use, found again afterwards."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from qdash_jupyter.config.disk import go_on_without, reason, user_folder
from qdash_jupyter.data.records import TaskResult
from qdash_jupyter.data.snapshot_writer import MANIFEST, SNAPSHOT_FORMAT, write_snapshot
from qdash_jupyter.errors import SnapshotError

DEMO_SEED = 7
DEMO_VERSION = 7
"""Goes up when the generator changes, so that no old demo is mistaken for the current one."""


def demo_snapshot(folder: Path | None = None) -> Path:
    """The folder of the default demo chip's snapshot; makes it when it is not there (some seconds).

    Several kernels may start at once: each writes to a folder of its own, the first one to finish is kept.
    """
    place = folder or user_folder("cache") / f"demo-{DEMO_VERSION}-{SNAPSHOT_FORMAT}-{DEMO_SEED}"
    if (place / MANIFEST).exists():
        return place
    try:
        return _kept_snapshot(place)
    except OSError as error:
        go_on_without("the demo data, made again by each process", place, error)
        return _passing_snapshot()


@cache
def _passing_snapshot() -> Path:
    """One that goes with this process.

    Raises:
        SnapshotError: not even temporary files can be written.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="qdash-jupyter-demo-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return write_demo_snapshot(folder, seed=DEMO_SEED)
    except OSError as error:
        raise SnapshotError(
            f"The demo data cannot be written: {reason(error)}.", "Free space on the disk, or name another in TMPDIR."
        ) from None


def _kept_snapshot(place: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".demo-", dir=place.parent))
    try:
        write_demo_snapshot(fresh, seed=DEMO_SEED)
        fresh.replace(place)
    except OSError:
        if not (place / MANIFEST).exists():
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return place


def demo_calib_data(results: Sequence[TaskResult], *, of: str = "") -> Path | None:
    """The folder that stands for `calib_data` of a demo chip, with the figures of these results; None where nothing
    can be written. Each chip has its own, by where it came from: paths are the same on all of them.
    """
    from qdash_jupyter.data.demo.curve_files import FILES_VERSION, write_figures

    dead = _dead() if of == _source("64Q-demo", DEMO_SEED, 90, faults=True) else ()
    place = user_folder("cache") / f"demo-curves-{DEMO_VERSION}-{FILES_VERSION}-{sha256(of.encode()).hexdigest()[:8]}"
    try:
        write_figures(results, place, dead)
    except OSError as error:
        go_on_without("the figures of the demo data, made again by each process", place, error)
        try:
            place = _passing_folder(of)
            write_figures(results, place, dead)
        except OSError:
            return None
    return place


@cache
def _dead() -> frozenset[str]:
    """The qubits of the default chip that never work."""
    from qdash_jupyter.data.demo.faults import deal_faults
    from qdash_jupyter.domain.topology import square_lattice

    return frozenset(deal_faults(DEMO_SEED, square_lattice(64)).dead)


@cache
def _passing_folder(of: str) -> Path:
    """One for these that goes with this process."""
    del of
    folder = Path(tempfile.mkdtemp(prefix="qdash-jupyter-curves-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def write_demo_snapshot(folder: Path, *, seed: int, size: int = 64, days: int = 90, faults: bool = True) -> Path:
    """Write the demo chip of `seed` as a snapshot to `folder`."""
    from qdash_jupyter.data.demo.generator import make_demo

    chip = make_demo(seed=seed, size=size, days=days, faults=faults)
    source = _source(chip.chip_id, seed, days, faults=faults)
    return write_snapshot(chip.documents, folder, as_of=chip.as_of, source=source, is_demo=True)


def _source(chip_id: str, seed: int, days: int, *, faults: bool) -> str:
    """What a snapshot says of where it came from."""
    return f"generated: {chip_id}, seed {seed}, {days} days, {'planted faults' if faults else 'healthy'}"
