"""What the loop itself says, to the user and to the model."""

from __future__ import annotations

from collections.abc import Mapping

from qdash_jupyter.agent.limits import LimitReached, Setting
from qdash_jupyter.domain.answer import StopReason, TextBlock
from qdash_jupyter.domain.language import Language, Words

CONNECTING = Words("Opening the database and the model…", "データベースとモデルに接続中…")
READING_RESULT = Words("Reading the result and what is known around it…", "結果と関連情報を読み込み中…")
READING_QUBIT = Words("Reading the current values of {}…", "{}の現在の値を取得中…")
SENDING_PICTURES = Words("Sending pictures to the model…", "画像をモデルに送信中…")
THINKING = Words("Thinking…", "考え中…")
COMPLETE = Words("Done", "完了")

_ENDINGS = {
    StopReason.CANCELLED: Words("Stopped by you.", "停止しました。"),
    StopReason.MAX_ROUNDS: Words(
        "The model reached the limit of tool calls and gave no answer. Ask a narrower question.",
        "ツール呼び出しの上限に達し、回答がありませんでした。質問を絞ってください。",
    ),
    StopReason.BUDGET: Words(
        "The limit was reached before there was an answer. Ask a narrower question.",
        "上限に達し、回答がありませんでした。質問を絞ってください。",
    ),
    StopReason.REPEATED_CALL: Words(
        "The model kept repeating one tool call and gave no answer. Ask a narrower question.",
        "同じツール呼び出しを繰り返し、回答がありませんでした。質問を絞ってください。",
    ),
    StopReason.TIMED_OUT: Words(
        "A tool took too long, and the settings end a question then (limits.on_tool_timeout, or the tool's fallback). "
        "What was fetched until then is kept. Ask for less, or set it to continue.",
        "ツールが制限時間を超えたため、設定（limits.on_tool_timeout、またはツールの fallback）により終了しました。"
        "それまでに取得した結果は残っています。範囲を絞るか、continue に設定してください。",
    ),
    StopReason.TOOL_FAILED: Words(
        "A tool failed, and the settings end a question then (the tool's fallback). What was fetched until then is "
        "kept; the step says what went wrong.",
        "ツールが失敗したため、設定（ツールの fallback）により終了しました。それまでに取得した結果は残っています。",
    ),
}
_LIMITS: Mapping[Setting, Words] = {
    "max_iterations": Words("rounds of tool calls: {}", "ツール呼び出し{}ラウンド"),
    "max_same_call": Words("equal tool calls: {}", "同じツール呼び出し{}回"),
    "max_tool_calls": Words("tool calls for one question: {}", "1つの質問につきツール呼び出し{}回"),
    "max_tokens": Words("tokens for one question: {}", "1つの質問につき{}トークン"),
    "max_seconds": Words("time for one question: {} s", "1つの質問につき{}秒"),
    "conversation_tokens": Words("tokens for this conversation: {}", "この会話につき{}トークン"),
}
_AT_LIMIT = Words(
    "*The work ended at a limit, {} (`{}`): the answer may lack something.*",
    "*上限({}、`{}`)に達したため、ここで終了しました。回答は不完全かもしれません。*",
)
_CUT_SHORT = {
    "max_output_tokens": Words(
        "*The answer ends here, at the limit of output tokens (`max_output_tokens`): ask for the rest, or raise it.*",
        "*出力トークンの上限（`max_output_tokens`）に達したため、回答はここで終わっています。続きを質問するか、上限を上げてください。*",
    ),
    "content_filter": Words(
        "*The answer ends here: the content filter of the model's server stopped it. Ask in other words.*",
        "*モデルのサーバーのコンテンツフィルターにより、回答はここで終わっています。言い換えて質問してください。*",
    ),
}
_CUT_SHORT_OTHERWISE = Words(
    "*The answer ends here: the model's server broke it off. Ask for the rest.*",
    "*モデルのサーバーが中断したため、回答はここで終わっています。続きを質問してください。*",
)
_EMPTY = Words(
    "The model gave an empty answer. Ask again, or in other words.",
    "モデルの回答が空でした。言い換えて質問してください。",
)


def no_more_tools(limit: LimitReached) -> str:
    """What the model reads when its calls do not run any more."""
    return f"No more tools: {limit.reason}. Answer now with what you have, and say what is missing."


def stopped_early(reason: StopReason, language: Language) -> TextBlock:
    """What stands in place of an answer that has no words of its own."""
    return TextBlock(_ENDINGS.get(reason, _EMPTY).of(language))


def cut_short(reason: str, language: Language) -> TextBlock:
    """What stands below an answer that the server ended early."""
    return TextBlock(_CUT_SHORT.get(reason, _CUT_SHORT_OTHERWISE).of(language))


def ended_at_limit(spent: LimitReached, language: Language) -> TextBlock:
    """What stands below an answer that a limit brought about."""
    limit = _LIMITS[spent.setting].of(language).format(f"{spent.limit:,g}")
    return TextBlock(_AT_LIMIT.of(language).format(limit, spent.key))
