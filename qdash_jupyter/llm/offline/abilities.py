"""What the planner can answer, with a question for each: told to whoever asks something else."""

from __future__ import annotations

from dataclasses import dataclass

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.llm.offline.query import Asked


@dataclass(frozen=True, slots=True)
class Ability:
    """Kinds of questions, in words, and one of them."""

    kinds: tuple[Asked, ...]
    what: Words
    example: Words


ABILITIES = (
    Ability(
        (Asked.HEALTH,),
        Words("check the chip's health", "チップの状態確認"),
        Words("How is the chip?", "チップの状態は?"),
    ),
    Ability(
        (Asked.CHANGE,),
        Words("find what fell, rose or jumped", "低下・上昇・ジャンプの検出"),
        Words("Which qubits lost T1 in the last 30 days?", "過去30日でT1が低下した量子ビットは?"),
    ),
    Ability(
        (Asked.SELECT,),
        Words("find the worst or best, or what fits conditions", "最悪・最良、条件に合うもの"),
        Words(
            "Which qubits have T1 below 40 us and readout below 95 %?", "T1が40μs未満で読み出しが95%未満の量子ビットは?"
        ),
    ),
    Ability(
        (Asked.SPREAD,),
        Words("give a median, a mean or a histogram", "中央値・平均・ヒストグラム"),
        Words("Histogram of T1", "T1のヒストグラム"),
    ),
    Ability(
        (Asked.RELATION,),
        Words("say how two parameters are correlated", "2つのパラメータの相関"),
        Words("Is T1 correlated with readout fidelity?", "T1と読み出し忠実度に相関はありますか?"),
    ),
    Ability(
        (Asked.WINDOWS,),
        Words("compare two times", "2つの期間の比較"),
        Words("Compare T1 in May with June", "5月と6月のT1を比較"),
    ),
    Ability(
        (Asked.FIT,),
        Words("fit a line or an exponential", "直線・指数関数のフィット"),
        Words("Fit a line to T1 of Q5 over the last 60 days", "過去60日のQ5のT1に直線フィット"),
    ),
    Ability(
        (Asked.UNMEASURED,),
        Words("find what is dead or was not measured lately", "結果のないもの・最近測定のないもの"),
        Words("Which qubits were not measured recently?", "最近測定されていない量子ビットは?"),
    ),
    Ability(
        (Asked.TREND, Asked.MEASUREMENTS),
        Words("show a parameter over time, or its measurements", "パラメータの推移、個々の測定値"),
        Words("Trend of T2 echo of Q5 over the last 60 days", "Q5のT2エコーの推移"),
    ),
    Ability(
        (Asked.VALUES, Asked.COUPLING_VALUES, Asked.PARAMETERS),
        Words("give the current values of a qubit, or of couplings", "量子ビットやカップリングの現在の値"),
        Words("Current parameters of Q07", "Q07のパラメータ"),
    ),
    Ability(
        (Asked.COMPARE, Asked.COMPARE_WHAT),
        Words("compare qubits", "量子ビットの比較"),
        Words("Compare Q3, Q7 and Q12", "Q3とQ7を比較"),
    ),
    Ability((Asked.MAP,), Words("draw a heatmap", "ヒートマップ"), Words("Heatmap of T1", "T1のヒートマップ")),
    Ability(
        (Asked.NEIGHBOURS,),
        Words("tell a qubit's neighbours", "隣接する量子ビット"),
        Words("Which qubits are coupled to Q5?", "Q5に隣接する量子ビットは?"),
    ),
    Ability(
        (Asked.LATEST_RESULT, Asked.RESULT_HISTORY),
        Words("read the results of a task", "タスクの結果"),
        Words("Latest CheckT1 of Q07", "Q07のCheckT1の最新結果"),
    ),
    Ability(
        (Asked.RESULTS, Asked.RUNS),
        Words("find what ran and what failed", "実行と失敗の確認"),
        Words("Which tasks failed this week?", "今週失敗したタスクは?"),
    ),
    Ability(
        (Asked.NOTES, Asked.MACHINE_STATE),
        Words("find what people or runs wrote down", "メモ・キャリブレーションノート"),
        Words("Notes about Q08", "Q08のメモ"),
    ),
    Ability(
        (Asked.VERSIONS, Asked.ORIGIN),
        Words("trace a value to its versions and inputs", "値のバージョンと来歴"),
        Words("Where does T1 of Q07 come from?", "Q07のT1の来歴は?"),
    ),
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
