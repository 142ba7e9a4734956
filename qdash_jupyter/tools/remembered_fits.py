"""Fits of results that were judged already: the same points give the same verdict."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from qdash_jupyter.data.calib_data import CalibData, LeftOut

if TYPE_CHECKING:
    from qdash_jupyter.data.curves.frames import MissingFile
    from qdash_jupyter.data.records import TaskResult
    from qdash_jupyter.methods.curves.audit import Audited

MOST = 10_000
"""Verdicts kept, those used last: about five kilobytes each."""


class Fitted(NamedTuple):
    """What became of a result's files: the verdict on its curve, where there is one, and what is missing."""

    verdict: Audited | None
    missing: tuple[MissingFile, ...]


@dataclass(slots=True)
class RememberedFits:
    """Verdicts by result, with everything that is stored of it, and by the stamps of its files."""

    _known: OrderedDict[object, Fitted] = field(default_factory=OrderedDict)

    def __len__(self) -> int:
        return len(self._known)

    def of(self, result: TaskResult, calib_data: CalibData) -> Fitted:
        """Return what is known of the result, or fit its curve."""
        from qdash_jupyter.data.curves.frames import read_files
        from qdash_jupyter.methods.curves.audit import audited

        key = repr(result), *(_stamp(path, calib_data) for path in (*result.json_figure_path, *result.raw_data_path))
        known = self._known.pop(key, None)
        if known is None:
            files = read_files(result, calib_data)
            known = Fitted(next(audited([files.curve]), None) if files.curve is not None else None, files.missing)
        self._known[key] = known
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return known


def _stamp(path: str, calib_data: CalibData) -> object:
    """What changes with a file's content."""
    try:
        return calib_data.stamp(path)
    except LeftOut:
        return None
