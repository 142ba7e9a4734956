"""What the planner reads: a corpus of questions as people in a lab ask them, English and Japanese."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from qdash_jupyter.llm.offline.follow_up import followed
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query, Window
from qdash_jupyter.llm.offline.reader import read

NOW = datetime(2026, 6, 30, 6, tzinfo=UTC)
"""A Tuesday."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SAID = {
    "task": "task_name",
    "run": "execution_id",
    "entity": "entity_id",
    "status": "status",
    "last": "last_n",
    "kind": "kind",
    "text": "text",
    "tags": "tags",
    "cooldown": "cooldown_id",
    "excluded": "include_excluded",
    "open": "is_open",
}
FLAGS = ("why", "low", "good", "dead", "how_many", "errors", "any_of")
VALUES = ("order", "count", "statistic", "form", "fit", "chip")


@dataclass(frozen=True)
class Expected:
    question: str
    asked: Asked
    fields: dict[str, str]


def language_of(question: str) -> str:
    return "ja" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", question) else "en"


def understood(question: str) -> Query:
    return read(question, language_of(question), NOW)


def corpus() -> list[Expected]:
    """Lines `asked [field=value …] | question`, as `told` writes a query."""
    found = []
    for line in (Path(__file__).parent / "questions.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        head, question = (part.strip() for part in line.split(" | ", 1))
        asked, *pairs = head.split()
        found.append(Expected(question, Asked(asked), dict(pair.partition("=")[::2] for pair in pairs)))
    return found


CORPUS = corpus()


def test_questions() -> None:
    wrong = []
    for expected in CORPUS:
        query = understood(expected.question)
        fields = {} if expected.asked is Asked.UNKNOWN else expected.fields
        got = {} if expected.asked is Asked.UNKNOWN else told(query)
        if (query.asked, got) != (expected.asked, fields):
            wrong.append((expected.question, query.asked, got))
    assert len(CORPUS) > 300
    assert wrong == []


def test_capitals_and_a_full_stop_change_nothing() -> None:
    def lower(query: Query) -> dict[str, str]:
        return {} if query.asked is Asked.UNKNOWN else {name: value.lower() for name, value in told(query).items()}

    wrong = []
    for question in (expected.question for expected in CORPUS if language_of(expected.question) == "en"):
        query, capital = understood(question), understood(question.upper().rstrip("?!") + " .")
        unknown = Asked.UNKNOWN in {query.asked, capital.asked}
        if (unknown and query.asked is not capital.asked) or lower(query) != lower(capital):
            wrong.append((question, lower(capital)))
    assert wrong == []


def told(query: Query) -> dict[str, str]:
    """The query in the notation of the corpus; what it does not say is left out.

    p metrics, or what the first may mean as well, q ids, not ids taken out, dir direction, by the smallest change, w a
    window (days, or `since..until`), vs the second window, if conditions, left the words that nothing took.
    """
    fields = {
        "p": ",".join(query.metrics),
        "or": ",".join(query.unclear[1:]),
        "q": ",".join(query.qids),
        "not": ",".join(query.without),
        "dir": query.direction or "",
        "by": amount(query.by) if query.by else "",
        "w": window(query.window),
        "vs": window(query.against) if query.against else "",
        "if": ";".join(condition(one) for one in query.conditions),
        "left": ",".join(query.left_out).replace(" ", "_"),
        **{name: str(getattr(query, "chip_id" if name == "chip" else name) or "") for name in VALUES},
    }
    fields |= {field: said(query.details[argument]) for field, argument in SAID.items() if argument in query.details}
    found = {name: value for name, value in fields.items() if value}
    return found | {name: "" for name in FLAGS if getattr(query, name)}


def said(value: object) -> str:
    return ",".join(value) if isinstance(value, list) else "yes" if value is True else str(value)


def window(found: Window) -> str:
    if not found.is_bounded:
        return ""
    if found.days is not None:
        return f"{found.days:g}"
    ends = (found.since_text or "", (found.until_text or "").removesuffix("T00:00"))
    return "..".join(ends)


def amount(found: Amount) -> str:
    return f"{found.value:g}{found.unit}"


def condition(found: Condition) -> str:
    def line(limit: Amount | str) -> str:
        return amount(limit) if isinstance(limit, Amount) else f"{found.factor:g}*{limit}"

    above = f">{line(found.above)}" if found.above is not None else ""
    below = f"<{line(found.below)}" if found.below is not None else ""
    return found.metric + above + below


# --- times ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("since Monday", "2026-06-29.."),
        ("on Friday", "2026-06-26..2026-06-27"),
        ("from Monday to Wednesday", "2026-06-22..2026-06-25"),
        ("June 10 to 20", "2026-06-10..2026-06-21"),
        ("between June 10 and June 20", "2026-06-10..2026-06-21"),
        ("from the 10th to the 20th of June", "2026-06-10..2026-06-21"),
        ("from June 28 to July 2", "2025-06-28..2025-07-03"),
        ("10-20 June", "2026-06-10..2026-06-21"),
        ("2026-06-01 to 2026-06-10", "2026-06-01..2026-06-11"),
        ("between 2026-06-01 and 2026-06-10", "2026-06-01..2026-06-11"),
        ("on June 10", "2026-06-10..2026-06-11"),
        ("on July 10", "2025-07-10..2025-07-11"),
        ("in May", "2026-05-01..2026-06-01"),
        ("in June", "2026-06-01.."),
        ("in December 2025", "2025-12-01..2026-01-01"),
        ("since mid June", "2026-06-11.."),
        ("in early May", "2026-05-01..2026-05-11"),
        ("until June 5", "..2026-06-06"),
        ("before June 5", "..2026-06-05"),
        ("after June 5", "2026-06-06.."),
        ("since June 5", "2026-06-05.."),
        ("yesterday", "2026-06-29..2026-06-30"),
        ("since yesterday", "2026-06-29.."),
        ("3 days ago", "2026-06-27..2026-06-28"),
        ("last month", "2026-05-01..2026-06-01"),
        ("in the last month", "30"),
        ("in the last 12 hours", "0.5"),
        ("for two weeks", "14"),
        ("in 2025", "2025-01-01..2026-01-01"),
        ("6月10日から20日", "2026-06-10..2026-06-21"),
        ("6月10日から6月20日までの", "2026-06-10..2026-06-21"),
        ("6/10〜6/20の", "2026-06-10..2026-06-21"),
        ("6月10日に", "2026-06-10..2026-06-11"),
        ("5月の", "2026-05-01..2026-06-01"),
        ("6月中旬から", "2026-06-11.."),
        ("2026年6月15日以降に", "2026-06-15.."),
        ("6月5日まで", "..2026-06-06"),
        ("6月5日より前の", "..2026-06-05"),
        ("月曜日から", "2026-06-29.."),
        ("金曜日の", "2026-06-26..2026-06-27"),
        ("先月の", "2026-05-01..2026-06-01"),
        ("過去30日で", "30"),
        ("この2週間の", "14"),
        ("昨日から", "2026-06-29.."),
        ("3日前の", "2026-06-27..2026-06-28"),
    ],
)
def test_a_time(words: str, expected: str) -> None:
    asked = f"{words}Q5のT1の推移" if language_of(words) == "ja" else f"T1 of Q5 {words}"
    query = understood(asked)
    assert window(query.window) == expected
    assert query.left_out == ()
    assert query.qids == ("5",)


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Compare T1 of Q5 in May with June", "2026-05-01..2026-06-01", "2026-06-01.."),
        ("T1 of Q5: last week vs this week", "2026-06-16T06:00..2026-06-23T06:00", "7"),
        ("T1 of Q5: last 7 days vs the 7 days before", "7", "2026-06-16T06:00..2026-06-23T06:00"),
        ("T1 of Q5, June 1-10 vs June 11-20", "2026-06-01..2026-06-11", "2026-06-11..2026-06-21"),
        ("5月と6月のQ5のT1を比較", "2026-05-01..2026-06-01", "2026-06-01.."),
        ("Q5のT1を過去7日間とその前の7日間で比較", "7", "2026-06-16T06:00..2026-06-23T06:00"),
        ("先週と今週のQ5のT1を比べて", "2026-06-16T06:00..2026-06-23T06:00", "7"),
    ],
)
def test_two_windows(question: str, first: str, second: str) -> None:
    query = understood(question)
    assert query.asked is Asked.WINDOWS
    assert query.against is not None
    assert (window(query.window), window(query.against)) == (first, second)
    assert query.left_out == ()


@pytest.mark.parametrize("date", ["2026-06-31", "2026-13-01", "June 31"])
def test_a_date_that_does_not_exist_is_named(date: str) -> None:
    query = understood(f"Which qubits lost T1 since {date}?")
    assert query.asked is Asked.CHANGE
    assert query.qids == ()
    assert any(date[-2:] in words for words in query.left_out)


def test_a_year_is_the_last_one_in_which_the_day_was() -> None:
    query = read("T1 of Q5 on March 3", "en", NOW + timedelta(days=200))
    assert query.window.since == datetime(2026, 3, 3, tzinfo=UTC)


@pytest.mark.parametrize("question", ["T1 may have dropped", "did T1 drop? it may", "5個のT1", "T1 of 5 qubits"])
def test_no_time_is_read_into_other_words(question: str) -> None:
    assert not understood(question).window.is_bounded


# --- conditions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("T1 < 30 and readout < 93 %", "t1<30;average_readout_fidelity<93%"),
        ("qubits with T1 below 40 us and T2 echo above 50 us", "t1<40μs;t2_echo>50μs"),
        ("T1 between 30 and 50 us", "t1>30μs<50μs"),
        ("T1 of 30 to 50 us", "t1>30μs<50μs"),
        ("30 us < T1 < 50 us", "t1>30μs<50μs"),
        ("which qubits have T1 not below 30 us?", "t1>30μs"),
        ("Which qubits do not have T1 below 30 us?", "t1>30μs"),
        ("T2 echo > 2·T1", "t2_echo>2*t1"),
        ("which qubits have T2 echo larger than twice T1?", "t2_echo>2*t1"),
        ("2T1 < T2 echo", "t2_echo>2*t1"),
        ("T2 echo longer than T1", "t2_echo>1*t1"),
        ("readout error above 5 %", "average_readout_fidelity>5%"),
        ("readout error below 0.05", "average_readout_fidelity<0.05"),
        ("T1が30μs以上50μs以下の量子ビット", "t1>30μs<50μs"),
        ("T1が30〜50 μsの量子ビットは?", "t1>30μs<50μs"),
        ("T1が40μs未満で読み出しが93%未満の量子ビット", "t1<40μs;average_readout_fidelity<93%"),
        ("T2エコーがT1の2倍より大きい量子ビットは?", "t2_echo>2*t1"),
        ("T2エコーが2·T1より大きい量子ビットは?", "t2_echo>2*t1"),
        ("T1が30μs未満ではない量子ビット", "t1>30μs"),
        ("読み出しエラーが5%を超える量子ビット", "average_readout_fidelity>5%"),
    ],
)
def test_conditions(question: str, expected: str) -> None:
    query = understood(question)
    assert query.asked is Asked.SELECT
    assert ";".join(condition(one) for one in query.conditions) == expected
    assert query.left_out == ()
    assert not query.any_of


@pytest.mark.parametrize("question", ["T1 over 50 us or T2 echo over 60 us", "T1が50μs以上、またはT2エコーが60μs以上"])
def test_one_condition_of_two_is_enough(question: str) -> None:
    query = understood(question)
    assert len(query.conditions) == 2
    assert query.any_of


# --- every word -----------------------------------------------------------------------------------------------------

BEYOND = (
    (" for the blue ones", "blue"),
    (" with the new firmware", "new firmware"),
    (" on the left half", "left half"),
    (" at 20 mK", "20"),
    (" by Suzuki", "Suzuki"),
)
BEYOND_JA = (("青い", "青い"), ("新しいファームウェアで", "新し"), ("左半分の", "左半分"), ("鈴木さんの", "鈴木"))


def test_an_unknown_condition_is_never_taken_without_a_word() -> None:
    """What nobody understands is named, or the question is taken for none that can be answered."""
    taken = []
    for question in (expected.question for expected in CORPUS if expected.asked is not Asked.UNKNOWN):
        japanese = language_of(question) == "ja"
        for words, named in BEYOND_JA if japanese else BEYOND:
            changed = f"{words}{question}" if japanese else question.rstrip("?.!") + words
            query = understood(changed)
            told_of = " ".join((*query.left_out, *(str(value) for value in query.details.values()))).lower()
            if query.asked is not Asked.UNKNOWN and named.lower() not in told_of:
                taken.append((changed, query.left_out))
    assert taken == []


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("which qubits did not lose T1 this week?", "not"),
        ("今週T1が低下していない量子ビットは?", "ていない"),
        ("which qubits lost T1 more often than Q5?", "than"),
    ],
)
def test_a_negation_is_not_lost(question: str, left: str) -> None:
    assert any(left in words for words in understood(question).left_out)


def test_counts_are_no_ids() -> None:
    assert understood("T1が低い量子ビット5個").count == 5
    assert understood("T1が低い量子ビット5個").qids == ()
    assert understood("worst 10 T1 in the last 3 days").count == 10
    assert understood("worst 0 qubits").count == 1


def test_a_range_of_qubits_is_no_coupling_where_its_parameter_is_of_qubits() -> None:
    assert understood("T1 of Q1-Q4").qids == ("1", "2", "3", "4")
    assert understood("zx90 fidelity of Q1-Q4").qids == ("1-4",)
    assert understood("ZX90 gate fidelity between Q4 and Q1").qids == ("4-1",)


# --- questions that lean on the one before --------------------------------------------------------------------------

T1_OF_Q5 = "Trend of T1 of Q5 over the last 30 days"


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        (T1_OF_Q5, "what about the last 60 days?", {"p": "t1", "q": "5", "w": "60"}),
        (T1_OF_Q5, "and Q7?", {"p": "t1", "q": "7", "w": "30"}),
        (T1_OF_Q5, "same for T2 echo", {"p": "t2_echo", "q": "5", "w": "30"}),
        (T1_OF_Q5, "and in May?", {"p": "t1", "q": "5", "w": "2026-05-01..2026-06-01"}),
        ("過去30日のQ5のT1の推移", "Q7は?", {"p": "t1", "q": "7", "w": "30"}),
        ("過去30日のQ5のT1の推移", "過去60日では?", {"p": "t1", "q": "5", "w": "60"}),
        ("過去30日のQ5のT1の推移", "T2エコーは?", {"p": "t2_echo", "q": "5", "w": "30"}),
        ("T1 below 40 us", "what about 50 us?", {"p": "t1", "if": "t1<50μs"}),
        ("worst 5 T1", "only the worst 3", {"p": "t1", "order": "worst", "count": "3"}),
        (T1_OF_Q5, "and Q7 with the new firmware?", {"p": "t1", "q": "7", "w": "30", "left": "new_firmware"}),
    ],
)
def test_a_follow_up(before: str, question: str, expected: dict[str, str]) -> None:
    first = understood(before)
    query = followed(question, first)
    assert query is not None
    assert query.asked is first.asked
    assert told(query) == expected


@pytest.mark.parametrize(
    "question",
    [
        *("and which qubits were not measured?", "How is the chip?", "T1 of Q7", "What about the weather?"),
        *(
            "T1が40μs以下の量子ビットは?",
            "チップの状態は?",
            "Q5に隣接する量子ビットは?",
            "天気は?",
            "最近測定されていない量子ビットは?",
        ),
    ],
)
def test_a_question_of_its_own_is_no_follow_up(question: str) -> None:
    before = "過去30日のQ5のT1の推移" if language_of(question) == "ja" else T1_OF_Q5
    assert followed(question, understood(before)) is None


def test_nothing_follows_a_question_without_an_answer() -> None:
    assert followed("and Q5?", replace(understood("What is the weather?"))) is None
