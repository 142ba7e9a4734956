"""Reads one collection of a snapshot, a Parquet file, a group of rows at a time: only columns and groups that count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow.dataset import ParquetFileFormat
from pyarrow.fs import LocalFileSystem

Where = Mapping[str, Any]
"""Conditions (Expressions of pyarrow) that all hold, each by the one column that it is about."""

PLACE = "place"
"""The column that says which row of the file it is."""

_TEXTS_AT_A_TIME = 1000


class CollectionFile:
    """The file as it is now. It is opened for each question, so none stands open between two, and threads share none.

    Raises (all methods): OSError, pyarrow.ArrowException where it is gone or damaged.
    """

    def __init__(self, path: Path) -> None:
        """Read where its groups of rows are, and what they hold at least and at most."""
        self._fragment = ParquetFileFormat().make_fragment(str(path), filesystem=LocalFileSystem())
        self._file = pq.ParquetFile(path, metadata=self._fragment.metadata)
        schema = self._file.metadata.schema
        self._columns = {schema.column(index).path: index for index in range(len(schema))}

    def read(
        self, where: Where, columns: Collection[str] = (), each: Callable[[pa.Table], pa.Table] = lambda rows: rows
    ) -> pa.Table:
        """The rows where it holds, with these columns and `PLACE`; what `each` makes of each group of them.

        A column `list.field` is that field of the records in a list.
        """
        kept = [*dict.fromkeys(name.split(".")[0] for name in columns), PLACE]
        nothing = self._file.read_row_groups([], self._leaves(columns)).append_column(PLACE, pa.array([], pa.int64()))
        parts = [each(nothing.select(kept))]  # so that there is always one, with the right columns
        for group, first, end in self._groups(_all_of(where)):
            open_ones = {name: condition for name, condition in where.items() if not self._is_constant(group, name)}
            rows = self._file.read_row_group(group, self._leaves({*open_ones, *columns}))
            rows = rows.append_column(PLACE, pa.array(np.arange(first, end)))
            rows = rows.filter(_all_of(open_ones)) if open_ones else rows
            if len(rows):
                parts.append(each(rows.select(kept)))
        return pa.concat_tables(parts)

    def texts(self, column: str, places: Sequence[int]) -> list[str]:
        """The column's texts at these places. What stands before them in their groups is unpacked, but not kept."""
        found: dict[int, str] = {}
        wanted = np.unique(np.asarray(places, dtype=np.int64))
        for group, first, end in self._groups():
            mine = wanted[(wanted >= first) & (wanted < end)]
            if not len(mine):
                continue
            for batch in self._file.iter_batches(_TEXTS_AT_A_TIME, row_groups=[group], columns=[column]):
                here, mine = mine[mine < first + len(batch)], mine[mine >= first + len(batch)]
                found |= zip(here.tolist(), batch.column(0).take(pa.array(here - first)).to_pylist(), strict=True)
                first += len(batch)  # noqa: PLW2901
                if not len(mine):
                    break
        return [found[place] for place in places]

    def _groups(self, which: Any = None) -> Iterator[tuple[int, int, int]]:
        """The groups of rows that may hold something: their numbers, and those of their first row and of the next."""
        fragment = self._fragment if which is None else self._fragment.subset(which)
        chosen = {group.id for group in fragment.row_groups}
        end = 0
        for group in range(self._file.num_row_groups):
            first, end = end, end + self._file.metadata.row_group(group).num_rows
            if group in chosen:
                yield group, first, end

    def _is_constant(self, group: int, column: str) -> bool:
        """Whether the column has one value in that group: a condition on it that may hold there does, in every row."""
        held = self._file.metadata.row_group(group).column(self._columns[column]).statistics
        return bool(held and held.has_min_max and held.null_count == 0 and held.min == held.max)

    def _leaves(self, columns: Collection[str]) -> list[str]:
        """The columns as the file has them: a list's field has the list's own levels between its names."""
        ends = {path: path.split(".") for path in self._columns}
        return [path for path, names in ends.items() if names[0] in columns or f"{names[0]}.{names[-1]}" in columns]


def _all_of(where: Where) -> Any:
    return reduce(and_, where.values()) if where else None


def records(rows: pa.Table, column: str, parameters: Sequence[str] | None = None) -> pa.Table:
    """A row for each record in this column's lists, or for those of these parameters; its fields are `list.field`."""
    lists = rows[column].combine_chunks()
    held, of = lists.flatten(), pc.list_parent_indices(lists)
    if parameters is not None:
        is_asked = pc.is_in(held.field("parameter"), pa.array(parameters, pa.string()))
        held, of = held.filter(is_asked), of.filter(is_asked)
    each = rows.drop_columns([column]).take(of)
    for field, values in zip(held.type, held.flatten(), strict=True):
        each = each.append_column(f"{column}.{field.name}", values)
    return each


def holds(lists: pa.ChunkedArray, text: str) -> Any:
    """Whether each of these lists of texts holds this one."""
    whole = lists.combine_chunks()
    found: Any = np.zeros(len(whole), dtype=bool)
    found[pc.list_parent_indices(whole).filter(pc.equal(whole.flatten(), text))] = True
    return found
