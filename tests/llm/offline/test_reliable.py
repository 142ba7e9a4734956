"""Unreliable fits are left out of what is asked so, and the answer says which, why, and where it could not."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest

from qdash_jupyter.llm.offline.query import Asked
from tests.llm.offline.asking import read
from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ask, namespace, session

WISHES = (
    "reliable fits only",
    "only reliable fits",
    "leave out unreliable fits",
    "and exclude unreliable fits please",
    "without bad fits",
    "but ignore the unreliable measurements",
    "unreliable T1 fits removed",
    "using only trustworthy T1 values",
    "from reliable fits",
    "dropping all unreliable fits",
    "leave out fits that cannot be trusted",
    "ignoring values whose fits we don't trust",
    "do not count fits that can't be trusted",
    "unless the fit cannot be trusted",
    "where the fit can be trusted",
    "using only values I can trust",
    "filter out doubtful fits",
)
WISHES_JA = (
    "信頼できるフィットだけで",
    "信頼できる値のみで",
    "信頼できないフィットは除いて",
    "信頼できないT1のフィットを除外して",
    "信頼できない結果を使わずに",
    "フィットが信頼できない値は数えずに",
    "怪しいフィットは省いて",
    "信用できる値に限って",
)


def test_the_wish_is_read_beside_a_question_or_offered() -> None:
    """Most of the ways to say it are read; the others are offered with it left out, and named."""
    asked = [(f"Show the trend of T1 of Q07, {wish}", "Trend of T1 of Q07") for wish in WISHES]
    asked += [(f"Q07のT1の推移、{wish}", "Q07のT1の推移") for wish in WISHES_JA]
    found = [(read(question), read(plain)) for question, plain in asked]
    assert all(query is None or query == replace(without, reliable=True) for query, without in found if without)
    assert sum(query is not None for query, _ in found) >= len(found) * 0.6


def test_who_asks_which_are_reliable_wants_nothing_left_out() -> None:
    for question in (
        "Which T1 fits are reliable?",
        "Which T1 fits of the last 7 days are unreliable?",
        "Is T1 of Q07 reliable?",
    ):
        query = read(question)
        assert query is not None
        assert (query.asked, query.reliable) == (Asked.TRUST, False)


@pytest.mark.long
def test_a_trend_leaves_them_out_and_its_cells_run_again(small: Chip) -> None:
    asked = ask(session(small), "Show the trend of T1 of Q04, reliable fits only")
    assert asked.problems == []
    verdicts = namespace()["copilot"].data["result_curves"]["verdicts"]
    series = namespace()["copilot"].data["t1"]["timeseries"]
    off = verdicts[verdicts["task_id"].isin(series[series["v"].notna()]["task_id"]) & (verdicts["fit"] != "reliable")]
    count = int(series["v"].notna().sum())
    assert 0 < len(off) < count, "the chip has a fault to find"
    assert f"Left out: {len(off)} of {count} values of T1, because their fits are unreliable (`" in asked.text
    assert all(f"`{code}`" in asked.text for code in off["code"])
    assert f"| Q04 | {count - len(off)} |" in asked.text
    assert "Not considered" not in asked.text
    before, spaces = asked.codes, namespace()
    again = {"copilot": spaces["copilot"]}
    for code in before:
        exec(code, again)  # noqa: S102 - what the planner wrote
    # Sums of products differ in their last digit with where in memory the processor finds the numbers.
    pd.testing.assert_frame_equal(again["t1_trend"], spaces["t1_trend"], rtol=1e-12)
    assert again["t1_trend_figure"].layout.title.text == "T1 in the last 60 days: Q04 (reliable fits only)"


def test_a_ranking_leaves_them_out(faulty: Chip) -> None:
    copilot = session(faulty)
    asked = ask(copilot, "信頼できるフィットだけで、T1が最も悪い量子ビットを5個")
    assert asked.problems == []
    verdicts = copilot.data["curve_verdicts"]["verdicts"].set_index("task_id")
    values = copilot.data["chip_summary"]["values"]
    values = values[values["value"].notna() & (values["parameter"] == "t1")]
    fits = values["task_id"].map(verdicts["fit"])
    off = values[fits.notna() & (fits != "reliable")]
    assert 0 < len(off) < len(values) / 4
    assert f"除いた値：T1の{len(values)}個中{len(off)}個。当てはめが信頼できないためです" in asked.text
    assert asked.named
    assert not asked.named & set(off["qid"])


@pytest.mark.long
def test_changes_of_a_qubit_leave_them_out(small: Chip) -> None:
    asked = ask(session(small), "Did T1 of Q04 fall in the last 10 days? Leave out unreliable fits")
    assert asked.problems == []
    assert re.search(
        r"Left out: \d+ of \d+ values of T1, because their fits are unreliable \(`[A-Z_]+` \d+: Q04", asked.text
    )
    assert "changes(t1_reliable" in asked.codes[1]


def test_values_that_nobody_can_judge_are_named(small: Chip) -> None:
    asked = ask(session(small), "Is qubit frequency correlated with x90 fidelity, reliable fits only?")
    assert asked.problems == []
    assert "Unreliable fits of Qubit Frequency were not left out. Its curves can't be judged here." in asked.text
    assert (
        "Unreliable fits of X90 Gate Fidelity were not left out. The copilot can't judge the curves of these values."
        in asked.text
    )


def test_a_follow_up_leaves_them_out(small: Chip) -> None:
    copilot = session(small)
    assert "are unreliable" not in ask(copilot, "trend of T1 of Q04").text
    again: AnsweredQuestion = ask(copilot, "Only reliable fits, please")
    assert "because their fits are unreliable" in again.text
    assert "T1 of Q04" in again.text


def test_a_verdict_in_japanese_is_japanese(faulty: Chip) -> None:
    asked = ask(session(faulty), "Q35のT1のフィットは信頼できますか?")
    assert asked.problems == []
    assert "当てはめは信頼できません" in asked.text
    assert "理由：" in asked.text
    assert not re.search(r"\(asked: |points at the limit|stored t1", asked.text)
