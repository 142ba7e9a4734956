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
calibration-notes-without = 最新の{ $count }件のノートに { $qid } の記載がありません。
calibration-notes-hold = 記載があるもの: { $names }。
no-calibration-note-fits = 条件をすべて満たすキャリブレーションノートはありません。
calibration-note-newest = 最新は { $when } のものです（実行 { $run }、タスク { $task }）。
unknown-time = 時刻不明

## The model's server

model-silent = { $address } の言語モデルから{ $seconds }秒間応答がありません。
model-silent-hint = 混雑しているか、モデルを読み込み中の可能性があります。もう一度試すか、モデルの `timeout_seconds` を大きくしてください。
model-sent-no-event = { $host } から { $api } のイベントではないデータが届きました。
model-sent-no-event-hint = ベース URL のサーバーが { $api } に対応しているか確認してください。
model-sent-no-stream = { $host } からイベントのストリームではなく { $kind } が返りました。
model-no-content-type = 種類不明のデータ
model-url-hint = ベース URL を確認してください。通常は /v1 で終わります。
model-connection-broke = 回答の途中で { $address } との接続が切れました。
model-retry-hint = もう一度質問してください。
model-reported-error = 回答の途中で { $host } がエラーを返しました。
model-said = サーバーからのメッセージ：「{ $said }」
model-reason = 理由：{ $why }。
model-ended-answer = { $host } が回答を途中で打ち切りました。
model-ended-answer-hint = 言い換えて質問してください。
model-out-of-tokens = { $model } は回答する前に出力トークンを使い切りました。
model-out-of-tokens-hint = `max_output_tokens` を大きくするか、`reasoning_effort` を下げてください。
model-would-store = { $host } は `store: false` を受け付けません。会話が保存される可能性があります。
model-would-store-hint = それを受け付けるサーバーか、自分のネットワーク内のサーバーを使ってください。
model-no-key = { $host } 用のキーが設定されていません。
model-no-key-hint = { $name } を設定するか、キーの要らないサーバーを使ってください。
model-unusable-key = { $name } のキーに使えない文字が含まれています。
model-unusable-key-hint = 引用符や改行を含めずに、もう一度コピーしてください。
model-unusable-header = { $host } 用のヘッダー { $name } に使えない文字が含まれています。
model-unusable-header-hint = copilot.yaml のモデルの `headers` を修正してください。使えるのは ASCII の文字・数字・記号のみで、改行は含められません。
model-unreachable = { $address } の言語モデルに接続できません。
model-unreachable-certificate-hint = 研究室独自の証明書を使っている場合は、認証局のファイルを SSL_CERT_FILE に指定し、カーネルを再起動してください。
model-unreachable-local-hint = サーバーを起動するか、ベース URL を修正してください。
model-unreachable-hint = ベース URL とネットワークを確認してください。プロキシや VPN が必要な場合があります。
model-wants-key = { $host } の利用にはキーが必要です。
model-wants-key-hint = { $name } を設定してください。
model-refused-key = { $host } はこのキーを受け付けません。
model-refused-key-hint = { $name } を確認してください。
model-forbidden = { $host } へのアクセスが拒否されました。
model-forbidden-hint = { $name } のキーの権限と、そのキーで { $model } を使えるか確認してください。
model-failed = { $host } でエラーが発生しました（HTTP ステータス { $status }）。
model-failed-hint = 少し待ってから、もう一度試してください。
model-other-api-hint = 繰り返し発生する場合は、サーバーの Responses API に原因がある可能性があります。モデルの `api_style: chat_completions`（または QDASH_COPILOT_API_STYLE）を設定してください。
model-rejected = { $host } がリクエストを受け付けません（HTTP ステータス { $status }）。
model-rejected-hint = モデルの設定を確認するか、新しい会話を始めてください。
model-rejected-parameter-hint = パラメータ `{ $name }` の設定を確認するか、新しい会話を始めてください。
model-no-such-api = { $host } のこのアドレスには { $api } がありません（HTTP ステータス { $status }）。
model-unknown = { $host } にモデル '{ $model }' がないか、このキーでは使えません。
model-unknown-hint = モデルの名前を確認してください。
model-too-many-requests = { $host } へのリクエストが多すぎます。
model-wait-hint = しばらく待ってから、もう一度質問してください。
model-wait-seconds-hint = { $seconds }秒後にもう一度試してください。
model-no-quota = { $host } のアカウントの利用枠が残っていません。
model-no-quota-hint = 待っても解消しません。プランと支払いを確認するか、別のモデルを使ってください。
model-too-long = 会話が { $model } には長すぎます。
model-too-long-hint = 新しい会話を始めるか、一度に尋ねる量を減らしてください。
model-wrong-url = 言語モデルのベース URL が http または https の URL ではありません。
model-wrong-url-hint = http://localhost:11434/v1 のような URL を指定してください（OPENAI_BASE_URL、または copilot.yaml の `base_url`）。

## What the model's server can't do

server-learned = { $said }（{ $day } から）
server-without = { $names } なし
server-no-tools = ツールなし（質問の内容だけから回答）
server-no-schema = スキーマなしの JSON
server-no-format = 回答の形式指定なし
server-no-streaming = ストリーミングなし
server-writes-calls = ツールの呼び出しを文章で出力

## Recorded conversations (cassettes)

cassette-other-model = カセット { $path } は { $recorded } で記録されたものですが、{ $model } が設定されています。
cassette-other-model-hint = { $recorded } を選ぶか、別の QDASH_CASSETTE_FILE を指定してください。モデルの要らない QDASH_CASSETTE=replay も使えます。
cassette-no-reply = カセット { $path } に { $question } への応答がありません。
cassette-no-reply-hint = QDASH_CASSETTE=auto（足りない分を追加）または QDASH_CASSETTE=record（すべて記録し直す）で記録してください。
cassette-question = 「{ $question }」（{ $round }回目）
cassette-empty = カセットは空です。
cassette-ends = カセットの会話は { $question } への応答で終わっています。
cassette-nearest = 最も近い記録は { $question } です。
cassette-differs = 最初の相違点は { $place } です（現在：{ $here }、カセット：{ $recorded }）。
cassette-place-line = { $place } の{ $line }行目
cassette-place-of-result = { $place }（{ $tool } の結果）
cassette-some-call = 呼び出し
cassette-nothing = なし
cassette-wrong-mode = QDASH_CASSETTE に '{ $mode }' は指定できません。
cassette-wrong-mode-hint = { $modes } のいずれかを指定するか、設定を解除してください。
cassette-no-file = QDASH_CASSETTE は設定されていますが、QDASH_CASSETTE_FILE がありません。
cassette-no-file-hint = conversation.yaml などのファイルを指定してください。
cassette-no-folder = QDASH_CASSETTE_FILE は { $file } ですが、フォルダー { $folder } がありません。
cassette-no-folder-hint = フォルダーを作るか、パスを修正してください。
cassette-missing = カセット { $path } がありません。
cassette-missing-hint = モデルを設定して QDASH_CASSETTE=record で記録するか、QDASH_CASSETTE_FILE を修正してください。
cassette-unreadable = カセット { $path } を読み取れません（{ $why }）。
cassette-unreadable-hint = ファイルを修正するか、削除してください。
cassette-not-utf8 = UTF-8 ではありません
cassette-unwritable = カセット { $path } に書き込めません（{ $why }）。
cassette-unwritable-hint = QDASH_CASSETTE_FILE を修正するか、QDASH_CASSETTE を解除してください。
cassette-broken = カセット { $path } が壊れています（{ $why }）。
cassette-broken-line = カセット { $path } の{ $line }行目が壊れています（{ $why }）。
cassette-broken-hint = ファイルを修正するか、カセットを記録し直してください。
cassette-no-yaml = YAML ではありません
cassette-broken-document = カセット { $path } の{ $number }番目のドキュメントが壊れています（{ $why }）。
cassette-broken-document-hint = そのドキュメントを修正または削除するか、カセットを記録し直してください。
cassette-no-mapping = マッピングではありません
cassette-no-items = request.items が項目のリストではありません
cassette-no-such-request = 続き元の '{ $after }' がそれより前にありません
cassette-no-such-part = パート '{ $part }' がそれより前にありません

## What code needs

effect = `{ $what }` の{ $does }
effect-calls = 呼び出し
effect-changes = 変更
effect-connects = 接続
effect-imports = インポート
effect-lacks = 欠如
effect-needs = 要求
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
way-out-unknown = 利用者に依頼するか、データから計算してください。
way-out-files = セルの最後を表にして、利用者が保存できるようにしてください。
way-out-network = データはツールで取得してください。
way-out-shell = Python で計算してください。
way-out-acts = 利用者に依頼してください。
way-out-copy = 別の名前のコピーを変更してください。
nobody-can-approve = ここには承認できる人がいません。
nobody-can-approve-hint = このコードだけを許可するには、質問の前に `%copilot approve { $hash }` を実行してください。

## Cells that did not run, or did not end

not-run-no-question = コードは質問の処理中にのみ実行されます。現在処理中の質問はありません。
not-run-await = 実行中のセルではトップレベルの await を使えません。await なしでコルーチンを呼んでください。
not-run-no-notebook = ここではコードは挿入されるだけです（policy: insert_only）。セルを挿入できるノートブックがありません。
cell-to-be-run = セルをノートブックに挿入しました。実行してください（policy: insert_only）。結果はまだわかりません。
cell-dropped = 前のセルが失敗したため、カーネルがこのセルを 2回破棄しました。
cell-unseen = ノートブックではセルは終了していますが、カーネルでは実行されていません。内容が削除された可能性があります。
cell-withdrawn = セルは実行前に取り消されました。
cell-unreadable = セルの出力を読み取れませんでした。詳細は copilot のログを確認してください。
cell-unloaded = セルの実行前に拡張機能がアンロードされました。
waits-for-your-cell = コードが { $names } を読み取るため、あなたのセルの終了を待っています。

## Code that was stopped

code-timed-out = { $seconds }秒でタイムアウトしました。
code-cpu-limit = プロセッサー時間が{ $seconds }秒を超えました。
code-memory-limit = メモリの上限 { $megabytes } MB を超えました。
code-result-too-large = 結果が { $megabytes } MB を超えています。
code-stopped = コードを停止しました。
code-spoiled-result = コードが自身の結果を破損させました。
code-ended-process = 結果が出る前に、コードがプロセスを終了しました。
code-no-process = コードのプロセスを起動できません（{ $why }）。
code-killed = コードのプロセスが外部から強制終了されました。メモリが不足している可能性があります。
code-crashed = コードのプロセスがクラッシュしました（{ $signal }）。メモリが { $megabytes } MB を超えると、このようになるライブラリがあります。
code-worker-lost = コードの実行中にワーカーが終了しました。もう一度実行してください。
code-call-limit = コードがツールを呼び出せるのは、1つの質問につき{ $count }回までです。
code-call-limit-hint = 1回の呼び出しで、より多くのデータを取得してください。
session-forgets = セッションが、ノートブックから渡された変数を保持していません。

## The process for the copilot's code

worker-does-not-start = モデルのコード用のワーカーが起動しません。
worker-does-not-work = モデルのコード用のワーカーが動作しません。
worker-timed-out = { $seconds }秒以内に応答がありませんでした。
worker-exited = 終了コード { $code } で終了しました。
worker-unconfined-hint = モデルのコードは、隔離されない状態では実行されません。
worker-no-fork = { $platform } ではモデルのコードを実行できません。セッションごとにプロセスをフォークする必要があります。
worker-no-fork-hint = Linux または macOS を使ってください。
worker-without-wall = 専用プロセス（サンドボックスなし）
worker-not-linux = モデルのコードを隔離できるのは Linux だけです（このシステムは { $platform }）。
worker-no-seccomp = このカーネルまたはプロセッサーは seccomp フィルターに対応していません（x86_64 または aarch64 が必要です）。
worker-no-landlock = このカーネルは Landlock { $version }（Linux 6.2 以降）に対応しておらず、bubblewrap も使えません：{ $why }
worker-no-bwrap = bwrap がインストールされていません。
worker-bwrap-exited = bwrap が終了コード { $code } で終了しました。
worker-not-confined = モデルのコードがここでは隔離されません。可能な操作：{ $can }。
worker-can-read = ファイルの読み取り
worker-can-write = ファイルへの書き込み
worker-can-make = ファイルの作成
worker-can-connect = サーバーへの接続
worker-can-begin = プロセスの起動
worker-can-signal = シグナルの送信
