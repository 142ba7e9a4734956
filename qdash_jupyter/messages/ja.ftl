### ユーザーに表示する文（日本語）。en.ftl と同じメッセージを持つ。書き方は docs/words.md を参照。

## Joining

list-separator = 、
list-and = { $first }、{ $last }
list-or = { $first }、{ $last }
list-item = { $mark } { $text }
list-more = { $items }ほか{ $more }個

## Errors of all tools: what does not exist

not-found = { $what }「{ $asked }」はありません。
not-found-there = { $where }{ $what }「{ $asked }」はありません。
not-found-nearest = もしかして：{ $names }
not-found-known = 候補：{ $names }。
kind-chip = チップ
kind-cooldown = クールダウン
kind-coupling = カップリング
kind-entity = エンティティ
kind-file = ファイル
kind-metric = 指標
kind-mux = MUX
kind-note-kind = 種類
kind-note-of-run = キャリブレーションノートのある実行
kind-parameter = パラメータ
kind-project = プロジェクト
kind-qubit = 量子ビット
kind-result = 結果
kind-run = 実行
kind-described = ツール・手法・列・指標・判定
kind-skill-file = このスキルのファイル
kind-table = 表
kind-tag = タグ
kind-task = タスク
kind-task-id = タスクID
kind-tool = ツール
kind-user = ユーザー
kind-variable = 変数または保存された結果
on-chip = チップ{ $chip }に
of-task-on = { $qid }の{ $task }に
in-result = { $key }に
in-newest = 最新のキャリブレーションノート{ $count }件に
in-project = プロジェクト{ $project }に
among-elements = { $chip }の{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }に
on-server = このサーバーに

## Errors of tools: chips

no-chip = データベースにチップがありません。
no-chip-hint = データベース名とプロジェクトを確認してください。
several-chips = 該当するチップが複数あります：{ $chips }。
several-projects = チップ{ $chip }は複数のプロジェクトにあります：{ $chips }。
several-chips-hint = チップは「プロジェクト/チップ」の形で指定してください。
both-kinds-of-ids = 量子ビットとカップリングのIDが混在しています。
both-kinds-of-ids-hint = 種類ごとに分けて呼び出してください。

## Errors of tools: withheld data

withheld = { $setting }により送信されません：{ $names }。
withheld-hint = copilotからは読めません。QDashで確認してください。

## Errors of tools: calibration notes

no-calibration-notes = チップ{ $chip }にキャリブレーションノートがありません。
calibration-notes-without = 最新の{ $count }件のキャリブレーションノートに{ $qid }の記載がありません。
calibration-notes-hold = 記載があるもの：{ $names }。
no-calibration-note-fits = 条件をすべて満たすキャリブレーションノートはありません。
calibration-note-newest = 最新は{ $when }のものです（実行{ $run }、タスク{ $task }）。
unknown-time = 時刻不明

## Stages of a question

stage-connecting = データベースとモデルに接続中…
stage-reading-result = 結果と関連情報を読み込み中…
stage-reading-qubit = { $qid }の現在の値を取得中…
stage-sending-pictures = 画像をモデルに送信中…
stage-thinking = 考え中…
stage-complete = 完了

## Why a question ended early

ended = { $reason ->
    [cancelled] 停止しました。
    [max_rounds] モデルがツール呼び出しの上限に達し、回答が得られませんでした。質問を絞ってください。
    [budget] 上限に達し、回答が得られませんでした。質問を絞ってください。
    [repeated_call] モデルが同じツール呼び出しを繰り返し、回答が得られませんでした。質問を絞ってください。
    [timed_out] ツールがタイムアウトしたため、設定（`limits.on_tool_timeout` またはツールの `fallback`）により質問を終了しました。取得済みのデータは残っています。質問の範囲を絞るか、設定を `continue` に変えてください。
    [tool_failed] ツールが失敗したため、設定（ツールの `fallback`）により質問を終了しました。取得済みのデータは残っています。原因はステップに表示されています。
   *[finished] モデルの回答が空でした。もう一度質問するか、言い換えて質問してください。
}
ended-at-limit = *上限（{ $limit ->
    [max_iterations] ツール呼び出し{ $most }ラウンド
    [max_same_call] 同じツール呼び出し{ $most }回
    [max_tool_calls] 1つの質問につきツール呼び出し{ $most }回
    [max_tokens] 1つの質問につき{ $most }トークン
    [max_seconds] 1つの質問につき{ $most }秒
   *[conversation_tokens] 1つの会話につき{ $most }トークン
 }、`{ $setting }`）に達したため終了しました。回答は不完全かもしれません。*
cut-short = { $reason ->
    [max_output_tokens] *モデルが出力トークンの上限（`max_output_tokens`）に達したため、回答はここで終わっています。続きを質問するか、上限を上げてください。*
    [content_filter] *モデルサーバーのコンテンツフィルターにより、回答はここで終わっています。言い換えて質問してください。*
   *[other] *モデルサーバーが中断したため、回答はここで終わっています。続きを質問してください。*
}

## Next questions

next-trend = 過去60日の{ $one }の{ $metric }の推移
next-values = { $one }のパラメータ
next-notes = { $one }のメモ
next-compared = { $one }と{ $other }を比較
next-neighbours = { $one }を隣接する量子ビットと比較
next-map = { $metric }のヒートマップ
next-lowest = { $metric }が最も低い5つの{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }は？
next-lost = 過去30日で{ $metric }が低下した{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }は？
next-health = チップの状態は？
next-failed = 過去7日間に失敗したタスクは？
next-changed = 過去7日間に何が変わった？

## Service: stages as QDash's page shows them

service-step = { $step ->
   *[thinking] AIが考え中...
    [build_context] 分析コンテキストを構築中...
    [load_images] 画像をAIに送信中...
    [run_analysis] AI分析を開始中...
    [run_chat] AIとの対話を開始中...
    [complete] 完了
    [load_config] 設定を読み込み中...
    [load_qubit_params] キュービットパラメータを読み込み中...
    [load_issue] Issueを読み込み中...
    [build_history] スレッドから会話履歴を構築中...
    [load_context] タスクのコンテキストを読み込み中...
    [save_reply] 返信を保存中...
}
service-analysing = AIが分析中: { $tool }...

## Questions and conversations

ask-again = もう一度質問してください。
defect = copilotの内部で問題が発生しました。詳細はcopilotのログにあります。
question-empty = 質問が空です。
question-empty-hint = 知りたいことを書いてください（例：「T1が低下した量子ビットは？」）。
question-too-long = 質問は{ $count }文字です。上限は{ $most }文字です。
question-too-long-hint = 短くしてください。データはcopilotがデータベースから読み取るため、貼り付ける必要はありません。
question-gone = この質問はもう会話にありません。
step-gone = このステップはもう会話にありません。
step-without-table = このステップは表を取得していません。
kernel-ended-first = この質問に答える前にカーネルが停止しました。
still-running = この質問はまだ実行中です。
still-running-hint = 先にwait()を呼んでください。
last-still-running = 前の質問がまだ実行中です。
last-still-running-hint = 終わるのを待つか、copilot.stop()で停止してください。
no-variable = このカーネルに変数「{ $name }」はありません。
no-variable-hint = 先に、それを作るセルを実行してください。
too-many-variables = 質問に{ $count }個の変数が含まれています。上限は{ $most }個です。
too-many-variables-hint = 数を減らしてください。
chosen-model = このマシンで選んだモデル
no-local-models = このマシンで応答するモデルサーバーがありません。確認した先：Ollama（ポート11434）、LM Studio（1234）、llama.cpp（8080）、vLLM（8000）。
trial-calls = { $model }はツールを呼び出せます。
trial-calls-not = { $model }は指示してもツールを呼び出しませんでした。データベースを読めないため、ほかのモデルを選んでください。
trial-window = コンテキスト長は{ $tokens }トークンです。
trial-window-short = コンテキスト長が{ $tokens }トークンしかありません。16,000以上にしてサーバーを再起動してください。
trial-window-unknown = サーバーからコンテキスト長を取得できません。
trial-too-slow = { $model }は2分以内に応答しませんでした。小さいモデルを選ぶか、読み込みが終わってからもう一度試してください。
trial-goes-on = モデルを読み込み中です。テストはバックグラウンドで続き、結果はパネルに表示されます。
no-model = 設定にモデル「{ $name }」はありません。候補：{ $names }。
no-model-hint = モデルをcopilot.yamlの `models` に追加してください（docs/models.mdを参照）。
no-panel = このcopilotにはパネルがありません。
no-panel-hint = `qdash_jupyter.open_copilot` か `%load_ext qdash_jupyter` を使ってください。
fetch-with-current = 現在のcopilotで取得してください：`copilot.tools.{ $tool }(…)`
conversation-closed = これを取得した会話は閉じられています。
conversation-closed-first = データが届く前に会話が閉じられました。
no-table-any-more = { $tool }はこの引数ではもう表を返しません。
data-stay = 手元のデータは残っています。
not-sent-yet = { $endpoint }にはまだ何も送信されていません。
not-sent-yet-hint = 送信される内容を質問欄の上で確認してから、もう一度試してください。

## Approvals

no-hash = 「{ $text }」はコードのハッシュではありません。
no-hash-hint = コードの横に表示されたハッシュを{ $digits }桁以上指定してください。
already-decided = すでに承認または却下されています。
already-decided-hint = copilotの現在の表示を確認してください。
code-changed = 表示された後にコードが変更されています。
code-changed-hint = もう一度確認してください。
decided-by = { $name }（{ $where }）
by-its-hash = ハッシュで指定
by-its-hash-before = 事前にハッシュで指定
below-the-cell = セルの下
in-the-panel = パネル

## Kept conversations

no-history-here = ここに保存された会話はありません。
no-history-here-hint = ノートブックを開いてください。
no-conversation-before = 前の会話に戻れません。
no-conversation-before-hint = 会話の一覧から選んでください。
conversation-empty = 質問がないか、会話を保存しない設定です（`history`）。
choose-another-conversation = 別の会話を選んでください。
conversation-gone = この会話はもうありません。
conversation-gone-hint = 別のカーネルが削除したのかもしれません。
conversation-in-use = 別のカーネルがこの会話を開いています。
conversation-in-use-hint = そちらで新しい会話を始めるか、そのカーネルを停止してください。
conversation-not-deleted = 会話を削除できません：{ $why }。
conversation-unreadable = 会話を読み取れません：{ $why }。
conversation-file = ファイル：{ $path }
title-not-kept = タイトルを保存できません：{ $why }。
title-not-kept-hint = フォルダー：{ $path }
history-bad-id = ノートブックにある会話のIDが無効なため、新しい会話を始めます。
history-not-kept = この会話は保存されません（{ $why }）。カーネルが停止するまで使えます。
history-not-opened = 会話のファイルを開けないため、この会話は保存されません。詳細はcopilotのログにあります。
history-unusable = 保存された会話を使えません（{ $why }）。ファイルはそのまま残し（{ $path }）、新しい会話を始めます。
history-damaged = 保存された会話が壊れています（{ $items }）。読める部分を使います。
history-copied = 別のカーネルがこの会話を開いているため、ここではコピーを使います。
shape-calls-from-outside = ツールの呼び出しと結果は外部から受け取れません
shape-unknown-role = 不明なrole「{ $role }」
shape-no-role = roleがありません
shape-late-system = systemメッセージは先頭にのみ置けます
shape-out-of-order = { $wanted ->
    [user] 質問が来るべき位置に
   *[other] 回答が来るべき位置に
 }{ $role ->
    [user] 質問があります
   *[other] 回答があります
 }
shape-no-question = 最後のメッセージはユーザーのものでなければなりません
shape-no-text = 内容がテキストではありません
history-damage = { $place }：{ $why }
log-damaged = 壊れています
log-of-other-version = 別のバージョンのqdash-jupyterで書かれています
log-too-long = { $mb } MBを超えています

## What is in use

database-as-of = { $database }、{ $time } UTC時点
chip-in-use = { $chip }（プロジェクト{ $project }、{ $count }量子ビット）
chip-not-chosen = 未選択
code-trusted = カーネル内、隔離なし（policy: trusted）
code-inserted = セルの挿入のみ。実行はユーザー（policy: insert_only）
code-confined = 専用のプロセス内（{ $by }）
code-each-approved = カーネル内、毎回承認後
status-database = データベース
status-chip = チップ
status-model = モデル
status-planner = { $model }：決まった種類の質問に回答
status-endpoint = 接続先
status-code = コード
status-learned = モデルサーバー
status-fits = 保持中の当てはめ
status-fits-kept = { $count }件（結果のファイルが変わると、もう一度当てはめます。上限は10,000件）
status-problems = 読めない値
status-unreadable = { $count }個（欠測として扱う）
status-missing = 不足
status-note = 注記
status-history = 履歴
status-log = ログ

## Before the first question to a server

sends-questions = 質問とこれまでの回答
sends-instructions = 指示とツールの説明
sends-names = データベース、チップ、現在の量子ビットとそのパラメータ
sends-variables = 変数の名前、型、形
sends-results = ツールの結果の要約と、分析セルの出力
sends-knowledge = 設定で指定された文書（`knowledge`、`contexts`、`skills`）
sends-pictures = 質問の対象となる結果やセルの画像
stays = 表の全体と、質問の対象でないセルは、このカーネルに残ります。キーとパスワードは送信されません。送信した内容は `%copilot sent` でそのまま確認できます。
stays-withheld = `privacy.never_send` により送信されません：{ $names }。

## Questions to start with

start-health = チップの状態は？
start-lost-t1 = 過去30日でT1が低下した量子ビットは？
start-lowest-readout = 読み出し忠実度が最も低い5つの量子ビットは？
start-map-t1 = T1のヒートマップ
start-map-t2-echo = T2エコーのヒートマップ
start-map-frequency = 量子ビット周波数のヒートマップ
start-table = @{ $name } で目立つ点は？
start-with-skill = { $question }（先にスキル { $skill } を読むこと。）

## Results in the kernel and cells of an answer

result-gone = この結果はもうありません。
result-gone-hint = そのステップからもう一度取得してください。
key-gone = { $key }はもうありません。
key-failed = { $key }: { $problem }
not-a-table = { $key }は表として表示できません。セルで開いてください。
documents-read = { $name } { $count }件
data-version = バージョン{ $number }、{ $data ->
    [same] 同じデータ
   *[new] 新しいデータ
 }。
data-cut = 全{ $total }件のうち最新のものだけです。
data-beside = { $name }に加えた変更はそのまま残ります。
no-cells-added = この回答はセルを追加していません。
no-cells-added-hint = 元に戻すものはありません。
notebook-not-open = この回答のセルを含むノートブックが開かれていません。
notebook-not-open-hint = ノートブックを開いて、もう一度試してください。
names-are-yours = { $names }に加えた変更はそのまま残ります。
cells-stay = 変更された{ $count }個のセルは残ります。
names-stay = { $names }も残ります。
cells-taken-out = { $count }個のセルを取り除きました。
no-ended-question = 終わった質問はまだありません。
no-ended-question-hint = 質問するか、実行中のものを停止してください。
undo-in-panel = セルの実行中、このカーネルでは元に戻せません。
undo-in-panel-hint = パネルで「元に戻す」を押してください。
cell-not-open = このセルを含むノートブックが開かれていません。
cell-not-open-hint = ノートブックを開くか、新しいテキストをコピーしてください。
edit-gone = この変更はもう会話にありません。
no-failed-cell = 失敗したセルはありません。
no-failed-cell-hint = 先に、修正したいセルを実行してください。
kernel-lacks = カーネルの環境に{ $name }がありません。その環境で `pip install { $name }` を実行し、カーネルを再起動してください。
## Data in the kernel

no-data = データ「{ $key }」はありません。
no-data-fetch-hint = 質問するか、`copilot.tools` を呼んでください。
data-fetched = 取得済み：{ $names }。
stored-parts = { $parts }
stored-in-memory = メモリ内{ $size }
stored-in-files = ファイル内{ $size }（使うときに開きます）
stored-version = バージョン{ $number }{ $data ->
    [first] {""}
    [same] 、同じデータ
   *[new] 、新しいデータ
 }
stored-fetched = 取得：{ $age }（{ $time } UTC）、{ $version }
stored-cut = 全{ $total }件のうち最新のもの
stored-kept = 変更が加えられているため、data[「{ $key }」]はそのまま残しました
more-rows = ほか{ $count }行。
more-rows-in = ほか{ $count }行は `data['{ $key }']` にあります。
turn-state = { $question }（{ $state ->
    [running] 実行中
    [answered] 回答済み
   *[failed] 失敗
 }）
edit-proposed = **セル{ $cell }の変更案**
edit-whole = 変更後のセル：
lines-unchanged = { $count }行変更なし
chart-not-kept = *グラフが大きすぎるため、会話と一緒に保存されませんでした。*
log-taken-up = 別のカーネルが開いています
figure-part = { $part ->
    [map] 地図
    [buttons] ボタン
   *[picture] 画像
 }
figure-left-out = 他のサーバーから読み込まれるため、除きました：{ $names }。
picture-left-out = 含まれない画像

## Steps in the panel

tool-failed = ツールが失敗しました。
step-stopped = 完了前に停止しました。
step-question-failed = 完了前に質問がエラーで終わりました。
step-kernel-stopped = 完了前にカーネルが停止しました。
progress-waiting-for-you = 確認待ち
waiting-for-kernel = カーネルの空き待ち：ノートブックのセルが実行中です
interrupt-to-stop = 停止するにはカーネルを中断（■）してください。
stop-it-first = 先に停止してください。
wait-or-stop = 終わるのを待つか、停止してください。
queue-full = すでに{ $count }件の質問が待機中です。
queue-full-hint = どれかを削除するか、回答されるまで待ってください。
not-queued = この質問はもう待機中ではありません。
not-queued-hint = 送信されたか、削除されました。
keys-not-wanted = これらのキーはもう必要ありません。
no-key-here = キーがなく、ここでは入力もできません。
no-key-here-hint = { $name }を設定してください。
planner-without-key = オフラインプランナーにキーは不要です。
planner-without-key-hint = 先にモデルを選んでください（QDASH_COPILOT_MODEL）。

## Magics and the command line

no-command = コマンド `%copilot { $name }` はありません。
commands-listed = `%copilot help` でコマンドの一覧を表示します。
ask-one-word = この1語を質問するには `%copilot ask { $name }` と書いてください。
command-without-words = `%copilot { $name }` に引数は指定できません（「{ $text }」）。
command-without-words-hint = この語で始まる質問をするには `%copilot ask { $name } …` と書いてください。
option-needs-value = `--{ $name }` には値が必要です。
option-without-value = `--{ $name }` に値は指定できません。
option-write = `{ $text }` と書いてください。
bad-out-name = 回答の名前に「{ $name }」は使えません。
bad-out-name-hint = 別の名前にしてください：`--out answer`
no-option = オプション `{ $text }` はありません。
no-options = このコマンドにオプションはありません。
question-below = この形で始まる質問は引用符で囲んでください。
several-sources = データの指定が複数あります：{ $names }。
several-sources-hint = 1つだけ指定してください。
analysis-needs-task = 分析には、タスクと、量子ビットまたはカップリングが必要です。
nothing-asked = まだ質問がありません。
nothing-asked-hint = 先に質問してください。
no-question = 質問「{ $text }」はありません。
no-question-hint = 1から{ $most }までの番号を指定してください。
bad-export-name = 「{ $name }」はFILE.ipynbでもFILE.mdでもありません。
bad-export-name-hint = `%copilot export answer.ipynb` のように書いてください。
file-exists = { $path }はすでにあります。
file-exists-hint = 別の名前にするか、ファイルを削除してください。
file-not-written = { $path }に書き込めません：{ $why }。
file-not-written-hint = 別の名前にしてください。
no-folder = フォルダー{ $path }がありません。
no-folder-hint = 作成するか、別の -oを指定してください。
notebook-not-written = ノートブックを書き込めません：{ $why }。
notebook-not-written-hint = 回答は上に表示されています。
bad-period = 「{ $text }」は10秒以上の間隔ではありません。
bad-period-hint = 30s、10m、2hのように書いてください。
no-port = { $port }はポート番号ではありません。
no-port-hint = { $most }までの番号を指定してください。
port-not-usable = ポート{ $port }を使えません：{ $why }。
port-not-usable-hint = 別の --portを指定してください。
mcp-unusable = mcp { $version }は使えません（{ $tested }）: { $why }
mcp-not-installed = MCPサーバー用のパッケージがインストールされていません。
server-not-installed = Jupyter Serverがインストールされていません。
pip-install = 次を実行してください：pip install "{ $what }"
no-starter = 質問例「{ $name }」はありません。候補：{ $names }。
stopping = 停止しています…
nothing-running = 実行中の質問はありません。
first-look = **{ $endpoint }に初めて質問します。**
answer-later = 回答はまだ完了していません。完了したら `{ $name } = copilot.turns[-1].result()` を実行してください。
polling-off = 自動更新を停止しました。
polling-was-off = 自動更新は行われていません。
approved-once = ハッシュ `{ $hash }` のコードを1回だけ承認しました。
no-approval = 承認{ $number }はありません。一覧は `%copilot approve` で表示されます。
approval-waiting = 承認待ち、`{ $hash }`：
no-approvals = この会話に、承認待ちのものも承認済みのものもありません。
no-key-in-a-cell = `%copilot key` か変数名を書いてください。セルは保存されるため、キーそのものは書かないでください。
key-kept = `{ $variable }` のキーは、カーネルが停止するまで保持されます。
key-not-typed = キーは入力されませんでした。何も変わっていません。
key-prompt = { $variable }のキー（カーネルが停止するまで保持）：
key-prompt-mcp = MCPサーバー{ $server }{ $count ->
    [1] {" "}
   *[other] （{ $place }/{ $count }）
 }のキー（{ $variable }に使用）。空のままならキーなしで続行：
new-conversation = 新しい会話を始めました。取得したデータは `copilot.data` に残っています。
export-answer = 回答
export-answer-of-day = { $day }時点。再実行するとセルは計算し直されますが、この文章は変わりません。
export-no-answer = 回答なし
export-needs = これらのセルを実行する前に{ $names }を定義してください。元のカーネルにあった変数です。
export-provenance = データベース：{ $database }。チップ：{ $chip }。回答：{ $model }。
exported = 保存しました：`{ $path }`
name-taken = 名前 `copilot` はすでに使われています。`%%copilot` は使えますが、分析セルにはこの名前が必要です。
model-no-longer = 設定にモデル「{ $name }」がなくなったため、以後は「{ $other }」を使います。
analysis-usage = `%copilot analyze TASK QID` のように書いてください（例：`%copilot analyze CheckT1 7`）。
no-panel-appeared =
    {"**"}パネルを表示できません。** Jupyterサーバーの環境にパッケージがありません。サーバーの環境（カーネルとは別の場合があります）で次を実行し、ページを再読み込みしてください：

    ```
    pip install qdash_jupyter
    ```

    それまでは、`%%copilot` の下に質問を書いてください。
no-widgets-here = QDash Copilotのパネルはウィジェットです。JupyterLab、VS Code、Colab、marimoで表示できます。ここではPythonから質問してください：copilot.ask("過去30日でT1が低下した量子ビットは？")
heading = { $name ->
    [all] 合計
    [characters] 文字数
    [cost] 費用
    [endpoint] 接続先
    [from] 出所
    [in-python] Pythonでの名前
    [input] 入力
    [model] モデル
    [output] 出力
    [part] 部分
    [price] 100万トークンあたりの価格（入力/出力）
    [project] プロジェクト
    [question] 質問
    [qubits] 量子ビット
    [requests] リクエスト
    [setting] 設定
    [share] 割合
    [status] 状態
    [tables] 表（行×列）
    [tool] ツール
    [takes] 引数
    [does] 説明
    [value] 値
   *[window] ウィンドウ（トークン）
 }
in-use = **使用中**
chip-current = { $name }（現在）
code-steps = 分析コード{ $count }ステップ
code-step = 分析
names-in-kernel = カーネルにある変数：{ $names }
magics-help =
    {"**"}QDash Copilot**

    | | |
    | --- | --- |
    | `%%copilot` の下に質問 | 質問します。回答はセルの下に表示され、その間もカーネルは使えます。 |
    | `%%copilot --wait` | 質問し、回答が出るまでセルを終えません。 |
    | `%%copilot --out NAME` | 質問し、回答を変数NAMEに入れます。 |
    | `%%copilot [--project ID] [--chip ID] [--qid ID] [--model NAME]` | この質問だけ、別のデータやモデルを使います。 |
    | `%copilot QUESTION`、`%copilot ask QUESTION` | 1行で質問します。同じオプションを質問の前に指定できます。 |
    | `%copilot start [NAME]` | 質問例で質問します。名前がなければ一覧を表示します。 |
    | `%copilot analyze TASK QID [--execution ID] [--task-id ID] [--wait] [QUESTION]` | 1つの結果を分析します。指定がなければ最新の結果です。 |
    | `%copilot fix [--wait] [WORDS]` | 最後に失敗したセルを修正します。セルは、パネルで変更を適用したときだけ書き換わります。 |
    | `%copilot stop` | 実行中の質問を停止します。 |
    | `%copilot open` | このセルの下にパネルを表示します（`%copilot panel` も同じ）。 |
    | `%copilot new` | 新しい会話を始めます。取得したデータは残ります。 |
    | `%copilot undo` | 直前の質問のセルをノートブックから取り除きます。 |
    | `%copilot export FILE.ipynb` | 会話を、再実行できるノートブックとして保存します。 |
    | `%copilot export FILE.md` | Markdownとして保存します。 |
    | `%copilot data` | 取得したデータの一覧を表示します（`copilot.data` のDataFrame）。 |
    | `%copilot data refresh [KEY …]` | すべて、または指定したデータを取得し直します。変更を加えたものは残ります。 |
    | `%copilot data refresh every 10m [KEY …]` | 定期的に取得し直します。止めるには `%copilot data refresh off`。 |
    | `%copilot status` | 使用中のデータベース、チップ、モデルを表示します。 |
    | `%copilot cost [N]` | 送信したトークン数と文字数を、質問ごと、部分ごとに表示します。Nを指定すると質問Nのリクエストごとに表示します。 |
    | `%copilot sent [N]` | 質問N（1が最初）でモデルに送信した内容をそのまま表示します。指定がなければ最後の質問です。 |
    | `%copilot use [--demo \| --snapshot DIR \| --mongo URI] [--project ID] [--chip ID] [--qid ID]` | 別のデータを使います。 |
    | `%copilot chip [NAME]` | チップの一覧を表示します。名前を指定するとそのチップに切り替えます。 |
    | `%copilot model [NAME]` | 設定にあるモデルの一覧を表示します。名前を指定するとそのモデルに切り替えます。 |
    | `%copilot models` | このマシンのモデルサーバー（Ollama、LM Studio、llama.cpp、vLLM）を探し、そのモデルも一覧に表示します。 |
    | `%copilot key` | モデルサーバーのキーを入力します。キーは表示も保存もされません。 |
    | `%copilot approve [HASH]` | 承認待ちの、または次の質問で実行されるこのコードだけを承認します。ハッシュがなければ、この会話の承認待ちと承認済みの一覧を表示します。 |
    | `%copilot revoke [N]` | この会話の承認を取り消します。すべて、またはN番だけです。 |
    | `%copilot trust` | このフォルダーのcopilot.yamlと定義済みコンテンツを、変更されるまで信頼します。 |
    | `%copilot config --explain` | 設定と、各値の出所を表示します。 |
    | `%copilot help` | この一覧を表示します。 |

    Pythonでは：`copilot.ask("…")`、待たずに続けるには `await copilot.start("…")`、`copilot.data["t1"]["timeseries"]`、`copilot.tools.get_chip_summary()`。

## Magics: cost and what was sent

cost-of-conversation = **この会話の費用**
cost-of-question = **質問{ $number }の費用**：{ $question }
cost-of-parts = **プロンプトの内訳（全リクエスト）**
cost-of-request = **リクエスト{ $number }**：入力{ $input }、出力{ $output }
cost-about = 約{ $amount }
cost-group = { $name ->
    [instructions] 指示
    [tool-schemas] ツールの定義
    [answer-schema] 回答の形式
    [digest] これまでの質問の要約
    [earlier-turns] これまでの質問
    [analysis] 分析の情報
    [question] 質問
    [model-items] モデルの出力
    [tool-results] ツールの結果
   *[notes-of-the-loop] モデルへの注記
 }
cost-part = { $group }：{ $name }
cost-by-size = 各部分のトークン数は、リクエストのトークン数をサイズで按分したものです。
cost-estimated = 「約」：サーバーがトークンを数えないため、推定値です。
cost-offline = オフラインプランナーは言語モデルではないため、その質問は0トークンです。
cost-earlier = カーネル再起動前の質問：サーバーが数えたトークン数です。価格と内訳は残っていません。
cost-priced = 費用はトークン数×設定の価格です。キャッシュされた入力の割引は含みません。
request-count = { $count }リクエスト
requests-not-kept = 質問{ $number }はカーネルの再起動前のもので、リクエストは残っていません。
sent-nothing = 質問{ $number }では何も送信されていません。
sent-title = 質問{ $number }：{ $model }への{ $requests }
sent-request = リクエスト{ $number }
sent-part = { $part ->
    [instructions] 指示
    [items] 項目（{ $count }件）
    [tools] ツール（{ $count }個）
   *[schema] 回答の形式
 }
sent-size = { $what }：{ $size }

## Magics: fetching data again

no-data-yet = データはまだ取得されていません。
refreshed = - `data['{ $key }']`：{ $outcome }
refreshed-rows = { $version }（{ $rows }行）
refresh-failed = 取得できませんでした：{ $why }
refresh-not-tried = 取得していません
refreshed-beside = 変更が加えられているため、そのまま残しました。新しいデータは `data['{ $key }']` にあります
polling = { $what }を{ $period }ごとに取得しています。
polling-all = すべてのデータ
polling-last = 前回の取得（{ $time } UTC）：

## Command line

cli = qdash-jupyter: { $text }
cli-stopped = 停止しました
cli-no-output = 出力を書き込めません：{ $why }
cli-chart-where = { $chart }（表示するには `-o answer.ipynb` を付けてください）
cli-notebook = ノートブック：{ $path }
cli-chips = プロジェクト         チップ               量子ビット  状態
cli-database = { $database }：チップ{ $count }個
cli-copied = · { $name }：{ $count }{ $kind ->
    [files] ファイル
   *[documents] 件
 }
cli-snapshot = { $chip }（プロジェクト{ $project }）のスナップショット：{ $folder }
cli-snapshot-use = 使うには：export QDASH_SNAPSHOT={ $folder }
cli-trusted = { $folder }の設定を、変更されるまで信頼します（{ $file }に記録しました）。
cli-file = { $file }：{ $text }
cli-no-mistakes = 間違いは見つかりません
cli-not-imported = # 取り込まれません：{ $text }
cli-token = { $variable }の値

## Service: errors

conversation-used-up = この会話は{ $count }トークンを使いました。上限は{ $most }トークンです。
conversation-used-up-hint = 新しい会話を始めるか（`copilot.new()`、取得したデータは残ります）、`limits.conversation_tokens` を上げてください。
stream-without-reply = モデルの応答が回答なしで終わりました。
sessions-not-kept = セッションを保存できません：{ $why }。
sessions-not-kept-hint = ユーザーのデータフォルダーに書き込めるか確認してください。
no-issue = Issue「{ $id }」はありません。
no-issue-hint = Issue、またはその投稿のIDを指定してください。
last-post-is-ours = 最後の投稿はcopilot自身のものです。
last-post-is-ours-hint = 質問を投稿するか、`message` として送ってください。
reply-kept-here = この返信はこのサービスに保存されています。QDashのデータベースには保存されていないため、必要ならQDashに投稿してください。
override-differs = モデル「{ $model }」の「{ $field }」はリクエストでは変更できません。
override-differs-hint = モデルは名前だけで選んでください。そのほかの設定はcopilot.yamlにあります。
no-reply-to-save = 保存する返信がありません。

## Files behind results

curves-not-stored = QDashはこれらの結果の図も生データも保存していません。
files-not-read = { $file }{ $more ->
    [0] {""}
   *[other] {" "}ほか{ $more }個
 }：{ $why }。

## Planner: names, times and lists

plan-things = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }{ $count }個
plan-of = { $whose }の{ $name }
plan-both = { $x }と{ $y }
plan-amount = { $value } { $unit }
plan-change-with-error = { $change } ± { $error } { $unit }
plan-points = ポイント
plan-with-value = { $what }（{ $value }）
plan-with-error = { $value }（{ $error }）
plan-item = - `{ $name }`：{ $value }
plan-count-of = { $what } { $count }件
plan-quoted = 「{ $word }」
plan-titled = { $title }：{ $names }
plan-value = **{ $what }：{ $value }**
plan-in-window = { $what }（{ $window }）
plan-last-days = 過去{ $days }日間
plan-last-hours = 過去{ $hours }時間
plan-so-far = これまで
plan-since = { $since }以降
plan-before = { $until }より前
plan-on-day = { $day }
plan-from-to = { $since }から{ $last }まで
plan-in-month = { $year }年{ $month }月
plan-tags = タグ{ $tags }
plan-no-cooldown = 現在のクールダウンが不明です。期間を指定してください。
plan-statistic = { $statistic ->
    [mean] 平均
    [deviation] 標準偏差
    [lowest] 最小値
    [highest] 最大値
   *[median] 中央値
 }
plan-grade = { $grade ->
    [excellent] 非常に良い
    [good] 良い
    [bad] 悪い
   *[below-good] 「良い」未満
 }
plan-verdict-word = { $verdict ->
    [fell] 低下
    [rose] 上昇
    [stable] 変化なし
    [unclear] 判定不能
    [wandering] ゆらぎ
    [too-few] 測定不足
    [not-measured] 測定なし
    [fitted] 適合
    [not-determined] 決定できず
   *[other] { $verdict }
 }
plan-trend-by = { $trend }（{ $change }）
plan-trend-word = { $trend ->
    [up] 上昇
    [down] 低下
    [stable] 変化なし
    [unclear] 判定不能
    [wandering] ゆらぎ
    [none] ノイズの範囲内
    [too] 測定不足
   *[other] { $trend }
 }
task-status = { $status ->
    [scheduled] 予定
    [pending] 待機中
    [running] 実行中
    [completed] 完了
    [failed] 失敗
    [skipped] スキップ
    [cancelled] キャンセル
    [open] 未解決
    [closed] 解決済み
   *[other] { $status }
 }
plan-missing-why = { $why ->
    [no-fit] 当てはめ失敗
    [no-number] 数値なし
    [no-date] 日付なし
    [no-reason-given] 理由の記載なし
   *[never-calibrated] 未キャリブレーション
 }
plan-flag-count = { $all }件中{ $count }件：{ $flag }
plan-other-direction = QDashでは{ $asked }の値が{ $stored }（制御-標的）として保存されています。
plan-edges-beyond = 段階数の上限より先にある入力：{ $count }個
plan-edges-missing = データベースにない入力：{ $count }個

## Planner: headings of tables

plan-heading-value = 値
plan-heading-task = タスク
plan-heading-run = 実行
plan-heading-version = バージョン
plan-heading-verdict = 判定
plan-heading-before = 以前
plan-heading-now = 現在
plan-heading-change = 変化
plan-heading-first = 前
plan-heading-then = 後
plan-heading-since = 変化の時期
plan-heading-measured = 測定日時
plan-heading-how-many-measured = 測定済み
plan-heading-outliers = 外れ値
plan-heading-n = 数
plan-heading-count = 測定数
plan-heading-newest = 最新
plan-heading-scatter = ばらつき
plan-heading-slope = 傾き（1日あたり）
plan-heading-finding = 内容
plan-heading-metric = 指標
plan-heading-code = コード
plan-heading-curves = 曲線
plan-heading-means = 意味
plan-heading-depth = 段階
plan-heading-values = 値の数
plan-heading-what = 内容
plan-heading-start = 開始（UTC）
plan-heading-written = 記録（UTC）
plan-heading-from = 開始（UTC）
plan-heading-status = 状態
plan-heading-message = メッセージ
plan-heading-outputs-or-message = 出力・メッセージ
plan-heading-name = 名前
plan-heading-took = 時間
plan-heading-tags = タグ
plan-heading-about = 対象
plan-heading-note = 内容
plan-heading-by = 記入者
plan-heading-runs = 実行数
plan-heading-newest-run = 最新の実行
plan-heading-duration = { $which ->
    [mean] 平均
    [min] 最短
    [max] 最長
   *[median] 中央値
}
plan-no-durations = タスクの所要時間がわかる結果がありません。
plan-task-takes = **{ $which ->
    [highest] 最も遅いタスクは{ $task }の{ $took }
    [lowest] 最も速いタスクは{ $task }の{ $took }
   *[none] { $task }の所要時間は{ $took }
 }です。**{ $count }件の結果の中央値で、平均は{ $mean }です。
plan-most-runs = **実行が最も多いのは{ $name }で、{ $all }回中{ $count }回です。**
plan-heading-parameter = パラメータ
plan-heading-grade = 水準
plan-heading-age = 経過
plan-heading-median-before = 過去の中央値
plan-heading-range-before = 過去の範囲
plan-heading-trend = 傾向

## Planner: what it is, and what it can't answer

plan-answered-by = オフラインプランナーの回答です（固定の手順で、言語モデルではありません）。
plan-whole-method = 実行したコードが手順のすべてです。
plan-why = *原因*はデータからはわかりません。言語モデルに質問するか、その頃にチップに何があったかを確認してください。
plan-code-failed = 回答できません。計算に失敗しました：{ $why }
plan-no-table = 計算結果に表がありません。
plan-out-of-rounds = 回答できませんでした。この質問には、ツール呼び出しのラウンド数が足りません。
plan-no-code = この回答にはコードの実行が必要ですが、このマシンにはコードを隔離する仕組みがないため実行できません。ノートブックで質問してください。
plan-not-for-cells = オフラインプランナーはセルの出力を読めません。言語モデルを選んでください：docs/models.md
plan-too-many-readings = この質問にはデータベースの読み取りが{ $count }回必要です。上限は{ $most }回です。
plan-mixed-kinds = 量子ビットとカップリングを1つの表にすることはできません。{ $names }を別々に質問してください。
plan-wrong-unit = { $shown }は{ $name }（単位{ $unit }）と比べられません。{ $unit }で指定してください。

## Planner: questions back

plan-which-chip = どのチップですか（{ $names }）？

## Planner: your cells and variables

plan-cell-failed = このセルは `{ $error }` で失敗しました。
plan-cell-failed-at = このセルは `{ $error }` で失敗しました（`{ $line }`）。
plan-cannot-fix = オフラインプランナーはコードを修正できません。言語モデルなら修正できます。`QDASH_COPILOT_MODEL` とサーバーのキー、またはcopilot.yamlの `models` で設定してください：docs/models.md
plan-cannot-compute = オフラインプランナーはノートブックの変数で計算できません。言語モデルなら計算できます：docs/models.md
plan-table = `{ $name }` は{ $kind }、{ $rows }行、{ $count }列です：{ $columns }
plan-series = `{ $name }` は{ $kind }、{ $rows }行、型は{ $type }です。
plan-array = `{ $name }` は形状{ $shape }、型{ $type }の配列です。
plan-variable = `{ $name }`：{ $kind }

## Planner: changes

plan-moved = **{ $window }に{ $name }が{ $direction ->
    [down] 低下
    [up] 上昇
   *[either] 変化
 }した{ $things }：{ $names }**
plan-largest = 変化の大きい順に{ $count }個：
plan-did-not-move = **{ $names }：{ $window }に{ $name }は{ $direction ->
    [down] 低下
    [up] 上昇
   *[either] 変化
 }していません。**
plan-may-have-moved = **{ $names }：{ $window }に{ $name }が{ $direction ->
    [down] 低下
    [up] 上昇
   *[either] 変化
 }した可能性がありますが、{ $low }〜{ $high } σのため判断できません。**
plan-none-moved = **{ $window }に{ $name }が{ $direction ->
    [down] 低下
    [up] 上昇
   *[either] 変化
 }した{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }はありません。**
plan-few-compared = **{ $window }は測定が少なく、比較できません：{ $names }**
plan-few-of = { $name }（比較できたのは{ $things }中{ $compared }個{ $compared ->
    [0] {""}
   *[other] 、{ $direction ->
        [down] 低下
        [up] 上昇
       *[either] 変化
    }なし
 }）
plan-uncertain = 判断できないもの（{ $low }〜{ $high } σ）：{ $names }
plan-by-how-much = { $name }（{ $change }）
plan-got-worse = この期間に悪化したもの：{ $names }
plan-no-verdict = { $verdict ->
    [too-few] { $name }の測定が少なく比較できないもの：{ $names }
    [unclear] { $name }の測定が少ないかばらつきが大きく、変化を判定できないもの：{ $names }
   *[wandering] { $name }がゆらいでおり、変化がそのノイズを超えないもの：{ $names }
 }
plan-detectable = 検出力75 %で検出できる最小の変化（{ $name }、変化がなかったものの中央値）：{ $size }
plan-not-measured = この期間に有効な値がないもの：{ $names }
plan-of-these-not-measured = この期間に有効な値がないもの（{ $metrics }）：{ $names }
plan-percentage-points = { $value }ポイント
plan-rule-of = { $rule }（{ $names }）
plan-rule = 基準：変化が{ $rule }以上、かつ{ $sigmas } σ以上。
plan-rules = 基準：変化が{ $sigmas } σ以上、かつ次の値以上：{ $rules }。
plan-measured = 測定済み：{ $things }。
plan-false-alarms = 誤検出の期待値：{ $compared }系列中{ $alarms }。
plan-companions = 同じ期間の変化（確認した項目：{ $names }）：
plan-facts = - { $name }：{ $facts }
plan-fact = { $name } { $change }（{ $since }頃から）
plan-fact-in-noise = { $name } { $change }（{ $sigmas } σ）
plan-over-time = { $name }の推移
plan-before-and-now = { $name }の以前と現在（{ $window }）

## Planner: trends, windows and fits

plan-trend = **{ $whose }の{ $name }（{ $window }）**
plan-trend-of-chip = **{ $window }の{ $name }：{ $things }の最新値の中央値{ $value }**
plan-whole-chip = { $what }、チップ全体
plan-nothing-usable = { $window }の{ $name }に、使える値がありません。
plan-steepest = 傾きの大きい{ $count }個を表示しています（全{ $all }個はセルの変数にあります）。
plan-windows = **{ $name }の中央値、{ $first }（前）と{ $second }（後）：{ $counts }**
plan-windows-of-one = **{ $whose }の{ $name }の中央値：{ $first }は{ $before }、{ $second }は{ $now }（{ $change }）、{ $verdict }**
plan-windows-of-chip = **チップ全体の{ $name }、{ $first }（前）と{ $second }（後）：{ $change }（{ $low } 〜 { $high }）。{ $way ->
    [fell] 低下しています
    [rose] 上昇しています
    [perhaps-fell] 低下の可能性があります
    [perhaps-rose] 上昇の可能性があります
   *[none] 変化は認められません
 }。** 個々の変化の中央値と、その95 %区間です。
plan-medians-hide = { $names }：変化は中央値にはほとんど表れていません。判定の横の値は、変化の直前の水準と現在の水準との差です。
plan-one-by-one = { $kind ->
    [coupling] カップリングごと
   *[qubit] 量子ビットごと
 }：{ $counts }。前と後の値は中央値です。
plan-fit = **{ $whose }の{ $name }への{ $kind ->
    [exponential] 指数関数
   *[line] 直線
 }の当てはめ（{ $window }）**
plan-stale = **{ $window }の測定はありません（最新は{ $newest }）。**その前の同じ長さの期間（{ $moved }）を使います。

## Planner: values that meet conditions, ranks

plan-limit = { $limit }{ $kind ->
    [below] 未満
    [at-most] 以下
    [above] 超
   *[at-least] 以上
 }
plan-labs-limit = 基準値{ $limit }
plan-condition = { $name }が{ $limits }
plan-either = { $first }または{ $other }
plan-have = **{ $what }の{ $things }{ $first ->
    [0] {""}
   *[other] （最初の{ $first }個）
 }：{ $names }**
plan-share-has = **{ $what }のもの：{ $all }中{ $count }個（{ $percent } %）：{ $names }**
plan-have-values = **{ $what }の値がある{ $things }**
plan-none-has = **{ $what }の{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }はありません。**
plan-those-with = { $what }の{ $things }
plan-among = { $whose }の{ $what }
plan-nearest = 最も近いもの：
plan-near = わずかに外れたもの（四分位範囲の10 %未満の差）：{ $names }
plan-checked = 確認したもの：{ $things }。
plan-without-value = 値のないもの：{ $names }
plan-each-value = 各値は、この期間の測定の{ $statistic }です。
plan-ranked = **{ $what }が{ $order ->
    [best] 良い
    [lowest] 低い
    [highest] 高い
   *[worst] 悪い
 }順：{ $names }**
plan-worse-than-limit = 基準値（{ $limit }）より悪いもの：{ $names }
plan-none-worse = 基準値（{ $limit }）より悪いものはありません。
plan-overall = **総合で{ $order ->
    [best] 良い
   *[worst] 悪い
 }順：{ $names }**
plan-percentiles = 各指標でのパーセンタイルの平均で並べています。
plan-no-current-values = 現在の値がある量子ビットはありません。
plan-no-value = { $what }の値がありません。
plan-no-limit = { $name }の基準値は設定されていません。
plan-of-all = 全{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }の{ $name }
plan-meeting = 現在の条件を満たすもの
plan-chart = グラフ：{ $title }

## Planner: distributions and correlations

plan-of-kind = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }の{ $name }
plan-per-mux = **MUXごとの{ $what }：最小はMUX { $lowest }（{ $low }）、最大はMUX { $highest }（{ $high }）**
plan-statistic-of = { $whose }の{ $name }の{ $statistic ->
    [mean] 平均
    [deviation] 標準偏差
    [lowest] 最小値
    [highest] 最大値
   *[median] 中央値
 }
plan-related = **{ $how ->
    [rise-together] { $x }と{ $y }は共に増減します。
    [opposite] { $x }と{ $y }は逆向きに増減します。
    [hint] { $x }と{ $y }には弱い相関があるかもしれません。
    [too-few] { $x }と{ $y }の両方の値を持つものが足りません。
   *[none-seen] { $x }と{ $y }に相関は見られません。
 }**
plan-correlation = スピアマンの順位相関{ $r }（95 %：{ $low }〜{ $high }）、p = { $p }、{ $things }。検出力80 %で検出できる相関は{ $smallest }以上です。相関は因果関係を意味しません。
plan-have-both = 両方の値を持つもの：{ $things }

## Planner: unreliable fits

plan-all-fits-count = 信頼できない当てはめは除いていません。保存された値をすべて使っています。
plan-fits-count = { $name }の信頼できない当てはめは除いていません。{ $why }。
plan-curves-not-judged = この項目の曲線はここでは判定できません。
plan-no-curve = copilotはこれらの値の曲線を扱えません。
plan-reliable-only = 信頼できる当てはめの値だけ：{ $names }
plan-values-left-out = 除いた値：{ $name }の{ $all }個中{ $count }個。当てはめが信頼できないためです（{ $whys }）。
plan-left-out-why = `{ $code }` { $count }個：{ $names }
plan-none-left-out = 除いた値：なし。{ $name }の当てはめに信頼できないものはありません。
plan-values-not-judged = 判定できずそのまま使った値：{ $name }の{ $all }個中{ $count }個（曲線がわからないもの：{ $names }）。

## Planner: the chip, comparisons, what was not measured

plan-layout = **{ $topology }**：{ $layout ->
    [grid] { $grid }×{ $grid }格子
    [hex] ヘビーヘックス格子
   *[linear] 1次元チェーン
 }、{ $count }量子ビット、{ $pairs }カップリング。位置：`copilot.data['topology']`
plan-no-layout = **{ $count }量子ビット、{ $pairs }カップリング。**トポロジーが不明なため、位置はわかりません。データベースにあるカップリング：`copilot.data['topology']`
plan-map = **{ $name }：中央値{ $median }**（最小{ $min }、最大{ $max }）。{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 } { $count }/{ $all }個。
plan-never-measured = 測定がないもの：{ $names }
plan-older-shown = 最新の結果が除外されたか値がなく、以前の値を表示しているもの：{ $names }
plan-parameters = **{ $count }個のパラメータ**
plan-parameter = - `{ $parameter }`：{ $name }、結果{ $count }件
plan-neighbours = **{ $name }に隣接：{ $names }**（カップリング{ $couplings }）
plan-no-neighbours = { $name }：–
plan-compared = **{ $names }の現在の値**（括弧内は測定からの経過時間）
plan-better = { $name }の方が{ $z } σ以上良いもの：{ $what }
plan-none-better = { $z } σ以上の優劣はありません。
plan-no-results-at-all = 値が一つもないもの：{ $names }
plan-results-of = { $name }の値
plan-any-results = 値
plan-for-days = { $days }日以上
plan-during = { $window }に
plan-never = { $results }が一つもない{ $things }：{ $names }
plan-named-have-results = { $names }には{ $results }があります。
plan-all-have-results = { $results }のない{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }はありません。
plan-old = { $span }{ $results }がない{ $things }：{ $names }
plan-none-old = { $span }{ $results }がない{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }はありません。
plan-needs-attention = **要確認：{ $names }**
plan-many-need-attention = **要確認の所見が{ $count }件あります。深刻なもの：{ $names }**
plan-nothing-needs-attention = **問題は見つかりませんでした（{ $count }量子ビット）。**
plan-health-unknown = **{ $count }量子ビットの大半に、判定できる値がありません。表を見てください。**
plan-measured-of = { $count }/{ $all }量子ビット

## Planner: what one table answers

plan-all-elements = すべての{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }
plan-first-rows = { $all }行のうち最初の{ $shown }行です。全行はセルにあります。
plan-none-before = 前の質問の回答に{ $kind ->
    [coupling] カップリング
    [run] 実行
   *[qubit] 量子ビット
 }がありません。
plan-too-few-for-allan = { $whose }の{ $name }は測定が3回に満たず、アラン偏差を求められません。
plan-allan = **{ $whose }の{ $name }は約{ $hours }時間の平均で最も安定し、アラン偏差は{ $deviation }です。**
plan-allan-means = 値が下がる範囲は白色雑音、平らな範囲はフリッカー雑音、上がる範囲はドリフトです。上がり始めた先では、平均時間を延ばしても安定しません。
plan-telegraph = { $count ->
    [0] **{ $whose }の{ $name }に、2つの値の間の切り替わりは見つかりません。**
   *[other] **{ $name }が2つの値の間で切り替わっています：{ $names }。**
 }
plan-switching = { $verdict ->
    [switches] 切り替わる
    [one-level] 切り替わりなし
   *[too-few] 測定が不足
 }
plan-difference = **{ $name }：{ $pair } = { $by }。**
plan-differences = **{ $name }の差が最も小さいのは{ $pair }の{ $by }です。** { $count }組の差の中央値は{ $middle }です。
plan-none-closer = **{ $name }の差が{ $limit }より小さい組はありません。** 最も近い組の差は{ $closest }です。
plan-closer = **{ $name }の差が{ $limit }より小さいのは{ $count }組です。** 最も近いのは{ $pair }の{ $by }です。
plan-anything = 最新の測定
plan-age = { $hours ->
    [0] 1時間未満
   *[other] { $hours }時間
 }
plan-age-days = { $days }日
plan-read-as = 質問の解釈：{ $asked }
plan-no-age = { $named ->
    [yes] **{ $whose }の{ $name }は一度も測定されていません。**
   *[no] **{ $whose }には完了した測定結果がありません。**
}
plan-measured-at = **{ $whose }の{ $name }は{ $age }前の値です**（{ $at } UTCに測定）。
plan-ages = **{ $name }：最も古いのは{ $oldest }前（{ $oldest_of }）、最も新しいのは{ $newest }前です。**
plan-fewer-measurements = { $what }の測定は、その回数に足りません。
plan-nth = **{ $what }の{ $nth ->
    [first] 最初の
    [newest] 最新の
   *[other] 新しい方から{ $nth }番目の
 }測定：{ $value }**（{ $at } UTC、実行{ $run }）。
plan-per-period = **{ $whose }の{ $name }（{ $per ->
    [day] 日
    [week] 週
   *[month] 月
 }ごと）：** { $periods } { $per ->
    [day] 日
    [week] 週
   *[month] か月
 }間の測定{ $count }回を新しい順に示します。
plan-excluded-values = { $count ->
    [0] **{ $whose ->
            [all] {""}
            [qubit] 量子ビットには
            [coupling] カップリングには
           *[other] { $whose }には
        }{ $window }に除外された値はありません。**
   *[other] **{ $window }に除外された値は{ $count }個です：{ $names }。**
 }
plan-outliers = { $count ->
    [0] **{ $what }：外れ値はありません。**
   *[other] **{ $what }：外れ値は{ $count }個です（{ $names }）。**
 }
plan-heading-deviations = 中央値からのずれ（ロバスト偏差）
plan-no-results = { $window }の結果はありません。
plan-share = **{ $what }の割合は{ $share }です：**{ $window }の結果{ $all }件のうち{ $count }件。
plan-most-often = **{ $what }が最も多いのは{ $name }です：結果{ $all }件のうち{ $count }件。**全体では{ $total }です。
plan-counts-per-period = **{ $window }：{ $what }**（{ $periods }{ $per ->
    [day] 日
    [week] 週
   *[month] か月
}）。
plan-most-results = **結果が最も多いのは{ $name }です：{ $all }件のうち{ $count }件。**
plan-most-often-of = **{ $what }が最も多いのは{ $name }です：{ $all }のうち{ $count }件。**
plan-no-runs = { $window }に該当する実行はありません。
plan-run-first = **{ $order ->
    [highest] 最も長い実行は{ $run }で、{ $took }かかりました
    [lowest] 最も短い実行は{ $run }で、{ $took }でした
   *[newest] 最新の実行は{ $run }で、実行したのは{ $by }です
 }**（開始{ $at } UTC）。
plan-duration = { $seconds }秒
plan-nothing-wrong = **{ $whose }に問題は見つかりません。**基準値より悪い値や古い値はなく、この{ $days }日間に悪化したものもありません。{ $judged ->
    [yes] 最新の曲線は値を裏付けています。
   *[no] 曲線は判定していません。
 }
plan-without-limit = { $name }には基準値がないため、悪い値とは判定されません。
plan-wrong = **{ $whose }：{ $what }。**{ $more ->
    [0] {""}
   *[other] ほかに{ $more }件の重要な所見が表にあります。
 }
plan-severity = { $severity ->
    [bad] 不良
    [warning] 注意
   *[note] 参考
 }
plan-look = { $finding ->
    [no-results] 値が一つもない
    [beyond-limit] { $name } { $value }が基準値{ $limit }より悪い
    [fell] { $name }が{ $since }頃に低下：{ $value }
    [rose] { $name }が{ $since }頃に上昇：{ $value }
    [moved] { $name }が{ $since }頃に変化：{ $value }
    [newest-failed] 最新の{ $name }が失敗（{ $since }）
    [not-to-be-trusted] 最新の{ $name }は信頼できない（{ $since }）
    [not-measured-lately] { $since }から測定なし（{ $value }）
    [flagged] { $name }に注意フラグ：{ $value }
   *[dipped] { $name }が{ $since }から一時低下し、回復：{ $value }
 }
plan-then = { $first }；{ $more }
plan-note-of = { $by }のメモ：{ $words }
plan-recalibrate = { $count ->
    [0] **再キャリブレーションが必要なものはありません。**基準値より悪い値や古い値はなく、悪化したものもありません。{ $judged ->
        [yes] 最新の曲線は値を裏付けています。
       *[no] 曲線は判定していません。
    }
   *[other] **再キャリブレーションの対象は{ $count }個です。急ぐ順に：{ $names }。**
 }
plan-recalibrate-dead = 一度も測定に成功していないため対象外：{ $names }。
plan-no-patch = 過去30日の値がすべてそろった、つながった{ $count }量子ビットはありません。
plan-patch = **{ $chain ->
    [yes] 最良の{ $count }量子ビットのチェーンは{ $names }
   *[no] 最良のつながった{ $count }量子ビットは{ $names }
 }で、忠実度の積は{ $fidelity }です。**
plan-patch-means = 各量子ビットの読み出し忠実度とX90忠実度、それらをつなぐカップリングのZX90忠実度（いずれも過去30日の値）の積です。
plan-no-jump = **{ $window }、{ $whose }の{ $name }にジャンプやドリフトは見つかりません。**
plan-jump-kind = { $kind ->
    [jump] 急に
   *[drift] 徐々に
 }
plan-jumped = **{ $whose }の{ $name }は{ $kind ->
    [jump] { $at }に{ $by }ジャンプしました
   *[drift] { $at }頃から徐々に{ $by }変わりました
 }：{ $before } → { $now }。**{ $more ->
    [0] {""}
   *[other] ほかの変化{ $more }件も表にあります。
 }
plan-heading-how = 変わり方
plan-not-read = **不完全な回答です**：`{ $tool }`に失敗しました。{ $why }
plan-not-on-chip = このチップにないもの：{ $names }。量子ビットは{ $first }から{ $last }までです。
plan-only-value = **{ $whose }の{ $name }：{ $value }。** ほかには使える値がありません。
plan-same-value = **{ $name }は、値があるものすべてで{ $value }です。**
plan-from-lowest = **{ $name }は{ $low }（{ $low_of }）から{ $high }（{ $high_of }）までです。**
plan-newest-of = 結果{ $all }件のうち新しい{ $read }件だけを読みました。期間を短くすると、すべてを読めます。
plan-heading-averaging = 平均時間
plan-heading-allan-deviation = アラン偏差
plan-heading-levels = 値
plan-heading-switches = 切り替わり
plan-heading-difference = 差
plan-heading-value-of = { $side ->
    [first] 1つ目
   *[second] 2つ目
 }
plan-heading-period = { $per ->
    [day] 日
    [week] 週（初日）
   *[month] 月（初日）
 }
plan-heading-reason = 理由
plan-heading-results = 結果数
plan-heading-share = 割合
plan-heading-weight = 重要度
plan-heading-why = 理由
plan-heading-run-tasks = 実行するタスク

## Planner: curves

plan-judged = { $fit ->
    [reliable] 信頼できる
    [unreliable] 信頼できない
   *[none] 当てはめできない
 }{ $count }本
plan-curves = **{ $what }：{ $count }本の曲線を再当てはめ、{ $counts }**
plan-newest-of-each = それぞれ最新
plan-curve = { $qid }の{ $task }（{ $start } UTC）
plan-curve-verdict = **{ $curve }：{ $fit ->
    [reliable] 当てはめは信頼できます
    [unreliable] 当てはめは信頼できません
   *[none] 当てはめできません
 }（`{ $code }`）。**
plan-curve-not-judged = **{ $curve }：曲線を判定できませんでした。**
plan-verdict = **{ $fit ->
    [reliable] 当てはめは信頼できます
    [unreliable] 当てはめは信頼できません
   *[none] 当てはめできません
 }（`{ $code }`）。**
plan-no-points = copilotに測定点がわかりません。
plan-result-excluded = この結果は除外されています。
plan-task-failed = タスクは失敗し、値は保存されていません。
plan-nothing-stored = **この結果には値が保存されていない**ため、どこにも数えられません。
plan-stored-value = 保存値{ $value }
plan-refit-value = 再当てはめ{ $value }
plan-apart = 差{ $sigmas } σ
plan-reason = 理由：{ $reasons }
plan-measure-next = 次に測定すること：{ $what }
plan-curves-why = { $why ->
    [unreliable] 当てはめが信頼できないのに保存された値
    [off] 再当てはめから3 σ以上離れた保存値
   *[signal] 曲線から値が決まるのに失敗した結果
}：{ $names }
plan-without-points = 測定点のない結果：{ $count }件
plan-only-newest = 最新の{ $count }件の結果だけを確認しました。
plan-unread = 除いたもの：{ $why }

## Planner: one result

plan-read-result = **{ $what }：{ $found }**
plan-no-output-kept = 出力なし（悪すぎる当てはめは保存されません）
plan-run = 実行{ $run }：{ $start }
plan-run-took = 実行{ $run }：{ $start }、{ $took }
plan-excluded = 除外：{ $why }
plan-is-excluded = 除外済み：{ $why }
plan-message = メッセージ：{ $message }
plan-fit-quality = 当てはめの品質：{ $names }
plan-note = メモ：{ $note }
plan-completed-before = これ以前の完了した結果：{ $count }件
plan-completed-before-at-least = これ以前の完了した結果：少なくとも{ $count }件
plan-beside = 隣接：{ $names }
plan-not-judged = **曲線を判定できませんでした。**
plan-unknown-curve = copilotはこのタスクの曲線を扱えません。
plan-figure-not-read = 図、当てはめの点、原因は確認していません。言語モデルに質問するか、ご自身で確認してください。
plan-why-not-found = 原因は確認していません。言語モデルに質問するか、ご自身で確認してください。
plan-beyond-rules = 追加された質問には、オフラインプランナーでは回答できません。

## Planner: results, runs and notes

plan-results = { $status ->
    [failed] 失敗した
    [completed] 成功した
    [running] 実行中の
   *[none] {""}
 }結果{ $count ->
    [0] はありません
   *[other] { $count }件
 }
plan-runs = { $status ->
    [failed] 失敗した
    [completed] 成功した
    [running] 実行中の
   *[none] {""}
 }実行{ $count ->
    [0] はありません
   *[other] { $count }件
 }
plan-of-task = { $task }の{ $what }
plan-on-element = { $qid }の{ $what }
plan-in-run = 実行{ $run }の{ $what }
plan-found-in = { $window }の{ $what }
plan-only-the-newest = { $what }（最新のみ）
plan-counted = **{ $what }：{ $counts }**
plan-counted-of-status = **{ $what }**
plan-no-values = **{ $what }：測定{ $count }件に値がありません。**
plan-measurements = { $count ->
    [1] **{ $what }：{ $newest }（測定1件）**
   *[other] **{ $what }：{ $of_all ->
        [0] 測定{ $count }件
       *[other] 測定{ $of_all }件のうち新しい順に{ $count }件
     }、最新{ $newest }、中央値{ $median }（{ $low }〜{ $high }）**
 }
plan-fits-failed = 当てはめの失敗：{ $count }件
plan-trend-is = 傾向：{ $trend }
plan-current-version = **{ $what }：{ $value }（{ $since } UTCから、バージョン{ $version }）**
plan-skipped-versions = プロジェクトの別のチップが使っている番号：{ $versions }
plan-entity-id = 来歴グラフ用のID：`{ $id }`
plan-calibration-notes = **キャリブレーションノート{ $count }件（数値に単位はありません）**
plan-no-note-of = **{ $names }についてのメモはありません。**
plan-notes = **メモ{ $count }件（新しい順）**

## Planner: versions and lineage

plan-no-versions = { $parameter }のバージョンがありません。
plan-origin = **{ $what }の来歴：他の値{ $values }個、タスクの結果{ $results }件**
plan-stale-versions = 最新でないバージョンから作られたもの：{ $names }
plan-version-used = { $name } { $parameter }（{ $used }、現在は{ $newest }）
plan-not-completed = 完了していない結果：{ $names }

## Planner: current values

plan-current-parameters = **{ $whose }の現在のパラメータ**
plan-couplings-of = { $name }のカップリング
plan-never-calibrated = キャリブレーションされていないもの：{ $names }
plan-value-of = { $whose }の{ $name }（{ $value }）
plan-worse-than-limits = 基準値より悪いもの：{ $names }
plan-below-good = 「良い」未満：{ $names }
plan-doubts = 除外された値・疑わしい値：
plan-flag = - { $whose }の{ $name }：{ $flag }
plan-more-flags = - ほか{ $count }件
plan-flag-kind = { $kind ->
    [excluded] 除外
    [unreadable] 読み取れない値
    [impossible] ありえない値
   *[suspicious] 疑わしい値
 }：
## Settings: files

unreadable-file = { $file }を読み取れません：{ $reason }。
unreadable-file-hint = ファイルを修正するか、削除してください。
problem-at = { $line }行{ $column }列：{ $problem }
not-utf8 = UTF-8のテキストではありません
not-utf8-at = UTF-8のテキストではありません（{ $byte }バイト目）
not-yaml = YAMLではありません
yaml-too-deep = リストやマッピングの入れ子が{ $most }段を超えています
yaml-too-large = 展開すると項目が{ $most }個を超えます（エイリアス *nameを確認してください）
yaml-recursive = 自分自身を含んでいます
text-too-long = { $file }が1 MBを超えています。
text-too-long-hint = モデルが読むファイルなので、短くしてください。
file-without-settings = { $file }に名前付きの設定がありません。
write-key-value = 1行に1つ、`key: value` の形で書いてください。
write-json-object = JSONのオブジェクトで書いてください。
variable-names-no-folder = { $variable }に設定された{ $folder }はフォルダーではありません。
variable-names-no-file = { $variable }に設定された{ $file }はファイルではありません。
correct-variable = { $variable }を修正するか、設定を外してください。
no-settings-in-folder = { $folder }にcopilot.yamlがありません。
no-settings-in-folder-hint = copilot.yamlのあるフォルダーを指定してください。
trust-not-saved = { $file }に書き込めません：{ $reason }。
trust-not-saved-hint = 代わりに{ $variable }={ $folder }を設定してください。

## Settings: where they come from

environment-variables = 環境変数（{ $names }）
jupyterlab-settings = JupyterLabの設定
given-options = オプション
settings-of-qdash = { $file }のQDashの設定
settings-name = 設定
settings-in = 設定（{ $where }）
untrusted-content = { $folder }の定義済みコンテンツは使用しません。信頼するには「%copilot trust」を実行してください。
untrusted-settings = { $where }の{ $names }は使用しません。信頼するには「%copilot trust」を実行してください。
policy-bounded = policy: { $policy }は使用しません。管理者が許可しているのは{ $most }までです（{ $file }）。
feature-forbidden = { $name }は使用しません。管理者が無効にしています（{ $file }）。

## Settings: mistakes

settings-wrong = { $where }に誤りがあります。
settings-wrong-hint = 修正してください。既定値に戻すには、キーを削除してください。
violation = { $key }: { $message }。
violation-at = { $line }行目{ $key }: { $message }。
unknown-key = 不明なキーです。削除してください
unknown-key-nearest = 不明なキーです（もしかして：{ $name }）
unknown-key-known = 不明なキーです（使えるもの：{ $names }）
unknown-type = 不明な種類です（使えるもの：{ $names }）
same-setting = { $name }と同じ設定です。{ $name }だけを残してください
several-databases = { $where }に複数のデータベースが指定されています。
several-databases-hint = { $names }のどれか1つだけを残してください。
setting-renamed = { $old }の名前は{ $new }に変わりました。古い名前も使えます。
beside-predefined = { $names }は `type: predefined` と一緒に使えません。`override` に移してください
override-form = テンプレートへのJSON Merge Patch（RFC 7396）のオブジェクトにしてください
no-predefined = 定義済みの「{ $name }」はありません{ $count ->
    [0] { "" }
   *[other] （あるもの：{ $names }）
 }
enum-values = 指定できる値は、文字列、数値、true、false、nullです。日付は引用符で囲んでください
set-one-of = { $names }のどれか1つを設定してください
url-without-scheme = URLは「https://」または「http://」で始めてください
program-secret = プログラムには秘密情報を環境変数で渡します。authentication.envを設定してください
band-form = [4.2, 5.1]のように[最小値, 最大値]の形にしてください
unknown-api-style = QDASH_COPILOT_API_STYLEに「{ $value }」は使えません。
unknown-api-style-hint = { $names }のどれかを設定してください。
unknown-language = { $key }に「{ $value }」は使えません。
unknown-language-hint = { $names }のどれかにしてください。言語の追加方法はdocs/extending.mdにあります。
never-send-invalid = { $setting }: 「{ $name }」はフィールドやパラメータの名前として使えません。
never-send-invalid-hint = 名前には文字、数字、下線を使います。*は任意の文字列を表します。
never-send-needed = { $setting }: 「{ $name }」はすべての回答に必要なため、送信対象から外せません。
never-send-needed-hint = リストから削除してください。
never-send-unknown = 「{ $name }」というフィールド、パラメータ、ノートの種類はありません。

## Settings: QDash's own

no-qdash-settings = { $path }にQDashのcopilotの設定がありません。
no-qdash-settings-hint = QDashの `copilot` フォルダー（{ $names }のあるもの）か、1つのファイルを指定してください。
qdash-key-unknown = { $key }: この設定はありません
unused-by-qdash = { $key }: QDashのエージェントも使っていません
analysis-model-unused = analysis_model: 分析には会話のモデルを使います（このモデルは `models` にあります）
qdash-language-unknown = { $key }: 使えるのはenとjaだけです
qdash-model-form = { $key }: モデルは名前を持つオブジェクトにしてください
qdash-model-may-see = analysis.multimodal: QDashはチャット用の{ $name }に図を送りません。画像を扱えるモデルなら `accepts: [{ $type }]` を追加してください
qdash-no-model-sees = analysis.multimodal: 図を送るモデルがありません
qdash-copilot-off = enabled: QDashでcopilotが無効です。そのモデルを使うには `orchestrator.deployment: { $model }` を設定してください
qdash-provider-unknown = { $key }: プロバイダー{ $provider }には対応していません
qdash-secret-variable = { $key }: { $variable }は秘密情報と思われるため、読み取りませんでした
qdash-variable-unset = { $key }: 環境変数{ $variable }が設定されていません

## What is not available

named-issue = { $name }：{ $message }
package-fails = { $name }を読み込めません：{ $error }: { $reason }
files-of-user = ユーザーのファイル
not-saved = 保存できませんでした：{ $items }。
not-saved-item = { $what }（{ $reason }）
copilot-log = copilotのログ
known-of-model-server = モデルサーバーについての記録
no-home-folder = ホームフォルダーがありません（HOMEが未設定）
preview-off = プレビュー機能のため無効です。使うにはENABLE_PREVIEW_FEATURES=1を設定してください。
skill-not-utf8 = { $url }はUTF-8のテキストではありません。
skill-not-utf8-hint = `SKILL.md` のアドレスを指定してください。
unknown-reader = リーダー「{ $name }」を提供するパッケージがありません。
unknown-reader-hint = 提供するパッケージをインストールするか、`database.reader` を修正してください。
reader-named = リーダー「{ $name }」
model-named = モデル「{ $name }」
part-not-opened = { $what }を開けません：{ $error }: { $reason }。
part-not-opened-hint = 別のパッケージが提供するものです。詳細はcopilotのログにあります。
model-not-loaded = 別のパッケージが提供するモデル「{ $name }」を読み込めません。
model-not-loaded-hint = 詳細はcopilotのログにあります。モデルなしで使うには `orchestrator: {"{"}deployment: offline{"}"}` を設定してください。

## Task knowledge

task-knowledge-form = { $file }がタスク名ごとの知識になっていません。
task-knowledge-wrong = タスクの知識{ $file }に誤りがあります。
task-knowledge-hint = ファイルか、copilot.yamlの `task_knowledge` を修正してください。
more-mistakes = 誤りはほかに{ $count }個あります。

## Data in use

demo-data = デモデータ（生成）
snapshot-label = スナップショット{ $name }
indexes-complete = インデックス：すべてそろっています
indexes-not-listed = インデックス：このユーザーには一覧を取得する権限がありません（ロールreadに含まれるlistIndexes）
index-missing = インデックスがありません：{ $collection }（{ $fields }）

## MongoDB: its address

no-mongo = MongoDBが設定されていません。
no-mongo-hint = { $variable }、またはQDashの{ $qdash_variable }と関連する変数を設定してください。
given-address = 指定されたアドレス
mongo-address-example = アドレスはmongodb://user:password@host:27017/qdashの形です。
mongo-address-scheme = { $source }はMongoDBのアドレスではありません（{ $schemes }で始まっていません）。
mongo-address-unescaped = { $source }のユーザー名またはパスワードに、エスケープされていない文字があります。
mongo-address-unescaped-hint = 文字「: / ? # [ ] @ %」は「%3A %2F %3F %23 %5B %5D %40 %25」と書いてください。
mongo-address-no-host = { $source }はMongoDBのアドレスではありません（ホスト名がありません）。
mongo-address-invalid = MongoDBのアドレスが正しくありません。
mongo-address-invalid-hint = アドレスはmongodb://user:password@host:27017/qdashの形です。ポート番号、? より後のオプション、データベース名を確認してください。ユーザー名とパスワードの特殊文字にはパーセントエンコーディングが必要です。
mongo-port = MONGO_PORTの「{ $value }」はポート番号ではありません。
mongo-port-hint = 27017のような数を設定してください。
mongo-host = MONGO_HOSTがホスト名ではありません。
mongo-host-hint = アドレス全体を指定するには、代わりに{ $variable }を設定してください。

## MongoDB: the connection

mongo-unknown-host = { $host }のホスト名を解決できません。
mongo-unknown-host-hint = つづりを確認するか、研究室のネットワークに接続してください。`mongo` はQDashのコンテナ内でだけ使える名前です。
mongo-silent = { $host }のMongoDBが時間内に応答しませんでした。
mongo-silent-hint = ホスト名、VPNやトンネル、ファイアウォールを確認してください。
mongo-lost = { $host }のMongoDBとの接続が切れました。
mongo-lost-hint = 少し待ってから、もう一度試してください。
connection-closed = { $host }との接続は閉じられています。
connection-closed-hint = もう一度接続してください。
mongo-no-server = { $why ->
    [tls-expired] { $host }のサーバーの証明書は有効期限が切れています。
    [tls-other-host] { $host }のサーバーの証明書は別のホスト名のものです。
    [tls-untrusted] { $host }のサーバーの証明書は、未知の認証局が発行したものです。
    [tls-failed] { $host }にTLSで接続できませんでした。
    [replica-set-unknown] { $host }に、アドレスで指定されたレプリカセットのサーバーがありません。
    [replica-set-without-server] { $host }のレプリカセットに、readPreferenceで許可されたサーバーが現在ありません。
    [connection-refused] { $host }への接続が拒否されました。
   *[connections-closed] { $host }のサーバーがすべての接続を閉じます。
 }
mongo-no-server-hint = { $why ->
    [tls-expired] 管理者に更新を依頼してください。
    [tls-other-host] 証明書に書かれたホスト名を使うか、サーバーの管理者に確認してください。
    [tls-untrusted] 研究室の認証局の証明書を指定してください（オプションtlsCAFile=/path/to/ca.pem）。
    [tls-failed] サーバーがTLSを使うか（オプションtls=true、tls=false）と、tlsCAFileのファイルを確認してください。
    [replica-set-unknown] オプションreplicaSetと、各サーバーの名前を解決できるかを確認してください。
    [replica-set-without-server] どのサーバーも許可するにはreadPreference=nearestを指定してください。
    [connection-refused] ポートと、MongoDBが起動していてここから接続できるか（Dockerでは公開ポート）を確認してください。
   *[connections-closed] TLSが必要かもしれません。アドレスにtls=trueを追加してください。
 }
tls-expired-hint = 管理者に更新を依頼してください。
tls-other-host-hint = 証明書に書かれたホスト名を使うか、サーバーの管理者に確認してください。

## MongoDB: access and queries

mongo-wrong-password = { $host }のMongoDBはこのユーザー名とパスワードを受け付けません。
mongo-wrong-password-hint = ユーザー名とパスワードを確認してください。
mongo-auth-source = 全データベース用に作られたユーザーの場合は、アドレスに ?authSource=adminを追加してください。
mongo-needs-password = { $host }のMongoDBにはユーザー名とパスワードが必要です。
mongo-needs-password-hint = アドレスに追加してください：mongodb://user:password@host:27017/qdash?authSource=admin
mongo-no-right = このユーザーには{ $host }のデータベースを読み取る権限がありません。
mongo-no-right-hint = 管理者にロール `read` を依頼するか、別のデータベースを選んでください。
mongo-refused = { $host }のMongoDBがコマンドを拒否しました（エラー{ $code }）。
mongo-refused-hint = バージョンが古い可能性があります。5.0以降が必要です。
mongo-not-qdash = { $database }はQDashのデータベースではありません。中身：{ $names }。
mongo-database-empty = データベース{ $database }は空か、存在しません。
mongo-check-database = データベース名を確認してください（古いQDashではqubexです）。
mongo-other-database = QDashのコレクションは{ $names }にあります。mongodb://HOST/{ $example }のように、アドレスにデータベース名を付けてください。
mongo-no-qdash-database = このサーバーにあるのは{ $names }で、QDashのデータベースは見当たりません。
mongo-no-databases = このサーバーにはデータベースがありません。正しいサーバーか確認してください。
query-timed-out = { $host }のMongoDBへの問い合わせがタイムアウトしました。
query-timed-out-hint = 量子ビットの数、期間、測定の数を減らしてください。
query-stopped = 問い合わせは停止されました。
query-stopped-hint = もう一度質問してください。
undecodable-document = { $host }のMongoDBから、デコードできないドキュメントが届きました。
undecodable-document-hint = この問題を報告してください。
mongo-unreadable = { $host }のMongoDBを読み取れません（{ $reason }）。
try-again = もう一度試してください。

## Snapshots

snapshot-incomplete = スナップショット{ $folder }に{ $file }がありません。
snapshot-incomplete-hint = 取り直すか、別のフォルダーを選んでください。
snapshot-gone = スナップショット{ $folder }はもうありません。
snapshot-unreadable = スナップショット{ $folder }を読み取れません：{ $reason }。
snapshot-gone-hint = 元に戻すか、別のデータを選んでください。
not-a-snapshot = { $folder }はスナップショットではありません（{ $file }がありません）。
not-a-snapshot-hint = このファイルのあるフォルダーを選んでください。
snapshot-manifest-unreadable = { $file }をスナップショットのマニフェストとして読み取れません。
snapshot-format = スナップショット{ $folder }の形式は{ $format }です。このバージョンで読み取れるのは形式{ $expected }です。
retake-snapshot = スナップショットを取り直してください。
upgrade-package = qdash-jupyterを更新してください。
snapshot-exists = { $folder }にはすでにスナップショットがあります。
folder-not-empty = { $folder }は空ではありません。
folder-not-empty-hint = 新しいフォルダーを選んでください。上書きはしません。
snapshot-not-written = { $folder }に書き込めません：{ $reason }。
snapshot-not-written-hint = 別のフォルダーを選んでください。
snapshot-needs-mongo = スナップショットはMongoDBから取ります。{ $source }からは取れません。
snapshot-needs-mongo-hint = QDASH_MONGO_URIを設定するか、--mongo URIを追加してください。スナップショットを複製するには、フォルダーをコピーしてください。
no-calib-data = 結果のファイルのフォルダーが設定されていません。
no-calib-data-hint = copilot.yamlの `database: {"{"}calib_data: …{"}"}` に、このマシン上のQDashのcalib_dataを設定してください。

## Arguments of a read

unknown-element-kind = 「{ $value }」という要素の種類はありません。
unknown-element-kind-hint = { $names }を指定してください。
not-an-id = 「{ $value }」は量子ビットやカップリングのIDではありません。
not-an-id-hint = IDは7や4-1の形です。
not-a-list = { $name }は{ $value }ではなく、文字列のリストにしてください。
not-a-list-hint = リストに入れてください。
not-a-count = { $name }に{ $value }は使えません。
not-a-count-hint = 0以上の整数を指定してください。

## Files of results

no-figure-folder = 図のフォルダーが設定されていません（`database.calib_data`）
result-file-elsewhere = 図のフォルダーの外にあります
result-file-path-invalid = パスが正しくありません
result-file-missing = このマシンにファイルがありません
result-file-unreadable = 読み取れません（{ $reason }）
result-file-too-large = { $size }を超えています
result-file-no-numbers = 数値の表ではないか、途中で切れています
result-file-no-json = JSONではないか、途中で切れています
result-file-no-figure = Plotlyの図ではありません
figure-no-base64 = データがbase64ではありません
figure-no-data = データがありません
figure-no-png = PNGではありません
trace-no-object = トレース{ $number }がオブジェクトではありません
trace-of-type = { $trace }：種類{ $type }のトレースには対応していません
trace-left-out = { $trace }：{ $reason }
trace-uneven = x（{ $x }個）とy（{ $y }個）の数が異なります
trace-no-matrix = zが行列ではありません
trace-wrong-count = { $axis }が{ $expected }個ではなく{ $count }個です
trace-no-numbers = { $axis }が数値のリストではありません
trace-uneven-rows = { $axis }の行の長さがそろっていません
trace-bad-array = { $axis }がPlotlyの配列ではないか、途中で切れています
trace-dimensions = { $axis }が{ $count }次元です

## Analyses

ask-analysis = { $what }を分析
selected-result = 選択した結果
result-of = { $qid }の{ $task }
result-of-run = 実行{ $run }の{ $result }
ask-picture = { $name } には何が写っていますか？
ask-lines = { $name } の選択した行を説明して
ask-cell = セル { $name } の出力を説明して
ask-fix = セル { $name } を修正して
cell-named = セル{ $name }
lines-of = { $name }の選択行
result-details = { $status ->
    [completed] 完了
    [failed] 失敗
   *[other] { $status }
 }{ $is_excluded ->
    [True] 、除外
   *[False] { "" }
 } · { $started } · 実行{ $run }
no-date = 日付なし
figure-of-result = この結果の図：{ $file }
reference-figure = 参考図：{ $title }
picture-not-kept = カーネルの停止により画像が失われました。もう一度選択して質問してください。
never-ran = { $task }は{ $qid }で実行されていません。
no-such-result = { $qid }の{ $task }に、条件に合う結果はありません。
task-ran-in = 実行されたのは{ $runs }です。
## Panel: numbers and times

panel-format-rows = { $n }行
panel-format-columns = { $n }列
panel-format-records = { $n }件
panel-format-characters = { $n }文字
panel-format-seconds = { $n }秒
panel-format-minutes = { $n }分{ $seconds }秒
panel-format-justNow = たった今
panel-format-minutesAgo = { $n }分前
panel-format-hoursAgo = { $n }時間前
panel-format-asOf = { $day }時点
panel-format-tokensInOut = 入力{ $sent }トークン、出力{ $got }トークン

## Panel: kernel

panel-kernel-live = カーネル：準備完了
panel-kernel-busy = カーネル：実行中
panel-kernel-silent = カーネル：応答なし
panel-kernel-lost = カーネル：停止
panel-kernel-connecting = カーネルに接続中

## Panel: header

panel-header-fileName = { $notebook } 会話.{ $ending }
panel-header-transcriptCopied = 会話をコピーしました
panel-header-data = データ
panel-header-dataCount = データ{ $n }
panel-header-dataTitle = カーネルにあるデータ
panel-header-results = 測定結果
panel-header-conversations = 会話の一覧
panel-header-begin = 新しい会話
panel-header-more = その他
panel-header-copyTranscript = 会話をコピー
panel-header-saveNotebook = ノートブックとして保存
panel-header-saveMarkdown = Markdownとして保存
panel-header-ofProject = { $chip }、プロジェクト{ $project }
panel-header-chip = チップ：{ $chip }
panel-header-qubits = { $n }量子ビット
panel-header-chooseChip = チップを選択

## Panel: buttons

panel-buttons-copied = コピーしました
panel-buttons-notCopied = コピーできません：ブラウザーに拒否されました
panel-buttons-dismiss = 閉じる
panel-buttons-stop = 停止
panel-buttons-send = 送信
panel-buttons-keep = 残す
panel-buttons-show = 表示
panel-buttons-undo = 元に戻す
panel-buttons-delete = 削除
panel-buttons-edit = 編集
panel-buttons-fetchAgain = 再取得
panel-buttons-fetching = 取得中…
panel-buttons-tryAgain = 再試行

## Panel: notices

panel-notices-beganAnew = 新しい会話を始めました。
panel-notices-lost = カーネルが停止しました。会話は保存されています。
panel-notices-missing = Jupyterの環境に不足：{ $names }
panel-notices-unhosted = コードの出力はここに表示されます。このパネルはセルを挿入しません。
panel-notices-newerKernel = カーネル側のcopilotは、このページより新しいバージョンです。
panel-notices-saveAndReload = ノートブックを保存し、ページを再読み込みしてください。
panel-notices-undrawable = この部分は表示できません。理由はブラウザーのコンソールで確認してください。

## Panel: greeting

panel-greeting-examples = 質問の例
panel-greeting-opening = データベースを開いています
panel-greeting-chip = チップ
panel-greeting-chipOf = { $chip }（{ $project }、{ $n }量子ビット）
panel-greeting-notChosen = 未選択
panel-greeting-database = データベース
panel-greeting-model = モデル
panel-greeting-endpoint = 接続先
panel-greeting-code = コード
panel-greeting-noLanguageModel = 言語モデルが設定されていません。オフラインプランナーが次のような質問に回答します。
panel-greeting-problems = { $n }個の値を読み取れませんでした。欠測として扱います。
panel-greeting-cannotStart = copilotを開始できません。

## Panel: initialization issues

panel-issues-title = 初期化の問題
panel-issues-issues = 問題{ $n }件
panel-issues-notes = 注意{ $n }件
panel-issues-connect = 設定と接続
panel-issues-tools = ツール
panel-issues-skills = スキル
panel-issues-context = コンテキスト
panel-issues-prompt = 指示

## Panel: question box

panel-composer-box = copilotに質問
panel-composer-chooseOrReply = 上から選ぶか、返事を入力
panel-composer-askAbout = { $chip }について質問
panel-composer-theChip = チップ
panel-composer-picture = 画像{ $n }
panel-composer-leaveOut = 質問から外す
panel-composer-analyze = 測定結果を分析
panel-composer-completions = 入力候補
panel-composer-completionsFound = 入力候補{ $n }件
panel-composer-names = 名前
panel-composer-waitsForRunning = 実行中の質問が終わると送信されます
panel-composer-findModels = このマシンのモデルを探す
panel-composer-model = モデル：{ $model }
panel-composer-cell = セル{ $label }
panel-composer-kinds = { $kind ->
    [variable] 変数
    [data] データ
    [qubit] 量子ビット
    [task] タスク
    [parameter] パラメータ
    [time] 期間
   *[coupling] カップリング
 }

## Panel: context window

panel-gauge-filled = コンテキスト{ $most }トークン中{ $filled }トークンを使用
panel-gauge-last = 直前の質問：{ $tokens }
panel-gauge-lastEstimated = 直前の質問：{ $tokens }（推定）
panel-gauge-tokens = { $n }トークン

## Panel: why a question can't be sent

panel-blocked-lost = copilotに未接続
panel-blocked-connecting = カーネルに接続中…
panel-blocked-failed = 未接続（理由は上に表示）
panel-blocked-look = 先に送信内容を確認
panel-refusals-noReason = カーネルに拒否されました。理由は示されていません。
panel-refusals-stoppedWithQueue = 入力欄の質問に答える前に、カーネルが停止しました。
panel-refusals-stoppedWithQuestion = 質問を受け取る前に、カーネルが停止しました。
panel-refusals-unreadable = { $file }を読み取れません。
panel-refusals-unknownFile = { $file }は表（CSV、Parquet）でも画像でもありません。
panel-refusals-tooLarge = { $file }は{ $mb } MBを超えています。セルでpandasを使い、ディスクから読み込んでください。
panel-refusals-seesNot = { $model }は画像を扱う設定になっていません。扱えるモデルはcopilot.yamlの「accepts」で指定します。
panel-refusals-plannerSeesNot = オフラインプランナーは画像を扱えません。画像を扱える言語モデルを選んでください。
panel-refusals-pictureNotHere = この質問には画像を付けられません。先に質問の対象を外してください。
panel-refusals-tooManyPictures = 質問に付けられる画像は4枚までです。
panel-refusals-picturesTooLarge = 質問に付けられる画像は合計{ $mb } MBまでです。

## Panel: what a question is about

panel-subject-run = 実行{ $run }
panel-subject-analyzeRun = 実行{ $run }の{ $qid }の{ $task }を分析
panel-subject-analyze = { $qid }の{ $task }を分析
panel-subject-ofElement = { $qid }の{ $task }
panel-subject-resultHint = この結果への質問（省略可）
panel-subject-whatShows = { $label }には何が写っていますか？
panel-subject-pictureHint = 画像への質問（省略可）
panel-subject-lines = { $label }の選択行
panel-subject-explainLines = { $label }の選択した行を説明して
panel-subject-linesHint = 選択した行への質問（省略可）
panel-subject-cell = セル{ $label }
panel-subject-empty = 空
panel-subject-fix = セル{ $label }を修正して
panel-subject-fixHint = 補足（省略可）
panel-subject-explainOutput = セル{ $label }の出力を説明して
panel-subject-cellHint = このセルへの質問（省略可）
panel-subject-figureGone = カーネルの実行中だけ表示できます

## Panel: conversation

panel-conversation-name = 会話
panel-conversation-new = 新着
panel-conversation-answerReady = 回答ができました
panel-conversation-stopped = 停止しました
panel-conversation-failed = この質問には回答できませんでした
panel-conversation-interrupted = 中断しました
panel-conversation-kernelEnded = 中断：カーネルが停止しました
panel-conversation-stoppedByYou = 停止しました
panel-conversation-askAgain = もう一度質問
panel-conversation-unanswered = この質問への回答はありません。
panel-conversation-noAnswer = 回答なし
panel-conversation-askedAgain = 下で再質問
panel-conversation-replies = 返事の候補
panel-conversation-nextSteps = 次のステップ
panel-conversation-copyAnswer = 回答をコピー
panel-conversation-picture = 分析コードが描いた画像

## Panel: status

panel-status-thinking = 考え中
panel-status-writing = 回答を作成中
panel-status-waitingForKernel = カーネルを待っています
panel-status-stopsAfterCell = 実行中のセルの後に停止します
panel-status-waitsForCell = 実行中のセルの終了を待っています
panel-status-silentStop = カーネルが応答していません。応答があれば停止します
panel-status-silent = カーネルが応答していません
panel-status-stopping = 停止中
panel-status-stillWaiting = モデルの応答を待っています
panel-thought-soFar = ここまでの思考
panel-thought-lasted = 思考時間{ $time }

## Panel: steps

panel-step-running = 実行中
panel-step-forYou = 確認待ち
panel-step-done = 完了
panel-step-failed = 失敗
panel-step-folded = { $n }ステップ · { $time }
panel-step-waiting = カーネル待ち
panel-step-withoutCell = セルなしで実行
panel-step-inCell = セルへ ↗
panel-step-inCellNumber = セル[{ $n }]へ ↗
panel-step-cellGone = ノートブックにはもうありません。
panel-step-gone = データなし
panel-step-showInData = データの一覧に表示
panel-step-sent = モデルに送った内容
panel-step-readByPlanner = オフラインプランナーが読んだ内容
panel-step-tool = ツール
panel-step-arguments = 引数
panel-step-readFrom = 読み取り元
panel-step-code = コード
panel-step-copy = コピー：{ $title }
panel-step-forExample = 例：{ $ids }

## Panel: code

panel-code-name = コード
panel-code-copy = コードをコピー
panel-code-goToCell = 挿入したセルへ移動
panel-code-insert = セルとして挿入
panel-code-insertTitle = 回答のセルの下に挿入
panel-code-notInserted = 挿入できません：ノートブックを編集できません
panel-code-firstLines = 最初の{ $n }行
panel-code-allLines = 全{ $n }行

## Panel: tables

panel-table-name = 表
panel-table-label = { $name }、{ $n }行
panel-table-rowsIn = `{ $name }` に{ $n }行
panel-table-rowsSoFar = 現在{ $n }行
panel-table-firstRows = 最初の{ $n }行
panel-table-allRows = 全{ $n }行

## Panel: charts

panel-chart-unhosted = ここではグラフを描画できません。以下は最初の値です。
panel-chart-foreign = この種類のグラフは外部サーバーから地図を読み込むため、描画しません。以下は最初の値です。
panel-chart-failed = グラフを描画できませんでした。以下は最初の値です。
panel-chart-name = グラフ
panel-chart-expand = グラフを拡大
panel-chart-copyData = データをコピー
panel-chart-save = グラフを保存
panel-chart-savePicture = 画像を保存（PNG）
panel-chart-saveData = データを保存（CSV）
panel-chart-notSaved = ここでは画像を保存できませんでした。グラフを拡大して、そこで保存してください。
panel-chart-valuesInAll = 全{ $n }個の値は「データをコピー」で取得できます。
panel-chart-series = 系列
panel-chart-seriesNumber = 系列{ $n }
panel-chart-values = 値
panel-chart-place = { $row }行{ $column }列
panel-chart-over = 横軸{ $x }、縦軸{ $y }
panel-chart-summary = { $name }：{ $n }個の値
panel-chart-summaryRange = { $name }：{ $n }個の値、{ $low }から{ $high }
panel-chart-title = グラフ：{ $title }
panel-chart-untitled = 無題
panel-chart-fileName = グラフ
panel-assessment-good = 良好
panel-assessment-warning = 注意
panel-assessment-bad = 不良
panel-assessment-unknown = 不明

## Panel: cells of an answer

panel-addedCells-name = この回答のセル
panel-addedCells-added = { $n }個のセルを追加
panel-addedCells-undone = { $n }個のセルを取り消し
panel-addedCells-unseen = { $n }個のセルを挿入せずに実行
panel-addedCells-insert = 挿入
panel-addedCells-putBack = 戻す

## Panel: proposed edits

panel-edit-name = セル{ $label }の変更案
panel-edit-title = セル{ $label }の変更
panel-edit-copy = 変更後の内容をコピー
panel-edit-written = 適用しました。取り消すには、セルで元に戻す操作をしてください。
panel-edit-rejected = 却下しました。セルは元のままです。
panel-edit-changed = 適用できません：提案の後にセルが変更されました。
panel-edit-gone = 適用できません：開いているノートブックに、このセルはもうありません。
panel-edit-accept = 適用
panel-edit-acceptName = 変更を適用
panel-edit-reject = 却下
panel-edit-rejectName = 変更を却下

## Panel: approval

panel-approval-title = { $runs ->
    [session] このセルを実行しますか？
    [kernel] カーネルで実行しますか？
   *[tool] この呼び出しを許可しますか？
 }
panel-approval-yes = { $runs ->
    [session] 実行
    [kernel] カーネルで実行
   *[tool] 承認
 }
panel-approval-inSession = ノートブックのカーネルではなく、copilot専用のプロセスで実行します。
panel-approval-needs = 次の操作のため、ノートブックのカーネルで実行する必要があります：
panel-approval-elsewhere = ノートブックの横のパネルで回答してください。
panel-approval-lines = { $n }行
panel-approval-readAgain = 再確認
panel-approval-cancel = キャンセル
panel-approval-changedCode = 編集したコードは、実行前にもう一度確認します。
panel-approval-approveTool = この会話ではこのツールを常に承認
panel-approval-approveToolTitle = 今後、このツールは確認なしで呼び出されます
panel-approval-reject = 却下
panel-approval-reason = 却下の理由
panel-approval-reasonHint = 理由（モデルに伝えます）
panel-approval-approvedBy = 承認：{ $who }
panel-approval-rejectedBy = 却下：{ $who }
panel-approval-notRun = 未実行
panel-approval-because = { $what }（理由：{ $reason }）
panel-approval-standing = この会話で承認済み
panel-approval-revoke = 取り消す

## Panel: before the first question to a server

panel-look-title = { $endpoint }への最初の質問の前に
panel-look-goes = 次の内容を{ $model }に送信します：
panel-look-agree = { $endpoint }への送信を許可
panel-signIn-title = サインイン
panel-signIn-keyFor = { $server }のキー
panel-signIn-key = キー
panel-signIn-notNow = 今はしない
panel-signIn-kept = カーネルが停止するまで保持し、ファイルには保存しません。

## Panel: queue

panel-queue-name = 待機中の質問
panel-queue-waiting = { $n }件の質問が待機中
panel-queue-held = 前の質問が停止または失敗したため、送信していません：
panel-queue-remove = 削除

## Panel: results

panel-results-search = タスク、量子ビット、状態
panel-results-searchHint = 例：CheckT1 Q07 failed
panel-results-none = 該当する結果はありません。
panel-results-reading = 結果を読み込み中
panel-results-newest = 最新の結果{ $n }件です。語を追加すると絞り込めます。
panel-results-excluded = { $status }、除外

## Panel: conversations

panel-kept-search = 会話を検索
panel-kept-reading = 会話を読み込み中
panel-kept-none = 該当する会話はありません。
panel-kept-nothing = まだ会話はありません。ノートブックの会話は、最初の質問から保存されます。
panel-kept-openNow = 表示中
panel-kept-deleteForGood = 「{ $title }」を完全に削除しますか？
panel-kept-more = その他：{ $title }
panel-kept-rename = 名前を変更
panel-kept-title = タイトル
panel-kept-titleHint = 最初の質問

## Panel: data

panel-frames-list = データの一覧
panel-frames-deleted = { $key }は削除されました。会話のステップから再取得できます。
panel-frames-lastHeard = カーネルから最後に受け取った内容です。
panel-frames-wentAlong = カーネルの停止でデータ{ $n }件が失われました。
panel-frames-fetchAll = すべて再取得
panel-frames-nothing = まだデータはありません。copilotが読み取ったデータがここに並びます。
panel-frames-nothingIn = まだデータはありません。copilotが読み取ったデータがここに並び、Pythonでは{ $name }["…"]で使えます。
panel-frames-filter = 絞り込み
panel-frames-noneFound = 該当するデータはありません。
panel-frames-fetching = 取得中…
panel-frames-fetch = 取得：{ $key }
panel-frames-refresh = 更新：{ $key }
panel-frames-delete = 削除：{ $key }
panel-frames-had = 元は{ $size }
panel-frames-deleteFromKernel = { $key }をカーネルから削除しますか？加えた変更も失われます。
panel-frames-openInCell = セルで開く
panel-frames-explore = 探索
panel-frames-copyName = 名前をコピー
panel-frames-copyNameOf = 名前をコピー：{ $name }
panel-frames-yourVariables = `copilot` と `data` という名前は、すでにほかの変数に使われています。どちらかを削除すると、次のセルからこの表を名前で使えます。
panel-frames-cellBelow = 回答のセルの下に挿入：{ $code }
panel-frames-notInserted = 挿入できません
panel-frames-unreachable = 行の読み取りにはカーネルが必要です。
panel-frames-reading = 行を読み込み中
panel-frames-part = { $allRows }行中最初の{ $rows }行、{ $allColumns }列中{ $columns }列
panel-frames-changed = 変更済み
panel-frames-noRows = 行がありません。

## Panel: conversation as Markdown

panel-transcript-assessment = 評価：{ $assessment }
panel-transcript-chart = [グラフ：{ $title }]
panel-transcript-picture = [画像]

## Extension: commands

extension-commands-open = QDash Copilot
extension-commands-openCaption = 現在のノートブックのcopilotを表示
extension-commands-start = QDash Copilot：このノートブックで開始
extension-commands-startCaption = 現在のノートブックのカーネルで「{ $line }」を実行
extension-commands-about = このセルについてQDash Copilotに質問
extension-commands-aboutCaption = このセルのコードと出力を次の質問に付ける
extension-commands-fix = QDash Copilotで修正
extension-commands-fixCaption = 失敗したこのセルの修正案をcopilotに求める（適用するまで何も変わりません）
extension-commands-ask = QDash Copilot：質問
extension-commands-askCaption = 質問の入力欄へ移動（セルやファイルで選択した部分も付きます）
extension-commands-stop = QDash Copilot：停止
extension-commands-stopCaption = 実行中の質問を停止
extension-commands-approve = QDash Copilot：承認
extension-commands-approveCaption = 確認待ちの内容を、表示されていれば承認

## Extension: starting

extension-start-starting = copilotを開始しています…
extension-start-pending = QDash Copilotを開始しています…
extension-start-done = QDash Copilotがこのノートブックで動いています。セルで%copilot helpを実行してみてください。
extension-start-failed = QDash Copilotを開始できませんでした。{ $why }
extension-start-runThere = { $why }そこで「{ $line }」を実行し、もう一度試してください。
extension-start-noKernel = このノートブックにはカーネルがありません。先に選択してください。
extension-start-needsPython = QDash CopilotにはPythonのカーネルが必要です。このカーネルは{ $language }です。
extension-start-kernelWent = 応答する前にカーネルが停止しました。
extension-start-packageMissing = カーネルの環境にパッケージがインストールされていません。
extension-start-noPanel = copilotは読み込まれましたが、カーネル側のバージョンにはパネルがありません。更新してカーネルを再起動してください。
extension-actions-start = copilotを開始
extension-actions-restart = カーネルを再起動
extension-actions-choose = カーネルを選択
extension-actions-again = 再試行
extension-actions-copy = コピー
extension-actions-copied = コピーしました

## Extension: in the place of the panel

extension-places-welcome = 超伝導量子ビットについて質問
extension-places-welcomeText = 「今月T1が下がったのはどれ？」copilotはキャリブレーションデータを読み、このノートブックのセルで計算し、グラフで回答します。
extension-places-welcomeDetail = このノートブックのカーネルで実行されます。質問するまで、何もどこにも送信しません。
extension-places-noNotebook = ノートブックを開くと、量子ビットについてcopilotに質問できます。
extension-places-kernelStarts = カーネルを起動しています…
extension-places-kernelUnheard = カーネルを待っています。セルの実行中なら、終了後にcopilotが表示されます。
extension-places-kernelStopped = カーネルが停止しました。
extension-places-noKernel = このノートブックにはカーネルがありません。copilotにはPythonのカーネルが必要です。
extension-places-otherLanguage = copilotにはPythonのカーネルが必要です。このカーネルは{ $language }です。
extension-places-shared = 同じカーネルを使う別のノートブックが開いていて、copilotはそちらで動いています。
extension-places-sharedDetail = ここで使うには、そのノートブックを閉じてページを再読み込みしてください。
extension-places-connecting = copilotに接続中…
extension-places-kernelBusy = カーネルがセルを実行中です。終了後にcopilotを開始します。
extension-places-runThenStart = セルで次の行を実行し、もう一度開始してください：
extension-places-notStarted = copilotを開始できませんでした
extension-places-notShown = copilotは動いていますが、パネルを表示できません
extension-places-missing = Jupyterサーバーの環境に不足：{ $names }
extension-places-missingDetail = サーバーの環境（カーネルの環境と異なる場合があります）で次を実行し、ページを再読み込みしてください：
extension-places-noReason = カーネルから理由は示されていません。
extension-places-notLoaded = パネルを読み込めませんでした
extension-places-notLoadedText = もう一度試してください。解決しない場合は、ノートブックを保存してページを再読み込みしてください。
extension-places-loading = パネルを読み込み中…
extension-notices-notStarted = copilotを開始できませんでした。{ $why }
extension-notices-kernelBehind = qdash_jupyterはカーネルでは{ $kernel }、JupyterLabでは{ $page }です。カーネルの環境で更新し、カーネルを再起動してください。
extension-notices-pageBehind = qdash_jupyterはカーネルでは{ $kernel }、JupyterLabでは{ $page }です。Jupyterサーバーの環境で更新し、ページを再読み込みしてください。

## Extension: connection to the kernel

extension-link-busy = カーネルがセルを実行中です。
extension-link-waitsForCell = カーネルがセルを実行中です。操作はその後に実行されます。
extension-link-silent = カーネルが応答していません。操作は待機中です。
extension-link-connecting = カーネルに接続中…
extension-link-notRunning = copilotが動いていません。もう一度開始してください。
extension-link-connectionLost = カーネルが応答する前に接続が切れました。もう一度試してください。
extension-link-notTaken = copilotが操作を受け付けませんでした。もう一度試してください。
extension-link-stopped = 応答する前にカーネルが停止しました。
extension-lost-dead = カーネルが停止しました。会話は保存されています。
extension-lost-restarted = カーネルが再起動しました。会話は保存されています。
extension-lost-crashed = カーネルが異常終了し、再起動しました。会話は保存されています。
extension-lost-replaced = カーネルが変わりました。会話は保存されています。
extension-lost-unloaded = copilotの読み込みが解除されました。会話は保存されています。
extension-lost-disconnected = カーネルとの接続が切れました。

## Extension: cells

extension-cells-badge = copilot · ステップ{ $step }
extension-cells-cell = セル{ $label }
extension-cells-textCell = テキストセル
extension-cells-fourPictures = 画像（4枚まで）
extension-cells-largePicture = 5 MBを超える画像
extension-cells-otherOutput = テキストでも画像でもない出力（{ $types }）
extension-cells-sessionOnly = copilotのセッションにのみ存在：
extension-cells-runHere = カーネルで実行
extension-runHere-title = カーネルで実行しますか？
extension-runHere-run = カーネルで実行
extension-runHere-cancel = キャンセル
extension-runHere-asIf = { $cells ->
    [1] Shift+Enterを押したときと同じように、このセルを実行します。
   *[other] Shift+Enterを押したときと同じように、これらのセルを上から順に実行します。
 }
extension-runHere-gone = このコードに必要なセルの一部がノートブックにないため、失敗する可能性があります。
extension-runHere-notRun = 何も実行しませんでした
extension-runHere-changed = コードの表示後にセルが変更されました。
## The model's server

model-silent = { $address }の言語モデルから{ $seconds }秒間応答がありません。
model-silent-hint = 混雑しているか、モデルを読み込み中の可能性があります。もう一度試すか、モデルの `timeout_seconds` を大きくしてください。
model-sent-no-event = { $host }から{ $api }のイベントではないデータが届きました。
model-sent-no-event-hint = ベースURLのサーバーが{ $api }に対応しているか確認してください。
model-sent-no-stream = { $host }からイベントのストリームではなく{ $kind }が返りました。
model-no-content-type = 種類不明のデータ
model-url-hint = ベースURLを確認してください。通常は /v1で終わります。
model-connection-broke = 回答の途中で{ $address }との接続が切れました。
model-retry-hint = もう一度質問してください。
model-reported-error = 回答の途中で{ $host }がエラーを返しました。
model-said = サーバーからのメッセージ：「{ $said }」
model-reason = 理由：{ $why }。
model-ended-answer = { $host }が回答を途中で打ち切りました。
model-ended-answer-hint = 言い換えて質問してください。
model-out-of-tokens = { $model }は回答する前に出力トークンを使い切りました。
model-out-of-tokens-hint = `max_output_tokens` を大きくするか、`reasoning_effort` を下げてください。
model-would-store = { $host }は `store: false` を受け付けません。会話が保存される可能性があります。
model-would-store-hint = それを受け付けるサーバーか、自分のネットワーク内のサーバーを使ってください。
model-no-key = { $host }用のキーが設定されていません。
model-no-key-hint = { $name }を設定するか、キーの要らないサーバーを使ってください。
model-unusable-key = { $name }のキーに使えない文字が含まれています。
model-unusable-key-hint = 引用符や改行を含めずに、もう一度コピーしてください。
model-unusable-header = { $host }用のヘッダー{ $name }に使えない文字が含まれています。
model-unusable-header-hint = copilot.yamlのモデルの `headers` を修正してください。使えるのはASCIIの文字・数字・記号のみで、改行は含められません。
model-unreachable = { $address }の言語モデルに接続できません。
certificate-strict-hint = 認証局の証明書は信頼されていますが、Python 3.13以降が求める項目（キー使用法keyCertSign、クリティカルな基本制約、キー識別子）がありません。これらを含めて再発行するか、Python 3.12を使ってください。
certificate-of-others-hint = SSL_CERT_FILEは設定されていますが、そのファイルの認証局はこのサーバーの証明書に署名していません。署名した認証局を追加し、カーネルを再起動してください。
model-unreachable-certificate-hint = 研究室独自の証明書を使っている場合は、認証局のファイルをSSL_CERT_FILEに指定し、カーネルを再起動してください。
model-unreachable-local-hint = サーバーを起動するか、ベースURLを修正してください。
model-unreachable-hint = ベースURLとネットワークを確認してください。プロキシやVPNが必要な場合があります。
model-wants-key = { $host }の利用にはキーが必要です。
model-wants-key-hint = { $name }を設定してください。
model-refused-key = { $host }はこのキーを受け付けません。
model-refused-key-hint = { $name }を確認してください。
model-forbidden = { $host }へのアクセスが拒否されました。
model-forbidden-hint = { $name }のキーの権限と、そのキーで{ $model }を使えるか確認してください。
model-failed = { $host }でエラーが発生しました（HTTPステータス{ $status }）。
model-failed-hint = 少し待ってから、もう一度試してください。
model-other-api-hint = 繰り返し発生する場合は、サーバーのResponses APIに原因がある可能性があります。モデルの `api_style: chat_completions`（またはQDASH_COPILOT_API_STYLE）を設定してください。
model-rejected = { $host }がリクエストを受け付けません（HTTPステータス{ $status }）。
model-rejected-hint = モデルの設定を確認するか、新しい会話を始めてください。
model-rejected-parameter-hint = モデルの設定でパラメータ `{ $name }` を確認するか、新しい会話を始めてください。
model-no-such-api = { $host }のこのアドレスには{ $api }がありません（HTTPステータス{ $status }）。
model-unknown = { $host }にモデル「{ $model }」がないか、このキーでは使えません。
model-unknown-hint = モデルの名前を確認してください。
model-too-many-requests = { $host }へのリクエストが多すぎます。
model-wait-hint = しばらく待ってから、もう一度質問してください。
model-wait-seconds-hint = { $seconds }秒後にもう一度試してください。
model-no-quota = { $host }のアカウントの利用枠が残っていません。
model-no-quota-hint = 待っても解消しません。プランと支払いを確認するか、別のモデルを使ってください。
model-too-long = 会話が{ $model }には長すぎます。
model-too-long-hint = 新しい会話を始めるか、一度に尋ねる量を減らしてください。
model-wrong-url = 言語モデルのベースURLがhttpまたはhttpsのURLではありません。
model-wrong-url-hint = http://localhost:11434/v1のようなURLを指定してください（OPENAI_BASE_URL、またはcopilot.yamlの `base_url`）。

## What the model's server can't do

server-learned = { $said }（{ $day }から）
server-without = { $names }なし
server-no-tools = ツールなし（質問の内容だけから回答）
server-no-schema = スキーマなしのJSON
server-no-format = 回答の形式指定なし
server-no-streaming = ストリーミングなし
server-writes-calls = ツールの呼び出しを文章で出力

## Recorded conversations (cassettes)

cassette-other-model = カセット{ $path }は{ $recorded }で記録されたものですが、{ $model }が設定されています。
cassette-other-model-hint = { $recorded }を選ぶか、別のQDASH_CASSETTE_FILEを指定してください。モデルの要らないQDASH_CASSETTE=replayも使えます。
cassette-no-reply = カセット{ $path }に{ $question }への応答がありません。
cassette-no-reply-hint = QDASH_CASSETTE=auto（足りない分を追加）またはQDASH_CASSETTE=record（すべて記録し直す）で記録してください。
cassette-question = 「{ $question }」（{ $round }回目）
cassette-empty = カセットは空です。
cassette-ends = カセットの会話は{ $question }への応答で終わっています。
cassette-nearest = 最も近い質問の記録は{ $question }です。
cassette-differs = 最初の相違点：現在は `{ $here }`、カセットは `{ $recorded }`。
cassette-wrong-mode = QDASH_CASSETTEに「{ $mode }」は指定できません。
cassette-wrong-mode-hint = { $modes }のいずれかを指定するか、設定を解除してください。
cassette-no-file = QDASH_CASSETTEは設定されていますが、QDASH_CASSETTE_FILEがありません。
cassette-no-file-hint = `conversation.yaml` などのファイルを指定してください。
cassette-no-folder = QDASH_CASSETTE_FILEは{ $file }ですが、フォルダー{ $folder }がありません。
cassette-no-folder-hint = フォルダーを作るか、パスを修正してください。
cassette-missing = カセット{ $path }がありません。
cassette-missing-hint = モデルを設定してQDASH_CASSETTE=recordで記録するか、QDASH_CASSETTE_FILEを修正してください。
cassette-unreadable = カセット{ $path }を読み取れません（{ $why }）。
cassette-unreadable-hint = ファイルを修正するか、削除してください。
cassette-not-utf8 = UTF-8ではありません
cassette-unwritable = カセット{ $path }に書き込めません（{ $why }）。
cassette-unwritable-hint = QDASH_CASSETTE_FILEを修正するか、QDASH_CASSETTEを解除してください。
cassette-broken = カセット{ $path }が壊れています（{ $why }）。
cassette-broken-line = カセット{ $path }の{ $line }行目が壊れています（{ $why }）。
cassette-broken-hint = ファイルを修正するか、カセットを記録し直してください。
cassette-no-yaml = YAMLではありません
cassette-broken-document = カセット{ $path }の{ $number }番目のドキュメントが壊れています（{ $why }）。
cassette-broken-document-hint = そのドキュメントを修正または削除するか、カセットを記録し直してください。
cassette-no-mapping = マッピングではありません
cassette-no-items = request.itemsが項目のリストではありません
cassette-no-such-request = 続き元の「{ $after }」がそれより前にありません
cassette-no-such-part = パート「{ $part }」がそれより前にありません

## What code needs

effect = { $does }：`{ $what }`
effect-calls = 呼び出し
effect-changes = 変更
effect-connects = 接続
effect-imports = インポート
effect-lacks = 不足
effect-needs = 必要
effect-reads = 読み取り
effect-signals = シグナル送信
effect-starts = 起動
effect-uses = 使用
effect-writes = 書き込み
effect-from-this-folder = このフォルダーから
effect-own-session = 専用セッション
not-run = コードは次の理由で実行されませんでした。
not-run-reason = - { $effect }。{ $way_out }
not-run-more = 理由は他に{ $count }件あります。
way-out-unknown = ユーザーに依頼するか、データから計算してください。
way-out-files = セルの最後を表にして、ユーザーが保存できるようにしてください。
way-out-network = データはツールで取得してください。
way-out-shell = Pythonで計算してください。
way-out-acts = ユーザーに依頼してください。
way-out-copy = 別の名前のコピーを変更してください。
nobody-can-approve = ここには承認できる人がいません。
nobody-can-approve-hint = このコードだけを許可するには、ユーザーが質問の前に `%copilot approve { $hash }` を実行します。

## Cells that did not run, or did not end

not-run-no-question = コードは質問の処理中にのみ実行されます。現在処理中の質問はありません。
not-run-await = 実行中のセルではトップレベルのawaitを使えません。awaitなしでコルーチンを呼んでください。
not-run-no-notebook = ここではコードは挿入されるだけです（policy: insert_only）。セルを挿入できるノートブックがありません。
cell-to-be-run = セルをノートブックに挿入しました。実行してください（policy: insert_only）。結果はまだわかりません。
cell-cannot-ask = copilotがセルを実行している間、input()で入力を求めることはできません。セルでShift+Enterを押して、ご自身で実行してください。
waits-for-your-cell = コードが{ $names }を読み取るため、実行中のセルの終了を待っています。

## Code that was stopped

code-timed-out = { $seconds }秒でタイムアウトしました。
code-cpu-limit = プロセッサー時間が{ $seconds }秒を超えました。
code-memory-limit = メモリの上限{ $megabytes } MBを超えました。
code-result-too-large = 結果が{ $megabytes } MBを超えています。
code-stopped = コードを停止しました。
code-spoiled-result = コードが自身の結果を破損させました。
code-ended-process = 結果が出る前に、コードがプロセスを終了しました。
code-no-process = コードのプロセスを起動できません（{ $why }）。
code-killed = コードのプロセスが外部から強制終了されました。メモリが不足している可能性があります。
code-crashed = コードのプロセスがクラッシュしました（{ $signal }）。メモリが{ $megabytes } MBを超えると、このようになるライブラリがあります。
code-worker-lost = コードの実行中にワーカーが終了しました。もう一度実行してください。
code-call-limit = コードがツールを呼び出せるのは、1つの質問につき{ $count }回までです。
code-call-limit-hint = 1回の呼び出しで、より多くのデータを取得してください。
session-forgets = セッションが、ノートブックから渡された変数を保持していません。

## The process for the copilot's code

worker-does-not-start = モデルのコード用のワーカーが起動しません。
worker-does-not-work = モデルのコード用のワーカーが動作しません。
worker-timed-out = { $seconds }秒以内に応答がありませんでした。
worker-exited = 終了コード{ $code }で終了しました。
worker-unconfined-hint = モデルのコードは、隔離されない状態では実行されません。
worker-no-fork = { $platform }ではモデルのコードを実行できません。セッションごとにプロセスをフォークする必要があります。
worker-no-fork-hint = LinuxまたはmacOSを使ってください。
worker-without-wall = サンドボックスなし
worker-not-linux = モデルのコードを隔離できるのはLinuxだけです（このシステムは{ $platform }）。
worker-no-seccomp = このカーネルまたはプロセッサーはseccompフィルターに対応していません（x86_64またはaarch64が必要です）。
worker-no-landlock = このカーネルはLandlock { $version }（Linux 6.2以降）に対応しておらず、bubblewrapも使えません：{ $why }
worker-no-bwrap = bwrapがインストールされていません。
worker-bwrap-exited = bwrapが終了コード{ $code }で終了しました。
worker-not-confined = モデルのコードがここでは隔離されません。可能な操作：{ $can }。
worker-can = { $what ->
    [read] ファイルの読み取り
    [write] ファイルへの書き込み
    [make] ファイルの作成
    [connect] サーバーへの接続
    [begin] プロセスの起動
    [signal] シグナルの送信
   *[other] { $what }
 }

## Charts of the methods

chart-as-text = [グラフ：{ $title }]
chart-untitled = 無題
chart-more-rows = …他{ $count }行
chart-span = { $first }〜{ $last }
chart-color = 色
chart-axis = { $name }（{ $unit }）
chart-time = 時刻（UTC）
chart-duration = 時間
chart-frequency = 周波数
chart-cliffords = クリフォード数
chart-signal = 信号
chart-shots = ショット数
chart-residual = 残差
chart-projection = |0⟩ と |1⟩ を結ぶ線への射影
chart-points = 測定点
chart-stored-fit = 保存された当てはめ
chart-new-fit = 再当てはめ
chart-of-curve = { $task } { $qid }：{ $fit }{ $why }
chart-of-parameter = { $name }：{ $fit }{ $why }
curve-why = { $code ->
    [SUCCESS] {""}
    [NO_SIGNAL] （信号なし）
    [FIT_OF_NOISE] （ノイズへの当てはめ）
    [LOW_SNR] （ノイズが大きい）
    [WINDOW_TOO_SHORT] （測定範囲が短い）
    [WINDOW_TOO_LONG] （測定範囲が長い）
    [UNDERSAMPLED] （点またはショットが少ない）
    [ALIASED] （折り返し）
    [TWO_COMPONENTS] （2成分）
    [BEATING] （うなり）
    [TWO_PEAKS] （2つのピーク）
    [OTHER_SHAPE] （別の形にも合う）
    [UNEXPLAINED] （周期的な乱れ）
    [CLIPPED] （頭打ち）
    [OUTLIERS] （外れ値）
    [DRIFT] （ドリフト）
    [AT_BOUND] （当てはめの境界値）
    [STORED_DISAGREES] （保存値と異なる）
    [TOO_FEW_POINTS] （点が少ない）
   *[other] （読めないデータ）
 }
chart-of-parameters = { $title } · { $others }
chart-reliable-only = { $title }（信頼できる当てはめのみ）
chart-deviation = 変化
chart-deviation-title = { $metric }：以前の水準からの変化
chart-before = 以前
chart-now = 現在
chart-of-window = { $metric }、{ $window }
chart-level = { $name }（{ $level }）
chart-stable = 変化なし・不明（{ $count }）
chart-changed = 変化あり（{ $count }）
chart-unchanged = 変化なしの線
chart-element = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }
chart-bad = 不良
chart-good = 良好
chart-limit = 基準値
chart-limit-line = { $name }：{ $value }
chart-middle = 中央の80 %
chart-median = 中央値
chart-median-line = 中央値{ $value }
chart-histogram = { $metric }：{ $what ->
    [qubits] 量子ビット{ $count }個
    [couplings] カップリング{ $count }個
   *[measurements] 測定{ $count }回
 }
chart-number-of = { $what ->
    [qubits] 量子ビットの数
    [couplings] カップリングの数
    [values] 値の数
   *[measurements] 測定の回数
 }
chart-relation = { $few ->
    [yes] n = { $n }：{ $verdict }
   *[no] Spearman { $spearman }（{ $low }〜{ $high }）、p = { $p }、n = { $n }：{ $verdict }
 }
chart-titled-relation = { $title }：{ $relation }
chart-rise-together = ともに増加
chart-opposite = 逆の関係
chart-weak-relation = 弱い傾向
chart-no-relation = 関係なし
chart-too-few = データ不足

## Curves: whether a fit can be trusted

trust-reliable = 信頼できる
trust-unreliable = 信頼できない
trust-no-fit = 当てはめ不可
curve-success = 曲線は想定どおりの形で、値を決めるのに十分です。
curve-success-next = この値を使えます。
curve-no-signal = ノイズを超える信号がありません。
curve-no-signal-next = 読み出しとRabiを確認し、ショット数を増やして再測定してください。
curve-fit-of-noise = 値は保存されていますが、ノイズを超える信号がありません。
curve-fit-of-noise-next = この値を除外してください。読み出しとRabiを確認し、ショット数を増やして再測定してください。
curve-low-snr = 信号はありますが、ノイズのため値の不確かさが大きすぎます。
curve-low-snr-next = ショット数か、変化の大きい部分の点を増やしてください。読み出しの場合は、振幅・周波数・長さを調整してください。
curve-window-too-short = 測定範囲が短すぎて、値が決まりません。
curve-window-too-short-next = 測定範囲を広げてください（減衰時間の4倍、3周期、または中心のまわりに線幅の5倍）。
curve-window-too-long = 測定範囲が長すぎて、減衰が最初の数点で終わっています。
curve-window-too-long-next = 測定範囲を減衰時間の約4倍に縮めるか、点を対数間隔にしてください。
curve-undersampled = 1周期または線幅あたりの点、あるいはショット数が少なすぎて、値が決まりません。
curve-undersampled-next = 点の間隔を細かくするか（1周期に6点、線幅に3点）、離調を小さくしてください。読み出しの場合は、ショット数を増やしてください。
curve-aliased = 想定または保存された周波数が、点の間隔に対して高すぎます。
curve-aliased-next = 点の間隔を細かくするか、離調または駆動振幅を小さくしてください。
curve-two-components = 2つ目の成分がある可能性があり、値の不確かさが大きすぎます。
curve-two-components-next = 短い時間の点を増やして再測定してください。隣接する量子ビットや、以前の測定とも比べてください。
curve-beating = うなりの可能性があり、2つ目の周波数のため値の不確かさが大きすぎます。
curve-beating-next = 測定範囲を広げて再測定し、2つの周波数で当てはめてください。隣接する量子ビットとのZZとも比べてください。
curve-two-peaks = 2本目の線がある可能性があり、値の不確かさが大きすぎます。
curve-two-peaks-next = パワーを下げ、1時間後に再測定してください。どちらの線が量子ビットとともに動くかを確認してください。
curve-other-shape = 別の形でも測定点を同じくらいよく説明でき、値が異なります。
curve-other-shape-next = 残差を確認してください。共振器の曲線では単位（|S|、|S|²、dB）を明示し、それ以外では駆動を弱めてください。
curve-unexplained = 周期的な外乱による値のずれが大きすぎます。
curve-unexplained-next = 電源ハムなどの外乱の原因を調べて、再測定してください。
curve-clipped = 曲線の上端または下端が切れていて、値のずれが大きすぎます。
curve-clipped-next = 読み出しのパワーまたはゲインを下げて、再測定してください。
curve-outliers = 外れ値があります。
curve-outliers-next = 再測定してください。外れ値による値のずれが小さければ、外れ値を除いた当てはめを使えます。
curve-drift = 測定中に水準か周波数がドリフトまたはジャンプし、値のずれが大きすぎます。
curve-drift-next = より速く測定するか、点の順序を変えてください。読み出しが安定しているかも確認してください。
curve-at-bound = 保存された値は当てはめの境界値で、測定点から決まる値と異なります。
curve-at-bound-next = 保存された値を除外し、再当てはめの値を使ってください。
curve-stored-disagrees = 測定点から値は決まりますが、保存された値と異なります。
curve-stored-disagrees-next = 再当てはめの値を使い、保存された当てはめを確認してください。
curve-too-few-points = この種類の曲線としては、点が足りません。
curve-too-few-points-next = 点を増やして測定してください。
curve-bad-data = データをこの種類の曲線として読み取れません。
curve-bad-data-next = タスクが書き込んだファイルを確認してください。

## Curves: what decided

number-value = { $what } { $value }
number-at-least = { $what } { $value }（下限{ $limit }）
number-at-most = { $what } { $value }（上限{ $limit }）
curve-number = { $what ->
    [signal] 基線に対する信号（ΔAICc）
    [budget] { $name }の誤差の合計（相対値）
    [error_by_noise] ノイズによる{ $name }の誤差
    [error_by_second_component] 2つ目の成分による{ $name }の誤差
    [error_by_second_frequency] 2つ目の周波数による{ $name }の誤差
    [error_by_second_line] 2本目の線による{ $name }の誤差
    [error_by_shape] 別の形による{ $name }の誤差
    [error_by_drift] ドリフトまたはジャンプによる{ $name }の誤差
    [error_by_periodic_disturbance] 周期的な外乱による{ $name }の誤差
    [error_by_clipping] クリッピングによる{ $name }の誤差
    [error_by_outliers] 外れ値による{ $name }の誤差
    [error_by_third_cloud] 第3の分布による{ $name }の誤差
    [error] { $name }の誤差
    [residual_autocorrelation] 残差の自己相関
    [stored_and_refit] 保存された{ $name }と再当てはめの差
    [stored] 保存された{ $name }
    [outliers] 外れ値の数
    [clipped_points] 上限または下限で切れた点の数
    [clipped_shots] 上限または下限で切れたショットの数
    [frequency_by_detuning] 離調から予想される周波数
    [frequency_by_amplitude] 振幅から予想される周波数
    [periods_in_window] 測定範囲内の周期数
    [points_per_period] 1周期あたりの点数
    [window_in_decay_times] 測定範囲（減衰時間の倍数）
    [points_in_decay_time] 最初の減衰時間内の点数
    [points_in_linewidth] 線幅あたりの点数
    [linewidths_in_window] 測定範囲（線幅の倍数）
    [linewidths_to_end] 測定範囲の近い端までの距離（線幅の倍数）
    [reduced_chi2] 換算χ²
    [mean_distance] 平均の距離（自由度2の χ²）
    [cloud_separation] 2つの分布の距離の半分
    [cloud_drift] 分布のドリフト（χ²）
   *[other] { $what }
 }
curve-parameter = { $name ->
    [t1] T1
    [t2_echo] T2エコー
    [t2_star] T2*
    [ramsey_frequency] Ramsey周波数
    [rabi_frequency] Rabi周波数
    [rabi_amplitude] Rabi振幅
    [readout_frequency] 読み出し周波数
    [resonator_frequency] 共振器周波数
    [coarse_qubit_frequency] 量子ビット周波数
    [linewidth] 線幅
    [kappa_external] 外部κ
    [kappa_internal] 内部κ
    [depolarizing_rate] 脱分極率
    [average_gate_fidelity] 平均ゲート忠実度
    [average_readout_fidelity] 平均読み出し忠実度
    [readout_fidelity_0] |0⟩ の読み出し忠実度
    [readout_fidelity_1] |1⟩ の読み出し忠実度
   *[other] { $name }
 }

## Curves: why there is no fit

curve-unknown-task = タスク「{ $task }」の曲線は判定できません。
curve-fit-failed = 当てはめに失敗しました：{ $why }。
curve-lengths = x、y、誤差のリストの長さが異なります：{ $lengths }。
curve-unit = { $unit ->
    [none] xに単位がありません
   *[other] xの単位が{ $unit }です
 }。{ $task }には{ $needed }のような単位が必要です。
curve-not-complex = { $task }には直交2成分（I + iQ）が必要ですが、yは実数です。
curve-few-places = { $task }には異なるxが{ $needed }個以上必要ですが、測定されたのは{ $count }個です。{ $left_out ->
    [0] { "" }
   *[other] ほかに{ $left_out }個の点には値がありません。
 }
curve-one-place = xがすべて同じで、測定範囲がありません。
curve-crowded = ほとんどの点のxが同じです。
curve-flat = yがすべて同じです。何も測定されていないか、読み出しが機能していません。
curve-few-shots = 各状態に{ $needed }個以上のショットが必要ですが、値があるのは |0⟩ が{ $zero }個、|1⟩ が{ $one }個です。
## Tools: what they are doing

# QDash の既存クライアントと同じ表示名（tests/server/test_streams.py）
label-analysis = Python分析コードを実行中
label-available-context = 研究室のファイルを確認中
label-calibration-notes = キャリブレーションノートを取得中
label-cell-edit = セルの変更を提案中
label-chip-heatmap = チップのヒートマップを作成中
label-chip-summary = 全量子ビットの現在のパラメータを取得中
label-chip-timeseries = チップ全体のパラメータ時系列を取得中
label-comparison = 量子ビットを比較中
label-content = 研究室のファイルを読み込み中
label-coupling-params = カップリングのパラメータを取得中
label-latest-result = 最新タスク結果を取得中
label-lineage = パラメータのバージョンを取得中
label-lineage-graph = 値の来歴を調査中
label-notes = メモを検索中
label-parameters = 測定済みのパラメータを確認中
label-peek = 表を確認中
label-qubit-params = キュービットパラメータを取得中
label-result-curves = 結果の測定曲線を取得中
label-results = タスクの結果を検索中
label-runs = 実行履歴を取得中
label-describe = 名前の意味を調べています
label-skill = スキルを読み込み中
label-task-history = タスク履歴を取得中
label-timeseries = パラメータ時系列を取得中
label-topology = チップのトポロジーを取得中
read-documents = { $count }件
read-documents-memory = { $count }件、{ $memory }
cell-runs-long = このセルは{ $seconds }秒間実行されています。
cell-takes-memory = これまでに{ $memory }のメモリを使用しています。

## Tools: where data came from

read-filter = { $parts }
read-chip = チップ{ $chip }
read-project = プロジェクト{ $project }
read-parameter-of = { $qid }の{ $parameter }
read-task-of = { $qid }の{ $task }
read-curves = { $task }の曲線
read-curves-of = { $qid }の{ $task }の曲線
read-curves-of-result = 結果{ $id }の曲線
read-completed = 完了
read-not-excluded = 除外を除く
read-mode = { $mode ->
    [latest] 最新
    [best] 最良
   *[average] 平均
 }
read-since = { $date }以降
read-newest-each = それぞれ最新{ $count }件
read-cooldown = クールダウン{ $id }
read-tags = タグ{ $names }
read-back-from = { $id }から過去へ
read-steps = { $count }段

## Tools: code and approvals

code-not-run = **実行していません**：承認する人がいませんでした。このコードだけを許可するには、`%copilot approve { $hash }` を実行してからもう一度質問してください。
code-not-run-effects =
    {"**"}実行していません**：承認する人がいませんでした。

    { $effects }

    このコードだけを許可するには、`%copilot approve { $hash }` を実行してからもう一度質問してください。
code-not-finished = コードは最後まで実行されませんでした。
process-names-lost = copilotのプロセスが終了し、次の変数が失われました：{ $names }。
rejected-without-reason = ユーザーが却下しました（理由の記載なし）。
call-not-done = **実行していません**：`{ $what }` を承認する人がいませんでした。この呼び出しだけを許可するには、`%copilot approve { $hash }` を実行してからもう一度質問してください。
call-other-wanted = ユーザーは代わりに次の呼び出しを求めています：{ $code }
call-may-not-act = ここではツールが自分で操作することはできません（policy: insert_only）。
call-may-not-act-hint = 行うはずだった操作をユーザーに伝えてください。
file-there-already = 既存のファイル、{ $size }
cell-edit-unchanged = セルの内容と同じです。
cell-edit-unchanged-hint = 変更するか、提案なしで回答してください。
cell-edit-not-python = 新しい内容はPythonとして正しくありません：{ $why }。
cell-edit-not-python-hint = セル全体だけを送ってください。
syntax-error-at = { $why }、{ $line }行目

## Tools: chip heatmaps

heatmap-title = { $chip }の{ $metric }（{ $mode ->
    [latest] 最新
    [best] 最良
   *[average] 平均
 }、{ $unit }）{ $layout ->
    [unknown] ：接続のみ
   *[known] {""}
 }
heatmap-subtitle = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }{ $total }個中{ $count }個を{ $measured }、中央値{ $median }{ $layout ->
    [unknown] <br>トポロジー不明：線はカップリング、配置は便宜上のものです
    [linear] <br>チェーンを折り返して表示
   *[known] {""}
 }
heatmap-reverse = { $name }：{ $value }、{ $age }
heatmap-newest-empty = 最新の結果は値なし、{ $age }
heatmap-newest-excluded = 最新の結果は除外：{ $value }、{ $age }
no-value = 値なし
not-measured = 測定なし
measured = 測定
measured-since = { $since }以降に測定
measured-before = { $until }より前に測定
measured-between = { $since }以降{ $until }より前に測定

## Errors of tools: chips and their parameters

no-qubits = チップ{ $chip }に量子ビットがありません。
no-qubits-in-database = データベースにもチップ{ $chip }の量子ビットがありません。
topology-not-named = チップにトポロジーの指定がなく、{ $count }量子ビットは正方格子になりません。
topology-unknown = トポロジー{ $topology }はこのバージョンでは未対応です。
no-couplings-of-qubit = チップ{ $chip }の量子ビット{ $qid }にカップリングがありません。
no-couplings-of-qubit-hint = カップリングの一覧はget_chip_topologyで得られます。
no-coupling-given = カップリングが指定されていません。
no-coupling-given-hint = coupling_id、または量子ビットのすべてのカップリングならqubit_idを指定してください。
is-a-coupling = { $qid }はカップリングです。
is-a-coupling-hint = カップリングにはget_coupling_paramsを使ってください。
elements = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 } { $qids }
no-current-parameters = チップ{ $chip }の{ $qids }に、現在の{ $parameters }がありません。
no-current-parameters-hint = 現在の値があるパラメータ：{ $parameters }。
never-calibrated = チップ{ $chip }で一度もキャリブレーションされていません：{ $qids }。
never-calibrated-hint = 結果がありません。
no-current-values = チップ{ $chip }の{ $qids }に現在の値がありません。
no-current-values-hint = { $parameters }の結果があります。時系列として取得してください。
no-current-values-results-hint = 値のない結果があります。時系列として取得してください。
no-earlier-values = QDashの履歴にも結果にも、チップ{ $chip }の{ $qids }の{ $when }より前の値がありません。
no-earlier-values-of-all = QDashの履歴にも結果にも、チップ{ $chip }の{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }の{ $when }より前の値がありません。
nothing-measured = チップ{ $chip }で測定されたものがありません。完了した結果がありません。
nothing-measured-on = チップ{ $chip }の{ $qid }で測定されたものがありません。完了した結果がありません。
never-measured = チップ{ $chip }で{ $parameter }は一度も測定されていません。
only-odd-dates = チップ{ $chip }の{ $parameter }の結果{ $count }件はすべて、ありえない日時です：{ $flag }
never-measured-hint = 測定されたものはlist_available_parametersでわかります。
never-measured-on = チップ{ $chip }の{ $qids }で{ $parameter }は一度も測定されていません。
never-measured-there = { $qid }で{ $parameter }は一度も測定されていません。
never-measured-there-hint = 測定されたもの：{ $parameters }。
nothing-at-all = なし
no-measurement-fits = チップ{ $chip }の{ $parameter }に、条件に合う測定がありません：{ $conditions }。
no-measurement-fits-hint = 最新の測定は{ $when }です。条件を広げてください。
no-measurement-fits-first = 最初の測定は{ $when }です。
no-measurement-in-range = チップ{ $chip }に、{ $measured }された{ $parameter }がありません。
condition-time-range = 期間
condition-cooldown = クールダウン{ $id }
condition-tags = タグ{ $names }
no-cooldown-now = チップ{ $chip }は現在クールダウン中ではありません。
no-cooldown-now-hint = クールダウンまたは期間を指定してください。
two-time-ranges = within_hoursとsinceの両方が指定されています。
two-time-ranges-hint = どちらか一方を指定してください。

## Errors of tools: runs, results and versions

no-runs = チップ{ $chip }に実行の記録がありません。
no-run-fits = 条件をすべて満たす実行はありません。
newest-run = 最新の実行は{ $run }（{ $when }）です。
first-run = 最初の実行は{ $when }です。
no-result-given = 結果が指定されていません。
no-result-given-hint = task_name（とqid）、またはtask_idを指定してください。
no-result-fits = 条件をすべて満たす結果はありません。
no-results = { $where }に{ $range ->
    [any] {""}
   *[some] 、この期間の
 }{ $task }の結果がありません。
whole-chip = チップ{ $chip }
no-completed-results = { $qid }に{ $task }の完了した結果がありません。
no-results-at-all = { $what }：結果は1つもありません。
newest-result = { $what }：最新の結果は{ $when }のものです（{ $state }）。
first-result = { $what }：最初の結果は{ $when }のものです。
result-excluded = 除外
any-task = すべてのタスク
task-on = { $qid }の{ $task }
verdicts-abandoned = 質問は停止されました。
no-versions = { $qid }の{ $parameter }は測定されていますが、来歴にバージョンの記録がありません。
no-versions-hint = 測定値はget_chip_parameter_timeseriesで得られます。
not-an-entity-id = 「{ $id }」はエンティティIDではありません。
not-an-entity-id-hint = エンティティIDの形式は `<parameter>:<qid>:<execution_id>:<task_id>` です。一覧はget_parameter_lineageで得られます。

## Tools: comparisons

compare-all = すべての値
compare-in-one = { $names }（{ $what }）
compare-no-cooldown = クールダウンの記録なし
compare-units = { $parameter }の単位が異なります（{ $units }）。
compare-ages = { $name }：{ $parameters }は、比較する最新の値より最大{ $days }日古い値です。
compare-cooldowns = クールダウンが異なります（{ $groups }）：{ $parameters }。

## Tools: notes

no-notes = チップ{ $chip }についてのメモはありません。
no-note-fits = 条件をすべて満たすメモはありません。すべてのメモ：{ $kinds }。記入者：{ $authors }。最新は{ $when }のものです。
note-kind = { $kind ->
    [chip] チップ
    [task] タスク
    [issue] 課題
    [knowledge] ナレッジ
    [forum] フォーラム
    [cooldown] クールダウン
    [coupling] カップリング
   *[qubit] 量子ビット
 }
count-of-kind = { $kind } { $count }件
unknown-authors = 不明

## Errors of tools: files and tables

file-type-not-taken = このモデルは{ $type }のファイルを読めません。
file-too-large = { $file }は{ $megabytes } MBを超えています。
file-unreadable = { $file }を読み取れません：{ $why }。
file-not-utf8 = { $file }はUTF-8のテキストではありません。
answer-without-it-hint = それを使わずに回答し、その旨を伝えてください。
file-missing = { $file }がありません。
file-no-access = { $file }を読み取れません。
no-column = 表に列{ $column }がありません。
no-column-hint = すべての列を見るには `columns` を省いてください。
dropped-not-a-table = { $file }はCSVでもParquetでもありません。
dropped-not-a-table-hint = どちらかの形式で保存して、もう一度ドロップしてください。
dropped-unreadable = { $file }を読み取れません：{ $why }。
dropped-unreadable-hint = ファイルが欠けていないか確認してください。
dropped-too-large = ファイルには値が{ $count }個あります。上限は{ $most }個です。
data-from-file = data[「{ $key }」]はファイルから読み込んだものです。
data-from-file-hint = ファイルをもう一度パネルにドロップしてください。
data-is-a-copy = data[「{ $key }」]はどの会話にも属さないコピーです。
data-is-a-copy-fetch-hint = `copilot.tools.{ $tool }(…)` でもう一度取得してください。
data-is-a-copy-draw-hint = 表は `qdash_jupyter.explore` で描画してください。

## Errors of tools: calls

tool-name-invalid = 「{ $name }」はツールの名前に使えません。
tool-name-invalid-hint = 64文字までの英数字と下線を使ってください（例：get_fridge_log）。
tool-name-taken = ツール{ $name }はすでにあります。
tool-name-taken-hint = 別の名前にしてください。
tool-elsewhere = { $name }はモデルサーバーのツールです。実行できるのはそのサーバーだけです。
tool-elsewhere-hint = それを使わずに回答してください。
tool-unknown = ツール「{ $name }」はありません。
tool-unknown-hint = ツール：{ $names }。
tool-call-limit = { $name }を呼べるのは1つの質問につき{ $count }回までです。
tool-timed-out = { $name }は{ $seconds }秒でタイムアウトしました。
tool-timed-out-client = { $name }はクライアントの制限時間でタイムアウトしました。
tool-timed-out-hint = 量子ビットを減らすか、期間を短くしてください。
tool-timed-out-act-hint = 実際には行われた可能性があります。もう一度試す前に確認してください。
tool-failed-inside = copilotの内部でツールが失敗しました。詳細はcopilotのログにあります。
tool-failed-with = ツールが失敗しました：{ $why }
arguments-not-json = { $name }の引数がJSONとして正しくありません：{ $why }。
arguments-not-an-object = { $name }の引数はJSONのオブジェクトでなければなりません（受け取った値：{ $value }）。
arguments-required = JSONのオブジェクトを1つ送ってください。必須：{ $schema }。
arguments-optional = 省略可：{ $names }。
arguments-wrong = { $name }の引数が正しくありません：{ $why }。
arguments-wrong-hint = スキーマ：{ $schema }
argument-meant = 不明な引数「{ $name }」（もしかして：{ $meant }）
argument-of-others = ここに「{ $name }」はありません。これを持つツール：{ $tools }
argument-unknown = 「{ $name }」はありません
argument-too-large = { $name }：{ $reference }が大きすぎます（{ $count }文字）。
argument-too-large-hint = 一部だけを送ってください。
argument-file-outside = { $name }：{ $file }は隠しファイルか、作業フォルダーの外にあります。
argument-file-too-large = { $name }：{ $file }はファイルではないか、{ $most }バイトを超えています。
argument-file-unreadable = { $name }：{ $file }を読み取れません：{ $why }。
argument-file-hint = 作業フォルダー{ $folder }/ 以下のテキストファイルを指定してください（例：file:notes.md）。
argument-not-plain = { $name }：変数{ $variable }に、copilotが読まないオブジェクトがあります。
argument-not-plain-hint = pandasの表、配列、リスト、辞書、文字列、数値を送ってください。
is-not-utf8 = UTF-8のテキストではありません

## Errors of tools: Python functions as tools

function-no-docstring = ツール{ $name }にdocstringがありません。
function-no-docstring-hint = 何を返すかをdocstringに書いてください。モデルがそれを読みます。
function-not-a-tool = { $value }はツールではありません。
function-not-a-tool-hint = ToolSpec、または型とdocstringのある関数を渡してください。
function-arguments = ツール{ $name }の引数を記述できません：{ $why }。
function-arguments-hint = モデルはJSONを送ります。文字列、数値、リスト、pydanticのモデルを使ってください。
function-no-type = ツール{ $name }の引数{ $parameter }に型がないか、名前で渡せません。
function-no-type-hint = 名前と型を書いてください：`chip_id: str`
function-types = ツール{ $name }の型を読み取れません：{ $why }。
function-types-hint = 型に使う名前を、実行時にも使えるようにインポートしてください。

## Tool sets

tool-set-needs-package = パッケージをインストールしてください：pip install 'qdash_jupyter[{ $extra }]'（{ $why }）。
tool-set-not-opened = ツールセットを開けません：{ $why }。
no-built-in-tool = この名前の組み込みツールはありません。
kind-model = モデル
in-models = `models` に
keyring-needs-package = 秘密情報はキーリングにあります。パッケージをインストールしてください：pip install 'qdash_jupyter[keyring]'
secret-in-variable = 環境変数{ $name }
secret-in-keyring = キーリングの{ $name }
secret-missing = { $place }に秘密情報がありません。
secret-missing-hint = ユーザーが保存する必要があります。
secret-not-sendable = { $place }の秘密情報に送信できない文字があります。
secret-not-sendable-hint = もう一度コピーしてください。
keyring-not-installed = 秘密情報はキーリングにありますが、keyringパッケージがインストールされていません。
keyring-not-installed-hint = 「pip install 'qdash_jupyter[keyring]'」を実行してください。
keyring-unreadable = キーリングの{ $name }を読み取れません（{ $why }）。
keyring-unreadable-hint = ユーザーがキーリングのロックを解除する必要があります。
model-gave-no-reply = モデルの応答が回答なしで終わりました。
model-gave-no-reply-hint = もう一度質問してください。
attachment-unreadable = { $name }は{ $type }とされていますが、読み取れません：{ $why }。
attachment-unreadable-hint = 別のものを求めるか、ユーザーに伝えてください。
tell-the-user-hint = ユーザーに伝えてください。
try-later-hint = 後でもう一度試してください。
try-later-or-tell-hint = 後でもう一度試すか、ユーザーに伝えてください。
correct-arguments-hint = 引数を修正してください。
ask-for-less-hint = 求める量を減らしてください。
rest-base-url = base_urlがhttps://lab.example/apiのようなアドレスではありません。
rest-write-method = { $method }にはfeatures.write_methods.enabled: trueが必要です。
rest-argument-name = 「{ $name }」は引数の名前に使えません。別の名前にし、リクエスト用に `name: { $name }` を指定してください。
rest-path-arguments = `in: path` の引数が{ $path }と一致しません：{ $names }。
rest-no-answer = { $server }が応答しないか、接続が切れました（{ $why }）。
rest-request = { $server }へのリクエストを作れません：{ $why }。
rest-redirects = { $server }のリダイレクトが多すぎるか、リダイレクトでリクエストの種類が変わります。
rest-unauthorized = { $server }は認証を受け付けませんでした（HTTPステータス401）。
rest-status = { $server }の応答はHTTPステータス{ $status }でした。
server-said = サーバーからのメッセージ：{ $words }
answer-too-large = 応答が{ $size }を超えています。
rest-path-part = { $name }の値「{ $value }」はパスの一部に使えません。
rest-path-part-hint = IDか名前を指定してください。
answer-not-text = 応答が{ $type }で、テキストではありません。
answer-not-text-hint = ユーザーはこの種類に対してresponse_as_attachmentを有効にできます。
answer-not-json = 応答はJSONとされていますが、JSONではありません：{ $why }。

## Tool sets: addresses in the settings

fetch-not-allowed = 設定により{ $url }は取得できません。
fetch-not-allowed-hint = features.external_url_fetch.enabled: trueと、管理者による{ $variable }=trueが必要です。
fetch-redirects = { $url }のリダイレクトが多すぎます。
fetch-redirects-hint = 最終的なアドレスを指定してください。
fetch-timed-out = { $url }は{ $seconds }秒でタイムアウトしました。
fetch-timed-out-hint = もう一度試すか、ここにコピーを保存してください。
fetch-failed = { $url }を取得できません：{ $why }。
fetch-failed-hint = ブラウザーで確認してください。
fetch-status = { $url }の応答はHTTPステータス{ $status }でした。
fetch-status-hint = アドレスを確認してください。
fetch-too-large = { $url }は{ $size }を超えています。
fetch-too-large-hint = もっと小さいファイルを指定してください。
fetch-address = { $url }は取得できるアドレスではありません。
fetch-address-hint = 「https://」で始まり、ユーザー名とパスワードのないアドレスを使ってください。
fetch-private = { $url }は公開インターネット上にありません。
fetch-private-hint = 自分のネットワークのファイルはフォルダーにコピーし、そのフォルダーを指定してください。

## Tool sets: skills

skill-name-taken = スキル{ $name }はすでにあります。
skill-no-front-matter = フロントマターがありません。
skill-no-front-matter-hint = ファイルの先頭に `---`、`name:`、`description:`、`---` を書いてください。
skill-not-yaml = フロントマターがYAMLとして正しくありません。
skill-not-yaml-hint = `name:` と `description:` の行を書いてください。
skill-name-invalid = { $name }はスキルの名前に使えません。
skill-name-invalid-hint = 64文字までの英小文字、数字、ハイフンを使ってください。
skill-no-description = 説明（description）がないか、長すぎます。
skill-no-description-hint = どんなときに読むスキルかを1文で書いてください。
skill-folder-differs = スキルの名前は{ $name }ですが、フォルダーは{ $folder }です。
skill-folder-differs-hint = 両方を同じ名前にしてください。

## Tool sets: MCP servers

mcp-schema = { $name }のスキーマを使えません：{ $why }。
mcp-same-name = 名前が{ $name }になるツールが2つあります。2つ目は除かれます。
mcp-not-connected = サーバーに接続できません（{ $why }）。詳細はcopilotのログにあります。
mcp-schema-type = typeが "object" ではなく{ $type }です
mcp-schema-properties = propertiesがオブジェクトではありません
mcp-schema-required = `required` が名前のリストではありません
mcp-schema-argument = 引数{ $name }の型{ $type }はJSON Schemaにありません
mcp-server = サーバー{ $name }（{ $address }）
mcp-no-reason = { $name }が理由を示さずに失敗しました。
try-other-arguments-hint = 別の引数を試してください。
mcp-unauthorized = { $server }にはキー、または別のキーが必要です（HTTPステータス401）。
mcp-unauthorized-hint = { $variable }を設定し、ツールセットで指定してください。
mcp-refused = { $server }が呼び出しを拒否しました：{ $why }
mcp-refused-status = { $server }が呼び出しを拒否しました（HTTPステータス{ $status }）：{ $why }
mcp-unreachable = { $server }に接続できません：{ $why }。
mcp-unreachable-hint = 起動しているか確認してください。
mcp-unexpected = { $server }から想定外の応答がありました：{ $why }
mcp-unexpected-hint = 別の方法を試してください。
mcp-too-slow = { $server }が{ $seconds }秒以内に応答しませんでした。
mcp-lost = { $server }との接続が切れました。
mcp-lost-hint = もう一度試してください。
mcp-wrote = サーバーの出力：{ $words }
mcp-lost-in-call = 呼び出しの途中だったため、実際には行われた可能性があります。
mcp-lost-in-call-hint = もう一度呼ぶ前に確認してください。

## Explorer of tables

explore-no-rows = この表には行がありません。
explore-no-rows-hint = もう一度取得するか、別の表を選んでください。
explore-no-numbers = この表には描画できる数値の列がありません。
explore-no-columns-hint = 列がありません。
explore-columns-hint = 列：{ $names }。
explore-nothing-selected = 選択した行に値がありません。
explore-nothing-selected-hint = 選択を増やすか、期間を長くしてください。
explore-nothing-to-choose = 選択できるものがありません。
explore-read-again-hint = 表をもう一度読み込んでください。
explore-none-chosen = { $what }が選択されていません。
explore-none-chosen-hint = 1つ以上選択してください。
explore-column-gone = 表に列{ $column }がもうありません。
explore-table-gone = { $name }はもうありません。
explore-table-gone-hint = パネルのデータ一覧などでもう一度取得してから、読み込み直してください。
explore-label = { $name ->
    [metric] 指標
    [chart] グラフ
    [against] 横軸
    [from] 開始
    [until] 終了
    [couplings] カップリング
   *[qubits] 量子ビット
 }
explore-kind = { $kind ->
    [trend] 時系列
    [histogram] ヒストグラム
    [against] 別の指標との関係
   *[by_element] { $what }別
 }
explore-all = すべて（{ $count }）
explore-reload = 再読み込み
explore-reload-tip = 表を読み込み直します（新しい行があるかもしれません）
explore-code = コードにする
explore-code-tip = このグラフを描くセルを、現在のセルの下に挿入します
explore-code-name = このグラフのコード
explore-title = { $title }：値{ $count }個{ $step ->
    [1] {""}
   *[other] 、{ $step }個に1個を表示
 }
explore-against = { $metric }と{ $other }
explore-time = 時刻
explore-zoned = { $name }（{ $zone }）
explore-several-units = 複数の単位
explore-daily-median = 日ごとの中央値
qubit-or-coupling = { $kind ->
    [coupling] カップリング
    [qubit] 量子ビット
   *[other] 量子ビットまたはカップリング
 }

## Models in use

offline-planner = オフラインプランナー（言語モデルなし）
scripted-replies = 用意された応答
cassette-of = { $model }の記録
no-recorded-model = モデルなし
this-kernel = このカーネル
this-process = このプロセス

## Time ranges

not-a-time = { $name }の値「{ $text }」は時刻ではありません。
not-a-time-hint = 「30d」「24h」、または「2026-05-01」のようなISO形式の日付にしてください。
since-not-before-until = `since` が `until` より前ではありません。
since-not-before-until-hint = `since` には期間の古いほうの端を指定してください。
since-to-come = 期間の始まりが未来です。現在は{ $now }です。
since-to-come-hint = 過去の時刻を指定してください。
model-of-code = コードで定義
costs-nothing = なし

## Long conversations

still-too-long = 一度に尋ねる量を減らすか、新しい会話を始めてください。取得したデータは `copilot.data` に残っています。

## Tools with the name of ours

built-in-name-taken = 同じ名前のツールがあるため、組み込みツールは使えません。そのツールの名前を変えてください

## Ages and badges

age-now = たった今
age-past = { $amount }前
age-ahead = { $amount }後
badge = { $assessment ->
    [good] 評価: ✓ 良好
    [warning] 評価: ⚠ 注意
   *[bad] 評価: ✕ 不良
}

## Planner: a question in words that it reads

ask-against = { $x }と{ $y }
ask-what = { $asked ->
    [values] { $named ->
        [yes] { $metrics }
       *[no] 全パラメータ
    }
    [history] { $metrics }の推移
    [histogram] { $metrics }のヒストグラム
    [relation] { $scatter ->
        [yes] { $metrics }の散布図
       *[no] { $metrics }の相関
    }
    [map] { $metrics }のヒートマップ
    [change] { $direction ->
        [down] { $named ->
            [yes] { $metrics }が低下
           *[no] 低下したもの
        }
        [up] { $named ->
            [yes] { $metrics }が上昇
           *[no] 上昇したもの
        }
       *[either] { $named ->
            [yes] { $metrics }が変化
           *[no] 変化したもの
        }
    }
    [windows] { $named ->
        [yes] { $metrics }
       *[no] { $named_whose ->
            [yes] { $whose }
           *[no] チップ
        }
    }を比較
    [fit] { $fit ->
        [exponential] { $metrics }の指数関数の当てはめ
       *[line] { $metrics }の直線の当てはめ
    }
    [stability] { $metrics }の安定性
    [allan] { $metrics }のアラン偏差
    [telegraph] { $metrics }のテレグラフノイズ
    [outliers] { $metrics }の外れ値
    [when_changed] { $direction ->
        [down] { $named ->
            [yes] { $metrics }
           *[no] 値
        }はいつ低下
        [up] { $named ->
            [yes] { $metrics }
           *[no] 値
        }はいつ上昇
       *[either] { $named ->
            [yes] { $metrics }
           *[no] 値
        }はいつ変化
    }
    [compare] { $metrics }{ $whose }を比較
    [difference] { $metrics }の差
    [verdict] { $direction ->
        [down] { $whose }は悪化
        [up] { $whose }は改善
        [either] { $whose }は変化
       *[none] { $named ->
            [yes] { $metrics }
           *[no] { $whose }
        }の問題
    }
    [health] チップの状態
    [recalibrate] 再校正が必要な{ $kind ->
        [coupling] カップリング
        [qubit] 量子ビット
       *[none] もの
    }{ $count ->
        [0] {""}
       *[other] {" "}· { $count }個
    }
    [best_set] つながった{ $count }量子ビット
    [chain] { $count }量子ビットのチェーン
    [measurements] { $how_many ->
        [yes] { $metrics }の測定の回数
       *[no] { $nth ->
            [first] { $metrics }の最初の測定値
            [0] { $count ->
                [0] { $metrics }の測定値
               *[other] { $metrics }の測定値を最新{ $count }件
            }
           *[other] { $metrics }の{ $nth }番目に新しい測定値
        }
    }
    [excluded] { $metrics }の除外された値
    [age] { $metrics }はいつのもの
    [unmeasured] { $never ->
        [yes] { $named ->
            [yes] { $metrics }が一度も測定されていない
           *[no] 一度も測定されていないもの
        }
       *[no] { $named ->
            [yes] { $metrics }が測定されていない
           *[no] 測定されていないもの
        }
    }
    [trust] { $metrics }の信頼性
    [results] { $status ->
        [failed] 失敗した結果
        [completed] 成功した結果
        [running] 実行中の結果
       *[none] 結果
    }{ $how_many ->
        [yes] の件数
       *[no] { $count ->
            [0] {""}
           *[other] 最新{ $count }件
        }
    }
    [duration] { $order ->
        [highest] 最も遅いタスク{ $count ->
            [0] {""}
           *[other] { $count }個
        }
        [lowest] 最も速いタスク{ $count ->
            [0] {""}
           *[other] { $count }個
        }
       *[none] タスクの所要時間
    }
    [runs] { $order ->
        [highest] 最長の
        [lowest] 最短の
       *[none] {""}
    }{ $status ->
        [failed] 失敗した実行
        [completed] 成功した実行
        [running] 実行中の実行
       *[none] 実行
    }{ $how_many ->
        [yes] の件数
       *[no] { $count ->
            [0] {""}
           *[other] 最新{ $count }件
        }
    }
    [notes] メモ{ $count ->
        [0] {""}
       *[other] 最新{ $count }件
    }
    [machine_state] キャリブレーションノート
    [versions] { $metrics }のバージョン
    [origin] { $metrics }の来歴
    [neighbours] { $named_whose ->
        [yes] { $whose }の隣
       *[no] トポロジー
    }
   *[parameters] パラメータ一覧
}
ask-ranked = { $every ->
    [yes] 全{ $kind ->
        [coupling] カップリング
       *[qubit] 量子ビット
    }を{ $metrics }の{ $order ->
        [worst] 悪い順
        [best] 良い順
        [lowest] 低い順
       *[highest] 高い順
    }に
    [some] { $metrics }の{ $order ->
        [worst] 悪い順
        [best] 良い順
        [lowest] 低い順
       *[highest] 高い順
    }に並べて
   *[no] { $stability ->
        [yes] { $metrics }の安定性
       *[no] { $metrics }
    }の{ $order ->
        [worst] ワースト
        [best] ベスト
        [lowest] 最小
        [highest] 最大
       *[both] ベスト{ $count ->
            [0] {""}
           *[other] { $count }
        }とワースト
    }{ $count ->
        [0] {""}
       *[other] { $count }
    }{ $kind ->
        [coupling] のカップリング
       *[qubit] の量子ビット
    }
}
ask-statistic = { $statistic ->
    [mean] { $metrics }の平均値
    [deviation] { $metrics }の標準偏差
    [lowest] { $metrics }の最小
    [highest] { $metrics }の最大
    [extremes] { $metrics }の最小と最大
    [fraction] { $metrics }の割合
   *[median] { $metrics }の中央値
}
ask-way = { $direction ->
    [down] 低下
    [up] 上昇
   *[either] 変化
}
ask-order = { $order ->
    [worst] ワースト
    [best] ベスト
    [lowest] 最小
   *[highest] 最大
}{ $count ->
    [0] {""}
   *[other] { $count }
}
ask-coupling = カップリング{ $name }
ask-chip = { $name }チップ
ask-rate = { $status ->
    [completed] 成功率
   *[failed] 失敗率
}
ask-of = { $names }
ask-how-many = 何個
ask-kind = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
}
ask-low = 悪い
ask-good = 良い
ask-or = または{ $words }
ask-among = そのうち
ask-in-run = { $newest ->
    [yes] 最新の実行で
   *[no] その実行
 }
ask-newest = 最新値
ask-most-often = { $per ->
    [qubit] 量子ビット別に最も多く
    [coupling] カップリング別に最も多く
   *[task] タスク別に最も多く
}{ $count ->
    [0] {""}
   *[other] { $count }件
}
ask-largest = 大きい順に{ $count }個
ask-neighbours = { $names }の隣
ask-mux = MUX{ $number }
ask-without = { $names }以外
ask-named = { $field ->
    [run] 実行 { $name }
    [tag] { $name }タグ
    [text] 「{ $name }」
    [user] ユーザー{ $name }
   *[task] { $name }
}
ask-by = 変化量{ $amount }以上
ask-closer = { $amount }より近い
ask-per = { $per ->
    [day] 1日あたり
    [week] 1週間あたり
    [month] 1か月あたり
    [qubit] 量子ビット別
    [mux] MUX別
    [user] ユーザー別
   *[task] タスク別
}
ask-form = { $form ->
    [bars] 棒グラフ
    [names] 名前だけ
   *[plot] グラフ
}
ask-flag = { $flag ->
    [errors] エラー
    [why] 原因
    [reliable] 信頼できる当てはめだけ
    [cooldown] 今回のクールダウン
    [who] 誰
   *[ever] 一度でも
}
ask-between = { $metric }が{ $low }以上{ $high }以下
ask-condition = { $side ->
    [below] { $metric }が{ $limit }未満
    [below-or-equal] { $metric }が{ $limit }以下
    [above] { $metric }が{ $limit }を超える
   *[above-or-equal] { $metric }が{ $limit }以上
}
ask-times = { $name }の{ $factor }倍
ask-range = { $first }から{ $last }
offer-nearest = オフラインプランナーはこの質問に回答できません。回答できる近い質問：
offer-meanings = この質問は複数の意味に取れます。どれですか？
offer-not-understood = 読み取れなかった語：{ $words }
offer-corrected = 「{ $word }」を「{ $better }」
offer-read-as = { $words }と解釈しました。
offer-too-long = オフラインプランナーが読める質問は{ $most }文字までです。短くするか、モデル（`QDASH_COPILOT_MODEL`）を設定してください。
no-such-offer = { $number }番の質問候補はありません。
no-such-offer-hint = 1から{ $count }までの番号を選んでください。
no-offers-hint = 直前の回答に質問候補はありません。先に質問してください。
offers-in-a-run = 回答していません。オフラインプランナーが回答できない質問です。
offers-in-a-run-hint = 上の質問のどれかに書き換えるか、モデルを設定してください。
ask-help = 何が聞けますか？
ask-group = { $group ->
    [chip] チップ
    [values] 値
    [which] 条件に合う量子ビット・カップリング
    [time] 時間変化
    [spread] 統計
    [results] 測定・結果・実行
   *[notes] メモと来歴
}
offer-all = 言語モデルがない場合、copilotは次のような質問に回答できます。量子ビット、パラメータ、しきい値、期間は置き換えられます：
offer-model = 言語モデルなしでは、チップのデータに関する質問だけに回答します。ほかの質問には、{ $place ->
    [page] 質問欄の下のメニューでモデルを選んでください。
   *[terminal] `QDASH_COPILOT_MODEL`にモデル名、`OPENAI_API_KEY`にキー（ほかのサーバーでは`OPENAI_BASE_URL`も）を設定し、もう一度起動してください。
 }
