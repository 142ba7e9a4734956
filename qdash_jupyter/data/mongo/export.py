"""Takes a snapshot of one chip: its documents out of MongoDB, into a folder that can be read years later."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import get_args

from qdash_jupyter.data.calib_data import CALIB_DATA, CalibFolder, LeftOut, place_below
from qdash_jupyter.data.calib_file import CALIB_FILE, CalibFileWriter
from qdash_jupyter.data.curves.frames import MOST_BYTES
from qdash_jupyter.data.decode import Document
from qdash_jupyter.data.documents import SHAPES
from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import CurrentQuery
from qdash_jupyter.data.records import ChipRecord, ElementKind
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.errors import SnapshotError

_SINCE = ("task_result_history", "execution_history", "calibration_note")
"""Only these are cut at a start: lineages and the values of a day reach further back."""

_EVERY = 200
"""Files between two reports."""


def export_snapshot(
    reader: MongoReader,
    chip: ChipRecord,
    folder: Path,
    *,
    since: datetime | None = None,
    calib_data: Path | None = None,
    on_progress: Callable[[str, int], None] = lambda *_: None,
) -> Path:
    """Write what the tools can ask about `chip` to `folder`, whole or not at all.

    Args:
        reader: of the database.
        chip: whose documents.
        folder: must not exist, or be empty.
        since: leaves out results, runs and calibration notes that are older, but for results that decide about a
            current value.
        calib_data: this machine's folder of that name: the figures and raw data of the results are copied from it, into
            a file of the snapshot; None copies none. A file that is missing or too large is left out.
        on_progress: called with a collection (or `calib_data`) and how many of its documents (files) are written.

    Raises:
        SnapshotError: there is something in the folder already, or it cannot be written.
        DatabaseError: the database cannot be read.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SnapshotError.with_hint("folder-not-empty", folder=str(folder))
    ref = chip.ref
    query = {"project_id": ref.project_id, "chip_id": ref.chip_id, "since": since.isoformat() if since else None}
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as temporary:
            partial = Path(temporary) / folder.name
            documents = {collection: _documents(reader, chip, collection, since) for collection in SHAPES}
            if calib_data is not None:
                results = documents["task_result_history"]
                copies = _with_files(results, CalibFolder(calib_data), partial / CALIB_FILE, on_progress)
                documents["task_result_history"] = copies
            source = f"MongoDB {reader.origin.label}"
            write_snapshot(documents, partial, as_of=reader.now(), source=source, query=query, on_progress=on_progress)
            partial.replace(folder)
    except OSError as error:
        raise SnapshotError.with_hint("snapshot-not-written", folder=str(folder), reason=str(error.strerror)) from None
    return folder


def _documents(reader: MongoReader, chip: ChipRecord, collection: str, since: datetime | None) -> Iterator[Document]:
    shape = SHAPES[collection]
    filter_ = reader.scope(chip.ref) if shape.scope == "chip" else {"project_id": chip.ref.project_id}
    if since is not None and collection in _SINCE:
        newer = pipelines.since_or_undated(shape.newest_by, since)
        if collection == "task_result_history":
            newer = pipelines.or_decides(newer, _instead_of_excluded(reader, chip))
        filter_ |= newer
    yield from reader.stream(collection, filter_)


def _instead_of_excluded(reader: MongoReader, chip: ChipRecord) -> list[str]:
    """The results whose values stand in the place of excluded ones."""
    current = [reader.current_parameters(CurrentQuery(chip.ref, kind)) for kind in get_args(ElementKind)]
    return [task_id for values in current for task_id in values.loc[values["flag"].str.contains("excluded"), "task_id"]]


def _with_files(
    documents: Iterable[Document], calib_data: CalibFolder, target: Path, on_progress: Callable[[str, int], None]
) -> Iterator[Document]:
    """The documents of results, while the files that they name are copied into one file, `target`.

    What is missing, lies elsewhere or is too large is left out; whoever reads it later is told that it is missing.
    """
    with CalibFileWriter(target) as files:
        for document in documents:
            for field, most_bytes in MOST_BYTES.items():
                paths = document.get(field)
                for path in paths if isinstance(paths, list) else ():
                    try:
                        place = place_below(str(path))
                        if place in files:
                            continue
                        files.add(place, calib_data.read(str(path), most_bytes=most_bytes))
                    except LeftOut:
                        continue
                    if len(files) % _EVERY == 0:
                        on_progress(CALIB_DATA, len(files))
            yield document
        on_progress(CALIB_DATA, len(files))
