"""One stored result: the tables as DataFrames, the scalars beside them, and where they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from qdash_jupyter.domain.ages import age_words
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.errors import NoData, PersonError
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.store.listing import call_html, code_html, listing_html, tables_html
from qdash_jupyter.store.table import StoredTable

if TYPE_CHECKING:
    import pandas as pd

    from qdash_jupyter.explore.explorer import Explorer


FILE = "file"
"""What stands in a tool's place of a file."""


@dataclass(frozen=True, slots=True)
class FrameSource:
    """The call that gave a result: tool and arguments (as JSON values), and the reads it made.

    `call` is the same as Python, for a notebook that is run again later: `get_chip_summary()`, with moments in place of
    "30 days ago".
    """

    tool: str
    arguments: Mapping[str, Any]
    reads: tuple[Source, ...] = ()
    call: str = ""

    @property
    def is_file(self) -> bool:
        """Whether it is a file that the user dropped on the panel: nothing can fetch it again."""
        return self.tool == FILE and not self.call

    def same_call(self, other: FrameSource) -> bool:
        """Whether both are the same question to the database: in the same words, or the same call as Python."""
        mine, theirs = dict(self.arguments), dict(other.arguments)
        of_one_chip = all(mine.get(name) == theirs.get(name) for name in ("chip_id", "project_id"))
        is_same = mine == theirs or (of_one_chip and self.call == other.call != "")
        return self.tool == other.tool and is_same


FetchAgain: TypeAlias = "Callable[[FrameSource], StoredResult]"
"""Makes a call again and gives what is stored then. Blocks."""


class StoredResult(Mapping[str, Any]):
    """A tool's full result: `result["timeseries"]` is a DataFrame, `result["unit"]` a scalar; `result.frame` is the
    main table. Times are zoned, each table's `.attrs["units"]` gives the unit of its columns, `.attrs["parameter"]` and
    `.attrs["as_of"]` of a series what was measured and until when.

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
    ) -> None:
        """`main` names the table that `frame` gives; `units` are by column name; `now` is the clock of ages."""
        import pandas as pd

        self.key = key
        self.units = dict(units)
        self.source = source
        self.fetched_at = fetched_at
        self.version = version
        self.main = main
        """The name of the main table."""
        self.explorer: Callable[[str, str], Explorer] | None = None
        """Opens the tool of `explore` for a key and a table; None of a copy that is in no store."""
        self.again: FetchAgain | None = None
        """Makes the call of a source again; None of a copy that is in no store."""
        self._now = now
        self._values = dict(values)
        # So that a method knows the metric and the time of a table that stands alone; text, which any format keeps.
        about = {"parameter": values.get("parameter_name"), "as_of": values.get("as_of")}
        known = {name: str(value) for name, value in about.items() if value is not None}
        for name, value in values.items():
            if isinstance(value, pd.DataFrame):
                value.attrs["units"] = {column: unit for column, unit in units.items() if column in value.columns}
                value.attrs["source"] = f"{source.tool}: {key}/{name}"
                value.attrs |= known
                self._values[name] = StoredTable(value)

    @property
    def frame(self) -> pd.DataFrame:
        """The main table."""
        return self.stored_tables[self.main].frame

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name. Those in files are opened."""
        return {name: table.frame for name, table in self.stored_tables.items()}

    @property
    def stored_tables(self) -> dict[str, StoredTable]:
        """All tables by name, whether in memory or in files. None is opened."""
        return {name: value for name, value in self._values.items() if isinstance(value, StoredTable)}

    @property
    def rows(self) -> int:
        """Rows of the main table."""
        return self.stored_tables[self.main].rows

    @property
    def scalars(self) -> dict[str, Any]:
        """Everything that is no table."""
        return {name: value for name, value in self._values.items() if not isinstance(value, StoredTable)}

    @property
    def changed(self) -> bool:
        """Whether somebody changed a table since it was fetched."""
        return any(table.changed for table in self.stored_tables.values())

    @property
    def memory_words(self) -> Message:
        """`12 MB in memory`, `1.3 GB in a file, opened when you use it`, or both, as the tables were when fetched."""
        tables = self.stored_tables.values()
        inside = sum(table.memory for table in tables if table.in_memory)
        outside = [table.memory for table in tables if not table.in_memory]
        parts = [Message("stored-in-memory", size=size_words(inside))] if inside or not outside else []
        if outside:
            parts.append(Message("stored-in-files", size=size_words(sum(outside)), count=len(outside)))
        return Message("stored-parts", parts=tuple(parts))

    @property
    def age(self) -> timedelta:
        """Time since it was fetched; in a snapshot's own time, which stands still."""
        return (datetime.now(UTC) if self._now is None else self._now()) - self.fetched_at

    @property
    def version_words(self) -> Message:
        """`version 1`, or of later ones whether their data are new."""
        data = "first" if self.version == 1 else "same" if self.unchanged else "new"
        return Message("stored-version", number=self.version, data=data)

    def refresh(self) -> StoredResult:
        """Make the same call again, and give the new version. It takes this one's key, unless somebody changed a table
        of this one: then it gets a key of its own, and both stay. This object stays as it is in any case.

        Raises:
            PersonError: it cannot be fetched again; the message says why and what to do.
            ToolError: the call fails now, for instance because nothing was measured in its time range.
        """
        if self.source.is_file:
            raise NoData.with_hint("data-from-file", key=self.key)
        if self.again is None:
            raise PersonError(
                Message("data-is-a-copy", key=self.key), Message("data-is-a-copy-fetch-hint", tool=self.source.tool)
            )
        return self.again(self.source)

    def explore(self, table: str = "") -> Explorer:
        """A tool for the notebook that draws what one chooses of a table, the main one unless named: a metric, qubits
        or couplings, a time window, a kind of chart. It has a button for the code of the chart.

        Raises:
            PersonError: this is a copy that belongs to no conversation.
            KeyError: there is no such table, or this result is not stored any more.
        """
        if self.explorer is None:
            raise PersonError(Message("data-is-a-copy", key=self.key), Message("data-is-a-copy-draw-hint"))
        return self.explorer(self.key, table)

    def same_data(self, other: StoredResult) -> bool:
        """Whether both had the same main table when they were fetched. Other tables may differ in ages alone."""
        mine, theirs = self.stored_tables, other.stored_tables
        return self.main == other.main and mine[self.main].digest == theirs[other.main].digest

    def __getstate__(self) -> dict[str, Any]:
        # What is copied or sent elsewhere leaves the conversation behind.
        return self.__dict__ | {"_now": None, "again": None, "explorer": None}

    def __getitem__(self, name: str) -> Any:
        try:
            value = self._values[name]
        except KeyError:
            raise KeyError(self._without(name)) from None
        return value.frame if isinstance(value, StoredTable) else value

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(name if name.startswith("_") else self._without(name))

    def _without(self, name: str) -> str:
        """Say what there is instead of something that is asked for."""
        tables = ", ".join(f"{each!r} ({', '.join(table.columns)})" for each, table in self.stored_tables.items())
        return f"data[{self.key!r}] has no {name!r}; its tables: {tables}; its values: {', '.join(self.scalars)}"

    def __contains__(self, name: object) -> bool:
        return name in self._values  # without opening a file, as the Mapping's own would

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        tables = ", ".join(f"{name} {t.rows} × {len(t.columns)}" for name, t in self.stored_tables.items())
        kept = f"; {Message('stored-kept', key=self.kept)}" if self.kept is not None else ""
        kept += f"; {self.cut_words}" if self.cut_words else ""
        return (
            f"<StoredResult {self.key!r}: {tables}; {self.memory_words}; from {self.source.tool}, "
            f"{self.fetched_at:%Y-%m-%d %H:%M} UTC, {self.version_words}{kept}>"
        )

    @property
    def cut_words(self) -> Text:
        """How many rows there are, where the tool gave the newest of them only; else nothing."""
        return Message("stored-cut", total=self.scalars["total"]) if "cut" in self.scalars else ""

    def _repr_html_(self) -> str:
        return listing_html([self.listed()])

    def listed(self) -> tuple[str, str, str]:
        """Its row in a listing, as HTML: how one writes it, its tables with their memory, and where it came from."""
        language, at = reader(), f"{self.fetched_at:%Y-%m-%d %H:%M}"
        fetched = Message("stored-fetched", age=age_words(self.age, language), time=at, version=self.version_words)
        origin = [call_html(self.source.tool, self.source.arguments), fetched.of(language)]
        if self.changed:
            origin.append(f"<b>{Message('panel-frames-changed').of(language)}</b>")
        if self.kept is not None:
            origin.append(escape(Message("stored-kept", key=self.kept).of(language)))
        if isinstance(self.cut_words, Message):
            origin.append(escape(self.cut_words.of(language)))
        tables = [*tables_html(self.stored_tables, self.units), self.memory_words.of(language)]
        return code_html(f"data[{self.key!r}]"), "<br>".join(tables), "<br>".join(origin)
