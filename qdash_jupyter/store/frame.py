"""One stored result: the tables as DataFrames, the scalars beside them, and where they came from."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from qdash_jupyter.domain.evidence import Source

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class FrameSource:
    """The call that gave a result: tool and arguments (as JSON values), and the reads it made."""

    tool: str
    arguments: Mapping[str, Any]
    reads: tuple[Source, ...] = ()

    def same_call(self, other: FrameSource) -> bool:
        """Whether both are the same question to the database."""
        return self.tool == other.tool and dict(self.arguments) == dict(other.arguments)


class StoredResult(Mapping[str, Any]):
    """A tool's full result: `result["timeseries"]` is a DataFrame, `result["unit"]` a scalar; `result.frame` is the
    main table. Times are zoned, each table's `.attrs["units"]` gives the unit of its columns.
    """

    def __init__(
        self,
        key: str,
        values: Mapping[str, Any],
        *,
        main: str,
        units: Mapping[str, str],
        source: FrameSource,
        fetched_at: datetime,
        version: int = 1,
    ) -> None:
        """`main` names the table that `frame` gives; `units` are by column name."""
        import pandas as pd

        self.key = key
        self.units = dict(units)
        self.source = source
        self.fetched_at = fetched_at
        self.version = version
        self._main = main
        self._values = dict(values)
        for name, value in self._values.items():
            if isinstance(value, pd.DataFrame):
                value.attrs["units"] = {column: unit for column, unit in units.items() if column in value.columns}
                value.attrs["source"] = f"{source.tool}: {key}/{name}"
        self.data_hash = self._hash()

    @property
    def frame(self) -> pd.DataFrame:
        """The main table."""
        table: pd.DataFrame = self._values[self._main]
        return table

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name."""
        import pandas as pd

        return {name: value for name, value in self._values.items() if isinstance(value, pd.DataFrame)}

    @property
    def scalars(self) -> dict[str, Any]:
        """Everything that is no table."""
        tables = self.tables
        return {name: value for name, value in self._values.items() if name not in tables}

    @property
    def changed(self) -> bool:
        """Whether somebody changed a table since it was fetched."""
        return self._hash() != self.data_hash

    def _hash(self) -> int:
        return hash(
            tuple((name, tuple(map(str, table.columns)), _rows_hash(table)) for name, table in self.tables.items())
        )

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            known = ", ".join(map(repr, self._values))
            msg = f"data[{self.key!r}] has no {name!r}; it has {known}"
            raise KeyError(msg) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        tables = ", ".join(f"{name} {len(t)} × {len(t.columns)}" for name, t in self.tables.items())
        return f"<StoredResult {self.key!r}: {tables}; from {self.source.tool}, {self.fetched_at:%Y-%m-%d %H:%M} UTC>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td><code>{html.escape(name)}</code></td><td>{len(table)} rows</td>"
            f"<td>{html.escape(', '.join(_with_unit(str(c), self.units) for c in table.columns))}</td></tr>"
            for name, table in self.tables.items()
        )
        return (
            f"<p><b>{html.escape(self.key)}</b> from <code>{html.escape(self.source.tool)}</code>, "
            f"{self.fetched_at:%Y-%m-%d %H:%M} UTC</p><table>{rows}</table>"
        )


def _rows_hash(table: pd.DataFrame) -> int:
    """A hash of index and rows, in their order."""
    import pandas as pd

    try:
        rows = pd.util.hash_pandas_object(table)
    except TypeError:  # unhashable objects, such as lists
        rows = pd.util.hash_pandas_object(table.astype(str))
    return hash(rows.to_numpy().tobytes())


def _with_unit(column: str, units: Mapping[str, str]) -> str:
    return f"{column} [{units[column]}]" if units.get(column) else column
