"""Reads one collection of a snapshot, a Parquet file: only columns and groups of rows that count, and of what is asked
for newest first only as many pages as it takes.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice, pairwise
from operator import and_
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow.dataset import ParquetFileFormat, ParquetFileFragment
from pyarrow.fs import LocalFileSystem

Where = Mapping[str, Any]
"""Conditions (Expressions of pyarrow) that all hold, each by the one column that it is about."""
_EVERYWHERE: Where = {}

Each = Callable[[pa.Table], pa.Table]
"""What becomes of each group of rows."""

PLACE = "place"
"""The column that says which row of the file it is."""

_PAGE = 1000
"""Rows that are unpacked at a time, as they are written."""

_BUFFER = 1 << 14
"""Bytes that are read ahead of a page."""


_FILES = 100
"""Whose ends are kept."""


class CollectionFile:
    """The file as it is now. It is opened for each question, so none stands open between two, and threads share none.

    Raises (all methods): OSError, pyarrow.ArrowException where it is gone or damaged.
    """

    def __init__(self, path: Path) -> None:
        """Look where its groups of rows are, and what they hold at least and at most: read once, as long as the file
        stays as it is.
        """
        now = path.stat()
        self._as_it_is = path, now.st_size, now.st_mtime_ns
        self._fragment = _fragment(*self._as_it_is)
        self._file = pq.ParquetFile(path, metadata=self._fragment.metadata, buffer_size=_BUFFER, pre_buffer=False)
        schema = self._file.metadata.schema
        self._columns = {schema.column(index).path: index for index in range(len(schema))}

    def read(self, where: Where, columns: Collection[str] = (), each: Each = lambda rows: rows) -> pa.Table:
        """The rows where it holds, with these columns and `PLACE`; what `each` makes of each group of them.

        A column `list.field` is that field of the records in a list.
        """
        parts = [each(self._nothing(columns))]  # so that there is always one, with the right columns
        for group, first, end in self._groups(where):
            if not self._may_hold(group, where):
                continue
            open_ones = self._open_conditions(group, where)
            rows = self._file.read_row_group(group, self._leaves({*open_ones, *columns}))
            rows = self._found(rows, range(first, end), open_ones, columns)
            if len(rows):
                parts.append(each(rows))
        return pa.concat_tables(parts)

    def newest(
        self, where: Where, columns: Collection[str] = (), loose: Where = _EVERYWHERE
    ) -> Iterator[tuple[pa.Table, float]]:
        """The same rows, of each group by falling `rank`, some and then ever more at a time: with the greatest rank
        that is to come. What is `loose` is anywhere: groups that may hold such rows come first.
        """
        yield self._nothing(columns), math.inf
        unordered = {group for group, *_ in self._groups(loose)} if loose else set[int]()
        groups = [
            (-math.inf if group in unordered else -self._greatest(group, "rank"), group, first)
            for group, first, _ in self._groups(where)
        ]
        groups.sort()
        at_once = 1
        for (least, group, first), (later, *_) in pairwise([*groups, (math.inf, -1, -1)]):
            if not self._may_hold(group, where):
                continue
            open_ones = self._open_conditions(group, where)
            leaves = self._leaves({*open_ones, *columns, "rank"})
            batches = self._file.iter_batches(_PAGE, row_groups=[group], columns=leaves)
            while some := list(islice(batches, at_once)):
                rows = pa.Table.from_batches(some)
                last = rows["rank"][-1].as_py()
                here = -least if least == -math.inf else -math.inf if last is None else last
                places = range(first, first + len(rows))
                first, at_once = places.stop, 2 * at_once  # noqa: PLW2901
                yield self._found(rows, places, open_ones, columns), max(here, -later)

    def _nothing(self, columns: Collection[str]) -> pa.Table:
        """No row, with these columns."""
        return self._found(self._file.read_row_groups([], self._leaves(columns)), range(0), {}, columns)

    def _found(self, rows: pa.Table, places: range, where: Where, columns: Collection[str]) -> pa.Table:
        """The rows where it holds, with these columns and their places."""
        rows = rows.append_column(PLACE, pa.array(np.arange(places.start, places.stop)))
        rows = rows.filter(_all_of(where)) if where else rows
        return rows.select([*dict.fromkeys(name.split(".")[0] for name in columns), PLACE])

    def texts(self, column: str, places: Sequence[int]) -> list[str]:
        """The column's texts at these places. What stands before them in their groups is unpacked, but not kept."""
        found: dict[int, str] = {}
        wanted = np.unique(np.asarray(places, dtype=np.int64))
        for group, first, end in self._groups():
            mine = wanted[(wanted >= first) & (wanted < end)]
            if not len(mine):
                continue
            for batch in self._file.iter_batches(_PAGE, row_groups=[group], columns=[column]):
                here, mine = mine[mine < first + len(batch)], mine[mine >= first + len(batch)]
                found |= zip(here.tolist(), batch.column(0).take(pa.array(here - first)).to_pylist(), strict=True)
                first += len(batch)  # noqa: PLW2901
                if not len(mine):
                    break
        return [found[place] for place in places]

    def _groups(self, where: Where = _EVERYWHERE) -> Iterator[tuple[int, int, int]]:
        """The groups of rows that may hold something by their numbers and times: their own numbers, and those of their
        first row and of the next. Texts, which take ten times as long to compare, are looked at in `_may_hold`.
        """
        schema = self._fragment.physical_schema
        told = {name: one for name, one in where.items() if not pa.types.is_string(schema.field(name).type)}
        chosen, end = _groups(*self._as_it_is, pickle.dumps(_all_of(told))) if told else None, 0
        for group in range(self._file.num_row_groups):
            first, end = end, end + self._file.metadata.row_group(group).num_rows
            if chosen is None or group in chosen:
                yield group, first, end

    def _may_hold(self, group: int, where: Where) -> bool:
        """Whether a group may hold something by its texts, too. Who has enough before never looks."""
        return not where or bool(self._fragment.subset(row_group_ids=[group]).subset(_all_of(where)).row_groups)

    def _open_conditions(self, group: int, where: Where) -> Where:
        """The conditions that do not hold of all rows of a group that may hold anything at all."""
        return {name: condition for name, condition in where.items() if not self._is_constant(group, name)}

    def _greatest(self, group: int, column: str) -> float:
        """The greatest value of a group; without any, the least there is."""
        held = self._file.metadata.row_group(group).column(self._columns[column]).statistics
        return float(held.max) if held and held.has_min_max else -math.inf

    def _is_constant(self, group: int, column: str) -> bool:
        """Whether the column has one value in that group: a condition on it that may hold there does, in every row."""
        held = self._file.metadata.row_group(group).column(self._columns[column]).statistics
        return bool(held and held.has_min_max and held.null_count == 0 and held.min == held.max)

    def _leaves(self, columns: Collection[str]) -> list[str]:
        """The columns as the file has them: a list's field has the list's own levels between its names."""
        ends = {path: path.split(".") for path in self._columns}
        return [path for path, names in ends.items() if names[0] in columns or f"{names[0]}.{names[-1]}" in columns]


@lru_cache(_FILES)
def _fragment(path: Path, _size: int, _written_ns: int) -> ParquetFileFragment:
    """What the end of a file says of it."""
    return ParquetFileFormat().make_fragment(str(path), filesystem=LocalFileSystem())


@lru_cache(_FILES)
def _groups(path: Path, size: int, written_ns: int, condition: bytes) -> frozenset[int]:
    """The groups of rows that may hold something, by a condition that is pickled, as Expressions cannot be compared.
    The same come again: each search looks for dates that cannot be.
    """
    fragment = _fragment(path, size, written_ns)
    return frozenset(group.id for group in fragment.subset(pickle.loads(condition)).row_groups)  # noqa: S301 - our own


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
