"""Of code that did not run, and why: what it needs, refusals, cells that never ended."""

from __future__ import annotations

from collections.abc import Mapping

CELLS: Mapping[str, str] = {
    "it exists, {size}": "既存のファイル、{size}",
    "The user rejected it, without a reason.": "利用者が、理由を示さずに拒否しました。",
    "The code did not run to its end.": "コードは最後まで実行されませんでした。",
    "The settings let no tool act by itself (policy: insert_only).": (
        "設定により、ツールは単独では動作しません（policy: insert_only）。"
    ),
    "Tell the user what you would have done.": "行うはずだった操作を利用者に伝えてください。",
    "The user wants another call in its place; make that one.": (
        "利用者は別の呼び出しを求めています。それを行ってください。"
    ),
    "The user wants another call in its place; make that one. {code}": (
        "利用者は代わりに別の呼び出しを求めています: {code}"
    ),
    "**Not done**, as nobody could be asked: `{code}`. To allow exactly this call, run `%copilot approve {code2}` and "
    "ask again.": (
        "承認を求められないため、**実行されませんでした**: `{code}`。この呼び出しだけを許可するには、"
        "`%copilot approve {code2}` を実行して、もう一度質問してください。"
    ),
    "This is the cell's text as it is.": "セルの内容と同じです。",
    "Change it, or answer without a proposal.": "変更するか、提案なしで回答してください。",
    "The new text is no Python: {why}": "新しい内容は Python ではありません: {why}",
    "Send the whole cell, and nothing else.": "セル全体だけを送ってください。",
    "stopped before it was done": "終了前に停止しました",
}
