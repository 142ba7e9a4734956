"""One stored result: the tables as DataFrames, the scalars beside them, and where they came from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeAlias

from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.errors import PersonError
from qdash_jupyter.store.listing import listing_html

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


FetchAgain: TypeAlias = "Callable[[FrameSource], StoredResult]"
"""Makes a call again and gives what is stored then. Blocks."""


class StoredResult(Mapping[str, Any]):
    """A tool's full result: `result["timeseries"]` is a DataFrame, `result["unit"]` a scalar; `result.frame` is the
    main table. Times are zoned, each table's `.attrs["units"]` gives the unit of its columns.

    The store says how it took it in: `unchanged` when the main table is that of the version before, `kept` is the key
    of a result of the same call that stays because somebody changed it.
    """

    unchanged = False
    kept: str | None = None

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
        now: Callable[[], datetime] | None = None,
        again: FetchAgain | None = None,
    ) -> None:
        """`main` names the table that `frame` gives; `units` are by column name; `now` is the clock of ages."""
        import pandas as pd

        self.key = key
        self.units = dict(units)
        self.source = source
        self.fetched_at = fetched_at
        self.version = version
        self._main = main
        self._now = now
        self._again = again
        self._values = dict(values)
        for name, value in self._values.items():
            if isinstance(value, pd.DataFrame):
                value.attrs["units"] = {column: unit for column, unit in units.items() if column in value.columns}
                value.attrs["source"] = f"{source.tool}: {key}/{name}"
        self.data_hashes = self._hashes()

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
        return self._hashes() != self.data_hashes

    @property
    def age(self) -> timedelta:
        """Time since it was fetched; in a snapshot's own time, which stands still."""
        return (self._now or _clock)() - self.fetched_at

    @property
    def version_words(self) -> str:
        """`version 1`, or of later ones whether their data are new."""
        data = "" if self.version == 1 else ", the same data" if self.unchanged else ", new data"
        return f"version {self.version}{data}"

    def refresh(self) -> StoredResult:
        """Make the same call again, and give the new version. It takes this one's key, unless somebody changed a table
        of this one: then it gets a key of its own, and both stay. This object stays as it is in any case.

        Raises:
            PersonError: it cannot be fetched again; the message says why and what to do.
            ToolError: the call fails now, for instance because nothing was measured in its time range.
        """
        if self._again is None:
            raise PersonError(
                f"data[{self.key!r}] is a copy that belongs to no conversation.",
                f"Fetch it again with copilot.tools.{self.source.tool}(…).",
            )
        return self._again(self.source)

    def same_data(self, other: StoredResult) -> bool:
        """Whether both had the same main table when they were fetched. Other tables may differ in ages alone."""
        return self._main == other._main and self.data_hashes[self._main] == other.data_hashes[other._main]

    def _hashes(self) -> dict[str, str]:
        return {name: _hash(table) for name, table in self.tables.items()}

    def __getstate__(self) -> dict[str, Any]:
        # What is copied or sent elsewhere leaves the conversation behind.
        return self.__dict__ | {"_now": None, "_again": None}

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
        kept = f"; data[{self.kept!r}] stays as it is, because you changed it" if self.kept is not None else ""
        return (
            f"<StoredResult {self.key!r}: {tables}; from {self.source.tool}, "
            f"{self.fetched_at:%Y-%m-%d %H:%M} UTC, {self.version_words}{kept}>"
        )

    def _repr_html_(self) -> str:
        return listing_html([self])


def _clock() -> datetime:
    return datetime.now(UTC)


def _hash(table: pd.DataFrame) -> str:
    """A hash of columns, index and rows, in their order; the same in every process."""
    import numpy as np
    import pandas as pd

    try:
        rows = pd.util.hash_pandas_object(table)
    except TypeError:  # unhashable objects, such as lists; arrays within them are written out whole
        with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
            rows = pd.util.hash_pandas_object(table.astype(str))
    head = repr([(str(name), str(dtype)) for name, dtype in zip(table.columns, table.dtypes, strict=True)])
    return blake2b(head.encode("utf-8", "replace") + rows.to_numpy().tobytes(), digest_size=16).hexdigest()
