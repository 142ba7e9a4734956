"""How a shell shows the tables of the methods."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from qdash_jupyter.cells.rounded import rounded, shown_by, shown_no_more_by
from tests.session.conversation import open_shell

TABLE = pd.DataFrame(
    {
        "now [μs]": [30.717111, 39.475467, np.nan],
        "frequency [GHz]": [4.7434123, 4.7434977, 4.7435501],
        "p": [0.81234567, 1.5e-9, 0.2],
        "n": [69, 72, 81],
        "since": pd.to_datetime(["2026-06-10T01:02:03.456789", "2026-06-16T04:05:06.5", None]),
        "verdict": ["fell", "fell", "too few"],
    }
)


def test_numbers_have_the_digits_of_the_column() -> None:
    shown = rounded(TABLE)
    assert shown["now [μs]"].tolist()[:2] == [30.72, 39.48]
    assert shown["frequency [GHz]"].tolist() == [4.7434123, 4.7434977, 4.7435501]  # they differ by kHz
    assert shown["p"].tolist() == TABLE["p"].tolist()  # a small one would be 0
    assert str(shown["since"][0]) == "2026-06-10 01:02:03"
    assert shown[["n", "verdict"]].equals(TABLE[["n", "verdict"]])
    assert TABLE["now [μs]"][0] == 30.717111  # the data stay whole


def test_digits_follow_the_errors_across_units() -> None:
    shown = rounded(
        pd.DataFrame(
            {
                "before [GHz]": [5.1251423, 4.9876543],
                "now [GHz]": [5.1251375, 4.9881234],
                "change [MHz]": [-0.0048, 0.4691],
                "± [MHz]": [0.0123, 0.0234],
                "T1 [μs]": [30.717111, 41.2],
                "T1 ± [μs]": [1.3123, 1.5],
            }
        )
    )
    assert shown["before [GHz]"].tolist() == [5.125142, 4.987654]
    assert shown["now [GHz]"].tolist() == [5.125138, 4.988123]
    assert shown["change [MHz]"].tolist() == [-0.005, 0.469]
    assert shown["T1 [μs]"].tolist() == [30.7, 41.2]


@pytest.mark.parametrize("values", [[], [0.0], [np.nan, np.inf], [5.0, 5.0], [1e300, 1e-300]])
def test_any_column_of_numbers_is_shown(values: list[float]) -> None:
    assert len(rounded(pd.DataFrame({"a": values, "b": values}))) == len(values)


def test_only_tables_of_the_methods_are_shown_so_and_only_while_loaded() -> None:
    ours, theirs = TABLE.copy(), TABLE.copy()
    ours.attrs["method"] = "Changes."
    with open_shell() as shell:
        html = shell.display_formatter.formatters["text/html"]
        shown_by(shell)
        assert "39.48<" in html(ours)
        assert html(theirs) == theirs._repr_html_()
        shown_no_more_by(shell)
        assert html(ours) == ours._repr_html_()
        html.for_type(pd.DataFrame, lambda _: "theirs")
        shown_by(shell)
        shown_no_more_by(shell)
        assert html(ours) == "theirs"
