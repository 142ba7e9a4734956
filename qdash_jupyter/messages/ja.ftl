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

## Planner: names, times and lists

plan-things = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }{ $count }個
plan-of = { $whose }の{ $name }
plan-both = { $x }と{ $y }
plan-amount = { $value } { $unit }
plan-points = ポイント
plan-with-value = { $what }（{ $value }）
plan-with-error = { $value }（{ $error }）
plan-item = - `{ $name }`：{ $value }
plan-count-of = { $what } { $count }件
plan-quoted = 「{ $word }」
plan-titled = { $title }：{ $names }
plan-value = **{ $what }：{ $value }**
plan-in-window = { $what }（{ $window }）
plan-all-rows = すべての行：`copilot.data['{ $key }']`
plan-last-days = 過去{ $days }日間
plan-last-hours = 過去{ $hours }時間
plan-so-far = これまで
plan-since = { $since }以降
plan-before = { $until }より前
plan-on-day = { $day }
plan-from-to = { $since }から{ $last }まで
plan-in-month = { $year }年{ $month }月
plan-tags = タグ { $tags }
plan-cooldown = クールダウン { $id }
plan-last-24-h = 24時間以内
plan-days-ago = { $days }日前
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
   *[below-good] 基準未満
 }
plan-fell = 低下
plan-rose = 上昇
plan-stable = 変化なし
plan-too-few = 測定不足
plan-unmeasured = 測定なし
plan-fitted = 適合
plan-not-determined = 決定できず

## Planner: headings of tables

plan-heading-value = 値
plan-heading-task = タスク
plan-heading-run = 実行
plan-heading-version = バージョン
plan-heading-verdict = 判定
plan-heading-before = 以前
plan-heading-now = 現在
plan-heading-change = 変化
plan-heading-since = 変化の時期
plan-heading-newest-measurement = 最新の測定
plan-heading-measured = 測定済み
plan-heading-measured-ago = 測定
plan-heading-outliers = 外れ値
plan-heading-n = 数
plan-heading-count = 測定数
plan-heading-newest = 最新
plan-heading-scatter = ばらつき
plan-heading-slope = 傾き（1日あたり）
plan-heading-finding = 内容
plan-heading-limit = 基準
plan-heading-metric = 指標
plan-heading-code = コード
plan-heading-curves = 曲線
plan-heading-means = 意味
plan-heading-depth = 段階
plan-heading-what = 内容
plan-heading-start = 開始（UTC）
plan-heading-written = 記録（UTC）
plan-heading-from = 開始（UTC）
plan-heading-status = 状態
plan-heading-message = メッセージ
plan-heading-outputs = 出力
plan-heading-outputs-or-message = 出力・メッセージ
plan-heading-name = 名前
plan-heading-took = 時間
plan-heading-tags = タグ
plan-heading-content = 内容
plan-heading-about = 対象
plan-heading-note = 内容
plan-heading-by = 記入者
plan-heading-parameter = パラメータ
plan-heading-grade = 評価
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
plan-not-considered = 考慮していない語：{ $words }
plan-cannot-answer = オフラインプランナーはこの質問に回答できません。{ $words }をここでは扱えず、除くと別の質問になるためです。最も近いもの：{ $what }（例：「{ $example }」）
plan-unknown = 言語モデルが設定されておらず、オフラインプランナーはまだこの質問に回答できません。できること：
plan-able = - { $what }：「{ $example }」
plan-set-a-model = その他の質問には、`QDASH_COPILOT_MODEL` にモデル名、`OPENAI_API_KEY` にキー（他のサーバーでは `OPENAI_BASE_URL` も）を設定し、カーネルを再起動してください。
plan-can-health = チップの状態の確認
plan-can-changes = 低下・上昇・ジャンプの検出
plan-can-select = 最も悪いもの・良いもの、条件に合うものの検索
plan-can-spread = 中央値・平均・ヒストグラム
plan-can-relation = 2つのパラメータの相関
plan-can-windows = 2つの期間の比較
plan-can-fit = 直線・指数関数の当てはめ
plan-can-unmeasured = 結果のないもの・最近測定していないものの検索
plan-can-trend = パラメータの推移、個々の測定値
plan-can-values = 量子ビットやカップリングの現在の値
plan-can-compare = 量子ビットの比較
plan-can-map = ヒートマップ
plan-can-neighbours = 隣接する量子ビットの一覧
plan-can-results = タスクの結果
plan-can-curve = 曲線の再当てはめと、値の信頼性の判定
plan-can-runs = 実行と失敗の確認
plan-can-notes = メモとキャリブレーションノートの検索
plan-can-origin = 値のバージョンと来歴
plan-no-form = { $form }では回答できません。
plan-too-many-readings = { $count }件の読み取りが必要です。一度に{ $most }件までです。
plan-too-many-columns = 表が{ $count }列になります。量子ビットは{ $most }個まで指定してください。
plan-name-two-parameters = 相関を調べるパラメータを2つ指定してください。
plan-name-two-times = 比較する期間を2つ指定してください。
plan-current-only = 複数の指標で順位を付けられるのは、量子ビットの現在の値だけです。パラメータを1つ指定してください。
plan-mixed-kinds = 量子ビットとカップリングを1つの表にすることはできません。{ $names }を別々に質問してください。
plan-wrong-unit = { $shown }は{ $name }（単位 { $unit }）と比べられません。{ $unit }で指定してください。
plan-not-yet = { $date }以降のデータはありません。最新のデータはそれより前です。
plan-map-shows = ヒートマップで表示できるのは、最新値・最良値・平均です。いずれかを指定してください。
plan-cannot-judge = { $name }の曲線はここでは判定できません。判定できるもの：{ $names }

## Planner: questions back

plan-which-chip = どのチップですか（{ $names }）？
plan-which-parameter = どのパラメータですか（{ $names }）？
plan-which-parameter-of = { $name }のどのパラメータですか（{ $names }）？
plan-which-qubit = どの量子ビットですか（{ $first }〜{ $last }）？
plan-which-coupling = どのカップリングですか（例：{ $pair }。量子ビット { $first }〜{ $last } を指定すると、そのカップリングすべて）？
plan-compare-with = { $name }をどの量子ビットと比較しますか（隣接：{ $names }、またはその他）？
plan-compare-which = どの量子ビットを比較しますか（{ $first }〜{ $last } から2個以上）？

## Planner: your cells and variables

plan-cell-failed = このセルは `{ $error }` で失敗しました。
plan-cell-failed-at = このセルは `{ $error }` で失敗しました（`{ $line }`）。
plan-cannot-fix = オフラインプランナーはコードを修正できません。言語モデルなら修正できます。`QDASH_COPILOT_MODEL` とサーバーのキー、または copilot.yaml の `models` で設定してください：docs/models.md
plan-cannot-compute = オフラインプランナーはあなたの変数で計算できません。言語モデルなら計算できます：docs/models.md
plan-table = `{ $name }` は { $kind }、{ $rows }行、{ $count }列です：{ $columns }
plan-series = `{ $name }` は { $kind }、{ $rows }行、型は { $type } です。
plan-array = `{ $name }` は形状 { $shape }、型 { $type } の配列です。
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
plan-few-compared = **{ $compared ->
    [0] { $window }に比較できるだけの{ $name }の測定がある{ $kind ->
        [coupling] カップリング
       *[qubit] 量子ビット
    }はありません。
   *[other] { $window }に比較できるだけの{ $name }の測定がある{ $kind ->
        [coupling] カップリング
       *[qubit] 量子ビット
    }は{ $measured }個中{ $compared }個だけで、そのうち{ $direction ->
        [down] 低下
        [up] 上昇
       *[either] 変化
    }したものはありません。
 }**
plan-uncertain = 判断できないもの（{ $low }〜{ $high } σ）：{ $names }
plan-by-how-much = { $name }（{ $change }）
plan-not-enough = { $name }の測定が少なく比較できないもの：{ $names }
plan-not-measured = この期間に測定がないもの：{ $names }
plan-of-these-not-measured = この期間に測定がないもの（{ $metrics }）：{ $names }
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
plan-change-of = { $window }の{ $name }の変化

## Planner: trends, windows and fits

plan-trend = **{ $whose }の{ $name }（{ $window }）**
plan-trend-of-chip = **{ $window }の{ $name }：{ $things }の最新値の中央値 { $value }**
plan-whole-chip = { $what }、チップ全体
plan-nothing-usable = { $window }の{ $name }に、使える値がありません。
plan-ranked-now = 現在の{ $name }が{ $order ->
    [best] 良い
    [lowest] 低い
    [highest] 高い
   *[worst] 悪い
 }順：{ $names }
plan-steepest = 傾きの大きい{ $count }個を表示しています（全{ $all }個はセルの変数にあります）。
plan-windows = **{ $name }：{ $second }と{ $first }の比較：{ $counts }**
plan-fit = **{ $whose }の{ $name }への{ $kind ->
    [exponential] 指数関数
   *[line] 直線
 }の当てはめ（{ $window }）**
plan-stale = **{ $window }の測定はありません（最新は{ $newest }）。** その前の同じ長さの期間（{ $moved }）を使います。

## Planner: values that meet conditions, ranks

plan-limit = { $limit }{ $kind ->
    [below] 未満
    [at-most] 以下
    [above] 超
   *[at-least] 以上
 }
plan-labs-limit = 基準値 { $limit }
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
plan-which = { $what }の{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }
plan-those-with = { $what }の{ $things }
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
plan-overall-purpose = 複数の指標で最も{ $order ->
    [best] 良い
   *[worst] 悪い
 }{ $count }個の量子ビット
plan-percentiles = 各指標でのパーセンタイルの平均で並べています。
plan-no-current-values = 現在の値がある量子ビットはありません。
plan-no-value = { $what }の値がありません。
plan-no-limit = { $name }の基準値は設定されていません。
plan-of-all = 全{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }の{ $name }
plan-sorted = { $title }を並べ替え、該当するものに印を付けたもの
plan-ordered = { $name }（{ $first ->
    [lowest] 低い順
   *[highest] 高い順
 }）
plan-meeting = 現在の条件を満たすもの
plan-chart = グラフ：{ $title }
plan-purpose = { $name }：{ $what ->
    [change] 変化
    [fit] 当てはめ
    [spread] 分布
    [windows] 2つの期間の比較
   *[trend] 推移
 }

## Planner: distributions and correlations

plan-of-kind = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }の{ $name }
plan-distribution = { $title }の分布
plan-relation = { $title }の相関
plan-statistic-of = { $whose }の{ $name }の{ $statistic ->
    [mean] 平均
    [deviation] 標準偏差
    [lowest] 最小値
    [highest] 最大値
   *[median] 中央値
 }
plan-related = **{ $how ->
    [together] { $x }と{ $y }は共に増減します。
    [opposite] { $x }と{ $y }は逆向きに増減します。
    [hint] { $x }と{ $y }には弱い相関があるかもしれません。
    [few] { $x }と{ $y }の両方の値を持つものが足りません。
   *[none] { $x }と{ $y }に相関は見られません。
 }**
plan-correlation = スピアマンの順位相関 { $r }（95 %：{ $low }〜{ $high }）、p = { $p }、{ $things }。この数では、{ $smallest }以上の相関が5回に4回見つかります。相関は因果関係を意味しません。
plan-have-both = 両方の値を持つもの：{ $things }

## Planner: unreliable fits

plan-all-fits-count = 信頼できない当てはめは除いていません。保存された値をすべて使っています。
plan-fits-count = { $name }の信頼できない当てはめは除いていません。{ $why }
plan-curves-not-judged = この項目の曲線はここでは判定できません。
plan-no-curve = これらの値の曲線がここではわかりません。
plan-reliable-only = 信頼できる当てはめの値だけ：{ $names }
plan-values-left-out = 除いた値：{ $name }の{ $all }個中{ $count }個。当てはめが信頼できないためです（{ $whys }）。
plan-left-out-why = `{ $code }` { $count }個：{ $names }
plan-none-left-out = 除いた値：なし。{ $name }の当てはめに信頼できないものはありません。
plan-values-not-judged = 判定できずそのまま使った値：{ $name }の{ $all }個中{ $count }個（曲線がわからないもの：{ $names }）。

## Planner: the chip, comparisons, what was not measured

plan-layout = **{ $topology }**：{ $layout ->
    [grid] { $grid }×{ $grid }格子
    [hex] ヘビーヘックス格子
   *[linear] 1次元鎖
 }、{ $count }量子ビット。位置：`copilot.data['topology']`
plan-no-layout = **{ $count }量子ビット、{ $pairs }カップリング。** トポロジーが不明なため、位置はわかりません。データベースにあるカップリング：`copilot.data['topology']`
plan-map = **{ $name }：中央値 { $median }**（最小 { $min }、最大 { $max }）。{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 } { $count }/{ $all }個。
plan-never-measured = 測定がないもの：{ $names }
plan-parameters = **{ $count }個のパラメータ**
plan-parameter = - `{ $parameter }`：{ $name }、結果{ $count }件
plan-neighbours = **{ $name }に隣接：{ $names }**（カップリング { $couplings }）
plan-no-neighbours = { $name }：–
plan-current-values = { $names }の現在の値
plan-compared = **{ $names }の現在の値**（括弧内は測定からの日数）
plan-no-results-at-all = 結果が一つもないもの：{ $names }
plan-unmeasured-purpose = 長い間、または一度も測定していないもの
plan-results-of = { $name }の結果
plan-any-results = 結果
plan-for-days = { $days }日以上
plan-during = { $window }に
plan-never = { $results }が一つもない{ $things }：{ $names }
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
plan-nothing-needs-attention = **問題は見つかりませんでした（{ $count }量子ビット）。**
plan-health-unknown = **{ $count }量子ビットの大半に、判定できる値がありません。表を見てください。**
plan-chip-table = チップの一覧表
plan-chip-findings = 欠測・古い値・基準外の値
plan-finding-no-results = 結果なし
plan-finding-old = 最近の測定なし
plan-measured-of = { $count }/{ $all }量子ビット

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
plan-no-points = 測定点がここではわかりません。
plan-result-excluded = この結果は除外されています。
plan-task-failed = タスクは失敗し、値は保存されていません。
plan-stored-value = 保存値 { $value }
plan-refit-value = 再当てはめ { $value }
plan-apart = 差 { $sigmas } σ
plan-reason = 理由：{ $reasons }
plan-measure-next = 次に測定すること：{ $what }
plan-stored-unreliable = 当てはめが信頼できないのに保存された値：
plan-stored-off = 再当てはめから3 σ以上離れた保存値：{ $names }
plan-failed-with-signal = 曲線から値が決まるのに失敗した結果：{ $names }
plan-without-points = 測定点のない結果：{ $count }件
plan-only-newest = 最新の{ $count }件の結果だけを確認しました。
plan-unread = 除いたもの：{ $why }

## Planner: one result

plan-read-result = **{ $what }：{ $found }**
plan-no-output-kept = 出力なし（悪すぎる当てはめは保存されません）
plan-run = 実行 { $run }：{ $start }
plan-run-took = 実行 { $run }：{ $start }、{ $took }
plan-excluded = 除外：{ $why }
plan-message = メッセージ：{ $message }
plan-fit-quality = 当てはめの品質：{ $names }
plan-note = メモ：{ $note }
plan-within-noise = ノイズの範囲内
plan-completed-before = これ以前の完了した結果：{ $count }件
plan-completed-before-at-least = これ以前の完了した結果：少なくとも{ $count }件
plan-beside = 隣接：{ $names }
plan-not-judged = **曲線を判定できませんでした。**
plan-unknown-curve = このタスクの曲線はここではわかりません。
plan-figure-not-read = 図、当てはめの点、原因は確認していません。言語モデルに質問するか、ご自身で確認してください。
plan-why-not-found = 原因は確認していません。言語モデルに質問するか、ご自身で確認してください。
plan-beyond-rules = ご質問そのものには、この固定の手順では回答できません。

## Planner: results, runs and notes

plan-results = 結果{ $count }件
plan-runs = 実行{ $count }件
plan-of-task = { $task }の{ $what }
plan-on-element = { $qid }の{ $what }
plan-in-run = 実行 { $run } の{ $what }
plan-found-in = { $window }の{ $what }
plan-only-the-newest = { $what }（最新のみ）
plan-counted = **{ $what }：{ $counts }**
plan-latest-result = **{ $qid }の{ $task }の最新結果：{ $start } UTC、実行 { $run }**
plan-no-output = 出力はありません。
plan-result-history = **{ $qid }の{ $task }：完了した最新の結果{ $count }件**
plan-their-messages = メッセージ：
plan-more-in-table = ほか{ $count }件は表にあります。
plan-run-times = 実行時間：中央値 { $median } s（{ $min } s〜{ $max } s）
plan-no-values = **{ $what }：測定{ $count }件に値がありません。**
plan-measurements = **{ $what }：測定{ $count }件、最新 { $newest }、中央値 { $median }（{ $low }〜{ $high }）**
plan-fits-failed = 当てはめの失敗：{ $count }件
plan-trend-is = 傾向：{ $trend }
plan-current-version = **{ $what }：{ $value }（{ $since } UTC から、バージョン { $version }）**
plan-skipped-versions = 欠番：{ $versions }
plan-entity-id = 来歴グラフ用のID：`{ $id }`
plan-calibration-notes = **キャリブレーションノート{ $count }件（数値に単位はありません）**
plan-newest-note = 最新のノートの内容：
plan-notes = **メモ{ $count }件（新しい順）**
plan-no-open-issue = 未解決の課題はありません（解決済み{ $count }件）。

## Planner: versions and lineage

plan-no-versions = { $parameter }のバージョンがありません。
plan-origin = **{ $what }の来歴：他の値{ $values }個、タスクの結果{ $results }件**
plan-lineage = **`{ $id }` の来歴：ノード{ $nodes }個、エッジ{ $edges }本**
plan-stale-versions = 最新でないバージョンから作られたもの：{ $names }
plan-version-used = { $name } { $parameter }（{ $used }、現在は{ $newest }）
plan-not-completed = 完了していない結果：{ $names }

## Planner: current values

plan-current-parameters = **{ $whose }の現在のパラメータ**
plan-couplings-of = { $name }のカップリング
plan-never-calibrated = キャリブレーションされていないもの：{ $names }
plan-worse-than-limits = 基準値より悪いもの：{ $names }
plan-doubts = 使わない値・疑わしい値：
plan-flag = - { $name }：{ $flag }
plan-more-flags = - ほか{ $count }件
plan-flag-kind = { $kind ->
    [excluded] 除外
    [unreadable] 読み取れない値
    [impossible] ありえない値
   *[suspicious] 疑わしい値
 }：
