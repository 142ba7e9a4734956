"""Takes the files of results along: figures as Plotly JSON, and raw data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from qdash_jupyter.data.calib_data import CALIB_DATA, LeftOut, place_below, read_result_file
from qdash_jupyter.data.curves.frames import MOST_BYTES
from qdash_jupyter.data.decode import Document

_EVERY = 200
"""Files between two reports."""


def with_files(
    documents: Iterable[Document], source: Path, target: Path, on_progress: Callable[[str, int], None]
) -> Iterator[Document]:
    """The documents of results, while the files that they name are copied from one `calib_data` folder to another.

    What is missing, lies elsewhere or is too large is left out; whoever reads it later is told that it is missing.
    """
    count = 0
    for document in documents:
        for field, most_bytes in MOST_BYTES.items():
            paths = document.get(field)
            for path in paths if isinstance(paths, list) else ():
                copy = _copy_of(str(path), target)
                if copy is None or copy.exists():
                    continue
                try:
                    content = read_result_file(str(path), source, most_bytes=most_bytes)
                except LeftOut:
                    continue
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
                count += 1
                if count % _EVERY == 0:
                    on_progress(CALIB_DATA, count)
        yield document
    on_progress(CALIB_DATA, count)


def _copy_of(path: str, target: Path) -> Path | None:
    try:
        return target / place_below(path)
    except LeftOut:
        return None
