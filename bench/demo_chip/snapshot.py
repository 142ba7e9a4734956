"""A demo chip as a snapshot folder."""

from __future__ import annotations

from pathlib import Path

from demo_chip.curve_files import figure_of, has_figure
from demo_chip.generator import DemoChip, make_demo
from qdash_jupyter.data.calib_data import place_below
from qdash_jupyter.data.calib_file import CALIB_FILE, CalibFileWriter
from qdash_jupyter.data.decode import DocumentDecoder, ProblemLog
from qdash_jupyter.data.lookups import task_result
from qdash_jupyter.data.snapshot_writer import write_snapshot

DEMO_SEED = 7
"""Of the chip that comes with the package."""

_LEVEL = 19
"""Of zstd: it is written once, and is in every wheel."""


def write_demo_snapshot(
    folder: Path, *, seed: int, size: int = 64, days: int = 90, faults: bool = True, curves: bool = False
) -> Path:
    """Write the demo chip of `seed` as a snapshot to `folder`, with the curves of its results where asked.

    Raises:
        FileExistsError: the folder holds a snapshot already.
        ValueError: there is no such chip.
    """
    chip = make_demo(seed=seed, size=size, days=days, faults=faults)
    source = f"generated: {chip.chip_id}, seed {seed}, {days} days, {'planted faults' if faults else 'healthy'}"
    if curves:
        folder.mkdir(parents=True, exist_ok=True)
        write_curves(chip, folder / CALIB_FILE)
    return write_snapshot(chip.documents, folder, as_of=chip.as_of, source=source, is_demo=True, smallest=curves)


def write_curves(chip: DemoChip, place: Path) -> None:
    """Write the figures of a chip's results, those of a task beside each other, the newest first."""
    collection, log = "task_result_history", ProblemLog(lambda: chip.as_of)
    results = [task_result(DocumentDecoder(collection, one, log)) for one in reversed(chip.documents[collection])]
    with CalibFileWriter(place, level=_LEVEL) as files:
        for result in sorted(filter(has_figure, results), key=lambda one: one.task_name):
            (path,) = result.json_figure_path
            files.add(place_below(path), figure_of(result, chip.truth.dead))
