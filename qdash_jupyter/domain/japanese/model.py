"""Of the language model's server."""

from __future__ import annotations

from collections.abc import Mapping

MODEL: Mapping[str, str] = {
    "The language model at {host} sent nothing for {seconds} s.": (
        "{host} の言語モデルから{seconds}秒間応答がありません。"
    ),
    "It may be busy or loading the model: try again, or raise `timeout_seconds` of the model.": (
        "混雑しているか、モデルを読み込み中かもしれません。もう一度試すか、"
        "モデルの `timeout_seconds` を大きくしてください。"
    ),
    "{host} sent something that is no event of the {api}.": "{host} から {api} のイベントではないものが届きました。",
    "Check that the base URL is that of a server with the {api}.": (
        "ベース URL が {api} に対応したサーバーのものか確認してください。"
    ),
    "{host} asks to slow down: {said}": "{host} から要求の頻度を下げるよう求められています: {said}",
    "{host} asks to slow down.": "{host} から要求の頻度を下げるよう求められています。",
    "{host} asks to slow down{said}": "{host} から要求の頻度を下げるよう求められています{said}",
    "Wait a little and ask again.": "しばらく待ってから、もう一度質問してください。",
    "Try again in {seconds} s.": "{seconds}秒後にもう一度試してください。",
    "Try again in {time}.": "{time}後にもう一度試してください。",
    "The conversation is too long for {model}.": "会話が {model} には長すぎます。",
    "The conversation is too long for {model}: {said}": "会話が {model} には長すぎます: {said}",
    "The conversation is too long for {model}{said}": "会話が {model} には長すぎます{said}",
    "Start a new conversation, or ask for less at once.": "新しい会話を始めるか、一度に尋ねる量を減らしてください。",
    "Ask for less at once, or begin a new conversation: what was fetched stays in `copilot.data`.": (
        "一度に尋ねる量を減らすか、新しい会話を始めてください。取得したデータは `copilot.data` に残っています。"
    ),
    "{host} gave up on the answer: {said}": "{host} が回答を途中で中止しました: {said}",
    "it does not say why": "理由は示されていません",
    "{host} gave up on the answer: it does not say why": (
        "{host} が回答を途中で中止しました（理由は示されていません）。"
    ),
    "Ask again.": "もう一度質問してください。",
    "Ask in other words.": "言い換えて質問してください。",
    "{host} answered with {kind}, not with a stream of events.": (
        "{host} の応答がイベントのストリームではなく {kind} でした。"
    ),
    "something of no type": "種類の不明なもの",
    "Check the base URL: it usually ends with /v1.": "ベース URL を確認してください。通常は /v1 で終わります。",
    "The connection to {host} broke during the answer.": "回答の途中で {host} との接続が切れました。",
    "{model} used up its output tokens before it said anything.": (
        "{model} は何も答えないうちに出力トークンを使い切りました。"
    ),
    "Raise max_output_tokens, or lower the reasoning effort.": (
        "max_output_tokens を大きくするか、推論の強度を下げてください。"
    ),
    "{host} broke off the answer: {said}.": "{host} が回答を打ち切りました: {said}。",
    "{host} broke off the answer: without a reason.": "{host} が理由を示さずに回答を打ち切りました。",
    "{host} does not accept `store: false`: it might keep the conversation.": (
        "{host} は `store: false` を受け付けません。会話が保存されるおそれがあります。"
    ),
    "Use a server that accepts it, or one in your own network.": (
        "それを受け付けるサーバーか、自分のネットワーク内のサーバーを使ってください。"
    ),
    "There is no key for {host}.": "{host} 用のキーがありません。",
    "Set {name}, or the base URL of a server that needs none.": (
        "{name} を設定するか、キーの要らないサーバーのベース URL を指定してください。"
    ),
    "The key in {name} has characters that no key has.": "{name} のキーに、キーには使えない文字が含まれています。",
    "Copy it once more, without quotes or breaks.": "引用符や改行を除いて、もう一度コピーしてください。",
    "The header {name} for {host} has characters that no header can have.": (
        "{host} 用のヘッダー {name} に、ヘッダーには使えない文字が含まれています。"
    ),
    "Correct `headers` of the model in copilot.yaml: plain letters, digits and signs, without breaks.": (
        "copilot.yaml のモデルの `headers` を修正してください。使えるのは ASCII の文字・数字・記号だけで、"
        "改行は含められません。"
    ),
    "No language model answers at {host} ({why}).": "{host} で応答する言語モデルがありません（{why}）。",
    "No language model answers at {host}.": "{host} で応答する言語モデルがありません。",
    "If the certificate is your lab's own, name its authority's file in SSL_CERT_FILE; restart the kernel.": (
        "証明書が研究室独自のものであれば、認証局のファイルを SSL_CERT_FILE に指定し、カーネルを再起動してください。"
    ),
    "Start the server, or correct the base URL.": "サーバーを起動するか、ベース URL を修正してください。",
    "Check the base URL and the network (a proxy or VPN may be needed).": (
        "ベース URL とネットワークを確認してください（プロキシや VPN が必要な場合があります）。"
    ),
    "{host} asks for a key.": "{host} はキーを要求しています。",
    "Set {name}.": "{name} を設定してください。",
    "{host} does not accept the key.": "{host} はこのキーを受け付けません。",
    "Check {name}.": "{name} を確認してください。",
    "{host} does not permit this.": "{host} はこの操作を許可していません。",
    "{host} does not permit this{said}": "{host} はこの操作を許可していません{said}",
    "Check what the key in {name} may do, and whether it may use {model}.": (
        "{name} のキーの権限と、{model} を使えるかどうかを確認してください。"
    ),
    "{host} failed with HTTP status {status}.": "{host} で障害が発生しました（HTTP ステータス {status}）。",
    "{host} failed with HTTP status {status}: {said}": (
        "{host} で障害が発生しました（HTTP ステータス {status}）: {said}"
    ),
    "{host} failed with HTTP status {status}{said}": "{host} で障害が発生しました（HTTP ステータス {status}）{said}",
    "Try again in a moment.": "少し待ってから、もう一度試してください。",
    "Try again in a moment.{more}": "少し待ってから、もう一度試してください。{more}",
    "If it goes on, its Responses API may be at fault: set `api_style: chat_completions` of the model (or "
    "QDASH_COPILOT_API_STYLE).": (
        "続くようであれば、Responses API に原因があるかもしれません。モデルの `api_style: chat_completions`（または "
        "QDASH_COPILOT_API_STYLE）を設定してください。"
    ),
    "{host} does not accept the request (HTTP status {status}).": (
        "{host} がリクエストを受け付けません（HTTP ステータス {status}）。"
    ),
    "{host} does not accept the request (HTTP status {status}): {said}": (
        "{host} がリクエストを受け付けません（HTTP ステータス {status}）: {said}"
    ),
    "{host} does not accept the request (HTTP status {status}){said}": (
        "{host} がリクエストを受け付けません（HTTP ステータス {status}）{said}"
    ),
    "Check what the settings say of {what}, or begin a new conversation.": (
        "{what}の設定を確認するか、新しい会話を始めてください。"
    ),
    "the model": "モデル",
    "the parameter {name}": "パラメータ {name} ",
    "{host} has no {api} at this address (HTTP status {status}).": (
        "{host} のこのアドレスには {api} がありません（HTTP ステータス {status}）。"
    ),
    "{host} has no {api} at this address (HTTP status {status}): {said}": (
        "{host} のこのアドレスには {api} がありません（HTTP ステータス {status}）: {said}"
    ),
    "{where} (HTTP status {status}){said}": "{where}（HTTP ステータス {status}）{said}",
    "There is no model {model} at {host}, or the key may not use it.": (
        "{host} にモデル {model} がないか、このキーでは使えません。"
    ),
    "Check the name of the model.": "モデルの名前を確認してください。",
    "The account at {host} has no quota left.": "{host} のアカウントの利用枠が残っていません。",
    "Waiting does not help: check its plan and billing, or use another model.": (
        "待っても解消しません。プランと支払いを確認するか、別のモデルを使ってください。"
    ),
    "The base URL of the language model is no http or https URL.": (
        "言語モデルのベース URL が http または https の URL ではありません。"
    ),
    "Write it like http://localhost:11434/v1 (OPENAI_BASE_URL, or base_url in copilot.yaml).": (
        "http://localhost:11434/v1 のように書いてください（OPENAI_BASE_URL、または copilot.yaml の base_url）。"
    ),
    "The model's stream ended without a reply.": "モデルのストリームが応答のないまま終わりました。",
    "This conversation has used {used} tokens; its limit is {most} tokens.": (
        "この会話は{used}トークンを使いました。上限は{most}トークンです。"
    ),
    "Begin a new one (`copilot.new()`; what was fetched stays), or raise `limits.conversation_tokens`.": (
        "新しい会話を始めるか（`copilot.new()`、取得したデータは残ります）、"
        "`limits.conversation_tokens` を大きくしてください。"
    ),
}
