"""Of code that did not run, and why: what it needs, refusals, cells that never ended."""

from __future__ import annotations

from collections.abc import Mapping

CELLS: Mapping[str, str] = {
    "Not run, because": "次の理由で実行されませんでした。",
    "- it {does} `{code}` ({kind}). {instead}": "- `{code}` の{does}（{kind}）。{instead}",
    "it {does} `{code}`": "`{code}` の{does}",
    "There is 1 more.": "他に 1 件あります。",
    "There are {number} more.": "他に{number}件あります。",
    "calls": "呼び出し",
    "changes": "変更",
    "connects to": "接続",
    "imports": "インポート",
    "needs": "要求",
    "reads": "読み取り",
    "signals": "シグナル送信",
    "starts": "起動",
    "uses": "使用",
    "writes": "書き込み",
    "Waits for your cell: reads {code}": "あなたのセルの終了を待っています。使う変数: {code}",
    "The session does not keep what it is given of the notebook.": (
        "セッションが、渡されたノートブックの変数を保持していません。"
    ),
    "Change a copy under a name of its own.": "別の名前のコピーを変更してください。",
    "from this folder": "このフォルダーから",
    "Ask the user to do it, or compute it from data.": "利用者に依頼するか、データから計算してください。",
    "End the cell with the table: the user can save it.": "セルの最後を表にしてください。利用者が保存できます。",
    "Fetch data with the tools.": "データはツールで取得してください。",
    "Compute it in Python.": "Python で計算してください。",
    "Ask the user to do it.": "利用者に依頼してください。",
    "Nobody can be asked here.": "ここでは承認を求められません。",
    "To allow exactly this code, the user approves it by its hash before the question: %copilot approve {code}": (
        "このコードだけを許可するには、質問の前にハッシュで承認してください: %copilot approve {code}"
    ),
    "Code runs as a part of a question only, and none is running.": (
        "コードは質問の一部としてのみ実行され、現在実行中の質問はありません。"
    ),
    "Top-level await cannot run inside a running cell: call the coroutine without await.": (
        "実行中のセルの中ではトップレベルの await を使えません。await なしでコルーチンを呼んでください。"
    ),
    "What the cell showed could not be read; details are in the copilot's log.": (
        "セルの出力を読み取れませんでした。詳細は copilot のログにあります。"
    ),
    "Nothing runs by itself here (policy: insert_only), and no notebook is open to insert a cell into.": (
        "ここではコードは自動実行されず（policy: insert_only）、セルを挿入できるノートブックも開かれていません。"
    ),
    "The cell stands in the notebook, to be run by you (policy: insert_only), so its result is not known.": (
        "セルはノートブックに挿入され、実行待ちです（policy: insert_only）。結果はまだわかりません。"
    ),
    "The kernel dropped the cell twice, because another cell failed in front of it.": (
        "先にある別のセルが失敗したため、カーネルがこのセルを 2 度破棄しました。"
    ),
    "The notebook says that the cell ended, but the kernel has not seen it run. Was its text removed?": (
        "ノートブックではセルは終了していますが、カーネルでは実行されていません。内容が削除された可能性があります。"
    ),
    "The cell was taken back before it ran.": "セルは実行前に取り消されました。",
    "The extension was unloaded before the cell ran.": "セルの実行前に拡張機能がアンロードされました。",
    "Code may call tools {number} times for one question.": (
        "コードがツールを呼び出せるのは、1 つの質問につき{number}回までです。"
    ),
    "Fetch more with each call.": "1 回の呼び出しで、より多くのデータを取得してください。",
    "stopped before it was done": "終了前に停止しました",
}
