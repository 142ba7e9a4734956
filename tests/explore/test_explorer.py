"""The tool that draws a table: what it offers, draws, and says instead; and the cell that draws the same."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from qdash_jupyter.errors import PersonError
from qdash_jupyter.explore import charts
from qdash_jupyter.explore.explorer import Explorer
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore

AT = datetime(2026, 6, 30, 12, 5, tzinfo=UTC)


def series(qubits: int = 3, days: int = 30) -> pd.DataFrame:
    """A measurement a day of each qubit; every tenth fit failed."""
    rng = np.random.default_rng(7)
    count = qubits * days
    values = rng.normal(60, 5, count)
    values[::10] = np.nan
    days_of = pd.date_range("2026-06-01 09:00", periods=days, tz="UTC")
    return pd.DataFrame(
        {
            "qid": np.repeat([str(n) for n in range(qubits)], days),
            "t": list(days_of) * qubits,
            "v": values,
            "error": rng.uniform(1, 2, count),
            "task_name": "CheckT1",
        }
    )


def stored(**tables: pd.DataFrame) -> FrameStore:
    """A store with one result, `t1`."""
    store = FrameStore()
    store.called = lambda: "data"
    source = FrameSource("series", {})
    values = {"parameter_name": "t1", **tables}
    units = {"v": "μs", "error": "μs", "t1": "μs", "qubit_frequency": "GHz"}

    def make(key: str, version: int) -> StoredResult:
        return StoredResult(
            key, values, main=next(iter(tables)), units=units, source=source, fetched_at=AT, version=version
        )

    store.put("t1", source, make)
    return store


def drawn(explorer: Explorer) -> Any:
    """The figure below the choices."""
    (output,) = explorer.chart.outputs
    return output["data"][PLOTLY_MIME]


def run(code: str, store: FrameStore) -> Any:
    """The figure that the cell ends with."""
    *_, last = code.split("\n\n")
    names: dict[str, Any] = {"data": store}
    exec(code.removesuffix(last), names)  # noqa: S102 - the cell as it is
    figure = eval(last, names)  # noqa: S307
    from plotly.io.base_renderers import PlotlyRenderer

    return PlotlyRenderer().to_mimebundle(figure.to_dict())[PLOTLY_MIME]


def titles(figure: Any) -> tuple[str, str]:
    layout = figure["layout"]
    return layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"]


KINDS = {
    "trend": ("time (UTC)", "T1 (μs)"),
    "histogram": ("T1 (μs)", "number of values"),
    "by_element": ("qubit", "T1 (μs)"),
    "against": ("error (μs)", "T1 (μs)"),
}


@pytest.mark.parametrize(("kind", "axes"), KINDS.items(), ids=KINDS)
@pytest.mark.parametrize("chosen", ["all", "some"])
def test_the_cell_draws_the_same_chart(kind: str, axes: tuple[str, str], chosen: str) -> None:
    store = stored(timeseries=series(qubits=12))
    explorer = store["t1"].explore()
    explorer.kind.value = kind
    if chosen == "some":
        explorer.only.value = ("3", "11")
        explorer.since.value, explorer.until.value = "2026-06-05", "2026-06-20"
    assert explorer.message.value == ""
    assert titles(drawn(explorer)) == axes
    code = explorer.code.code
    assert drawn(explorer) == run(code, store)
    assert ("only=" in code, "since=" in code) == (chosen == "some",) * 2
    assert max(map(len, code.splitlines())) <= 100


def test_what_a_series_offers() -> None:
    explorer = stored(timeseries=series()).explore("t1")
    assert explorer.metric.options == (("T1 (μs)", ("v", None)), ("error (μs)", ("error", None)))
    assert [kind for _, kind in explorer.kind.options] == list(KINDS)
    assert explorer.kind.value == "trend"
    assert explorer.only.options == (("All 3", ""), ("Q00", "0"), ("Q01", "1"), ("Q02", "2"))
    assert explorer.only.description == "Qubits"
    assert (explorer.since.value, explorer.until.value, len(explorer.since.options)) == ("2026-06-01", "2026-06-30", 30)
    # One that has neither times nor qubits offers no such choice.
    other = stored(runs=pd.DataFrame({"elapsed_time": [1.5, 2.5], "ok": [True, False]})).explore("t1")
    assert [kind for _, kind in other.kind.options] == ["histogram"]
    assert {each.layout.display for each in (other.only, other.since, other.until)} == {"none"}
    one_day = stored(timeseries=series(days=1)).explore("t1")
    assert [each.layout.display for each in (one_day.only, one_day.since, one_day.until)] == ["", "none", "none"]


def test_a_map_is_of_its_values_and_no_series() -> None:
    qubits = series(days=1).assign(row=[0, 0, 1], value=[61.0, 62.0, 63.0]).drop(columns="v")
    store = stored(heatmap=qubits[["qid", "row", "value", "error", "t"]])
    store["t1"].frame.attrs["units"] = {"value": "μs", "error": "μs"}
    explorer = store.explore("t1")
    assert [column for _, (column, _) in explorer.metric.options] == ["value", "error", "row"]
    assert "trend" not in dict(explorer.kind.options).values()


def test_couplings_and_rows_of_several_parameters() -> None:
    table = pd.DataFrame(
        {
            "qid": ["4-1", "4-1", "10-2", "10-2"],
            "parameter": ["direction", "qubit_frequency"] * 2,
            "value": ["forward", 4.8, "backward", 4.9],
            "unit": ["", "GHz"] * 2,
            "age_days": [1.0, 2.0, 3.0, 4.0],
        }
    )
    store = stored(values=table)
    explorer = store.explore("t1")
    frequency = ("Qubit Frequency (GHz)", ("value", "qubit_frequency"))
    assert explorer.metric.options == (("direction", ("value", "direction")), frequency)
    assert explorer.only.description == "Couplings"
    explorer.metric.value, explorer.kind.value = ("value", "qubit_frequency"), "by_element"
    assert titles(drawn(explorer)) == ("coupling", "Qubit Frequency (GHz)")
    assert list(drawn(explorer)["data"][0]["x"]) == ["Q04-Q01", "Q10-Q02"]
    assert drawn(explorer) == run(explorer.code.code, store)
    explorer.kind.value = "against"
    assert titles(drawn(explorer)) == ("age_days", "Qubit Frequency (GHz)")
    explorer.metric.value = ("value", "direction")
    assert "No row of this selection has a value" in explorer.message.value


def test_the_chart_follows_the_table_of_the_kernel() -> None:
    store = stored(timeseries=series())
    explorer = store.explore("t1")
    explorer.only.value, explorer.since.value = ("2",), "2026-06-03"
    store["t1"].frame["doubled"] = store["t1"].frame["v"] * 2
    store["t1"].frame.loc[store["t1"].frame["qid"] == "0", "qid"] = "9"
    later = store["t1"].frame["t"] == store["t1"].frame["t"].max()
    store["t1"].frame.loc[later, "t"] += pd.Timedelta("2D")
    explorer.again.click()
    assert (explorer.since.value, explorer.until.value) == ("2026-06-03", "2026-07-02")
    assert ("doubled", ("doubled", None)) in explorer.metric.options
    assert ("Q09", "9") in explorer.only.options
    assert explorer.only.value == ("2",)
    assert explorer.metric.value == ("v", None)


def test_without_a_chart_it_says_why_and_offers_no_code() -> None:
    store = stored(timeseries=series())
    explorer = store.explore("t1")

    def said() -> str:
        assert (explorer.chart.outputs, explorer.code.code) == ((), "")
        assert {"code", "words"} <= {*explorer.code.keys}, "the page has both"
        return str(explorer.message.value)

    explorer.only.value = ()
    assert "No qubit is selected. Select one or more." in said()
    explorer.only.value = ("0",)
    assert drawn(explorer)
    explorer.since.value, explorer.until.value = "2026-06-20", "2026-06-10"
    assert "Select more rows or a longer time range." in said()
    explorer.until.value = "2026-06-30"
    store["t1"].frame["v"] = np.nan
    explorer.kind.value = "histogram"
    assert "No row of this selection has a value" in said()
    del store["t1"].frame["v"]
    explorer.kind.value = "by_element"
    assert "no longer has a column &#x27;v&#x27;" in said()
    del store["t1"]
    explorer.again.click()
    assert "no longer exists. Fetch it again" in said()
    with pytest.raises(KeyError, match="No data has been fetched yet"):
        store.explore("t1")


def test_tables_that_cannot_be_drawn() -> None:
    for table, words in (
        (pd.DataFrame({"qid": ["1"], "status": ["failed"]}), "no column of numbers to draw. Its columns: qid, status."),
        (series().head(0), "This table has no rows."),
    ):
        explorer = stored(rows=table).explore("t1")
        assert words in explorer.message.value
        assert (explorer.choices.layout.display, explorer.only.layout.display) == ("none", "none")
    with pytest.raises(KeyError, match=r"has no table 'qubits'; it has 'timeseries'"):
        stored(timeseries=series())["t1"].explore("qubits")


def test_a_copy_has_nothing_to_explore() -> None:
    from copy import copy

    with pytest.raises(PersonError, match="belongs to no conversation"):
        copy(stored(timeseries=series())["t1"]).explore()


def test_the_charts_by_hand() -> None:
    table = series(qubits=2)
    table.attrs = {"units": {"v": "μs"}, "parameter": "t1"}
    # Ids in any spelling; moments as the methods take them, also of times without a zone.
    one = charts.trend(table, "v", time="t", by="qid", only=["Q01"], since="7d")
    assert [trace.name for trace in one.data] == ["Q01"]
    assert len(one.data[0].x) == len(table[(table["qid"] == "1") & (table["t"] >= "2026-06-23 09:00")].dropna())
    naive = table.assign(t=table["t"].dt.tz_localize(None))
    until = charts.selected(naive, "v", time="t", until="2026-06-10")
    assert until["t"].max() == pd.Timestamp("2026-06-10 09:00")
    # Of more qubits than colours the points, and each day's median.
    many = charts.trend(series(qubits=12), "v", time="t", by="qid")
    assert [trace.mode for trace in many.data] == ["markers", "lines"]
    # A million rows leave the kernel as boxes, or as some of them.
    large = series(qubits=50, days=1000)
    assert len(charts.by_element(large, "v", by="qid").to_json()) < 20_000
    few = charts.against(large, "v", "error")
    assert len(few.data[0].x) <= charts.MOST_POINTS
    # The worst points are drawn wherever they are.
    for drawn in (few.data[0], charts.by_element(large, "v", by="qid").data[1]):
        assert (min(drawn.y), max(drawn.y)) == (large["v"].min(), large["v"].max())
    assert few.layout.title.text.endswith("one in 3 drawn")
