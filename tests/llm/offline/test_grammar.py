"""A sentence parses whole, and reads as the one query that its words mean; else the nearest are offered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from qdash_jupyter.domain.language import language_of
from qdash_jupyter.llm.offline.grammar import patterns
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.grammar.offers import MOST, offers
from qdash_jupyter.llm.offline.grammar.parts import MOST_CHARACTERS, SKIPPED
from qdash_jupyter.llm.offline.grammar.patterns import grammar, phrases_of
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.llm.offline.query import NEWEST_RUN, Amount, Asked, Condition, Query, Window
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.session.starters import STARTERS
from tests.llm.offline.asking import NOW, drawn, is_answered, read

ROOT = Path(__file__).parents[3]
THIS_MONDAY = datetime(2026, 6, 29, tzinfo=NOW.tzinfo)
LANGUAGES: tuple[Language, ...] = ("en", "ja")


@pytest.mark.parametrize(("seed", "each"), [(36, 2), pytest.param(37, 40, marks=pytest.mark.long)])
def test_every_query_is_a_sentence_that_reads_as_that_query(seed: int, each: int) -> None:
    """In both languages, so they agree; and in none of them does it mean anything else."""
    wrong = [
        (sentence, query)
        for query in drawn(Random(seed), each)  # noqa: S311 - no secret
        for language in LANGUAGES
        if queries(sentence := sentence_of(query, language), NOW) != (query,)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_predicted_once_is_read_as_lark_reads_it(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    """All trees, and of sentences with gaps the one that is chosen (decision 0073)."""
    ours = [patterns.grammar(language, gaps=gaps) for gaps in (False, True)]
    monkeypatch.setattr(patterns, "_predict_once", lambda made: None)
    larks = [patterns.grammar.__wrapped__(language, gaps=gaps) for gaps in (False, True)]
    for sentence in [sentence_of(query, language) for some in examples(NOW).values() for query in some][::24]:
        for mine, theirs, more in zip(ours, larks, ("", " zork"), strict=True):
            text = f"{sentence.lower()}{more}\x03"
            assert mine.parse(text) == theirs.parse(text), sentence


def test_what_can_be_asked_reads_as_itself() -> None:
    for query in (one for some in examples(NOW).values() for one in some):
        for language in LANGUAGES:
            assert queries(sentence_of(query, language), NOW) == (query,)


def test_what_a_question_is_read_as_reads_as_the_same() -> None:
    """Also where its words are no sentence of ours: times of a day, and names that could be others."""
    for question in (
        "how is Q12 this week against last week",
        "T1 of Q12 since June 29 14:30",
        "success rate of CheckT1 last month",
        "zz between 0 and 1",
        "T1 below 50 % of T2 echo",
    ):
        for query in queries(question, NOW):
            for language in LANGUAGES:
                assert queries(sentence_of(query, language), NOW) == (query,), question
    assert read("success rate of CheckT1") != read("failure rate of CheckT1")
    assert {query.qids for query in queries("zz between 0 and 1", NOW)} >= {("0-1",)}
    assert queries("T1 of Q12 on 2026-06-10T14:30", NOW) == (), "a minute is no day"
    assert queries("T1 below 50 % of 60 us", NOW) == ()
    assert queries("readout fidelity below 0.95", NOW) == queries("readout fidelity below 95 %", NOW) != ()
    assert queries("T1 of Q12 since yesterday evening", NOW) == (), "a greeting stands first"
    assert queries("morning! T1 of Q12", NOW) == queries("T1 of Q12", NOW)


def documented() -> Iterator[str]:
    """Questions of the notebooks and pages that are for the planner."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            yield from re.findall(r"^%%copilot(?: --?\S+(?: \S+)?)*\n(.+)", source)
            yield from re.findall(r"^%copilot ask (.+)$", source, re.MULTILINE)
    for path in (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"):
        yield from re.findall(r'qdash-jupyter ask [^"\n]*"([^"]+)"', path.read_text(encoding="utf-8"))


FOR_A_MODEL = {
    "Is its T1 still good?",
    "Switch the output of the AWG on, at a level of 0.3.",
    "Was the fridge warm today?",
    "Which qubits lost T1 in the last 30 days, and how good is their readout?",
    "Write me a poem about transmons",
    "日本語で一文にまとめてください。",
    "…",
}
"""Documented for what only a language model can do, or as what the planner refuses."""


def test_between_two_qubits_is_their_coupling_or_what_they_differ_by() -> None:
    """Never the same of each of them."""
    for sentence in (
        "Q55とQ58の間のZX90忠実度",
        "zx90 fidelity between Q55 and Q58",
        "gate fidelity between Q55 and Q58",
        "Q55とQ58のカップリングのゲート忠実度",
        "Q55とQ58の間のゲートはどうして悪いの？",
    ):
        [query] = queries(sentence, NOW)
        assert (query.qids, query.metrics) == (("55-58",), ("zx90_gate_fidelity",)), sentence
    [of_qubit] = queries("gate fidelity of Q55", NOW)
    assert of_qubit.metrics == ("average_gate_fidelity",)
    of_two = queries("Q0とQ1の間の周波数の差", NOW) + queries("compare T1 between Q0 and Q1", NOW)
    assert {query.qids for query in of_two} == {("0", "1")}
    assert queries("T1 between Q0 and Q1", NOW) == ()


def test_a_named_element_is_judged_and_not_ranked() -> None:
    for sentence in (
        "is the coupling between Q55 and Q58 any good?",
        "is Q5 bad?",
        "bad qubits in mux 4",
        "Q36は使っても大丈夫？",
    ):
        assert [query.asked for query in queries(sentence, NOW)] == [Asked.VERDICT], sentence


def test_a_whole_mux_can_be_left_out() -> None:
    for sentence in ("best 5 qubits by readout, excluding mux 2", "MUX2以外で読み出しが良い5個"):
        assert [query.without for query in queries(sentence, NOW)] == [("8", "9", "10", "11")], sentence


def test_results_behind_a_question_about_a_time_may_be_of_that_time() -> None:
    [before] = queries("how many tasks failed in May?", NOW)
    assert [query.window for query in queries("which qubits had the most failures?", NOW, before)] == [
        None,
        before.window,
    ]
    assert [query.window for query in queries("which qubits had the most failures?", NOW)] == [None]


def test_a_word_is_no_slip_for_one_with_another_first_letter() -> None:
    assert offers("T1 in prose", NOW).corrected == {}
    assert offers("frequncy of Q19", NOW).corrected == {"frequncy": "frequency"}


def test_qubits_that_are_bad_in_nothing_that_is_named_are_those_to_look_at() -> None:
    for sentence in ("which qubits are bad?", "list the bad qubits", "不良の量子ビットの一覧"):
        assert [query.asked for query in queries(sentence, NOW)] == [Asked.HEALTH], sentence
    assert [query.asked for query in queries("which qubits have bad T1?", NOW)] == [Asked.SELECT]


def test_documented_questions_are_answered() -> None:
    starters = {starter.of(language) for starter in STARTERS for language in LANGUAGES}
    assert [one for one in {*documented(), *starters} - FOR_A_MODEL if not is_answered(one)] == []


def test_a_window_of_no_days_is_no_window() -> None:
    asked = [
        "Did T1 fall in the last 0 days?",
        "Compare T1 of the last 7 days with the preceding 0 days",
        "T1 of the last 7 days against the 0 days before",
        "T1 in the previous -9 hours",
        "この7日間のT1を、その前の0日間と比べて",
    ]
    assert [one for one in asked if queries(one, NOW)] == []


POLITE = set(
    """a an the my our please pls plz kindly thanks thank you thx cheers hey hi hello good morning evening afternoon
        folks guys asap btw hm hmm oh yo well sorry actually mean meant
        i i'm im am m new here real quick question just wondering wonder curious by any chance
        idea as can could would will may to for me us show list give display find get tell see know print return put
        pick choose select search check teach dump open gimme looking look at i'd we we'd want need like let
        let's pull up fetch calculate compute suggest recommend be interested in say this y n propose advise
        experiment demo paper talk""".split()  # noqa: SIM905
)
POLITE_JA = re.compile(
    "見せ|みせ|見て|示|教|おしえ|出し|出せ|出力|探|列挙|挙げ|作|描|選|調べ|リストアップ|抽出|提|図示|評価|確認|ださい|下さい|くだい|願"
    "|たい|欲し|ほし|いただけ|頼む|よろしく|おはよう|すみません|ちょっと|とりあえず|ざっと|ざっくり|計算|算出|ピックアップ|ちょうだい|頂戴|くれ|もらえ|なん(か|となく)"
)
"""Articles, and words by which somebody asks politely to be shown something."""


def test_what_is_skipped_anywhere_is_politeness_and_articles() -> None:
    said = {language: phrases_of(grammar(language).get_terminal("FILLER").pattern.value) for language in LANGUAGES}
    assert {word for phrase in said["en"] for word in re.findall(r"[a-z']+", phrase)} <= POLITE
    assert [phrase for phrase in said["ja"] if not POLITE_JA.search(phrase)] == []


IN_CONTEXT = {
    ("over", "ABOVE"),  # before all qubits, or before a time: "over the last week"
    ("over", "DURING"),
    ("over the", "DURING"),
    ("any", "EVER__ANY"),  # one is enough before "measurements": "any T1 measurements below 20 μs"
    ("also", "ADD"),  # at the beginning of a question it adds to the one before
    ("meet", "AT_LEAST"),  # before a limit: "meet 99 %"
    ("anyone", "WHO"),  # who it is where "who" follows
    *((word, "EXCLUDED") for word in ("is", "are", "was", "were")),  # "was T1 of Q7 excluded?"
    *((word, "PLOT") for word in ("plot", "draw", "graph", "visualise", "visualize")),  # not before "a map of T1"
    *((word, "VERDICT") for word in ("perform", "performed", "performing", "performs")),  # not before "best", "worst"
    *((f"should {who} use", "VERDICT") for who in ("i", "we")),  # before a name: "should I use Q7?"
    *((f"how {one}", "ORIGIN") for one in ("is", "was", "were")),  # before "measured": not before "related"
    *((f"how {one}", "HISTORY") for one in ("has", "have")),  # before "been"
    ("how good", "VERDICT"),  # of a qubit; of a parameter it asks for the value
    ("how is", "VERDICT"),  # not before "distributed"
    ("how well", "VERDICT"),  # not before "do we"
    ("how long", "DURATION"),  # not before T1
    ("start", "RUNS__BY"),  # behind a name: "what did alice start?"
    ("どう", "VERDICT"),  # "T1はどう" asks for a value, "Q7はどう" for a verdict: both are read
    ("まとめて", "VERDICT"),  # before "show" it says "in one table", at the end "summarize"
    ("だけ", "ONLY"),  # at the end of a question that names nothing else it refers to the one before
}
"""Words that say something only in their place."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_skipped_has_no_meaning(language: Language) -> None:
    """No word of another part is among the words without a meaning, but those that a test names."""
    terminals = {one.name: set(phrases_of(one.pattern.value)) for one in grammar(language).terminals}
    filler = {word for name in SKIPPED & terminals.keys() for word in terminals.pop(name)}
    helping = {"REFER", "AND", "OR", "HELP", "ONE", "WORD_NUMBER", "UNKNOWN"}
    meant = {
        (word, name)
        for name, words in terminals.items()
        if name not in helping and not name.startswith("_")
        for word in words & filler
    }
    assert meant <= IN_CONTEXT, meant


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_looked_for_wherever_one_may_begin(language: Language) -> None:
    """Most patterns are not compiled before a text has a letter that they may begin with."""
    for one in grammar(language).terminals:
        assert re.compile(one.pattern.value)
        if (first := getattr(one.pattern, "_first", None)) is not None:
            assert {phrase[0] for phrase in phrases_of(one.pattern.value)} <= first, one.name


INSERTED = (
    "not",
    "except",
    "worst",
    "median",
    "June",
    "couplings",
    "yesterday",
    "failed",
    "per week",
    "neighbors",
    "why",
)
QUESTIONS = (
    "T1 of Q33",
    "which qubits have T1 below 40 us",
    "worst 5 qubits by readout",
    "Which qubits lost T1 in the last 30 days?",
    "histogram of T2 echo",
    "failed tasks in the last 7 days",
    "compare Q3 and Q7",
)


@pytest.mark.parametrize(
    "question", [QUESTIONS[0], *(pytest.param(one, marks=pytest.mark.long) for one in QUESTIONS[1:])]
)
def test_a_word_of_meaning_is_never_skipped(question: str) -> None:
    """Put in anywhere it makes the question another one, or none."""
    query = read(question)
    assert query is not None
    words = question.split()
    for word in INSERTED:
        if word.split()[0].lower() in question.lower():
            continue
        for place in range(len(words) + 1):
            changed = " ".join((*words[:place], word, *words[place:]))
            assert read(changed) != query or (word, question) in SAME, changed


SAME: set[tuple[str, str]] = set()
"""Where a word says the same there."""


def test_no_part_of_a_question_is_dropped() -> None:
    """Each was read without one of its words (docs/evaluation.md of 2026-11-28), or only in the other language."""
    for one, other in (
        ("which qubit's T1 fluctuated the most", "which qubit has the least stable T1"),
        ("T1 of Q12 from June 8 to 18", "6月8日から18日のQ12のT1"),
        ("who has no data from the last 14 days?", "qubits without data in the last 14 days"),
        ("T1 of Q12 from June 11 to 20", "6月中旬のQ12のT1"),
        ("T1 of Q12 since late May", "5月下旬以降のQ12のT1"),
        ("T1 of Q4 on 2026-06-26", "先週の金曜日のQ4のT1"),
        ("qubits above 60 us in both T1 and T2 echo", "T1もT2エコーも60usを超える量子ビットは?"),
        ("is T1 of Q30 worse than 5 days ago?", "Q30のT1は5日前より悪い?"),
        ("is T1 of Q30 lower than last month?", "先月よりQ30のT1は落ちていないか確認したい"),
        ("has the chip got better than last month?", "先月よりチップは良くなった?"),
        ("T1 of Q5: last 7 days vs the 7 days before", "Q5のT1、直近7日とその前の7日を比べて"),
        ("zx90 between q34 and q32", "Q34とQ32の間のZX90"),
        ("median T1 per MUX", "MUXごとのT1の中央値"),
        ("worst 3 MUXes by T1", "T1の中央値、MUX別、ワースト3"),
        ("list the measurements of today", "今日の測定の一覧"),
        ("Which 5 qubits should I recalibrate first?", "次に校正すべき5個の量子ビット"),
        ("T1 around Q10", "Q10の周りのT1"),
        ("T1 of Q56 before and after June 15", "6月15日の前後でQ56のT1を比較して"),
        ("number of failed CheckT1 per qubit in June", "6月のCheckT1の失敗数を量子ビットごとに"),
        ("how long did yesterday's run take?", "昨日の実行は何分かかった？"),
        ("how long did the last run take?", "runs · last 1"),
        ("qubits with T2 echo shorter than their T1", "T2エコーがT1より短い量子ビット"),
        ("which qubits haven't been measured for a month?", "過去30日間に測定されていない量子ビット"),
        ("compare Q3 and Q7", "Q3とQ7の違いは？"),
        ("how old is T1 of Q7?", "Q7のT1はどれくらい古い？"),
        ("T1 between 30 and 50 us", "T1が30us〜50usの量子ビット"),
        ("readout at most 95 %", "読み出しが95%を超えない量子ビット"),
        ("x90 fidelity below 99.9 %", "x90忠実度が99.9%に届いていないビット"),
        ("all qubits by T1, highest first", "T1を降順で一覧"),
        ("median T1 of Q5 per week", "Q5のT1を週単位で"),
        ("compare T1 of Q5 before and after June 15", "6月15日以前と以降でQ5のT1を比較"),
        ("which tasks failed most often?", "よく失敗するタスクは？"),
        ("least stable T1", "T1が一番不安定なビットは？"),
        ("T1 of Q5 this year", "今年のQ5のT1"),
        ("what failed on the weekend?", "週末に失敗したタスク"),
        ("qubits with bad T1 and readout", "T1が短くて読み出しも悪い量子ビット"),
        ("what is wrong with Q7", "Q7は正常に動いている？"),
        ("best 4 connected qubits", "つながっている4つの量子ビット"),
        ("T1 of MUX 3 to 5", "MUX3からMUX5のT1"),
        ("qubits with bad readout error", "読み出しエラー率が高い量子ビット"),
        ("qubits with high readout error", "qubits with bad readout error"),
        ("qubits with low X90 error", "x90のエラーが小さい量子ビット"),
        ("T1 below 40 us", "T1が40us未満に下がった量子ビット"),
        ("frequency changes above 1 MHz", "周波数の変化が1MHz以上のビット"),
        ("T1 of Q5 and Q7", "５番と７番のT1"),
        ("top5 qubits by T1", "T1 top5"),
        ("when did T1 of Q5 fall?", "Q5のT1が下がった日"),
        ("standard deviation of T1 of Q5", "Q5のT1の標準偏差"),
        ("where does T1 of Q7 come from?", "Q7のT1はどのランの値？"),
        ("compare T1 of Q3 and Q7", "Q3とQ7、T1が長いのはどっち？"),
        ("qubits without data", "データなしの量子ビット"),
    ):
        found = [replace(query, kind=None) for query in (read(one), read(other)) if query is not None]
        assert found[:1] == found[1:], (one, other)
    assert read("T1 of Q2 since June 8 to 18") is None
    assert read("which tasks failed in last night's run") is None, "tasks, or runs"
    assert read("worst MUX by ZX90") is None, "a coupling belongs to no MUX"
    listed = read("T1が低い量子ビットを5個")
    assert read("ワースト3だけ", listed) == replace(listed or Query(Asked.HEALTH), order="worst", count=3)


def test_what_would_be_read_without_one_of_its_words_is_not_run() -> None:
    """Each was, as the question that stands behind it."""
    for question, other in (
        ("Q3とQ5を抜き出して", "Q3とQ5以外"),
        ("Q5のT1を測定して", "Q5のT1の測定値"),
        ("Q5を除外して", "Q5の除外された値"),
        ("T1って何？", "T1"),
        ("飛び値", "変化"),
        ("T1のばらつきをヒストグラムで", "T1の変動"),
        ("T1が下がっていない量子ビット", "T1が下がった量子ビット"),
        ("各MUXで一番T1が長い量子ビット", "T1が一番長いMUX"),
        ("best qubit by T1 in each MUX", "MUX with the best T1"),
        ("maximum T1 per MUX", "MUX with the highest T1"),
        ("Q5のT1の平均と最新値", "Q5のT1の平均"),
        ("T1が5us以上下がって読み出しも悪化した量子ビット", "T1と読み出しが5us以上下がった量子ビット"),
        ("T1 between 30 us and 0.05 ms", "T1 between 0.05 and 30 ms"),
        ("T1とT2エコーをまとめて表示して", "T1とT2エコーは大丈夫？"),
        ("T1の誤差が一番大きい量子ビット", "T1が一番大きい量子ビット"),
        ("T1が一番の量子ビット", "Q1のT1"),
        ("T1が長い3番目の量子ビット", "Q3のT1は長い？"),
        ("3番のMUXのT1", "MUXごとのQ3のT1"),
        ("Q5の上の量子ビット", "Q5の値"),
        ("T1を長くするには", "T1が長い量子ビット"),
        ("T1が40us未満の量子ビットは昨日より増えた？", "T1が40us未満の量子ビットは昨日より良くなった？"),
    ):
        assert read(question) != read(other) or read(question) is None, question
    for question in ("Q5のT1を測定して", "Q5を除外して", "T1って何？", "飛び値", "T1の誤差の平均"):
        assert queries(question, NOW) == (), question
    assert read("MUX3のT1をまとめて見せて") == read("MUX3のT1")


def test_no_word_is_read_as_another() -> None:
    """Found by an audit of 1,646 English questions (decision 0090): each was read as something else."""
    for one, other in (
        ("qubits with high readout error", "qubits with bad readout error"),
        ("qubits with low readout error", "qubits with good readout error"),
        ("couplings with the strongest ZZ", "couplings with the highest ZZ"),
        ("frequency jumps of more than 1 MHz in June", "frequency changed by more than 1 MHz in June"),
        ("today's runs", "runs of today"),
        ("today's results", "results of today"),
        ("longest tasks", "slowest tasks"),
        ("did the last run succeed", "last run"),
        ("did the last 3 runs fail", "last 3 runs"),
        ("was the last CheckT1 of Q12 successful", "last CheckT1 of Q12"),
        ("when was the last calibration", "when was the last run"),
        ("is T1 of Q3 longer than T1 of Q7", "compare T1 of Q3 and Q7"),
        ("why was T1 of Q7 excluded", "excluded T1 values of Q7, why"),
        ("was T1 of Q7 excluded", "excluded T1 values of Q7"),
        ("2D map of T1", "map of T1"),
        ("plot T1 across the chip", "map of T1"),
        ("how much does T1 vary across the chip", "standard deviation of T1"),
        ("should I use Q7", "what is wrong with Q7"),
        ("does Q7 have any issues", "what is wrong with Q7"),
        ("from which run is T1 of Q7", "origin of T1 of Q7"),
        ("does readout go with T1", "correlation of readout and T1"),
        ("is anything being measured right now", "is anything running"),
        ("at least 50 us T1 and at least 98 % readout", "T1 at least 50 us and readout at least 98 %"),
        ("CheckRabi failed on 58", "CheckRabi failed on Q58"),
        ("freq of 14", "freq of Q14"),
        ("T1 of 3, 5 and 9", "T1 of Q3, Q5 and Q9"),
        ("ZX90 of Q33 and Q35", "ZX90 of coupling Q33-Q35"),
        ("which qubits had the most failures", "number of failures per qubit"),
        ("エラー率の高い読み出しの量子ビット", "読み出しエラーが悪い量子ビット"),
        ("最後の実行は成功した？", "最後の実行"),
    ):
        found = read(one)
        assert found == read(other), (one, other)
        assert found is not None, one
    for question in (
        "median T1 of each qubit",
        "各量子ビットのT1の中央値",
        "T1 of Q12 around June 10",
        "couplings with high ZZ",
        "which qubits are down",
        "which qubits still had T1 below 40 us in June",
        "which task is failing most these days",
        "is the T1 of Q5 typical for this chip",
        "slowest?",
        "whose run was that",
    ):
        assert queries(question, NOW) == (), question
    assert {query.qids for query in queries("compare Q3 to Q7", NOW)} >= {("3", "7")}


def test_questions_are_read_in_several_threads_at_once() -> None:
    """The box's completion is made while a question is read."""
    asked = [
        "T1 of Q5",
        "worst 5 qubits by T1 in June",
        "which qubits lost T1 since Monday",
        "median readout per week",
    ] * 6
    alone = [queries(one, NOW) for one in asked]
    with ThreadPoolExecutor(4) as threads:
        assert [*threads.map(lambda one: queries(one, NOW), asked)] == alone


@pytest.mark.long  # 267 sentences are parsed
def test_what_others_asked_and_judged_to_be_right_is_read_so() -> None:
    lines = (Path(__file__).parent / "judged.txt").read_text(encoding="utf-8").splitlines()[1:]
    expected = dict(line.rsplit(" | ", 1) for line in lines)
    read = {asked: [sentence_of(one, language_of(asked)) for one in queries(asked, NOW)] for asked in expected}
    assert {asked: found for asked, found in read.items() if found != [expected[asked]]} == {}
    assert len(expected) > 200


def test_words_that_say_the_same() -> None:
    """Found by the same audit: each was not read."""
    for one, other in (
        ("which qubits are still below 40 us in T1", "which qubits are below 40 us in T1"),
        ("which qubits don't reach a T1 of 40 us", "which qubits do not reach 40 us T1"),
        ("show only qubits with T1 above 50 us", "qubits with T1 above 50 us"),
        ("T1 in the range 30-50 us", "T1 between 30 and 50 us"),
        ("minimum T1 of 50 us", "T1 at least 50 us"),
        ("either T1 below 30us or readout below 90%", "T1 below 30us or readout below 90%"),
        ("five worst qubits in terms of T1", "worst 5 qubits by T1"),
        ("worst mux by average T1", "mux with the worst average T1"),
        ("which qubits perform best in readout", "best qubits by readout"),
        ("best in T1, Q3 or Q7", "best of Q3 and Q7 in T1"),
        ("top5 T1", "top 5 T1"),
        ("trend of the median T1 per week", "median T1 per week"),
        ("what do i recal first", "what to recalibrate first"),
        ("which qubits dont have a T2 echo yet", "T2 echo not measured"),
        ("stale > 7d", "not measured in the last 7 days"),
        ("plot the best one by T1", "plot the best 1 qubits by T1"),
        ("top 5 T1 drops", "5 largest T1 drops"),
        ("which qubits lost 20 % of their T1", "T1 fell by 20 %"),
        ("T1 dropped by 10 us or more", "T1 fell by at least 10 us"),
        ("which qubits clearly suffered a T1 drop", "T1 fell"),
        ("how long is the T1 of Q12", "T1 of Q12"),
        ("how good is the readout of Q12", "readout of Q12"),
        ("how does the T1 of Q12 look", "is the T1 of Q12 ok"),
        ("is Q7 still working", "is Q7 ok"),
        ("plot T1 of Q12", "plot T1 of Q12 over time"),
        ("previous T1 values of Q12", "T1 history of Q12"),
        ("T1 time series of Q12", "T1 history of Q12"),
        ("plot the T1 histogram", "histogram of T1"),
        ("T1 stats", "statistics of T1"),
        ("median T1 in May vs June", "compare T1 in May and June"),
        ("readout before vs after June 15", "readout before and after June 15"),
        ("which qubit has most variation in T1", "which qubit fluctuates most in T1"),
        ("noisiest qubits in frequency", "least stable qubits in frequency"),
        ("how does Q3 differ from Q7", "compare Q3 and Q7"),
        ("neighbouring qubits closer than 50 MHz", "pairs with detuning below 50 MHz"),
        ("detuning of the pair Q4-Q5", "detuning of Q4 and Q5"),
        ("couplings around Q5", "couplings of Q5"),
        ("when was the last T1 measurement on Q12", "age of T1 of Q12"),
        ("how many times was T1 measured on Q7", "number of measurements of T1 of Q7"),
        ("how many notes on Q7", "notes on Q7"),
        ("which tasks ran on Q12 today", "tasks on Q12 today"),
        ("what was measured yesterday", "results of yesterday"),
        ("tasks that did not succeed yesterday", "failed tasks yesterday"),
        ("status of the last run", "last run"),
        ("how was T1 of Q7 measured", "origin of T1 of Q7"),
        ("is the T1 fit of Q7 good", "T1 fit of Q7"),
        ("should Q7 be recalibrated", "does Q7 need recalibration"),
    ):
        found = read(one)
        assert found is not None, one
        assert replace(found, kind=None) == replace(read(other) or Query(Asked.HEALTH), kind=None), (one, other)


def test_a_pronoun_is_of_what_the_same_sentence_names() -> None:
    before = read("T1 of Q42")
    for question in ("show Q03 and its T1 history", "Q03のT1とその推移"):
        assert read(question, before) == read(question) == Query(Asked.HISTORY, ("t1",), ("3",), kind="qubit")
    assert read("its T1 history", before) == Query(Asked.HISTORY, ("t1",), ("42",), kind="qubit")
    assert read("of these, Q07", before) is None, "Q07 is none of them"


@pytest.mark.parametrize("question", ["T1 below 0.00003 s", "T1 below 3e-5 seconds", "T1が0.00003秒未満"])
def test_seconds_are_a_unit(question: str) -> None:
    query = read(question)
    assert query is not None
    assert query.conditions == (Condition("t1", below=Amount(3e-5, "s")),)


def test_a_follow_up_changes_what_it_names() -> None:
    talk = (
        ("which qubits have T1 below 40 us", "T1 below 40 μs · newest values"),
        ("of these, readout below 93 %", "T1 below 40 μs · Readout Fidelity below 93 % · newest values"),
        ("how many of those have x90 below 99.8 %", None),
    )
    before: Query | None = None
    for question, said in talk:
        before = read(question, before)
        assert before is not None
        if said is not None:
            assert sentence_of(before, "en").endswith(said)
    assert before is not None
    assert (before.how_many, len(before.conditions)) == (True, 3)
    first = read("T1 of Q33")
    for question, fields in (("and Q5?", {"qids": ("5",)}), ("in june", {"asked": Asked.HISTORY}), ("Q5は?", {})):
        changed = read(question, first)
        assert changed is not None
        assert changed.metrics == ("t1",)
        assert {name: getattr(changed, name) for name in fields} == fields
    assert read("and Q5?") is None
    compared = read("compare Q1 and Q33")
    for question in ("which one has the longer T2 echo?", "T2エコーが長い方は?"):
        longer = read(question, compared)
        assert longer == Query(Asked.SELECT, ("t2_echo",), ("1", "33"), kind="qubit", order="highest"), question
    low = read("T1が低い量子ビットを5個")
    assert low is not None
    assert read("高い方は?", low) == replace(low, order="highest")
    counted = read("how many tasks failed in run 20260626-001")
    assert counted is not None
    assert read("which ones failed", counted) == replace(counted, how_many=False)
    assert read("their bell fidelities too", read("worst 4 couplings by ZX90")).metrics == ("bell_state_fidelity",)  # pyrefly: ignore[missing-attribute]
    assert read("its neighbours", first) != first


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("which qubits blorp T1", ("blorp",)),
        ("T1 of Q33 while the pulse tube was off", ("while", "pulse", "tube", "off")),
        ("write me a poem", ("write", "poem")),
    ],
)
def test_what_does_not_parse_is_offered_and_its_words_are_named(question: str, unknown: tuple[str, ...]) -> None:
    assert queries(question, NOW) == ()
    found = offers(question, NOW)
    assert 0 < len(found.queries) <= MOST
    assert set(unknown) <= set(found.unknown)
    for query in found.queries:
        assert can_answer(query)
        assert queries(sentence_of(query, "en"), NOW) == (query,)


def test_a_limit_without_a_parameter_is_offered_with_those_that_have_such_limits() -> None:
    for question, name in (("which couplings are below 95%", "ZX90 Gate"), ("qubits above 5 GHz", "Readout Frequency")):
        found = offers(question, NOW, None).queries
        assert sentence_of(found[0], "en").split(" · ")[1].startswith(name), found


def test_a_misspelt_word_is_offered_and_not_run() -> None:
    question = "anharmoncity of Q21"
    assert queries(question, NOW) == ()
    found = offers(question, NOW)
    assert found.corrected == {"anharmoncity": "anharmonicity"}
    assert found.queries[0] == read("anharmonicity of Q21")


def test_words_that_mean_several_things_are_asked_about() -> None:
    assert {query.metrics for query in queries("T2 of Q5", NOW)} == {("t2_echo",), ("t2_star",)}
    # A coupling where the chip has it (tests/llm/offline/test_one_table.py), else both are offered.
    assert {len(query.qids) for query in queries("notes about 16-20", NOW)} == {1, 5}
    assert {len(query.qids) for query in queries("notes about Q16-20", NOW)} == {1, 5}
    assert [len(query.qids) for query in queries("T1 of 0-7", NOW)] == [8]
    assert len(queries("fidelity of Q5", NOW)) == 3
    assert {query.metrics for query in queries("Ramsey of Q5", NOW)} == {("t2_star",), ("ramsey_frequency",)}
    for question in (
        "failed tasks this week",
        "先週失敗したタスク",
        "what failed last night",
        "is T1 worse than last week",
    ):
        found = queries(question, NOW)  # the calendar's, or as many days
        assert len({query.window for query in found}) == 2, question
        assert all(queries(sentence_of(query, "en"), NOW) == (query,) for query in found)
    [both] = queries("T1 of Q33 this week against last week", NOW)
    assert (both.window, both.against) == (Window(THIS_MONDAY), Window(THIS_MONDAY - timedelta(days=7), THIS_MONDAY))


def test_what_names_no_qubit_may_be_about_the_current_one() -> None:
    for question in ("When did T2 echo fall?", "T1の推移", "notes"):
        of_it, of_all = queries(question, NOW, None, "59")
        assert (of_it.qids, of_all.qids, of_it.asked) == (("59",), (), of_all.asked), question
    [its] = queries("Is its T1 good?", NOW, None, "59")
    assert its.qids == ("59",)
    for question in ("which qubits lost T1?", "how is the chip?", "worst 3 qubits by T1", "T1 of Q42", "Q42のT1"):
        assert queries(question, NOW, None, "59") == queries(question, NOW), question


def test_an_amount_behind_a_change_is_not_read_as_a_value() -> None:
    [jumped] = queries("Did any qubit frequency jump in the last two weeks?", NOW)
    assert queries("その中で5MHz以上のものは？", NOW, jumped) == queries("of these, above 5 MHz", NOW, jumped) == ()
    [fell] = queries("which qubits lost T1?", NOW)
    assert queries("of these, more than 50 %", NOW, fell) == ()
    [short] = queries("of these, below 35 us", NOW, fell)
    assert short.conditions[0].metric == "t1"


def test_two_times_are_one_where_nothing_lies_between_them() -> None:
    """Compared, they may also stand against each other; a time between them that nobody named is never read."""
    for question in ("compare T1 of Q42 and Q45 in May and June", "5月と6月のQ42とQ45のT1を比較して"):
        found = queries(question, NOW)
        assert {query.asked for query in found} == {Asked.COMPARE, Asked.WINDOWS}, question
        assert all(queries(sentence_of(query, "en"), NOW) == (query,) for query in found)
    for question, days in {
        "what failed yesterday and today": 2,
        "what failed on June 3 and June 4": 2,
        "昨日と今日の失敗したタスク": 2,
        "what failed between June 3 and June 7": 5,
    }.items():
        [window] = {query.window for query in queries(question, NOW)}
        assert window is not None, question
        assert window.since is not None, question
        assert window.until is not None, question
        assert (window.until - window.since).days == days, question
    assert queries("what failed on June 3 and June 7", NOW) == queries("6月3日と6月7日の失敗したタスク", NOW) == ()
    [compared] = queries("compare T1 on June 3 and June 7", NOW)
    assert compared.asked is Asked.WINDOWS


def test_is_it_ok_today_asks_for_what_is_now() -> None:
    for question in ("Good morning, is the chip OK today?", "チップは今日大丈夫ですか", "今日チップは大丈夫？"):
        assert read(question) == read("how is the chip?"), question
    for question in ("what's wrong with Q42 today?", "Q42は今日どうですか"):
        assert read(question) == read("what is wrong with Q42"), question
    [failed] = queries("what failed today?", NOW)
    assert failed.window == Window(datetime(2026, 6, 30, tzinfo=NOW.tzinfo))
    assert queries("is the chip OK this week?", NOW) == ()


def test_what_is_sorted_is_told_to_its_end() -> None:
    """ "Sorted" names no number, "worst" alone means a few."""
    best = Query(Asked.SELECT, ("t1",), kind="qubit", order="best", every=True)
    highest = replace(best, order="highest")
    for question in (
        "rank all qubits by T1",
        "Sort the qubits by T1.",
        "T1 ranking",
        "T1でソートして",
        "T1の良い順に全部",
    ):
        assert queries(question, NOW) == (best,), question
    for question in (
        "list every qubit's T1 in descending order",
        "all qubits by T1, highest first",
        "qubits sorted by T1 from high to low",
        "全量子ビットのT1を高い順に",
    ):
        assert queries(question, NOW) == (highest,), question
    assert queries("top 10 qubits ranked by T1", NOW) == (replace(best, every=False, count=10),)
    assert queries("T1の高い順に5個", NOW) == (replace(highest, every=False, count=5),)
    assert queries("sort the qubits by T1 stability", NOW) == ()  # its reading would be that of T1
    [sorted_limit] = queries("which couplings have a ZX90 fidelity below 97 %, worst first?", NOW)
    assert sorted_limit.metrics == ("zx90_gate_fidelity",)
    assert queries("average T1 per MUX, best first", NOW) == queries("MUX with the best average T1", NOW)
    assert queries("worst qubits by T1", NOW) == (replace(best, every=False, order="worst"),)


def test_a_table_has_several_parameters_and_is_sorted_by_the_first() -> None:
    several = Query(Asked.SELECT, ("t1", "t2_echo"), kind="qubit", order="best", every=True)
    for question in (
        "T1 and T2 echo of all qubits as a table",
        "Give me a table with T2 echo and T1 of all qubits, sorted by T1",
        "T1とT2エコーを全ビット表で",
    ):
        assert queries(question, NOW) == (several,), question
    assert queries("T2 echo sorted by T1", NOW) == (several,)
    assert queries("worst qubits by T1 and readout fidelity", NOW) == ()  # worst in both, or in which
    [frequencies] = queries("table of qubit frequency and T1", NOW)
    assert frequencies.order == "highest"


def test_lists_of_what_happened_are_of_qubits_or_couplings_where_these_are_named() -> None:
    for question, asked in (
        ("which qubits had failed tasks yesterday?", "failed results · most often per qubit · on 2026-06-29"),
        ("failed tasks on couplings in June", "failed results · most often per coupling · since 2026-06-01"),
        ("excluded couplings", "excluded values · couplings"),
        ("カップリングの除外された値", "excluded values · couplings"),
        ("notes about the qubits", "notes · qubits"),
        ("which couplings have notes?", "notes · couplings"),
    ):
        assert [sentence_of(query, "en") for query in queries(question, NOW)] == [asked], question
    assert queries("how many qubits failed yesterday?", NOW) == ()  # not how many results


def test_the_day_before_is_before_a_time_that_was_named() -> None:
    assert queries("T1 of Q5 the day before", NOW) == ()
    assert queries("of these, T2 echo the day before?", NOW, read("worst T1")) == ()


def test_results_of_the_latest_run_are_those_of_that_run() -> None:
    for question in (
        "what failed in the last run?",
        "list failed tasks in the latest run",
        "最新の実行で失敗したタスク",
    ):
        [query] = queries(question, NOW)
        assert (query.asked, query.status, query.among) == (Asked.RESULTS, "failed", NEWEST_RUN), question
    assert read("how long did the last run take?") == NEWEST_RUN


def test_what_a_task_gives_is_known_by_its_name_in_either_language() -> None:
    for question, names in (
        ("readout amplitude of Q26", ("readout_amplitude",)),
        ("Q26の読み出し周波数と読み出し振幅", ("readout_frequency", "readout_amplitude")),
        ("Q02-Q16のCR振幅とキャンセル振幅", ("cr_amplitude", "cancel_amplitude")),
        ("DRAG beta of Q22", ("drag_hpi_beta", "drag_pi_beta")),
    ):
        assert [query.metrics for query in queries(question, NOW)] == [names], question
    assert [query.qids for query in queries("readout amplitude of Q20-Q23", NOW)] == [("20", "21", "22", "23")]


def test_better_than_another_one_compares_both() -> None:
    for question in ("is Q12 better than Q13?", "Is qubit 12 a better choice than qubit 13", "Q12はQ13より良い？"):
        assert read(question) == read("compare Q12 and Q13"), question
    for question in (
        "does Q12 have a longer T1 than Q13",
        "is the T1 of Q12 worse than that of Q13",
        "Q12のT1はQ13より長い？",
    ):
        assert read(question) == read("compare T1 of Q12 and Q13"), question
    assert queries("which qubits have a longer T1 than Q13", NOW) == ()


def test_numbers_are_read_in_words_and_a_place_is_left_out() -> None:
    assert read("the last three T1 values of Q8") == read("last 3 T1 values of Q8")
    assert read("best 4 qubits by T1 outside MUX 3") == read("best 4 qubits by T1 except MUX 3")


def test_this_past_week_is_the_past_week() -> None:
    assert read("what changed this past fortnight?") == read("what changed in the past fortnight?")


def test_half_a_month_and_how_values_are_distributed() -> None:
    june, middle = datetime(2026, 6, 1, tzinfo=NOW.tzinfo), datetime(2026, 6, 16, tzinfo=NOW.tzinfo)
    for question in ("T1 of Q08 in the first half of June", "6月前半のQ08のT1"):
        assert [query.window for query in queries(question, NOW)] == [Window(june, middle)], question
    for question in ("which qubits lost T1 in the second half of June?", "6月の後半にT1が落ちた量子ビット"):
        assert [query.window for query in queries(question, NOW)] == [Window(middle)], question
    assert read("How is the T1 of the whole chip distributed?") == read("histogram of T1")


def test_what_asks_to_act_or_to_explain_is_not_run() -> None:
    for question in ("recalibrate Q17", "Q17を再校正して", "What is T1?", "T1とは何ですか", "which has the longer T1?"):
        assert queries(question, NOW) == (), question
    for question in ("what's the T1 of Q17", "does Q17 need to be recalibrated?", "couplings that need recalibration"):
        assert is_answered(question), question
    assert read("which 5 qubits should I recalibrate first?") == Query(Asked.RECALIBRATE, kind="qubit", count=5)


@pytest.mark.parametrize(
    "hostile",
    [
        "T1 " * 6_000,
        "(" * 300,
        "T1\x00 of\x07 Q3",
        "\u202e1T fo 3Q",
        "𝐓𝟏 of Q3" * 20,
        "９" * 299,
        "' OR 1=1 --",
        "の" * 299,
    ],
)
def test_hostile_input_is_read_or_offered(hostile: str) -> None:
    found = offers(hostile, NOW)
    assert len(found.queries) <= MOST
    assert len(hostile) <= MOST_CHARACTERS or queries(hostile, NOW) == ()


def test_of_a_long_question_that_does_not_parse_the_beginning_is_read() -> None:
    words = [f"{one}{other}orf" for one in "bzvgkj" for other in "lxqz"]
    found = offers(" ".join(("T1 of Q33", *words)), NOW)
    assert found.queries[0] == read("T1 of Q33")
    assert found.unknown == tuple(words[: len(found.unknown)])
    assert 0 < len(found.unknown) < len(words)


def test_a_pronoun_without_anything_before_it_is_no_offer_of_its_own() -> None:
    for question in ("which of them blorp the best readout", "its blorp", "readout of these please frobnicate"):
        assert all(query.among is None and can_answer(query) for query in offers(question, NOW, None).queries)


def test_qubits_by_a_parameter_are_all_of_them_in_its_order() -> None:
    whole = Query(Asked.SELECT, ("t1",), kind="qubit", order="best", every=True)
    assert read("list the qubits by T1") == read("qubits by T1") == whole
    assert read("worst qubit by T1") == Query(Asked.SELECT, ("t1",), kind="qubit", order="worst")


def test_full_width_letters_and_micro_signs_are_the_same() -> None:
    same = ["T1 < 30 us", "Ｔ１ ＜ ３０ μs", "T1 < 30 µs", "t1<30us", "T1  below 30 microseconds"]
    assert all(read(first) == read(second) is not None for first, second in pairwise(same))


@pytest.mark.parametrize(
    ("before", "after", "asked"),
    [
        ("worst 2 qubits by T1 of Q1 to Q4", "T2 echo of these", "worst 2 qubits by T1 · Q01 to Q04 · newest values"),
        ("worst couplings of Q10", "of these, ZX90 below 97 %", "worst couplings · Q10 · newest values"),
    ],
)
def test_of_these_are_those_that_a_ranking_of_named_ones_names(before: str, after: str, asked: str) -> None:
    """Not all among which it ranks."""
    found = read(after, read(before))
    assert found is not None
    assert found.among is not None
    assert (found.qids, sentence_of(found.among, "en")) == ((), asked)


def test_of_these_keeps_the_conditions_of_named_ones() -> None:
    found = read("of these, readout below 97 %", read("T1 below 60 of Q1 to Q9"))
    assert found is not None
    assert [one.metric for one in found.conditions] == ["t1", "average_readout_fidelity"]
    assert len(found.qids) == 9
