"""Names whose objects code changes, seen from the code alone."""

from __future__ import annotations

import pytest

from qdash_jupyter.cells.changed_names import changed_names


@pytest.mark.parametrize(
    "code",
    [
        "df['mux'] = 1",
        "df.loc[0, 'v'] += 1",
        "df.columns = ['a']",
        "del df['v']",
        "df['a']['b'].append(1)",
        "df += 1",
        "df.drop(columns='v', inplace=True)",
        "df.update_layout(title='T1')",
        "def add():\n    df.append(1)",
    ],
)
def test_changed(code: str) -> None:
    assert changed_names(code) == {"df"}


@pytest.mark.parametrize(
    "code", ["new = df['v'].y", "df.add(1)", "df.plot()", "df.sort_values('v')", "made().append(1)", "df = ("]
)
def test_not_changed(code: str) -> None:
    assert changed_names(code) == set()
