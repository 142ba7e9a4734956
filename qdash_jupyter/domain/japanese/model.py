"""Of the language model's server."""

from __future__ import annotations

from collections.abc import Mapping

MODEL: Mapping[str, str] = {
    "Ask for less at once, or begin a new conversation: what was fetched stays in `copilot.data`.": (
        "一度に尋ねる量を減らすか、新しい会話を始めてください。取得したデータは `copilot.data` に残っています。"
    ),
    "Ask again.": "もう一度質問してください。",
    "Set {name}.": "{name} を設定してください。",
    "Try again in a moment.": "少し待ってから、もう一度試してください。",
    "The model's stream ended without a reply.": "モデルのストリームが応答のないまま終わりました。",
    "This conversation has used {used} tokens; its limit is {most} tokens.": (
        "この会話は{used}トークンを使いました。上限は{most}トークンです。"
    ),
    "Begin a new one (`copilot.new()`; what was fetched stays), or raise `limits.conversation_tokens`.": (
        "新しい会話を始めるか（`copilot.new()`、取得したデータは残ります）、"
        "`limits.conversation_tokens` を大きくしてください。"
    ),
}
