"""Of questions, conversations and the panel."""

from __future__ import annotations

from collections.abc import Mapping

SESSION: Mapping[str, str] = {
    # What a question is about, and pictures that are left out.
    "Picture {name}": "画像 {name}",
    "Left out": "除外",
    "There is no issue {name}.": "Issue {name} がありません。",
    "Name the id of an issue or of a post in it.": "Issue、またはその投稿の ID を指定してください。",
    "The last post is the copilot's own.": "最後の投稿は copilot 自身のものです。",
    "Post a question, or send one as `message`.": "質問を投稿するか、`message` として送ってください。",
    "There is no reply to keep.": "保存する返信がありません。",
    "{text} is no hash of code.": "{text} はコードのハッシュではありません。",
    "Give the {number} digits or more that stood beside the code.": (
        "コードの横に表示された {number} 桁以上を指定してください。"
    ),
    "This is decided already.": "これはすでに決定されています。",
    "Look at what the copilot says now.": "copilot の現在の表示を確認してください。",
    "The code is another one than the one that was shown.": "コードが、表示されたものと異なります。",
    "Read it again.": "もう一度読んでください。",
    "The question is empty.": "質問が空です。",
    'Write what you want to know, e.g. "Which qubits lost T1?"': (
        "知りたいことを書いてください（例:「T1が低下した量子ビットは？」）。"
    ),
    "The conversation before this one cannot be brought back here.": "前の会話をここに戻すことはできません。",
    "Choose it among the conversations.": "会話の一覧から選んでください。",
    "The question has {number} characters; the limit is {number2}.": (
        "質問が{number}文字あります。上限は{number2}文字です。"
    ),
    "Shorten it. Data need not be pasted: the copilot reads the database itself.": (
        "短くしてください。データを貼り付ける必要はありません。copilot がデータベースを読み取ります。"
    ),
    "The last question is still running.": "前の質問がまだ実行中です。",
    "Wait for it, or stop it with copilot.stop().": "終わるのを待つか、copilot.stop() で停止してください。",
    "Wait for it, or stop it.": "終わるのを待つか、停止してください。",
    "Stop it first.": "先に停止してください。",
    "That question is not part of this conversation any more.": "その質問はもうこの会話にありません。",
    "Ask it again.": "もう一度質問してください。",
    "Nothing was sent to {name} yet.": "{name} にはまだ何も送信されていません。",
    "Look at what would go there, above the question box, then try again.": (
        "質問欄の上で送信される内容を確認してから、もう一度試してください。"
    ),
    "This copilot has no panel.": "この copilot にはパネルがありません。",
    "That of `qdash_jupyter.open_copilot` or `%load_ext qdash_jupyter` has one.": (
        "`qdash_jupyter.open_copilot` や `%load_ext qdash_jupyter` で作ったものにはパネルがあります。"
    ),
    "Choose another one.": "別のものを選んでください。",
    "No conversation is kept here.": "ここに保存された会話はありません。",
    "Open a notebook.": "ノートブックを開いてください。",
    "The conversation cannot be deleted: {why}.": "会話を削除できません: {why}。",
    "Another kernel has this conversation open.": "別のカーネルがこの会話を開いています。",
    "It is {name}.": "場所は {name} です。",
    "This conversation is not kept any more.": "この会話はもう保存されていません。",
    "Another kernel may have deleted it.": "別のカーネルが削除したのかもしれません。",
    "The title cannot be kept: {why}.": "タイトルを保存できません: {why}。",
    "It belongs into {name}.": "保存先は {name} です。",
    "Begin a new one there, or end that kernel.": "そちらで新しい会話を始めるか、そのカーネルを終了してください。",
    "There is no variable {name} in this kernel.": "このカーネルに変数 {name} はありません。",
    "There is {name}.": "{name} があります。",
    "Run the cell that makes it first.": "先に、それを作るセルを実行してください。",
    "The question names {number} variables; {number2} can be told.": (
        "質問に{number}個の変数があります。伝えられるのは{number2}個までです。"
    ),
    "Name fewer.": "数を減らしてください。",
    "That step is not part of this conversation any more.": "そのステップはもうこの会話にありません。",
    "Ask the question again.": "もう一度質問してください。",
    "The kernel ended before this question was answered.": "この質問に答える前にカーネルが終了しました。",
    "This question is still running.": "この質問はまだ実行中です。",
    "Call wait() first.": "先に wait() を呼んでください。",
    "Something failed inside the copilot; details are in its log.": (
        "copilot の内部で問題が発生しました。詳細はログにあります。"
    ),
    "This step did not fetch a table.": "このステップは表を取得していません。",
    "The conversation that fetched this is closed.": "これを取得した会話は閉じられています。",
    "Fetch it with the copilot that is in use now: copilot.tools.{code}(…).": (
        "現在使っている copilot で取得してください: copilot.tools.{code}(…)。"
    ),
    "The conversation was closed before the data came.": "データが届く前に会話が閉じられました。",
    "{name} gives no table for these arguments any more.": "{name} はこの引数ではもう表を返しません。",
    "What you have stays.": "手元のデータは残っています。",
    "This answer has added no cells.": "この回答はセルを追加していません。",
    "There is nothing to take out.": "取り除くものがありません。",
    "No open notebook has the cells of this answer.": "この回答のセルを含むノートブックが開かれていません。",
    "Open the notebook, and try again.": "ノートブックを開いて、もう一度試してください。",
    "There is no question that has ended.": "終わった質問がありません。",
    "Ask one, or stop the one that runs.": "質問するか、実行中のものを停止してください。",
    "This kernel hears its page only between two cells.": (
        "このカーネルはセルとセルの間でしかページの操作を受け取りません。"
    ),
    "Press Undo in the panel.": "パネルの Undo を押してください。",
    "The offline planner needs no key.": "オフラインプランナーにキーは不要です。",
    "Name a model first: QDASH_COPILOT_MODEL.": "先にモデルを指定してください（QDASH_COPILOT_MODEL）。",
    "No open notebook has this cell.": "このセルを含むノートブックが開かれていません。",
    "Open the notebook, or copy the new text.": "ノートブックを開くか、新しいテキストをコピーしてください。",
    "That change is not part of this conversation any more.": "その変更はもうこの会話にありません。",
    "{name} is not there any more.": "{name} はもうありません。",
    "There is no key, and nobody can type one here.": "キーがなく、ここでは入力もできません。",
    "No cell has failed.": "失敗したセルはありません。",
    "Run the one that is to be mended first.": "先に、直したいセルを実行してください。",
    "{number} questions wait already.": "すでに{number}個の質問が待っています。",
    "Remove one, or wait until one is answered.": "1 つ取り除くか、回答されるまで待ってください。",
    "That question does not wait any more.": "その質問はもう待っていません。",
    "It was sent or removed.": "送信されたか、取り除かれました。",
    "It is not there any more.": "もうありません。",
    "Fetch it again from its step.": "そのステップからもう一度取得してください。",
    "Nobody waits for these keys any more.": "これらのキーはもう必要とされていません。",
}
