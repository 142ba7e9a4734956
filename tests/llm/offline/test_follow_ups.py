"""A question behind another one changes what it names and keeps the rest, or is not run."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest

from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.languages import Language
from tests.llm.offline.asking import NOW, drawn, read

LANGUAGES: tuple[Language, ...] = ("en", "ja")

WHOSE = {"qids", "places", "kind"}
CHANGES = {
    ("and T2 echo?", "ではT2エコーは?"): {"metrics", "kind"},
    ("and MUX 2?", "ではMUX 2は?"): WHOSE,
    ("also Q9", "Q9も追加"): {"qids", "kind"},
    # Bad qubits are the chip's health; results of all qubits with a status are counted by qubit.
    ("for all qubits", "全量子ビットでは?"): {*WHOSE, "without", "neighbours", "low", "order", "per"},
    ("in May 2026", "2026年5月は?"): {"window"},
    ("since 10 June", "6月10日以降は?"): {"window"},
    ("compared to May", "5月と比べて"): {"asked", "window", "against"},
    ("the worst 3", "ワースト3は?"): {
        "asked",
        "order",
        "count",
        "metrics",
        "how_many",
    },  # by the parameter of its condition
    ("the median", "中央値は?"): {"asked", "statistic", "how_many"},
    ("how many?", "いくつ?"): {"how_many"},
    ("and why?", "なぜ?"): {"why"},
}
"""By a question in both languages the fields that it names."""
BY_FIELDS = {Asked.VALUES, Asked.MEASUREMENTS, Asked.MAP, Asked.SELECT, Asked.STATISTIC, Asked.RUNS, Asked.COMPARE}
"""Questions whose kind follows from what they say: T1 of Q5, of all, in a time, the lowest of T1."""
FIELDS = [field.name for field in fields(Query)]


@pytest.mark.parametrize(("seed", "each"), [(31, 4), pytest.param(32, 15, marks=pytest.mark.long)])
def test_a_question_behind_another_changes_what_it_names(seed: int, each: int) -> None:
    """Fifteen questions of each kind take most of a minute, as each has twenty-two behind it. A rule that is wrong is
    wrong for many of a kind.
    """
    wrong, ran = [], 0
    for before in filter(can_answer, drawn(Random(seed), each)):  # noqa: S311 - no secret
        names_some = before.named or before.qids or before.places or before.without
        for sentences, named in CHANGES.items() if names_some else ():
            found = [{one for one in queries(sentence, NOW, before) if can_answer(one)} for sentence in sentences]
            may = named | ({"asked", "statistic", "per"} if before.asked in BY_FIELDS else set())
            for one in found[0]:
                ran += 1
                changed = {name for name in FIELDS if getattr(one, name) != getattr(before, name)}
                if not changed <= may:
                    wrong.append((sentence_of(before, "en"), sentences[0], sentence_of(one, "en"), changed - may))
            if found[0] != found[1]:
                wrong.append((sentence_of(before, "en"), *sentences, found))
    assert wrong == []
    assert ran > 20 * each


@pytest.mark.parametrize(
    ("before", "after", "asked"),
    [
        ("T1 of the neighbours of Q5", "T2 echo of these", "T2 Echo · neighbors of Q05 · newest values"),
        ("T1 of MUX 3", "of these, T2 echo below 30 us", "qubits · T2 Echo below 30 μs · MUX 3 · newest values"),
        ("T1 of Q3 and MUX 3", "T2 echo of these", "T2 Echo · Q03 · MUX 3 · newest values"),
        ("which of Q1 to Q9 lost T1?", "T2 echo of these", "T2 Echo · of these · newest values"),
        ("T1 below 40", "the worst 3 of these", "worst 3 qubits by T1 · T1 below 40 μs · newest values"),
        ("T1 of Q1 to Q9", "the worst 3", "worst 3 qubits by T1 · Q01 to Q09 · newest values"),
        ("T1 of Q5 and Q9", "their neighbours", "T1 · neighbors of Q05, Q09 · newest values"),
        ("heatmap of T1", "in May 2026", "heatmap of T1 · in May 2026"),
        ("measurements of T1 of Q3", "and T2 echo?", "measurements of T2 Echo · Q03"),
        ("T1 of Q3 in May", "now", "T1 · Q03 · newest values"),
        ("notes about Q3", "the last 3", "last 3 notes · Q03"),
        ("T1 of Q5", "also Q9", "T1 · Q05, Q09 · newest values"),
        (
            "how many qubits have T1 below 20 us",
            "sorted by T1",
            "qubits by T1, best first · T1 below 20 μs · newest values",
        ),
        (
            "T1 below 20",
            "X90が高い順に並べて",
            "qubits by X90 Gate Fidelity, highest first · T1 below 20 μs · newest values",
        ),
        ("rank all qubits by T1", "top 3", "best 3 qubits by T1 · newest values"),
        ("failed results in June", "CheckRabiだけ", "failed results · since 2026-06-01 · CheckRabi"),
        ("failed results on 29 June", "and the day before?", "failed results · on 2026-06-28"),
        ("T1 of Q5 in May 2026", "the month before", "T1 over time · Q05 · in April 2026"),
        ("what is wrong with Q12", "the notes?", "notes · Q12"),
        ("ZX90 of Q04-Q01", "いつ測った?", "age of ZX90 Gate Fidelity · coupling Q04-Q01"),
        (
            "compare T1 since 2026-06-01 with May",
            "which got better?",
            "compare T1 · since 2026-06-01 · in May 2026 · rose",
        ),
        ("mean T1 of the neighbours of Q20", "and the neighbours of Q21?", "mean T1 · neighbors of Q21"),
        ("correlation of T1 and frequency", "with anharmonicity?", "correlation of T1 and Qubit Anharmonicity"),
        (
            "all couplings by ZX90 worst first",
            "only those with Q05",
            "couplings by ZX90 Gate Fidelity, worst first · Q05 · couplings · newest values",
        ),
        ("runs on 28 June", "failed?", "runs failed · on 2026-06-28"),
        ("failed results in June", "by task", "failed results · most often per task · since 2026-06-01"),
        ("how many qubits have T1 below 20", "which ones?", "qubits · T1 below 20 μs · newest values"),
        ("which qubits lost T1 since 22 June?", "any notes about them?", "notes · of these"),
        ("failed results of Q40 in June", "and Q04-Q01?", "failed results · coupling Q04-Q01 · since 2026-06-01"),
        ("failed results of Q40 in June", "MUX10全体では?", "failed results · MUX 10 · since 2026-06-01"),
        ("correlation of T1 and X90 fidelity", "and for T2 echo", "correlation of T2 Echo and X90 Gate Fidelity"),
        ("readout below 95 %", "90%?", "qubits · Readout Fidelity below 90 % · newest values"),
        ("which qubits lost T1 by 30 % since 22 June?", "20%?", "T1 fell · since 2026-06-22 · by at least 20 %"),
        ("failed results of Q7 on 29 June", "are they excluded?", "excluded values · Q07 · on 2026-06-29"),
        ("T1 of Q7", "when was it measured?", "age of T1 · Q07"),
        ("T1 of Q7", "plot it", "T1 over time · Q07 · plot"),
        ("failed results of Q7", "why did they fail?", "failed results · Q07 · why"),
        ("T1 of Q7", "is it stable?", "stability of T1 · Q07"),
        ("how is the chip", "the worst 3", "worst 3 qubits · newest values"),
        ("T1 over 60 us and T2 echo over 60 us", "drop the T2 condition", "qubits · T1 above 60 μs · newest values"),
        ("T1 over 60 us and T2 echo over 60 us", "T2の条件は外して", "qubits · T1 above 60 μs · newest values"),
        ("T1 of Q12", "same MUX", "T1 · MUX 3 · newest values"),
        ("T1 of Q12", "同じMUXの全部で", "T1 · MUX 3 · newest values"),
        ("T1 below 20 us", "and the others?", "qubits · T1 at least 20 μs · newest values"),
        ("T1 of Q1 on 2026-05-15", "on the 1st?", "measurements of T1 · Q01 · on 2026-05-01"),
        ("T1 of Q1 on 2026-06-15", "a week earlier?", "measurements of T1 · Q01 · on 2026-06-08"),
        ("runs on 2026-06-20", "any notes that day?", "notes · on 2026-06-20"),
        ("median T2 echo per MUX", "mean instead of median", "mean T2 Echo · per MUX"),
        (
            "worst 5 couplings by Bell fidelity",
            "make it ten",
            "worst 10 couplings by Bell State Fidelity · newest values",
        ),
        ("T2 echo of Q13", "back to T1", "T1 · Q13 · newest values"),
        ("T2 echo of Q13", "T1に戻して", "T1 · Q13 · newest values"),
        ("T1 of Q3", "no sorry, Q4", "T1 · Q04 · newest values"),
        ("age of T1", "only the ones older than a month", "not measured T1 · in the last 30 days"),
        ("notes about Q11", "who wrote them?", "notes · Q11 · who"),
        ("failed results of Q7", "when did they fail?", "failed results · Q07"),
        ("CheckT1 results of Q55 today", "when did it last succeed?", "last 1 results completed · Q55 · CheckT1"),
        ("which qubits failed most in June", "top 5", "failed results · 5 most often per qubit · since 2026-06-01"),
        ("which qubits lost T1 since May?", "the 5 worst", "T1 fell · since 2026-05-01 · 5 largest"),
        ("which qubits lost T1 by 30 % since 22 June?", "2割なら?", "T1 fell · since 2026-06-22 · by at least 20 %"),
        ("how often was CheckRamsey run in June?", "per day", "results · since 2026-06-01 · CheckRamsey · per day"),
        ("longest run in June", "and the shortest?", "shortest runs · since 2026-06-01"),
        ("T1 below 30 us", "make it 20", "qubits · T1 below 20 μs · newest values"),
        ("T1 of Q10 on 15 June", "and the day after?", "measurements of T1 · Q10 · on 2026-06-16"),
        ("what is wrong with Q42", "since when is it bad?", "when values fell · Q42"),
        ("T1 of Q10 on 15 June", "best value ever?", "highest T1 · Q10 · any measurement"),
        ("compare Q21 and Q22", "T1とT2*だけ", "compare T1 and T2 Star · Q21, Q22"),
        ("compare T1 of Q21 and Q22", "T1の良い順に", "qubits by T1, best first · Q21, Q22 · newest values"),
        ("median T2 echo in May", "show it as a heatmap", "heatmap of T2 Echo · in May 2026"),
        ("runs by aoi in June", "failed?", "runs failed · since 2026-06-01 · by user aoi"),
        (
            "T1 over 50 us and T2 echo over 60 us",
            "raise the T2 limit to 80",
            "qubits · T1 above 50 μs · T2 Echo above 80 μs · newest values",
        ),
        (
            "T1 over 50 us and T2 echo over 60 us",
            "T2の条件を80に上げて",
            "qubits · T1 above 50 μs · T2 Echo above 80 μs · newest values",
        ),
        (
            "scatter plot of T1 and frequency",
            "leave out those with T1 below 10 us",
            "scatter plot of Qubit Frequency against T1 · T1 at least 10 μs",
        ),
        ("T1, T2 echo and T2* of Q12", "drop T2*", "T1 and T2 Echo · Q12 · newest values"),
        ("T1 of Q2 on 15 March", "a month later?", "measurements of T1 · Q02 · on 2026-04-15"),
        (
            "which tasks failed on Q33 in June?",
            "and on its neighbours",
            "failed results · neighbors of Q33 · since 2026-06-01",
        ),
        ("last CheckRamsey result of Q60", "did it succeed?", "last 1 results · Q60 · CheckRamsey"),
        ("top five X90", "are they also the best in T1?", "best qubits by T1 · of these · newest values"),
        (
            "which qubits improved in readout since May?",
            "and which got worse?",
            "Readout Fidelity fell · since 2026-05-01",
        ),
        ("best 10 couplings by ZX90", "低い順だと?", "lowest 10 couplings by ZX90 Gate Fidelity · newest values"),
        ("compare Q20 and Q21", "コヒーレンスだけでいい", "compare T1 and T2 Echo · Q20, Q21"),
        ("T1 of Q5", "how is the chip?", "how is the chip"),
        ("excluded values", "only CheckT1", "excluded values · CheckT1"),
        ("qubits with T1 below 20 us", "and 30?", "qubits · T1 below 30 μs · newest values"),
        ("T1が20us未満の量子ビット", "じゃあ30だと？", "qubits · T1 below 30 μs · newest values"),
        ("T1 of Q30 on 23 June", "どれくらいずれた？", "T1 changed · Q30 · since 2026-06-23"),
        ("worst 10 qubits by T1", "when were these measured?", "age of T1 · of these"),
        (
            "is there something strange with Q45?",
            "any failures on it this month?",
            "failed results · Q45 · since 2026-06-01",
        ),
        ("longest run in June", "what failed in it?", "failed results · in that run"),
        ("the last run", "tasks in that run", "results · of the latest run"),
        ("the last run", "how long did it take?", "last 1 runs"),
        ("the last run", "did it succeed?", "last 1 runs"),
        ("runs by alice in June", "and bob?", "runs · since 2026-06-01 · by user bob"),
        ("slowest tasks this month", "only CheckT1", "duration of tasks · since 2026-06-01 · CheckT1"),
        ("duration of CheckT1", "and CheckRabi?", "duration of tasks · CheckRabi"),
        ("which qubits are excluded", "their neighbours", "topology · of these"),
        (
            "which neighbours are closer than 200 MHz in frequency",
            "for Q18",
            "difference of Qubit Frequency · neighbors of Q18 · closer than 200 MHz",
        ),
        ("runs by alice in June", "bobは？", "runs · since 2026-06-01 · by user bob"),
        ("最新の実行は?", "失敗はある?", "failed results · of the latest run"),
        ("最新の実行は?", "その実行のタスク", "results · of the latest run"),
        ("which qubits are excluded", "show their T1", "T1 · of these · newest values"),
        ("読み出し忠実度のワースト5", "いつ測った?", "age · of these"),
        ("T1 for all qubits", "only those below 20 us", "T1 · T1 below 20 μs · newest values"),
        (
            "readout of the qubits with T1 under 15 us",
            "and those over 60 us?",
            "Readout Fidelity · T1 above 60 μs · newest values",
        ),
        ("readout of the qubits with T1 under 15 us", "their T2 echo?", "T2 Echo · T1 below 15 μs · newest values"),
        ("what is wrong with Q27", "compare with Q28", "compare Q27, Q28"),
        ("what failed on 29 June", "group by task", "failed results · most often per task · on 2026-06-29"),
        ("which task failed most on 29 June", "only CheckRamsey", "failed results · on 2026-06-29 · CheckRamsey"),
        ("frequency of the neighbours of Q18", "which is closest?", "difference of Qubit Frequency · neighbors of Q18"),
        (
            "frequency of the neighbours of Q18",
            "any closer than 50 MHz?",
            "difference of Qubit Frequency · neighbors of Q18 · closer than 50 MHz",
        ),
    ],
)
def test_what_a_follow_up_means(before: str, after: str, asked: str) -> None:
    found = read(after, read(before))
    assert found is not None
    assert sentence_of(found, "en") == asked


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("T1 over time", "its neighbours"),
        ("how is the chip", "their neighbours"),
        ("Allan deviation of T1 of Q7", "how many?"),
        ("T1 of Q5", "the day before"),
        ("T1 of Q5", "30 us?"),
        ("T1 of Q5", "and without Q5?"),
        ("how is the chip", "when was it measured by them?"),
        ("T1 of Q5", "drop the T2 condition"),
        ("T1 of Q5", "that day"),
        ("T1 of Q5", "a week earlier"),
        ("T1 of Q5", "the others"),
        ("T1", "same MUX"),
        ("what is wrong with MUX 11", "and the one next to it"),
        ("how stable was Q18's frequency in June?", "compared to May"),
        ("T1 of Q13", "plot both"),
        ("T1 of Q13 on 15 June", "on the 31st?"),
        ("ZX90 of Q5-Q6", "of its neighbours"),
        ("T1 of Q5", "and bob?"),
        ("T1 of Q5", "slow qubits"),
        ("T1 of Q5", "take Q5 and Q6"),
        ("T1 of Q5", "who ran CheckT1 most?"),
        ("couplings with Bell fidelity above 90 %", "show the T1 of their qubits"),
    ],
)
def test_what_refers_to_nothing_is_not_run(before: str, after: str) -> None:
    assert queries(after, NOW, read(before)) == ()


@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.long)])
def test_a_whole_question_stays_itself_behind_any_other(each: int) -> None:
    forms = [query for some in examples(NOW).values() for query in some]
    asked = [(sentence_of(query, language), query) for query in forms for language in LANGUAGES]
    wrong = [
        (sentence_of(before, "en"), sentence)
        for sentence, query in asked[::each]
        for before in forms[:: 2 * each]
        if queries(sentence, NOW, before) != (query,)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("before", "after", "meant"),
    [
        (
            "how did the frequency of Q41 change over the last three months?",
            "any jumps bigger than 100 kHz?",
            {
                "Qubit Frequency changed · Q41 · in the last 90 days · by at least 100 kHz",
                "what changed · by at least 100 kHz",
            },
        ),
        (
            "T1 of Q5",
            "what changed since yesterday?",
            {"T1 changed · Q05 · since 2026-06-29", "what changed · since 2026-06-29"},
        ),
        (
            "runs by alice in June",
            "how many failed?",
            {"number of failed runs · since 2026-06-01 · by user alice", "number of failed results"},
        ),
        ("the last run", "which tasks failed?", {"failed results · of the latest run", "failed results"}),
    ],
)
def test_what_may_stand_alone_or_go_on_is_offered_both_ways(before: str, after: str, meant: set[str]) -> None:
    assert {sentence_of(one, "en") for one in queries(after, NOW, read(before))} == meant


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("notes from last month", "notes · in May 2026"),
        ("量子ビット14の周波数", "Qubit Frequency · Q14 · newest values"),
        ("T1 of MUX 2 to 4", "T1 · MUX 2 · MUX 3 · MUX 4 · newest values"),
        ("T1 of Q5 from 15 June", "T1 over time · Q05 · since 2026-06-15"),
        ("T1 of Q5 for the last month", "T1 over time · Q05 · in the last 30 days"),
        ("readout above .95", "qubits · Readout Fidelity above 95 % · newest values"),
        ("failed tasks per day in June", "failed results · since 2026-06-01 · per day"),
        ("which 5 qubits lost most T1 since May", "T1 fell · since 2026-05-01 · 5 largest"),
        ("which gate would you pick for a Bell pair?", "best 2 connected qubits"),
        ("which qubits are the most unstable in T1?", "worst qubits by T1 stability"),
        ("最後のキャリブレーションはいつ?", "last 1 runs"),
        ("what did aoi run in June?", "runs · since 2026-06-01 · by user aoi"),
        ("notes by user aoi", "notes · by user aoi"),
        ("aoiさんの実行", "runs · by user aoi"),
        ("since when is Q42 bad?", "when values fell · Q42"),
        ("Q42はいつから悪い?", "when values fell · Q42"),
        ("how many excluded values are there in June?", "how many · excluded values · since 2026-06-01"),
        ("Bell state fidelity of the couplings around Q20", "Bell State Fidelity · Q20 · couplings · newest values"),
        ("what tasks are there", "results · most often per task"),
        ("タスクの一覧", "results · most often per task"),
        ("how long does CheckT1 take on average", "duration of tasks · CheckT1"),
        ("which task takes the longest", "slowest tasks"),
        ("CheckRabiの平均所要時間", "duration of tasks · CheckRabi"),
        ("who uses the system most", "runs · per user"),
        ("6月の実行回数をユーザー別に", "runs · since 2026-06-01 · per user"),
        ("what did people do today", "runs · since 2026-06-30"),
        ("runs of alice", "runs · by user alice"),
        ("aliceが今日実行したもの", "runs · since 2026-06-30 · by user alice"),
        ("show failed tasks with their messages", "failed results · why"),
        ("T1 of all qubits as a table", "all qubits by T1, best first · newest values"),
        ("全量子ビットのT1を一覧で", "all qubits by T1, best first · newest values"),
        ("MUXごとの平均読み出し忠実度", "mean Readout Fidelity · per MUX"),
        ("average readout fidelity of Q5", "Readout Fidelity · Q05 · newest values"),
        ("1日あたりのタスク数の推移", "results · per day"),
        ("last run", "last 1 runs"),
        ("last runs", "runs"),
        ("最新の実行は?", "last 1 runs"),
        ("Q22の最新のRabi結果", "last 1 results · Rabi Frequency · Q22"),
        ("T1が不安定な量子ビット", "worst qubits by T1 stability"),
        ("T1 on June 20", "heatmap of T1 · on 2026-06-20"),
        ("errors on 29 June", "failed results · on 2026-06-29"),
        ("readout error of Q5", "Readout Error · Q05 · newest values"),
        ("エラーの多いタスクは?", "failed results · most often per task"),
        ("most common error messages", "failed results · why"),
        ("what did bob do yesterday", "runs · on 2026-06-29 · by user bob"),
        ("alice's runs on 29 June", "runs · on 2026-06-29 · by user alice"),
        ("bobの昨日の作業", "runs · on 2026-06-29 · by user bob"),
        (
            "give me 10 qubits with T1 over 60 us and X90 over 99 %",
            "highest 10 qubits by T1 · T1 above 60 μs · X90 Gate Fidelity above 99 % · newest values",
        ),
        ("mean and standard deviation of T1", "histogram of T1"),
        ("which neighbours have frequencies closer than 50 MHz", "difference of Qubit Frequency · closer than 50 MHz"),
        ("周波数の差が50MHz未満の隣接ペア", "difference of Qubit Frequency · closer than 50 MHz"),
        ("haven't been measured for more than 3 days", "not measured · in the last 3 days"),
        ("T1 of Q5 since 3 days", "T1 over time · Q05 · in the last 3 days"),
        ("T1 which is not good", "T1 · bad · newest values"),
        ("is Q12 ready for tonight's run?", "what is wrong with Q12"),
        ("周波数の高い順に並べて", "all qubits by Qubit Frequency, highest first · newest values"),
        (
            "failed tasks in the last 3 days, grouped by task",
            "failed results · most often per task · in the last 3 days",
        ),
    ],
)
def test_words_before_times_and_groups(question: str, asked: str) -> None:
    found = read(question)
    assert found is not None
    assert sentence_of(found, "en") == asked
