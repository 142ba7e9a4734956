"""What `%copilot data refresh` says."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import pytest

from qdash_jupyter.errors import DatabaseUnreachable, NoData, PersonError
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.ui.display import markdown
from qdash_jupyter.ui.refreshing import refreshed

AT = datetime(2026, 6, 30, 12, 5, tzinfo=UTC)


class Lab:
    """A store whose calls give the rows that stand in `rows`, by parameter; or fail."""

    def __init__(self, **rows: int) -> None:
        self.rows: dict[str, int | Exception] = dict(rows)
        self.calls: list[str] = []
        self.data = FrameStore(self.fetch)
        for name in rows:
            self.fetch(FrameSource("series", {"parameter": name}))
        self.calls.clear()

    def fetch(self, source: FrameSource) -> StoredResult:
        name = source.arguments["parameter"]
        self.calls.append(name)
        rows = self.rows[name]
        if isinstance(rows, Exception):
            raise rows

        def make(key: str, version: int) -> StoredResult:
            frame = pd.DataFrame({"v": [1.0] * rows})
            return StoredResult(key, {"a": frame}, main="a", units={}, source=source, fetched_at=AT, version=version)

        return self.data.put(name, source, make)

    def refreshed(self, *keys: str) -> list[str]:
        return str(markdown(refreshed(self.data, keys))["text/markdown"]).splitlines()


def test_it_is_said_what_came_of_each() -> None:
    lab = Lab(t1=3, t2=3, t3=3, t4=1000)
    lab.rows |= {"t2": 5, "t4": 0}
    lab.data["t3"].frame["mine"] = 1
    assert lab.refreshed() == [
        "- `data['t1']`: version 2, same data",
        "- `data['t2']`: version 2, new data (+2 rows)",
        "- `data['t3']`: kept, because you changed it; the new data is in `data['t3_2']`",
        "- `data['t4']`: version 2, new data (−1,000 rows)",
    ]
    assert list(lab.data) == ["t1", "t2", "t3", "t4", "t3_2"]
    assert list(lab.data["t3"].frame["mine"]) == [1, 1, 1]


def test_each_call_is_made_once() -> None:
    lab = Lab(t1=3)
    lab.data["t1"].frame["mine"] = 1
    lab.refreshed()
    lab.calls.clear()
    assert lab.refreshed() == [
        "- `data['t1']`: kept, because you changed it; the new data is in `data['t1_2']`",
        "- `data['t1_2']`: version 2, same data",
    ]
    assert lab.calls == ["t1"]


def test_only_the_named_ones() -> None:
    lab = Lab(t1=3, t2=3)
    assert lab.refreshed("t2") == ["- `data['t2']`: version 2, same data"]
    assert lab.calls == ["t2"]


def test_an_unknown_key_names_the_nearest_and_nothing_is_fetched() -> None:
    lab = Lab(t1=3, t2_echo=3)
    with pytest.raises(PersonError, match=r"no data 't2_ecko'\. Did you mean t2_echo"):
        lab.refreshed("t1", "t2_ecko")
    assert lab.calls == []


def test_one_that_fails_does_not_keep_the_others_back_and_its_words_are_harmless() -> None:
    lab = Lab(t1=3, t2=3)
    lab.rows["t1"] = NoData("Nothing <img src=x onerror=alert(1)> was measured.", "Ask for more.")
    first, second = lab.refreshed()
    assert first.startswith("- `data['t1']`: not fetched: Nothing ")
    assert "<img" not in first
    assert second == "- `data['t2']`: version 2, same data"
    assert lab.data["t1"].version == 1


def test_without_the_database_the_others_are_not_tried() -> None:
    lab = Lab(t1=3, t2=3, t3=3)
    lab.rows["t2"] = DatabaseUnreachable("No MongoDB answers at db:27017.", "Is it running?")
    assert lab.refreshed() == [
        "- `data['t1']`: version 2, same data",
        "- `data['t2']`: not fetched: No MongoDB answers at db:27017. Is it running?",
        "- `data['t3']`: not tried",
    ]
    assert lab.calls == ["t1", "t2"]


def test_nothing_to_refresh() -> None:
    assert Lab().refreshed() == ["No data has been fetched yet."]
