"""Unreliable fits are left out of what is asked so, and the answer says which, why, and where it could not."""

from __future__ import annotations

import re

import pytest

from qdash_jupyter.domain.language import language_of
from qdash_jupyter.llm.offline.accounting import unheeded
from qdash_jupyter.llm.offline.operations import OPERATIONS
from qdash_jupyter.llm.offline.query import Asked
from qdash_jupyter.llm.offline.reader import read
from tests.llm.offline.planner_questions import AnsweredQuestion, Chip, ask, namespace, session
from tests.llm.offline.test_reader import NOW

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


def test_the_wish_is_read_beside_any_question() -> None:
    english = (
        ("Show the trend of T1 of Q07", Asked.TREND),
        ("Which qubits have the worst T1", Asked.SELECT),
        ("Which qubits lost T1 in the last 30 days", Asked.CHANGE),
    )
    japanese = (
        ("Q07のT1の推移", Asked.TREND),
        ("T1が最も悪い量子ビットは?", Asked.SELECT),
        ("過去30日でT1が低下した量子ビットは?", Asked.CHANGE),
    )
    asked = [(f"{question}, {wish}", kind) for wish in WISHES for question, kind in english]
    asked += [(f"{wish}、{question}", kind) for wish in WISHES_JA for question, kind in japanese]
    asked += [(f"{question}{wish}", kind) for wish in WISHES_JA for question, kind in japanese]
    wrong = []
    for question, kind in asked:
        query = read(question, language_of(question), NOW)
        if (query.asked, query.metrics, query.reliable, query.left_out) != (kind, ("t1",), True, ()):
            wrong.append((question, query))
    assert wrong == []


@pytest.mark.parametrize(
    "question",
    [
        "Which T1 fits are reliable?",
        "Which T1 fits of this week are unreliable?",
        "Is T1 of Q07 reliable?",
        "Tell me if the T1 fit is reliable",
    ],
)
def test_who_asks_which_are_reliable_wants_nothing_left_out(question: str) -> None:
    query = read(question, "en", NOW)
    assert (query.asked, query.reliable) == (Asked.CURVE, False)


@pytest.mark.parametrize("question", ["Check if everything is good", "Ignore what is wrong with Q07: how is the chip?"])
def test_what_is_good_or_wrong_is_no_word_of_fits(question: str) -> None:
    assert not read(question, "en", NOW).reliable


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Did T1 of Q42 fall, or is its fit unreliable?", "fall"),
        ("Can I trust the trend of T1 of Q07?", "trend"),
        ("Q07のT1の推移は信頼できる?", "推移"),
    ],
)
def test_a_verdict_is_no_answer_to_another_question(question: str, word: str) -> None:
    query = read(question, language_of(question), NOW)
    assert query.asked is Asked.CURVE
    assert unheeded(query, OPERATIONS[query.asked]).changing == (word,)


def test_a_trend_leaves_them_out_and_its_cells_run_again(small: Chip) -> None:
    asked = ask(session(small), "Show the trend of T1 of Q07, reliable fits only")
    assert asked.problems == []
    verdicts = namespace()["copilot"].data["result_curves"]["verdicts"]
    series = namespace()["copilot"].data["t1"]["timeseries"]
    off = verdicts[verdicts["task_id"].isin(series[series["v"].notna()]["task_id"]) & (verdicts["fit"] != "reliable")]
    count = int(series["v"].notna().sum())
    assert 0 < len(off) < count, "the chip has a fault to find"
    assert f"Left out: {len(off)} of {count} values of T1, because their fits are unreliable (`" in asked.text
    assert all(f"`{code}`" in asked.text for code in off["code"])
    assert f"| Q07 | {count - len(off)} |" in asked.text
    assert "Not considered" not in asked.text
    before, spaces = asked.codes, namespace()
    again = {"copilot": spaces["copilot"]}
    for code in before:
        exec(code, again)  # noqa: S102 - what the planner wrote
    assert again["t1_trend"].equals(spaces["t1_trend"])
    assert again["t1_trend_figure"].layout.title.text == "T1 in the last 60 days: Q07 (reliable fits only)"


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


def test_changes_of_a_qubit_leave_them_out(small: Chip) -> None:
    asked = ask(session(small), "Did T1 of Q07 fall in the last 10 days? Leave out unreliable fits")
    assert asked.problems == []
    assert re.search(
        r"Left out: \d+ of \d+ values of T1, because their fits are unreliable \(`[A-Z_]+` \d+: Q07", asked.text
    )
    assert "changes(t1_reliable" in asked.codes[1]


def test_values_that_nobody_can_judge_are_named(small: Chip) -> None:
    asked = ask(session(small), "Is qubit frequency correlated with x90 fidelity, reliable fits only?")
    assert asked.problems == []
    assert "Unreliable fits of Qubit Frequency were not left out. Its curves can't be judged here." in asked.text
    assert (
        "Unreliable fits of X90 Gate Fidelity were not left out. These values have no curve that is known here."
        in asked.text
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Heatmap of T1, reliable fits only", "Unreliable fits were not left out: all stored values count."),
        ("worst qubits overall, leave out unreliable fits", "Unreliable fits were not left out"),
        ("信頼できるフィットだけでT1のヒートマップ", "信頼できない当てはめは除いていません。"),
    ],
)
def test_what_cannot_leave_them_out_says_so(small: Chip, question: str, said: str) -> None:
    asked = ask(session(small), question)
    assert asked.problems == []
    assert said in asked.text
    assert asked.text.count("not left out") <= 1
    assert "Not considered: “reliable" not in asked.text


def test_a_follow_up_leaves_them_out(small: Chip) -> None:
    copilot = session(small)
    assert "are unreliable" not in ask(copilot, "trend of T1 of Q07").text
    again: AnsweredQuestion = ask(copilot, "Only reliable fits, please")
    assert "because their fits are unreliable" in again.text
    assert "T1 of Q07" in again.text


ASKED_AFTER_A_FIT = [
    ("Do you believe the echo time of Q21?", ("21",), "CheckT2Echo"),
    ("Can you trust the T1 of Q07?", ("7",), "CheckT1"),
    ("Do you think the T1 of Q07 is reliable?", ("7",), "CheckT1"),
    ("Is the last T1 fit of Q07 any good?", ("7",), "CheckT1"),
    ("Is the T1 of Q07 real?", ("7",), "CheckT1"),
    ("How good is the fit of T1 of Q07?", ("7",), "CheckT1"),
    ("Is the fit behind T1 of Q07 OK?", ("7",), "CheckT1"),
    ("Fit the T1 of Q33 again", ("33",), "CheckT1"),
    ("Redo the T1 fit of Q33", ("33",), "CheckT1"),
    ("Check the T1 fit of Q07", ("7",), "CheckT1"),
    ("Judge the T1 curve of Q07", ("7",), "CheckT1"),
    ("Does the T1 curve of Q07 fit well?", ("7",), "CheckT1"),
    ("Is T1 of Q07 a fit of noise?", ("7",), "CheckT1"),
    ("Which T2 echo fits look wrong?", (), "CheckT2Echo"),
    ("Which T1 values should I not believe?", (), "CheckT1"),
    ("Which readout values of this week are not trustworthy?", (), "ReadoutClassification"),
    ("List bad T1 fits of the last 7 days", (), "CheckT1"),
    ("Q21のエコー時間は信じられますか?", ("21",), "CheckT2Echo"),
    ("Q07のT1のフィットは大丈夫ですか?", ("7",), "CheckT1"),
    ("Q07のT1のフィットは正しい?", ("7",), "CheckT1"),
    ("Q07のT1のフィットの質は?", ("7",), "CheckT1"),
    ("Q07の最新のT1の曲線を判定して", ("7",), "CheckT1"),
    ("Q07のT1の値は本当ですか?", ("7",), "CheckT1"),
    ("Q33のT1をもう一度フィットして比較して", ("33",), "CheckT1"),
    ("Q33のT1をフィットし直して保存値と比べて", ("33",), "CheckT1"),
    ("今週のT1で怪しいフィットは?", (), "CheckT1"),
    ("T1のフィットがおかしい量子ビットは?", (), "CheckT1"),
]


def test_whether_a_fit_is_good_is_asked_in_many_ways() -> None:
    wrong = []
    for question, qids, task in ASKED_AFTER_A_FIT:
        query = read(question, language_of(question), NOW)
        missed = unheeded(query, OPERATIONS[Asked.CURVE])
        got = (query.asked, query.qids, query.details.get("task_name"), missed.changing, missed.others)
        if got != (Asked.CURVE, qids, task, (), ()):
            wrong.append((question, got))
    assert wrong == []


@pytest.mark.parametrize(
    "question",
    [
        "Fit a line to T1 of Q5",
        "Q5のT1に指数フィット",
        "Which T1 fits failed this week?",
        "T1 of Q5 over time with a fit",
    ],
)
def test_other_fits_are_what_they_were(question: str) -> None:
    assert read(question, language_of(question), NOW).asked is not Asked.CURVE


def test_a_verdict_in_japanese_is_japanese(faulty: Chip) -> None:
    asked = ask(session(faulty), "Q35のT1のフィットは信頼できますか?")
    assert asked.problems == []
    assert "当てはめは信頼できません" in asked.text
    assert "理由：" in asked.text
    assert not re.search(r"\(asked: |points at the limit|stored t1", asked.text)


@pytest.mark.parametrize(
    "question",
    [
        "Can I trust Q07?",
        "Can I trust the values of Q07?",
        "Which fits of Q07 are unreliable?",
        "Q07の値は信頼できる?",
    ],
)
def test_which_of_a_qubits_curves_is_asked_back(small: Chip, question: str) -> None:
    copilot = session(small)
    back = ask(copilot, question)
    assert "T2 Echo" in back.text or "T2エコー" in back.text
    assert "X90" not in back.text, "its curves are not judged"
    answered = ask(copilot, "T1")
    assert re.search(r"CheckT1 of Q07, .* the fit is |Q07のCheckT1", answered.text)


def test_a_parameter_without_curves_says_which_have_some(small: Chip) -> None:
    asked = ask(session(small), "Is the frequency of Q07 trustworthy?")
    assert "Curves of Qubit Frequency can't be judged here. Curves of T1, T2 Echo" in asked.text
