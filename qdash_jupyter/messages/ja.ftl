### 利用者に表示する文（日本語）。en.ftl と同じメッセージを持つ。書き方は docs/words.md を参照。

## Joining

list = { $first }、{ $next }
list-and = { $first }、{ $last }
list-or = { $first }、{ $last }
list-more = { $items } ほか{ $more }個
sentences = { $first }{ SPACE_AFTER($first) }{ $rest }
lines =
    { $first }
    { $rest }

## Errors of all tools: what does not exist

not-found = { $what } '{ $asked }' はありません。
not-found-there = { $where }{ $what } '{ $asked }' はありません。
not-found-nearest = もしかして: { $names }
not-found-known = あるもの: { $names }。
kind-chip = チップ
kind-cooldown = クールダウン
kind-coupling = カップリング
kind-entity = エンティティ
kind-file = ファイル
kind-metric = 指標
kind-note-kind = ノートの種類
kind-note-of-run = 次の実行のキャリブレーションノート
kind-parameter = パラメータ
kind-project = プロジェクト
kind-qubit = 量子ビット
kind-result = 結果
kind-run = 実行
kind-skill-file = このスキルのファイル
kind-table = 表
kind-tag = タグ
kind-task = タスク
kind-task-id = タスク ID
kind-tool = ツール
kind-user = ユーザー
kind-variable = 変数または保存された結果
on-chip = チップ { $chip } に
of-task-on = { $qid } の { $task } に
in-result = { $key } に
in-newest = 最新の{ $count }件に
in-project = プロジェクト { $project } に
among-elements = { $chip } の{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }に
on-server = このサーバーに

## Errors of tools: chips

no-chip = データベースにチップがありません。
no-chip-hint = データベース名とプロジェクトを確認してください。
several-chips = 該当するチップが複数あります: { $chips }。
several-projects = チップ { $chip } は複数のプロジェクトにあります: { $chips }。
several-chips-hint = プロジェクト/チップ の形で指定してください。
both-kinds-of-ids = 量子ビットとカップリングの ID が混在しています。
both-kinds-of-ids-hint = 2 回に分けて呼び出してください。

## Errors of tools: withheld data

withheld = { $setting } により送信されません: { $names }。
withheld-hint = copilot からは読めません。QDash で確認してください。

## Errors of tools: calibration notes

no-calibration-notes = チップ { $chip } のキャリブレーションノートはありません。
calibration-notes-without = 最新の{ $count }件のキャリブレーションノートに { $qid } の記載がありません。
calibration-notes-hold = 記載があるもの: { $names }。
no-calibration-note-fits = 条件をすべて満たすキャリブレーションノートはありません。
calibration-note-newest = 最新は { $when } のものです（実行 { $run }、タスク { $task }）。
unknown-time = 時刻不明

## Stages of a question

stage-connecting = データベースとモデルに接続中…
stage-reading-result = 結果と関連情報を読み込み中…
stage-reading-qubit = { $qid }の現在の値を取得中…
stage-sending-pictures = 画像をモデルに送信中…
stage-thinking = 考え中…
stage-complete = 完了

## Why a question ended early

ended-stopped = 停止しました。
ended-max-rounds = モデルがツール呼び出しの上限に達し、回答が得られませんでした。質問を絞ってください。
ended-budget = 上限に達し、回答が得られませんでした。質問を絞ってください。
ended-repeated-call = モデルが同じツール呼び出しを繰り返し、回答が得られませんでした。質問を絞ってください。
ended-tool-timed-out = ツールがタイムアウトしたため、設定（`limits.on_tool_timeout` またはツールの `fallback`）により質問を終了しました。取得済みの結果は残っています。範囲を絞るか、`continue` に設定してください。
ended-tool-failed = ツールが失敗したため、設定（ツールの `fallback`）により質問を終了しました。取得済みの結果は残っています。原因はステップに表示されています。
ended-empty = モデルの回答が空でした。もう一度質問するか、言い換えてください。
ended-at-limit = *上限（{ $limit ->
    [max_iterations] ツール呼び出し{ $most }ラウンド
    [max_same_call] 同じツール呼び出し{ $most }回
    [max_tool_calls] 1つの質問につきツール呼び出し{ $most }回
    [max_tokens] 1つの質問につき{ $most }トークン
    [max_seconds] 1つの質問につき{ $most }秒
   *[conversation_tokens] この会話につき{ $most }トークン
 }、`{ $setting }`）に達したため終了しました。回答は不完全かもしれません。*
cut-short-tokens = *モデルが出力トークンの上限（`max_output_tokens`）に達したため、回答はここで終わっています。続きを質問するか、上限を上げてください。*
cut-short-filter = *モデルのサーバーのコンテンツフィルターにより、回答はここで終わっています。言い換えて質問してください。*
cut-short-otherwise = *モデルのサーバーが中断したため、回答はここで終わっています。続きを質問してください。*

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
next-failed = 今週失敗したタスクは？
next-changed = 今週何が変わった？

## Service: stages as QDash's page shows them

service-thinking = AIが考え中...
service-analysing = AIが分析中: { $tool }...
service-build-context = 分析コンテキストを構築中...
service-load-images = 画像をAIに送信中...
service-run-analysis = AI分析を開始中...
service-run-chat = AIとの対話を開始中...
service-complete = 完了
service-load-config = 設定を読み込み中...
service-load-qubit-params = キュービットパラメータを読み込み中...
service-load-issue = Issueを読み込み中...
service-build-history = スレッドから会話履歴を構築中...
service-load-context = タスクのコンテキストを読み込み中...
service-save-reply = 返信を保存中...

## Questions and conversations

ask-again = もう一度質問してください。
defect = copilot の内部で問題が発生しました。詳細は copilot のログにあります。
question-empty = 質問が空です。
question-empty-hint = 知りたいことを書いてください（例:「T1が低下した量子ビットは？」）。
question-too-long = 質問が{ $count }文字あります。上限は{ $most }文字です。
question-too-long-hint = 短くしてください。データを貼り付ける必要はありません。copilot がデータベースを読み取ります。
question-gone = この質問はもう会話にありません。
step-gone = このステップはもう会話にありません。
step-without-table = このステップは表を取得していません。
kernel-ended-first = この質問に答える前にカーネルが停止しました。
still-running = この質問はまだ実行中です。
still-running-hint = 先に wait() を呼んでください。
last-still-running = 前の質問がまだ実行中です。
last-still-running-hint = 終わるのを待つか、copilot.stop() で停止してください。
no-variable = このカーネルに変数 '{ $name }' はありません。
no-variable-hint = 先に、それを作るセルを実行してください。
too-many-variables = 質問に{ $count }個の変数が含まれています。上限は{ $most }個です。
name-fewer = 数を減らしてください。
no-model = 設定にモデル '{ $name }' はありません。設定にあるもの: { $names }。
no-model-hint = モデルを copilot.yaml の `models` に追加してください（docs/models.md を参照）。
no-panel = この copilot にはパネルがありません。
no-panel-hint = `qdash_jupyter.open_copilot` か `%load_ext qdash_jupyter` を使ってください。
fetch-with-current = 現在の copilot で取得してください: `copilot.tools.{ $tool }(…)`
conversation-closed = これを取得した会話は閉じられています。
conversation-closed-first = データが届く前に会話が閉じられました。
no-table-any-more = { $tool } はこの引数ではもう表を返しません。
data-stay = 手元のデータは残っています。
not-sent-yet = { $endpoint } にはまだ何も送信されていません。
not-sent-yet-hint = 送信される内容を質問欄の上で確認してから、もう一度試してください。

## Approvals

no-hash = '{ $text }' はコードのハッシュではありません。
no-hash-hint = コードの横に表示されたハッシュを { $digits } 桁以上指定してください。
already-decided = これはすでに決定されています。
already-decided-hint = copilot の現在の表示を確認してください。
code-changed = 表示された後にコードが変更されています。
code-changed-hint = もう一度確認してください。
nobody-can-be-asked = ここでは承認を求められません。このコードだけを許可するには、質問の前にハッシュで承認してください: %copilot approve { $hash }
decided-by = { $name }（{ $where }）
by-its-hash = ハッシュ
by-its-hash-before = 事前にハッシュで
below-the-cell = セルの下
in-the-panel = パネル

## Kept conversations

no-history-here = ここに保存された会話はありません。
no-history-here-hint = ノートブックを開いてください。
no-conversation-before = 前の会話に戻れません。
no-conversation-before-hint = 会話の一覧から選んでください。
conversation-empty = 質問がないか、会話を保存しない設定です（`history`）。
choose-another-conversation = 別の会話を選んでください。
conversation-gone = この会話はもう保存されていません。
conversation-gone-hint = 別のカーネルが削除したのかもしれません。
conversation-in-use = 別のカーネルがこの会話を開いています。
conversation-in-use-hint = そちらで新しい会話を始めるか、そのカーネルを停止してください。
conversation-not-deleted = 会話を削除できませんでした: { $why }。
conversation-unreadable = 会話を読み取れませんでした: { $why }。
conversation-file = ファイル: { $path }
title-not-kept = タイトルを保存できませんでした: { $why }。
title-place = フォルダー: { $path }
history-bad-id = ノートブックにある会話の ID が無効なため、新しい会話を始めます。
history-not-kept = この会話は保存されません: { $why }。カーネルが停止するまで続きます。
history-not-opened = ログを開けなかったため、この会話は保存されません。詳細は copilot のログにあります。
history-unusable = 保存された会話を使えないため（{ $why }）、そのまま残します: { $path }。新しい会話を始めます。
history-damaged = 保存された会話が壊れています（{ $items }）。読める部分を使います。
history-copied = 別のカーネルがこの会話を開いているため、ここではコピーを使います。
log-damaged = 壊れています
log-of-other-version = 別のバージョンの qdash-jupyter で書かれています
log-too-long = { $mb } MB を超えています

## What is in use

database-as-of = { $database }、{ $time } UTC 時点
chip-in-use = { $chip }（プロジェクト { $project }、{ $count }量子ビット）
chip-not-chosen = 未選択
code-trusted = カーネル内、隔離なし（policy: trusted）
code-inserted = セルを挿入し、実行は利用者が行う（policy: insert_only）
code-confined = 専用のプロセス内: { $by }
code-each-approved = カーネル内、毎回承認後
status-database = データベース
status-chip = チップ
status-model = モデル
status-planner = { $model }: 決まった種類の質問に回答
status-endpoint = 接続先
status-code = コード
status-learned = モデルのサーバー
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
sends-results = ツールの結果の要約と、解析セルの出力
sends-knowledge = 設定で指定された文書（`knowledge`、`contexts`、`skills`）
sends-pictures = 質問の対象となる結果やセルの画像
stays = 表の全体と、質問の対象でないセルは、このカーネルに残ります。鍵とパスワードは送信されません。送信した内容は `%copilot sent` でそのまま確認できます。
stays-withheld = `privacy.never_send` により送信されません: { $names }。

## Questions to start with

start-health = チップの状態は？
start-lost-t1 = 過去30日でT1が下がった量子ビットは？
start-lowest-readout = 読み出し忠実度が最も低い5つの量子ビットは？
start-map-t1 = T1のヒートマップ
start-map-t2-echo = T2 echoのヒートマップ
start-map-frequency = 量子ビット周波数のヒートマップ
start-table = @{ $name } で目立つ点は？
start-with-skill = { $question }（先にスキル { $skill } を読むこと。）

## Results in the kernel and cells of an answer

result-gone = この結果はもうありません。
result-gone-hint = そのステップからもう一度取得してください。
key-gone = { $key } はもうありません。
key-failed = { $key }: { $why }
not-a-table = { $key } は表として表示できません。セルで開いてください。
documents-read = { $name } { $count }件
data-version = バージョン{ $number }、{ $data ->
    [same] 同じデータ
   *[new] 新しいデータ
 }
data-version-beside = バージョン{ $number }、{ $data ->
    [same] 同じデータ
   *[new] 新しいデータ
 }。変更された { $name } はそのまま残ります
no-cells-added = この回答はセルを追加していません。
no-cells-added-hint = 元に戻すものはありません。
notebook-not-open = この回答のセルを含むノートブックが開かれていません。
notebook-not-open-hint = ノートブックを開いて、もう一度試してください。
names-are-yours = { $names } は変更されているため、そのまま残ります。
cells-stay = 変更された{ $count }個のセルは残ります。
names-stay = { $names } も残ります。
cells-taken-out = { $count }個のセルを取り除きました。
no-ended-question = 終わった質問がありません。
no-ended-question-hint = 質問するか、実行中のものを停止してください。
undo-in-panel = このカーネルはセルの実行中に「元に戻す」を受け取れません。
undo-in-panel-hint = パネルで「元に戻す」を押してください。
cell-not-open = このセルを含むノートブックが開かれていません。
cell-not-open-hint = ノートブックを開くか、新しいテキストをコピーしてください。
edit-gone = この変更はもう会話にありません。
no-failed-cell = 失敗したセルはありません。
no-failed-cell-hint = 先に、修正したいセルを実行してください。
kernel-lacks = カーネルの環境に { $name } がありません。そこで「pip install { $name }」を実行し、カーネルを再起動してください。

## Steps in the panel

tool-failed = ツールが失敗しました。
step-stopped = 終了前に停止しました。
step-question-failed = 終了前に質問が失敗しました。
step-kernel-stopped = 終了前にカーネルが停止しました。
progress-waiting-for-you = あなたの確認待ちです
waiting-for-kernel = カーネルの空き待ち: あなたのセルが実行中です
interrupt-to-stop = 停止するにはカーネルを中断（■）してください。
stop-it-first = 先に停止してください。
wait-or-stop = 終わるのを待つか、停止してください。
queue-full = すでに{ $count }個の質問が待っています。
queue-full-hint = 1つ取り除くか、回答されるまで待ってください。
not-queued = この質問はもう待っていません。
not-queued-hint = 送信されたか、取り除かれました。
keys-not-wanted = これらのキーはもう必要ありません。
no-key-here = キーがなく、ここでは入力もできません。
set-variable = { $name } を設定してください。
planner-without-key = オフラインプランナーにキーは不要です。
planner-without-key-hint = 先にモデルを選んでください（QDASH_COPILOT_MODEL）。

## Magics and the command line

no-command = コマンド `%copilot { $name }` はありません。
commands-listed = `%copilot help` でコマンドの一覧を表示します。
ask-one-word = この1語を質問するには `%copilot ask { $name }` と書いてください。
command-without-words = `%copilot { $name }` に引数は指定できません（'{ $text }'）。
command-without-words-hint = この語で始まる質問をするには `%copilot ask { $name } …` と書いてください。
option-needs-value = `--{ $name }` には値が必要です。
option-without-value = `--{ $name }` に値は指定できません。
option-write = `{ $text }` と書いてください。
bad-out-name = 回答の名前に '{ $name }' は使えません。
bad-out-name-hint = 別の名前にしてください: `--out answer`
no-option = オプション `{ $text }` はありません。
no-options = このコマンドにオプションはありません。
question-below = この形で始まる質問は引用符で囲んでください。
several-sources = データの指定が複数あります: { $names }。
several-sources-hint = 1つだけ指定してください。
analysis-needs-task = 解析には、タスクと、量子ビットまたはカップリングが必要です。
nothing-asked = まだ質問がありません。
nothing-asked-hint = 先に質問してください。
no-question = 質問 '{ $text }' はありません。
no-question-hint = 1 から { $most } までの番号を指定してください。
bad-export-name = '{ $name }' は FILE.ipynb でも FILE.md でもありません。
bad-export-name-hint = `%copilot export answer.ipynb` のように書いてください。
file-exists = { $path } はすでにあります。
file-exists-hint = 別の名前にするか、ファイルを取り除いてください。
file-not-written = { $path } に書き込めませんでした: { $why }。
choose-another-name = 別の名前にしてください。
no-folder = フォルダー { $path } がありません。
no-folder-hint = 作成するか、別の -o を指定してください。
notebook-not-written = ノートブックを書き込めませんでした: { $why }。
notebook-not-written-hint = 回答は上に表示されています。
bad-period = '{ $text }' は 10 秒以上の時間ではありません。
bad-period-hint = 30s、10m、2h のように書いてください。
no-port = { $port } はポートではありません。
no-port-hint = ポートは { $most } までの数です。
port-not-usable = ポート { $port } を使えません: { $why }。
choose-another-port = 別の --port を指定してください。
mcp-not-installed = MCP サーバー用のパッケージがインストールされていません。
server-not-installed = Jupyter Server がインストールされていません。
pip-install = 実行してください: pip install "{ $what }"

## Service: errors

conversation-used-up = この会話は{ $count }トークンを使いました。上限は{ $most }です。
conversation-used-up-hint = 新しい会話を始めるか（`copilot.new()`、取得したデータは残ります）、`limits.conversation_tokens` を上げてください。
stream-without-reply = モデルの応答が回答なしで終わりました。
sessions-not-kept = セッションを保存できませんでした: { $why }。
sessions-not-kept-hint = ユーザーのデータフォルダーに書き込めるか確認してください。
no-issue = Issue '{ $id }' はありません。
no-issue-hint = Issue、またはその投稿の ID を指定してください。
last-post-is-ours = 最後の投稿は copilot 自身のものです。
last-post-is-ours-hint = 質問を投稿するか、`message` として送ってください。
no-reply-to-save = 保存する返信がありません。
