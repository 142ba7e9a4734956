"""What the planner can answer, with questions of each kind: told to whoever asks something else, and the page of it."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.llm.offline.query import Asked

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
    what: Words

    @property
    def example(self) -> Words:
        """The first question of the first kind in each language."""
        said = EXAMPLES[self.kinds[0]].split(" · ")
        return Words(said[0], next(one for one in said if not one.isascii()))


ABILITIES = (
    Ability((Asked.HEALTH,), Words("check the chip's health", "チップの状態確認")),
    Ability((Asked.CHANGE,), Words("find what fell, rose or jumped", "低下・上昇・ジャンプの検出")),
    Ability((Asked.SELECT,), Words("find the worst or best, or what fits conditions", "最悪・最良、条件に合うもの")),
    Ability((Asked.SPREAD,), Words("give a median, a mean or a histogram", "中央値・平均・ヒストグラム")),
    Ability((Asked.RELATION,), Words("say how two parameters are correlated", "2つのパラメータの相関")),
    Ability((Asked.WINDOWS,), Words("compare two times", "2つの期間の比較")),
    Ability((Asked.FIT,), Words("fit a line or an exponential", "直線・指数関数のフィット")),
    Ability(
        (Asked.UNMEASURED,), Words("find what is dead or was not measured lately", "結果のないもの・最近測定のないもの")
    ),
    Ability(
        (Asked.TREND, Asked.MEASUREMENTS),
        Words("show a parameter over time, or its measurements", "パラメータの推移、個々の測定値"),
    ),
    Ability(
        (Asked.VALUES, Asked.COUPLING_VALUES, Asked.PARAMETERS),
        Words("give the current values of a qubit, or of couplings", "量子ビットやカップリングの現在の値"),
    ),
    Ability((Asked.COMPARE, Asked.COMPARE_WHAT), Words("compare qubits", "量子ビットの比較")),
    Ability((Asked.MAP,), Words("draw a heatmap", "ヒートマップ")),
    Ability((Asked.NEIGHBOURS,), Words("tell a qubit's neighbours", "隣接する量子ビット")),
    Ability((Asked.LATEST_RESULT, Asked.RESULT_HISTORY), Words("read the results of a task", "タスクの結果")),
    Ability((Asked.CURVE,), Words("fit a curve anew and say whether it can be trusted", "曲線の再近似と信頼性の判定")),
    Ability((Asked.RESULTS, Asked.RUNS), Words("find what ran and what failed", "実行と失敗の確認")),
    Ability(
        (Asked.NOTES, Asked.MACHINE_STATE),
        Words("find what people or runs wrote down", "メモ・キャリブレーションノート"),
    ),
    Ability((Asked.ORIGIN, Asked.VERSIONS), Words("trace a value to its versions and inputs", "値のバージョンと来歴")),
)

_NONE_OF_THESE = Words(
    "I cannot answer this question: no language model is configured, and it is none of those that the offline planner "
    "knows. I can:",
    "この質問には答えられません。言語モデルが設定されておらず、オフラインプランナーでは扱えないものです。できること:",
)
_A_MODEL = Words(
    "For free questions set `QDASH_COPILOT_MODEL` to a model's name and `OPENAI_API_KEY` to its key (for another "
    "server also `OPENAI_BASE_URL`), then restart the kernel.",
    "自由な質問には、`QDASH_COPILOT_MODEL` にモデル名、`OPENAI_API_KEY` にキー(他のサーバーでは `OPENAI_BASE_URL` も)"
    "を設定し、カーネルを再起動してください。",
)


def ability_of(asked: Asked) -> Ability:
    """The ability that answers what is asked."""
    return next(ability for ability in ABILITIES if asked in ability.kinds)


def what_can_be_asked(language: Language) -> str:
    """All abilities, and what there is for other questions."""
    quote = "{}:「{}」" if language == "ja" else '{}: "{}"'
    lines = "\n".join(f"- {quote.format(one.what.of(language), one.example.of(language))}" for one in ABILITIES)
    return f"{_NONE_OF_THESE.of(language)}\n\n{lines}\n\n{_A_MODEL.of(language)}"
