"""What the planner can answer, with questions of each kind: told to whoever asks something else, and the page of it."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.llm.offline.query import Asked
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message

EXAMPLES = {
    Asked.HEALTH: "How is the chip? · チップの状態は?",
    Asked.CHANGE: (
        "Which qubits lost T1 in the last 30 days? · 過去30日でT1が低下した量子ビットは? · What changed this week? · "
        "Which qubits lost T1 from June 10 to 20? · 今週周波数が飛んだ量子ビットは?"
    ),
    Asked.SELECT: (
        "Which qubits have T1 below 40 us and readout below 95 %? · T1が40μs未満で読み出しが95%未満の量子ビットは? · "
        "Which 5 qubits have the lowest readout fidelity? · T2 echo > 2·T1 · How many qubits have T1 above 60 us? · "
        "悪いカップリングは?"
    ),
    Asked.SPREAD: "Histogram of T1 · T1のヒストグラム · mean T1 in May · median readout error · Q5のT1の最小値と最大値",
    Asked.RELATION: (
        "Is T1 correlated with readout fidelity? · T1と読み出し忠実度に相関はありますか? · "
        "scatter plot of T1 and T2 echo · T1とT2エコーの相関"
    ),
    Asked.WINDOWS: (
        "Compare T1 in May with June · 5月と6月のT1を比較 · T1 of Q5: last 7 days vs the 7 days before · "
        "先週と今週のT1を比較"
    ),
    Asked.FIT: "Fit a line to T1 of Q5 over the last 60 days · 過去60日のQ5のT1に直線フィット · Q5のT1に指数フィット",
    Asked.UNMEASURED: (
        "Which qubits were not measured recently? · 最近測定されていない量子ビットは? · Any dead qubits? · "
        "データが古い量子ビットは?"
    ),
    Asked.TREND: (
        "Trend of T2 echo of Q5 over the last 60 days · Q5のT2エコーの推移 · coupling 4-1 fidelity history · "
        "Trend of T1 of Q07, reliable fits only"
    ),
    Asked.MEASUREMENTS: (
        "last 5 T1 measurements of Q07 · T1 measurements of Q7 between 2026-06-01 and 2026-06-10 · Q7のT1の測定値を5件"
    ),
    Asked.VALUES: "Current parameters of Q07 · Q07のパラメータ · What is the current T1 of qubit 7?",
    Asked.COUPLING_VALUES: "parameters of coupling 4-1 · fidelities of the couplings of Q5 · Q5のカップリング",
    Asked.PARAMETERS: "Which parameters were measured? · パラメータの一覧",
    Asked.COMPARE: "Compare Q3, Q7 and Q12 · Q3とQ7を比較",
    Asked.COMPARE_WHAT: "compare Q3",
    Asked.MAP: "Heatmap of T1 · T1のヒートマップ",
    Asked.NEIGHBOURS: "Which qubits are coupled to Q5? · Q5に隣接する量子ビットは? · How many qubits are there?",
    Asked.LATEST_RESULT: "Latest CheckT1 of Q07 · Q07のCheckT1の最新結果",
    Asked.RESULT_HISTORY: "last 10 CheckT1 results of Q7 · Q7のCheckT1の履歴",
    Asked.CURVE: (
        "Can I trust the last T1 of Q07? · 今週のT1のフィットで信頼できないものは? · Refit Q33's T1 and compare"
    ),
    Asked.RESULTS: "Which tasks failed this week? · 今週失敗したタスクは? · results of run 20260620-000",
    Asked.RUNS: "What ran last night? · last 5 runs tagged daily · 実行履歴",
    Asked.NOTES: "Notes about Q08 · Q08のメモ · notes mentioning TLS · open issues",
    Asked.MACHINE_STATE: "calibration notes · hpi_params of Q07 · キャリブレーションノート",
    Asked.ORIGIN: "Where does T1 of Q07 come from? · Q07のT1の来歴は?",
    Asked.VERSIONS: "What was T1 of Q7 before? · Q07のT1のバージョン",
}
"""Questions of each kind, with ` · ` between; the first ones stand for it in an answer."""


@dataclass(frozen=True, slots=True)
class Ability:
    """Kinds of questions, in words."""

    kinds: tuple[Asked, ...]
    what: Message

    def example(self, language: Language) -> str:
        """Return the first question of the first kind in the language."""
        questions = EXAMPLES[self.kinds[0]].split(" · ")
        return next((one for one in questions if one.isascii() == (language != "ja")), questions[0])


ABILITIES = (
    Ability((Asked.HEALTH,), Message("plan-can-health")),
    Ability((Asked.CHANGE,), Message("plan-can-changes")),
    Ability((Asked.SELECT,), Message("plan-can-select")),
    Ability((Asked.SPREAD,), Message("plan-can-spread")),
    Ability((Asked.RELATION,), Message("plan-can-relation")),
    Ability((Asked.WINDOWS,), Message("plan-can-windows")),
    Ability((Asked.FIT,), Message("plan-can-fit")),
    Ability((Asked.UNMEASURED,), Message("plan-can-unmeasured")),
    Ability(
        (Asked.TREND, Asked.MEASUREMENTS),
        Message("plan-can-trend"),
    ),
    Ability(
        (Asked.VALUES, Asked.COUPLING_VALUES, Asked.PARAMETERS),
        Message("plan-can-values"),
    ),
    Ability((Asked.COMPARE, Asked.COMPARE_WHAT), Message("plan-can-compare")),
    Ability((Asked.MAP,), Message("plan-can-map")),
    Ability((Asked.NEIGHBOURS,), Message("plan-can-neighbours")),
    Ability((Asked.LATEST_RESULT, Asked.RESULT_HISTORY), Message("plan-can-results")),
    Ability((Asked.CURVE,), Message("plan-can-curve")),
    Ability((Asked.RESULTS, Asked.RUNS), Message("plan-can-runs")),
    Ability(
        (Asked.NOTES, Asked.MACHINE_STATE),
        Message("plan-can-notes"),
    ),
    Ability((Asked.ORIGIN, Asked.VERSIONS), Message("plan-can-origin")),
)


def ability_of(asked: Asked) -> Ability:
    """The ability that answers what is asked."""
    return next(ability for ability in ABILITIES if asked in ability.kinds)


def what_can_be_asked(language: Language) -> str:
    """All abilities, and what there is for other questions."""
    able = (Message("plan-able", what=one.what, example=one.example(language)) for one in ABILITIES)
    listed = "\n".join(each.of(language) for each in able)
    return f"{Message('plan-unknown').of(language)}\n\n{listed}\n\n{Message('plan-set-a-model').of(language)}"
