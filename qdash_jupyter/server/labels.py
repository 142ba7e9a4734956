"""What clients are told of tools and phases, in the seed's words and in English."""

from __future__ import annotations

from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS

_TOOLS = {spec.name: spec.label for spec in BUILTIN_TOOLS}
_STATUSES = {"thinking": Words("AI is thinking...", "AIが考え中...")}

STEPS = {
    "build_context": Words("Building the analysis context...", "分析コンテキストを構築中..."),
    "load_images": Words("Sending images to the AI...", "画像をAIに送信中..."),
    "run_analysis": Words("Starting the analysis...", "AI分析を開始中..."),
    "run_chat": Words("Starting the conversation with the AI...", "AIとの対話を開始中..."),
    "thinking": _STATUSES["thinking"],
    "complete": Words("Done", "完了"),
    "load_config": Words("Loading the settings...", "設定を読み込み中..."),
    "load_qubit_params": Words("Reading the qubit's parameters...", "キュービットパラメータを読み込み中..."),
    "load_issue": Words("Reading the issue...", "Issueを読み込み中..."),
    "build_history": Words("Building the conversation from the thread...", "スレッドから会話履歴を構築中..."),
    "load_context": Words("Reading the context of the task...", "タスクのコンテキストを読み込み中..."),
    "save_reply": Words("Keeping the reply...", "返信を保存中..."),
}
"""The phases of a stream, but for `tool_call`, whose text is the tool's label."""


def tool_labels(language: Language = "ja") -> dict[str, str]:
    """Each built-in tool's label, as `SSETaskBridge` takes them."""
    return {name: text_in(label, language) for name, label in _TOOLS.items()}


def status_labels(language: Language = "ja") -> dict[str, str]:
    """Each status' label."""
    return {name: label.of(language) for name, label in _STATUSES.items()}


TOOL_LABELS = tool_labels()
STATUS_LABELS = status_labels()
"""QDash's two tables, for code written for it."""
