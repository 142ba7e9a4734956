"""Of the panel: what is in use, what could not be prepared and what to begin with."""

from __future__ import annotations

from collections.abc import Mapping

PANEL: Mapping[str, str] = {
    # What is in use.
    "offline planner (no language model)": "オフラインプランナー（言語モデルなし）",
    "offline planner, no language model": "オフラインプランナー（言語モデルなし）",
    "scripted replies": "用意された回答",
    "cassette of {name}": "{name} の記録",
    "no model": "モデルなし",
    "this kernel": "このカーネル",
    "in the kernel": "カーネル内",
    "this process": "このプロセス",
    "made by code": "コードで用意",
    # What goes to a model's server.
    "your questions, and the answers before them": "質問と、それまでの回答",
    "instructions, and descriptions of the tools": "指示とツールの説明",
    "database, chip and current qubit, with its parameters": ("データベース、チップ、現在の量子ビットとそのパラメータ"),
    "names, types and shapes of your variables": "変数の名前、型、形",
    "what tools found, in short, and what analysis cells print or end with": "ツールの結果の要約と、解析セルの出力",
    "texts that the settings name (`knowledge`, `contexts`, `skills`)": (
        "設定で指定された文書（`knowledge`、`contexts`、`skills`）"
    ),
    "pictures of results and cells that you ask about": "質問の対象となる結果やセルの画像",
    "Tables stay in this kernel as a whole, as do cells that you do not ask about.": (
        "表の全体と、質問の対象でないセルは、このカーネルに残ります。"
    ),
    "Keys and passwords never go.": "鍵とパスワードは送信されません。",
    "`%copilot sent` shows word for word what went.": "`%copilot sent` で送信内容をそのまま確認できます。",
    "Withheld by `privacy.never_send`: {names}.": "`privacy.never_send` により送信されません: {names}。",
    # Questions to begin with, and those that nobody wrote.
    "How is the chip?": "チップの状態は？",
    "Which qubits lost T1 in the last 30 days?": "過去30日でT1が下がった量子ビットは？",
    "Which 5 qubits have the lowest readout fidelity?": "読み出し忠実度が最も低い5つの量子ビットは？",
    "Heatmap of T1": "T1のヒートマップ",
    "Heatmap of T2 echo": "T2 echoのヒートマップ",
    "Heatmap of the qubit frequency": "量子ビット周波数のヒートマップ",
    "What stands out in @{name}?": "@{name} で目立つ点は？",
    "{text} (Read the skill {name} first.)": "{text}（先にスキル {name} を読むこと。）",
    # What could not be prepared.
    "another tool has this name, so ours is not offered.": (
        "同じ名前のツールがほかにあるため、こちらは提供されません。"
    ),
    "Rename the other one.": "もう一方の名前を変えてください。",
    "The kernel's environment lacks {name}: run “pip install {name2}” there, and restart.": (
        "カーネルの環境に {name} がありません。そこで「pip install {name2}」を実行し、再起動してください。"
    ),
    # Results in the kernel, the cells of an answer, and who has approved.
    "{name} cannot be shown as a table.": "{name} は表として表示できません。",
    "Open it in a cell.": "セルで開いてください。",
    "{number} documents of {name}": "{name} {number}件",
    "version {number}, new data": "バージョン{number}、新しいデータ",
    "version {number}, the same data": "バージョン{number}、同じデータ",
    "{words}, {name} stays as you changed it": "{words}、変更された {name} はそのまま",
    "{what}: you changed it.": "{what}（変更されています）。",
    "{what}: you changed them.": "{what}（変更されています）。",
    "1 cell stays": "1個のセルは残ります",
    "{number} cells stay": "{number}個のセルは残ります",
    "The conversation cannot be read: {why}.": "会話を読み取れません: {why}。",
    "So does {names}.": "{names} も残ります。",
    "{names} is yours now, and stays as it is.": "{names} は変更されているので、そのまま残ります。",
    "{name}, in the panel": "{name}（パネル）",
    "{name}, below the cell": "{name}（セルの下）",
    "{name}, by its hash": "{name}（ハッシュ）",
    "{name}, beforehand, by its hash": "{name}（事前、ハッシュ）",
}
