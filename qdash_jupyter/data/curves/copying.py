"""Takes the files of results along: figures as Plotly JSON, and raw data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from qdash_jupyter.data.calib_data import CALIB_DATA, CalibData, LeftOut, place_below
from qdash_jupyter.data.calib_file import CalibFileWriter
from qdash_jupyter.data.curves.frames import MOST_BYTES
from qdash_jupyter.data.decode import Document

_EVERY = 200
"""Files between two reports."""


def with_files(
    documents: Iterable[Document], calib_data: CalibData, target: Path, on_progress: Callable[[str, int], None]
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
