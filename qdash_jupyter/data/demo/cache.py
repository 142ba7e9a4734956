"""The demo chip as a snapshot on disk: made at the first use, found again afterwards."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from qdash_jupyter.data.snapshot_writer import MANIFEST, SNAPSHOT_FORMAT, write_snapshot

DEMO_SEED = 7
DEMO_VERSION = 5
"""Goes up when the generator changes, so that no old demo is mistaken for the current one."""


def demo_snapshot(folder: Path | None = None) -> Path:
    """The folder of the default demo chip's snapshot; makes it when it is not there (some seconds).

    Several kernels may start at once: each writes to a folder of its own, the first one to finish is kept.
    """
    from platformdirs import user_cache_path

    place = folder or user_cache_path("qdash-jupyter") / f"demo-{DEMO_VERSION}-{SNAPSHOT_FORMAT}-{DEMO_SEED}"
    if (place / MANIFEST).exists():
        return place
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


def write_demo_snapshot(folder: Path, *, seed: int, size: int = 64, days: int = 90, faults: bool = True) -> Path:
    """Write the demo chip of `seed` as a snapshot to `folder`."""
    from qdash_jupyter.data.demo.generator import make_demo

    chip = make_demo(seed=seed, size=size, days=days, faults=faults)
    kind = "planted faults" if faults else "healthy"
    source = f"generated: {chip.chip_id}, seed {seed}, {days} days, {kind}"
    return write_snapshot(chip.documents, folder, as_of=chip.as_of, source=source, is_demo=True)
