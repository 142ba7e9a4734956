"""Writes `docs/planner.md` from what the planner reads and heeds: `make docs` checks that it is what they say."""

from __future__ import annotations

from pathlib import Path

from qdash_jupyter.llm.offline.operations import OPERATIONS
from qdash_jupyter.llm.offline.query import Asked

PAGE = Path(__file__).resolve().parents[1] / "docs" / "planner.md"

HEAD = """\
# The offline planner

It answers without a language model, by fixed methods. Each question, English or Japanese, is read into one form
(what is asked, of which parameters and qubits, under which conditions, in which time), and one operation of
that kind calls the tools and computes in cells of a few lines, with the [methods](methods.md). The same
question to the same database gives the same answer, byte by byte. It invents nothing: each number comes from a
tool or from a cell that ran. Why something is so, it cannot tell.

This page is written by `scripts/planner_page.py` from the code. How well it understands:
[evaluation](evaluation.md). Why it is as it is: [decision 0029](decisions/0029-every-word-is-accounted-for.md).

| asked | for instance | it may also say |
| --- | --- | --- |
"""

TAIL = """
Everything else is `unknown`: the answer lists what can be asked.

## Every word counts

- A word that nothing took is named below the answer: "I left out: “new firmware”.", 「考慮していない語: …」.
- Where leaving it out would ask something else (a condition, a time, "not", "except" in a question of another kind),
  there is no answer to that other question: "I cannot answer this question: …",
  「この質問には答えられません」, with what is nearest.
- A time has a beginning and an end: "June 10 to 20", "in May", "on Friday", "since mid June", "the last 60 days",
  "before 2026-04-03", "since the last cool-down", 「6月10日から20日」, 「先週の金曜日」. A date without its
  year is the last one that was. All are days of UTC.
- If nothing was measured in that time, the answer says so and looks at the same length before the newest measurement.
- "What about the last 60 days?", "and Q5?", "same for T2 echo" take the rest from the question before.

## What it asks back

A question that leaves open what it is about gets one question back, with the choices that there are: no qubit
or parameter where one is needed, a word that fits several measured parameters ("fidelity", "T2"), several
chips, "compare Q3". The next words complete it, or one of the buttons: `Q07`, `T1`, "the second", "all of
them". Anything else is taken as a new question.

## What it is judged by

Values of qubits, couplings and task results carry the grade of the lab's thresholds (`scoring` in
[settings.md](settings.md)), and the answer that of the worst. Failed runs and what people wrote are told and
not judged.
"""

EXAMPLES: dict[Asked, str] = {
    Asked.HEALTH: "How is the chip? · チップの状態は?",
    Asked.CHANGE: (
        "What changed this week? · Which qubits lost T1 from June 10 to 20? · 今週周波数が飛んだ量子ビットは?"
    ),
    Asked.SELECT: (
        "Which 5 qubits have the lowest readout fidelity? · T1 below 40 us and readout below 95 %? · T2 echo > 2·T1 · "
        "How many qubits have T1 above 60 us? · 悪いカップリングは?"
    ),
    Asked.SPREAD: "mean T1 in May · Histogram of T1 · median readout error · Q5のT1の最小値と最大値",
    Asked.RELATION: "Is T1 correlated with readout fidelity? · scatter plot of T1 and T2 echo · T1とT2エコーの相関",
    Asked.WINDOWS: "Compare T1 in May with June · T1 of Q5: last 7 days vs the 7 days before · 先週と今週のT1を比較",
    Asked.FIT: "Fit a line to T1 of Q5 over the last 60 days · Q5のT1に指数フィット",
    Asked.UNMEASURED: "Any dead qubits? · Which qubits were not measured recently? · データが古い量子ビットは?",
    Asked.TREND: "T1 of Q5 over the last 60 days · coupling 4-1 fidelity history · Q5のT2エコーの推移",
    Asked.MEASUREMENTS: (
        "last 5 T1 measurements of Q07 · T1 measurements of Q7 between 2026-06-01 and 2026-06-10 · Q7のT1の測定値を5件"
    ),
    Asked.VALUES: "Current parameters of Q07 · What is the current T1 of qubit 7? · Q07のパラメータ",
    Asked.COUPLING_VALUES: "parameters of coupling 4-1 · fidelities of the couplings of Q5 · Q5のカップリング",
    Asked.COMPARE: "Compare Q3, Q7 and Q12 · Q3とQ7を比較",
    Asked.COMPARE_WHAT: "compare Q3",
    Asked.MAP: "Heatmap of T1 · 読み出し忠実度のヒートマップ",
    Asked.PARAMETERS: "Which parameters were measured? · パラメータの一覧",
    Asked.NEIGHBOURS: "Which qubits are coupled to Q5? · How many qubits are there? · Q5に隣接する量子ビットは?",
    Asked.LATEST_RESULT: "Latest CheckT1 of Q07 · Q07のCheckT1の最新結果",
    Asked.RESULT_HISTORY: "last 10 CheckT1 results of Q7 · Q7のCheckT1の履歴",
    Asked.RESULTS: "Which tasks failed this week? · results of run 20260620-000 · 今週失敗したタスクは?",
    Asked.RUNS: "What ran last night? · last 5 runs tagged daily · 実行履歴",
    Asked.MACHINE_STATE: "calibration notes · hpi_params of Q07 · キャリブレーションノート",
    Asked.NOTES: "Notes about Q08 · notes mentioning TLS · open issues · Q08のメモ",
    Asked.VERSIONS: "What was T1 of Q7 before? · Q07のT1のバージョン",
    Asked.ORIGIN: "Where does T1 of Q07 come from? · Q07のT1の来歴は?",
}

FIELDS = {
    "metrics": "parameters",
    "qids": "qubits or couplings",
    "without": "all but some",
    "element": "",
    "conditions": "conditions",
    "any_of": "",
    "unclear": "",
    "window": "a time",
    "against": "a second time",
    "direction": "which way",
    "by": "by how much",
    "order": "an order",
    "count": "how many to list",
    "how_many": "how many there are",
    "statistic": "a statistic",
    "form": "its form (list, plot, histogram, …)",
    "fit": "what to fit",
    "errors": "errors in place of fidelities",
    "low": "bad ones",
    "good": "good ones",
    "why": "why",
    "dead": "never",
}
"""Fields of a query in words; what every question of its kind says has none."""


def page() -> str:
    """The whole page."""
    rows = [f"| `{asked}` | {examples} | {_heeded(asked)} |" for asked, examples in EXAMPLES.items()]
    return HEAD + "\n".join(rows) + "\n" + TAIL


def _heeded(asked: Asked) -> str:
    heeds = OPERATIONS[asked].heeds
    fields = [words for field, words in FIELDS.items() if field in heeds and words]
    details = sorted(field.removeprefix("details.") for field in heeds if field.startswith("details."))
    return ", ".join([*fields, *(f"`{name}`" for name in details)]) or "–"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
