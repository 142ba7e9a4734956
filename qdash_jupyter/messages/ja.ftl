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

## Tools: what they are doing

# QDash の既存クライアントと同じ表示名（tests/server/test_streams.py）
label-analysis = Python分析コードを実行中
label-available-context = ラボのファイルを確認中
label-calibration-notes = キャリブレーションノートを取得中
label-cell-edit = セルの変更を提案中
label-chip-heatmap = チップのヒートマップを作成中
label-chip-summary = 全量子ビットの現在のパラメータを取得中
label-chip-timeseries = チップ全体のパラメータ時系列を取得中
label-comparison = 量子ビットを比較中
label-content = ラボのファイルを読み込み中
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
label-skill = スキルを読み込み中
label-task-history = タスク履歴を取得中
label-timeseries = パラメータ時系列を取得中
label-topology = チップのトポロジーを取得中
read-documents = { $count }件
read-documents-memory = { $count }件、{ $memory }
cell-runs-long = このセルは{ $seconds }秒間実行されています。
cell-takes-memory = これまでに { $memory } のメモリを使用しています。

## Tools: where data came from

read-filter = { $parts }
read-chip = チップ { $chip }
read-project = プロジェクト { $project }
read-parameter-of = { $qid } の { $parameter }
read-task-of = { $qid } の { $task }
read-curves = { $task } の曲線
read-curves-of = { $qid } の { $task } の曲線
read-curves-of-result = 結果 { $id } の曲線
read-completed = 完了
read-not-excluded = 除外を除く
read-mode = { $mode ->
    [latest] 最新
    [best] 最良
   *[average] 平均
 }
read-since = { $date } 以降
read-newest-each = それぞれ最新{ $count }件
read-cooldown = クールダウン { $id }
read-tags = タグ { $names }
read-back-from = { $id } から過去へ
read-steps = { $count }段

## Tools: code and approvals

code-not-run = **実行していません**：承認する人がいませんでした。このコードだけを許可するには、`%copilot approve { $hash }` を実行してからもう一度質問してください。
code-not-run-effects =
    {"**"}実行していません**：承認する人がいませんでした。

    { $effects }

    このコードだけを許可するには、`%copilot approve { $hash }` を実行してからもう一度質問してください。
code-not-finished = コードは最後まで実行されませんでした。
process-names-lost = copilot のプロセスが終了し、次の変数が失われました: { $names }。
rejected-without-reason = 利用者が拒否しました（理由の記載なし）。
call-not-done = **実行していません**：`{ $what }` を承認する人がいませんでした。この呼び出しだけを許可するには、`%copilot approve { $hash }` を実行してからもう一度質問してください。
call-other-wanted = 利用者は代わりに次の呼び出しを求めています: { $code }
call-may-not-act = ここではツールが自分で操作することはできません（policy: insert_only）。
call-may-not-act-hint = 行うはずだった操作を利用者に伝えてください。
file-there-already = 既存のファイル、{ $size }
cell-edit-unchanged = セルの内容と同じです。
cell-edit-unchanged-hint = 変更するか、提案なしで回答してください。
cell-edit-not-python = 新しい内容は Python として正しくありません: { $why }。
cell-edit-not-python-hint = セル全体だけを送ってください。
syntax-error-at = { $why }、{ $line }行目

## Tools: chip heatmaps

heatmap-title = { $chip } の{ $metric }（{ $mode ->
    [latest] 最新
    [best] 最良
   *[average] 平均
 }、{ $unit }）
heatmap-connections-only = { $title }: 接続のみ
heatmap-subtitle = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }{ $total }個中{ $count }個を{ $measured }、中央値 { $median }
heatmap-unknown-topology = トポロジー不明：線はカップリング、配置は便宜上のものです
heatmap-two-lines = { $first }<br>{ $second }
heatmap-folded = 一列の並びを折り返して表示
heatmap-newest-excluded = 最新の結果は除外: { $value }、{ $age }
no-value = 値なし
not-measured = 測定なし
measured = 測定
measured-since = { $since } 以降に測定
measured-before = { $until } より前に測定
measured-between = { $since } 以降 { $until } より前に測定

## Errors of tools: chips and their parameters

no-qubits = チップ { $chip } に量子ビットがありません。
no-qubits-in-database = データベースにもチップ { $chip } の量子ビットがありません。
topology-not-named = チップにトポロジーの指定がなく、{ $count }量子ビットは正方格子になりません。
topology-unknown = トポロジー { $topology } はこのバージョンでは未対応です。
no-couplings-of-qubit = チップ { $chip } の量子ビット { $qid } にカップリングがありません。
no-couplings-of-qubit-hint = カップリングの一覧は get_chip_topology で得られます。
no-coupling-given = カップリングが指定されていません。
no-coupling-given-hint = coupling_id、または量子ビットのすべてのカップリングなら qubit_id を指定してください。
is-a-coupling = { $qid } はカップリングです。
is-a-coupling-hint = カップリングには get_coupling_params を使ってください。
elements = { $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 } { $qids }
no-current-parameters = チップ { $chip } の{ $qids } に、現在の { $parameters } がありません。
no-current-parameters-hint = 現在の値があるもの: { $parameters }。
never-calibrated = チップ { $chip } で一度もキャリブレーションされていません: { $qids }。
never-calibrated-hint = 結果がありません。
no-current-values = チップ { $chip } の{ $qids } に現在の値がありません。
no-current-values-hint = { $parameters } の結果があります。時系列として取得してください。
no-current-values-results-hint = 値のない結果があります。時系列として取得してください。
no-earlier-values = QDash の履歴に、チップ { $chip } の{ $qids } の { $when } より前の値がありません。
no-earlier-values-of-all = QDash の履歴に、チップ { $chip } の{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }の { $when } より前の値がありません。
no-earlier-values-hint = 履歴にはキャリブレーションのあった日ごとに1行あります。それより古い結果は時系列として取得してください。
nothing-measured = チップ { $chip } で測定されたものがありません。完了した結果がありません。
nothing-measured-on = チップ { $chip } の { $qid } で測定されたものがありません。完了した結果がありません。
never-measured = チップ { $chip } で { $parameter } は一度も測定されていません。
never-measured-hint = 測定されたものは list_available_parameters でわかります。
never-measured-on = チップ { $chip } の { $qids } で { $parameter } は一度も測定されていません。
never-measured-there = { $qid } で { $parameter } は一度も測定されていません。
never-measured-there-hint = 測定されたもの: { $parameters }。
nothing-at-all = なし
no-measurement-fits = チップ { $chip } の { $parameter } に、条件に合う測定がありません: { $conditions }。
no-measurement-fits-hint = 最新の測定は { $when } UTC です。条件を広げてください。
no-measurement-in-range = チップ { $chip } に、{ $measured }された { $parameter } がありません。
condition-time-range = 期間
condition-cooldown = クールダウン { $id }
condition-tags = タグ { $names }
no-cooldown-now = チップ { $chip } は現在クールダウン中ではありません。
no-cooldown-now-hint = クールダウンまたは期間を指定してください。
two-time-ranges = within_hours と since の両方が指定されています。
two-time-ranges-hint = どちらか一方を指定してください。

## Errors of tools: runs, results and versions

no-runs = チップ { $chip } に実行の記録がありません。
no-run-fits = 条件をすべて満たす実行はありません。
newest-run = 最新は { $run }（{ $when }）です。
no-result-given = 結果が指定されていません。
no-result-given-hint = task_name（と qid）、または task_id を指定してください。
no-result-fits = 条件をすべて満たす結果はありません。
no-results-of-task = チップ { $chip } に { $task } の結果がありません。
no-results-of-task-in-range = チップ { $chip } に、この期間の { $task } の結果がありません。
no-results-on = { $qid } に { $task } の結果がありません。
no-results-on-in-range = { $qid } に、この期間の { $task } の結果がありません。
no-completed-results = { $qid } に { $task } の完了した結果がありません。
no-results-at-all = { $what }: 結果は1つもありません。
newest-result = { $what }: 最新の結果は { $when } のものです（{ $state }）。
result-excluded = 除外
any-task = すべてのタスク
task-on = { $qid } の { $task }
verdicts-abandoned = 質問は停止されました。
no-versions = { $qid } の { $parameter } は測定されていますが、来歴にバージョンの記録がありません。
no-versions-hint = 測定値は get_parameter_timeseries で得られます。
not-an-entity-id = '{ $id }' はエンティティ ID ではありません。
not-an-entity-id-hint = エンティティ ID の形式は <parameter>:<qid>:<execution_id>:<task_id> です。一覧は get_parameter_lineage で得られます。

## Tools: notes

no-notes = チップ { $chip } についてのメモはありません。
no-note-fits = 条件をすべて満たすメモはありません。
notes-there = すべてのメモ: { $kinds }。記入者: { $authors }。最新は { $when } のものです。
count-of-kind = { $kind } { $count }件
unknown-authors = 不明

## Errors of tools: files and tables

file-type-not-taken = このモデルは { $type } のファイルを読めません。
file-too-large = { $file } は { $megabytes } MB を超えています。
file-unreadable = { $file } を読み取れません: { $why }。
file-not-utf8 = { $file } は UTF-8 のテキストではありません。
answer-without-it-hint = それを使わずに回答し、その旨を伝えてください。
file-missing = { $file } がありません。
file-no-access = { $file } を読み取れません。
no-column = 表に列 { $column } がありません。
no-column-hint = すべての列を見るには `columns` を省いてください。
dropped-not-a-table = { $file } は CSV でも Parquet でもありません。
dropped-not-a-table-hint = どちらかの形式で保存して、もう一度ドロップしてください。
dropped-unreadable = { $file } を読み取れません: { $why }。
dropped-unreadable-hint = ファイルが欠けていないか確認してください。
dropped-too-large = ファイルには値が{ $count }個あります。読み込めるのは{ $most }個までです。
data-from-file = data['{ $key }'] はファイルから読み込んだものです。
data-from-file-hint = ファイルをもう一度パネルにドロップしてください。
data-is-a-copy = data['{ $key }'] はどの会話にも属さないコピーです。
data-is-a-copy-fetch-hint = copilot.tools.{ $tool }(…) でもう一度取得してください。
data-is-a-copy-draw-hint = 表は qdash_jupyter.explore で描画してください。

## Errors of tools: calls

tool-name-invalid = '{ $name }' はツールの名前に使えません。
tool-name-invalid-hint = 64 文字までの英数字と下線を使ってください（例: get_fridge_log）。
tool-name-taken = ツール { $name } はすでにあります。
tool-name-taken-hint = 別の名前にしてください。
tool-elsewhere = { $name } はモデルのサーバーのツールです。実行できるのはそのサーバーだけです。
tool-elsewhere-hint = それを使わずに回答してください。
tool-unknown = ツール '{ $name }' はありません。
tool-unknown-hint = ツール: { $names }。
tool-call-limit = { $name } を呼べるのは1つの質問につき{ $count }回までです。
tool-timed-out = { $name } は{ $seconds }秒でタイムアウトしました。
tool-timed-out-client = { $name } はクライアントの制限時間でタイムアウトしました。
tool-timed-out-hint = 量子ビットを減らすか、期間を短くしてください。
tool-timed-out-act-hint = 実際には行われた可能性があります。もう一度試す前に確認してください。
tool-failed-inside = copilot の内部でツールが失敗しました。詳細はログにあります。
tool-failed-with = ツールが失敗しました: { $why }
arguments-not-json = { $name } の引数が JSON として正しくありません: { $why }。
arguments-not-an-object = { $name } の引数は JSON のオブジェクトでなければなりません（受け取った値: { $value }）。
arguments-required = JSON のオブジェクトを1つ送ってください。必須: { $schema }。
arguments-optional = 省略可: { $names }。
arguments-wrong = { $name } の引数が正しくありません: { $why }。
arguments-wrong-hint = スキーマ: { $schema }
argument-meant = 不明な引数 '{ $name }'（もしかして: { $meant }）
argument-too-large = { $name }: { $reference } が大きすぎます（{ $count }文字）。
argument-too-large-hint = 一部だけを送ってください。
argument-file-outside = { $name }: { $file } は隠しファイルか、作業フォルダーの外にあります。
argument-file-too-large = { $name }: { $file } は { $most } バイト以下のファイルではありません。
argument-file-unreadable = { $name }: { $file } を読み取れません: { $why }。
argument-file-hint = 作業フォルダー { $folder }/ 以下のテキストファイルを指定してください（例: file:notes.md）。
argument-not-plain = { $name }: 変数 { $variable } に、copilot が読まないオブジェクトがあります。
argument-not-plain-hint = pandas の表、配列、リスト、辞書、文字列、数値を送ってください。
is-not-utf8 = UTF-8 のテキストではありません

## Errors of tools: Python functions as tools

function-no-docstring = ツール { $name } に docstring がありません。
function-no-docstring-hint = 何を返すかを docstring に書いてください。モデルが読みます。
function-not-a-tool = { $value } はツールではありません。
function-not-a-tool-hint = ToolSpec、または型と docstring のある関数を渡してください。
function-arguments = ツール { $name } の引数を記述できません: { $why }。
function-arguments-hint = モデルは JSON を送ります。文字列、数値、リスト、pydantic のモデルを使ってください。
function-no-type = ツール { $name } の引数 { $parameter } に型がないか、名前で渡せません。
function-no-type-hint = 名前と型を書いてください: `chip_id: str`
function-types = ツール { $name } の型を読み取れません: { $why }。
function-types-hint = 型に使う名前を、実行時にも使えるようにインポートしてください。

## Tool sets

tool-set-needs-package = パッケージをインストールしてください: pip install 'qdash_jupyter[{ $extra }]'（{ $why }）。
tool-set-not-opened = ツールセットを開けません: { $why }。
no-built-in-tool = この名前の組み込みツールはありません。
kind-model = モデル
in-models = `models` に
keyring-needs-package = 秘密情報はキーリングにあります。パッケージをインストールしてください: pip install 'qdash_jupyter[keyring]'
secret-in-variable = 環境変数 { $name }
secret-in-keyring = キーリングの { $name }
secret-missing = { $place } に秘密情報がありません。
secret-missing-hint = 利用者が保存する必要があります。
secret-not-sendable = { $place } の秘密情報に送信できない文字があります。
secret-not-sendable-hint = もう一度コピーしてください。
keyring-not-installed = 秘密情報はキーリングにありますが、keyring パッケージがインストールされていません。
keyring-not-installed-hint = pip install 'qdash_jupyter[keyring]' を実行してください。
keyring-unreadable = キーリングの { $name } を読み取れません（{ $why }）。
keyring-unreadable-hint = 利用者がキーリングのロックを解除する必要があります。
model-gave-no-reply = モデルの応答が返答のないまま終わりました。
model-gave-no-reply-hint = もう一度質問してください。
attachment-unreadable = { $name } は { $type } とされていますが、読み取れません: { $why }。
attachment-unreadable-hint = 別のものを求めるか、利用者に伝えてください。
tell-the-user-hint = 利用者に伝えてください。
try-later-hint = 後でもう一度試してください。
try-later-or-tell-hint = 後でもう一度試すか、利用者に伝えてください。
correct-arguments-hint = 引数を修正してください。
ask-for-less-hint = 求める量を減らしてください。
rest-base-url = base_url が https://lab.example/api のようなアドレスではありません。
rest-write-method = { $method } には features.write_methods.enabled: true が必要です。
rest-argument-name = '{ $name }' は引数の名前に使えません。別の名前にし、リクエスト用に `name: { $name }` を指定してください。
rest-path-arguments = `in: path` の引数が { $path } と一致しません: { $names }。
rest-no-answer = { $server } が応答しないか、接続が切れました（{ $why }）。
rest-request = { $server } へのリクエストを作れません: { $why }。
rest-redirects = { $server } の転送が多すぎるか、リクエストが変わります。
rest-unauthorized = { $server } は認証を受け付けませんでした（HTTP ステータス 401）。
rest-status = { $server } の応答は HTTP ステータス { $status } でした。
server-said = サーバーの説明: { $words }
answer-too-large = 応答が { $size } を超えています。
rest-path-part = { $name } の値 '{ $value }' はパスの一部に使えません。
rest-path-part-hint = ID か名前を指定してください。
answer-not-text = 応答が { $type } で、テキストではありません。
answer-not-text-hint = 利用者はこの種類に対して response_as_attachment を有効にできます。
answer-not-json = 応答は JSON とされていますが、JSON ではありません: { $why }。

## Tool sets: addresses in the settings

fetch-not-allowed = { $url } は取得されません。
fetch-not-allowed-hint = features.external_url_fetch.enabled: true と、管理者による { $variable }=true が必要です。
fetch-redirects = { $url } の転送が多すぎます。
fetch-redirects-hint = 最終的なアドレスを指定してください。
fetch-timed-out = { $url } は{ $seconds }秒でタイムアウトしました。
fetch-timed-out-hint = もう一度試すか、ここにコピーを保存してください。
fetch-failed = { $url } を取得できません: { $why }。
fetch-failed-hint = ブラウザーで確認してください。
fetch-status = { $url } の応答は HTTP ステータス { $status } でした。
fetch-status-hint = アドレスを確認してください。
fetch-too-large = { $url } は { $size } を超えています。
fetch-too-large-hint = もっと小さいファイルを指定してください。
fetch-address = { $url } は取得できるアドレスではありません。
fetch-address-hint = ユーザー名とパスワードのない https:// のアドレスを使ってください。
fetch-private = { $url } は公開されたインターネット上にありません。
fetch-private-hint = 自分のネットワークのファイルはフォルダーにコピーし、そのフォルダーを指定してください。

## Tool sets: skills

skill-name-taken = スキル { $name } はすでにあります。
skill-no-front-matter = フロントマターがありません。
skill-no-front-matter-hint = `---`、`name:`、`description:`、`---` で始めてください。
skill-not-yaml = フロントマターが YAML として正しくありません。
skill-not-yaml-hint = `name:` と `description:` の行を書いてください。
skill-name-invalid = { $name } はスキルの名前に使えません。
skill-name-invalid-hint = 64 文字までの英小文字、数字、ハイフンを使ってください。
skill-no-description = 説明（description）がないか、長すぎます。
skill-no-description-hint = どんなときに読むスキルかを1文で書いてください。
skill-folder-differs = スキルの名前は { $name } ですが、フォルダーは { $folder } です。
skill-folder-differs-hint = 両方を同じ名前にしてください。

## Tool sets: MCP servers

mcp-sets-need-package = MCP サーバー用のパッケージがインストールされていません: pip install "qdash-jupyter[mcp]"
mcp-schema = { $name } のスキーマを使えません: { $why }。
mcp-same-name = 名前が { $name } になるツールが2つあります。2つ目は除かれます。
mcp-not-connected = サーバーに接続できません（{ $why }）。詳細は copilot のログにあります。
mcp-schema-type = type が "object" ではなく { $type } です
mcp-schema-properties = properties がオブジェクトではありません
mcp-schema-required = `required` が名前のリストではありません
mcp-schema-argument = 引数 { $name } の型 { $type } は JSON Schema にありません
mcp-server = サーバー { $name }（{ $address }）
mcp-no-reason = { $name } が理由を示さずに失敗しました。
try-other-arguments-hint = 別の引数を試してください。
mcp-unauthorized = { $server }にはキー、または別のキーが必要です（HTTP ステータス 401）。
mcp-unauthorized-hint = { $variable } を設定し、ツールセットで指定してください。
mcp-refused = { $server }が呼び出しを拒否しました: { $why }
mcp-refused-status = { $server }が呼び出しを拒否しました（HTTP ステータス { $status }）: { $why }
mcp-unreachable = { $server }に接続できません: { $why }。
mcp-unreachable-hint = 起動しているか確認してください。
mcp-unexpected = { $server }から想定外の応答がありました: { $why }
mcp-unexpected-hint = 別の方法を試してください。
mcp-too-slow = { $server }が{ $seconds }秒以内に応答しませんでした。
mcp-lost = { $server }との接続が切れました。
mcp-lost-hint = もう一度試してください。
mcp-wrote = サーバーの出力: { $words }
mcp-lost-in-call = 呼び出しの途中だったため、実際には行われた可能性があります。
mcp-lost-in-call-hint = もう一度呼ぶ前に確認してください。

## Explorer of tables

explore-no-rows = この表には行がありません。
explore-no-rows-hint = もう一度取得するか、別の表を選んでください。
explore-no-numbers = この表には描画できる数値の列がありません。
explore-no-columns-hint = 列がありません。
explore-columns-hint = 列: { $names }。
explore-nothing-selected = 選択した行に値がありません。
explore-nothing-selected-hint = 選択を増やすか、期間を長くしてください。
explore-nothing-to-choose = 選択できるものがありません。
explore-read-again-hint = 表をもう一度読み込んでください。
explore-none-chosen = { $what }が選択されていません。
explore-none-chosen-hint = 一部またはすべてを選択してください。
explore-column-gone = 表に列 { $column } がもうありません。
explore-table-gone = { $name } はもうありません。
explore-table-gone-hint = パネルのデータ一覧などでもう一度取得してから、読み込み直してください。
qubit-or-coupling = { $kind ->
    [coupling] カップリング
    [qubit] 量子ビット
   *[other] 量子ビットまたはカップリング
 }
