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

## Settings: files

unreadable-file = { $file } を読み取れません: { $reason }。
unreadable-file-hint = ファイルを修正するか、削除してください。
problem-at = { $line }行{ $column }列: { $problem }
not-utf8 = UTF-8 のテキストではありません
not-utf8-at = UTF-8 のテキストではありません（{ $byte } バイト目）
not-yaml = YAML ではありません
yaml-too-deep = リストやマッピングの入れ子が { $most } 段を超えています
yaml-too-large = 展開すると項目が { $most } 個を超えます（エイリアス *name を確認してください）
yaml-recursive = 自分自身を含んでいます
text-too-long = { $file } が 1 MB を超えています。
text-too-long-hint = モデルが読むファイルです。短くしてください。
file-without-settings = { $file } に名前付きの設定がありません。
write-key-value = 1行に1つ、`key: value` の形で書いてください。
write-json-object = JSON のオブジェクトで書いてください。
variable-names-no-folder = { $variable } の { $folder } はフォルダーではありません。
variable-names-no-file = { $variable } の { $file } はファイルではありません。
correct-variable = { $variable } を修正するか、設定を外してください。
no-settings-in-folder = { $folder } に copilot.yaml がありません。
no-settings-in-folder-hint = copilot.yaml のあるフォルダーを指定してください。
trust-not-saved = { $file } に書き込めません: { $reason }。
trust-not-saved-hint = 代わりに { $variable }={ $folder } を設定してください。

## Settings: where they come from

environment-variables = 環境変数（{ $names }）
jupyterlab-settings = JupyterLab の設定
given-options = オプション
settings-of-qdash = { $file } の QDash の設定
settings-name = 設定
settings-in = 設定（{ $where }）
untrusted-content = { $folder } の定義済みコンテンツは使用しません。信頼するには %copilot trust を実行してください。
untrusted-settings = { $where } の { $names } は使用しません。信頼するには %copilot trust を実行してください。
policy-bounded = policy: { $policy } は使用しません。管理者が許可しているのは { $most } までです（{ $file }）。
feature-forbidden = { $name } は使用しません。管理者が無効にしています（{ $file }）。

## Settings: mistakes

settings-wrong = { $where } に誤りがあります。
settings-wrong-hint = 修正してください。既定値に戻すには、キーを削除してください。
violation = { $key }: { $message }。
violation-at = { $line }行目 { $key }: { $message }。
unknown-key = 不明なキーです。削除してください
unknown-key-nearest = 不明なキーです（もしかして: { $name }）
unknown-key-known = 不明なキーです（使えるもの: { $names }）
unknown-type = 不明な種類です（使えるもの: { $names }）
same-setting = { $name } と同じ設定です。{ $name } だけを残してください
several-databases = { $where } に複数のデータベースが指定されています。
several-databases-hint = { $names } のどれか1つだけを残してください。
setting-renamed = { $old } の名前は { $new } に変わりました。古い名前も使えます。
beside-predefined = { $names } は `type: predefined` と並べて書けません。`override` に移してください
override-form = テンプレートへの JSON Merge Patch（RFC 7396）のオブジェクトにしてください
no-predefined = 定義済みの '{ $name }' はありません{ $count ->
    [0] { "" }
   *[other] （あるもの: { $names }）
 }
set-one-of = { $names } のどれか1つを設定してください
url-without-scheme = URL は https:// または http:// で始めてください
program-secret = プログラムには秘密の値を環境変数で渡します。authentication.env を設定してください
band-form = [4.2, 5.1] のように [最小値, 最大値] の形にしてください
unknown-api-style = QDASH_COPILOT_API_STYLE に '{ $value }' は使えません。
unknown-api-style-hint = { $names } のどれかを設定してください。
unknown-language = { $key } に '{ $value }' は使えません。
unknown-language-hint = { $names } のどれかにしてください。言語の追加方法は docs/extending.md にあります。
never-send-invalid = { $setting }: '{ $name }' はフィールドやパラメータの名前として使えません。
never-send-invalid-hint = 名前には文字、数字、下線を使います。* は任意の文字列を表します。
never-send-needed = { $setting }: '{ $name }' はすべての回答に必要なため、除外できません。
never-send-needed-hint = リストから削除してください。
never-send-unknown = '{ $name }' というフィールド、パラメータ、ノートの種類はありません。

## Settings: QDash's own

no-qdash-settings = { $path } に QDash の copilot の設定がありません。
no-qdash-settings-hint = QDash の `copilot` フォルダー（{ $names } のあるもの）か、1つのファイルを指定してください。
qdash-key-unknown = { $key }: この設定はありません
unused-by-qdash = { $key }: QDash のエージェントも使っていません
analysis-model-unused = analysis_model: 分析には会話のモデルを使います（このモデルは `models` にあります）
qdash-language-unknown = { $key }: 使えるのは en と ja だけです
qdash-model-form = { $key }: モデルは名前を持つオブジェクトにしてください
qdash-model-may-see = analysis.multimodal: QDash はチャット用の { $name } に図を送りません。画像を扱えるモデルなら `accepts: [{ $type }]` を追加してください
qdash-no-model-sees = analysis.multimodal: 図を送るモデルがありません
qdash-copilot-off = enabled: QDash で copilot が無効です。そのモデルを使うには `orchestrator.deployment: { $model }` を設定してください
qdash-provider-unknown = { $key }: プロバイダー { $provider } には対応していません
qdash-secret-variable = { $key }: { $variable } は秘密の値と思われるため、読み取りませんでした
qdash-variable-unset = { $key }: 環境変数 { $variable } が設定されていません

## What is not available

named-issue = { $name }: { $message }
extension-fails = { $name } を読み込めません: { $error }: { $reason }
files-of-user = ユーザーのファイル
not-saved = 保存できませんでした: { $items }。
not-saved-item = { $what }（{ $reason }）
copilot-log = copilot のログ
known-of-model-server = モデルのサーバーについての記録
no-home-folder = ホームフォルダーがありません（HOME が未設定）
preview-off = プレビュー機能のため無効です。使うには ENABLE_PREVIEW_FEATURES=1 を設定してください。
skill-not-utf8 = { $url } は UTF-8 のテキストではありません。
skill-not-utf8-hint = SKILL.md のアドレスを指定してください。
unknown-reader = リーダー '{ $name }' を提供するパッケージがありません。
unknown-reader-hint = 提供するパッケージをインストールするか、database.reader を修正してください。
reader-named = リーダー '{ $name }'
model-named = モデル '{ $name }'
part-not-opened = { $what } を開けません: { $error }: { $reason }。
part-not-opened-hint = 別のパッケージが提供するものです。詳細はログにあります。
model-not-loaded = 別のパッケージが提供するモデル '{ $name }' を読み込めません。
model-not-loaded-hint = 詳細はログにあります。モデルなしで使うには `orchestrator: {"{"}deployment: offline{"}"}` を設定してください。

## Task knowledge

task-knowledge-form = { $file } がタスク名ごとの知識になっていません。
task-knowledge-wrong = タスク知識 { $file } に誤りがあります。
task-knowledge-hint = ファイルか、copilot.yaml の `task_knowledge` を修正してください。
more-mistakes = 誤りはほかに{ $count }個あります。

## Data in use

demo-data = デモデータ（生成）
snapshot-label = スナップショット { $name }
database-as-of = { $database }、{ $time } UTC 時点
indexes-complete = インデックス: すべてあります
indexes-not-listed = インデックス: このユーザーには一覧を取得する権限がありません（ロール read に含まれる listIndexes）
index-missing = インデックスがありません: { $collection }（{ $fields }）

## MongoDB: its address

no-mongo = MongoDB が設定されていません。
no-mongo-hint = { $variable }、または QDash の { $qdash_variable } と関連する変数を設定してください。
given-address = 指定されたアドレス
mongo-address-example = アドレスは mongodb://user:password@host:27017/qdash の形です。
mongo-address-scheme = { $source } は MongoDB のアドレスではありません（{ $schemes } で始まっていません）。
mongo-address-unescaped = { $source } のユーザー名またはパスワードに、エスケープされていない文字があります。
mongo-address-unescaped-hint = 文字 : / ? # [ ] @ % は %3A %2F %3F %23 %5B %5D %40 %25 と書いてください。
mongo-address-no-host = { $source } は MongoDB のアドレスではありません（ホスト名がありません）。
mongo-address-invalid = MongoDB のアドレスが正しくありません。
mongo-address-invalid-hint = アドレスは mongodb://user:password@host:27017/qdash の形です。ポート番号、? より後のオプション、データベース名を確認してください。ユーザー名とパスワードの特殊文字にはパーセントエンコーディングが必要です。
mongo-port = MONGO_PORT の '{ $value }' はポート番号ではありません。
mongo-port-hint = 27017 のような数を設定してください。
mongo-host = MONGO_HOST がホスト名ではありません。
mongo-host-hint = アドレス全体を指定するには、代わりに { $variable } を設定してください。

## MongoDB: the connection

mongo-unknown-host = { $host } のホストが見つかりません。名前を解決できませんでした。
mongo-unknown-host-hint = つづりを確認するか、研究室のネットワークに接続してください。`mongo` は QDash のコンテナ内でだけ使える名前です。
mongo-silent = { $host } の MongoDB が時間内に応答しませんでした。
mongo-silent-hint = ホスト名、VPN やトンネル、ファイアウォールを確認してください。
mongo-lost = { $host } の MongoDB との接続が切れました。
mongo-lost-hint = 少し待ってから、もう一度試してください。
connection-closed = { $host } との接続は閉じられています。
connection-closed-hint = もう一度接続してください。
connection-refused = { $host } への接続が拒否されました。
connection-refused-hint = ポートと、MongoDB が起動していてここから接続できるか（Docker では公開ポート）を確認してください。
connections-closed = { $host } のサーバーがすべての接続を閉じます。
connections-closed-hint = TLS が必要かもしれません。アドレスに tls=true を追加してください。
tls-expired = { $host } のサーバーの証明書は有効期限が切れています。
tls-expired-hint = 管理者に更新を依頼してください。
tls-other-host = { $host } のサーバーの証明書は別のホスト名のものです。
tls-other-host-hint = 証明書に書かれた名前を使ってください（管理者に確認できます）。
tls-untrusted = { $host } のサーバーの証明書は、未知の認証局が発行したものです。
tls-untrusted-hint = 研究室の認証局の証明書を指定してください（オプション tlsCAFile=/path/to/ca.pem）。
tls-failed = { $host } に TLS で接続できませんでした。
tls-failed-hint = サーバーが TLS を使うか（オプション tls=true、tls=false）と、tlsCAFile のファイルを確認してください。
replica-set-unknown = { $host } に、アドレスで指定されたレプリカセットのサーバーがありません。
replica-set-unknown-hint = オプション replicaSet と、各サーバーの名前を解決できるかを確認してください。
replica-set-without-server = { $host } のレプリカセットに、readPreference で許可されたサーバーが現在ありません。
replica-set-without-server-hint = どのサーバーも許可するには readPreference=nearest を指定してください。

## MongoDB: access and queries

mongo-wrong-password = { $host } の MongoDB はこのユーザー名とパスワードを受け付けません。
mongo-wrong-password-hint = ユーザー名とパスワードを確認してください。
mongo-auth-source = 全データベース用に作られたユーザーの場合は、アドレスに ?authSource=admin を追加してください。
mongo-needs-password = { $host } の MongoDB にはユーザー名とパスワードが必要です。
mongo-needs-password-hint = アドレスに追加してください: mongodb://user:password@host:27017/qdash?authSource=admin
mongo-no-right = このユーザーには { $host } のデータベースを読み取る権限がありません。
mongo-no-right-hint = 管理者にロール `read` を依頼するか、別のデータベースを選んでください。
mongo-refused = { $host } の MongoDB がコマンドを拒否しました（エラー { $code }）。
mongo-refused-hint = バージョンが古い可能性があります。5.0 以降が必要です。
mongo-not-qdash = { $database } は QDash のデータベースではありません。中身: { $names }。
mongo-database-empty = データベース { $database } は空か、存在しません。
mongo-check-database = データベース名を確認してください（古い QDash では qubex です）。
mongo-other-database = QDash のコレクションは { $names } にあります。mongodb://HOST/{ $example } のようにデータベース名を指定してください。
mongo-no-qdash-database = このサーバーにあるのは { $names } で、QDash のデータベースは見当たりません。
mongo-no-databases = このサーバーにはデータベースがありません。正しいサーバーか確認してください。
query-timed-out = { $host } の MongoDB への問い合わせがタイムアウトしました。
query-timed-out-hint = 量子ビットの数、期間、測定の数を減らしてください。
query-stopped = 問い合わせは停止されました。
query-stopped-hint = もう一度質問してください。
undecodable-document = { $host } の MongoDB から、デコードできないドキュメントが届きました。
undecodable-document-hint = この問題を報告してください。
mongo-unreadable = { $host } の MongoDB を読み取れません（{ $reason }）。
try-again = もう一度試してください。

## Snapshots

snapshot-incomplete = スナップショット { $folder } に { $file } がありません。
snapshot-incomplete-hint = 取り直すか、別のフォルダーを選んでください。
snapshot-gone = スナップショット { $folder } がなくなりました。
snapshot-unreadable = スナップショット { $folder } を読み取れません: { $reason }。
snapshot-gone-hint = 元に戻すか、別のデータを選んでください。
not-a-snapshot = { $folder } はスナップショットではありません（{ $file } がありません）。
not-a-snapshot-hint = このファイルのあるフォルダーを選んでください。
snapshot-manifest-unreadable = { $file } をスナップショットのマニフェストとして読み取れません。
snapshot-format = スナップショット { $folder } の形式は { $format } です。このバージョンで読み取れるのは形式 { $expected } です。
retake-snapshot = スナップショットを取り直してください。
upgrade-package = qdash-jupyter を更新してください。
snapshot-exists = { $folder } にはすでにスナップショットがあります。
folder-not-empty = { $folder } は空ではありません。
folder-not-empty-hint = 新しいフォルダーを選んでください。上書きはしません。
snapshot-not-written = { $folder } に書き込めません: { $reason }。
snapshot-not-written-hint = 別のフォルダーを選んでください。
snapshot-needs-mongo = スナップショットは MongoDB から取ります。{ $source } からは取れません。
snapshot-needs-mongo-hint = QDASH_MONGO_URI を設定するか、--mongo URI を追加してください。スナップショットを複製するには、フォルダーをコピーしてください。
no-calib-data = 結果のファイルのフォルダーが設定されていません。
no-calib-data-hint = copilot.yaml の `database: {"{"}calib_data: …{"}"}` に、このマシン上の QDash の calib_data を設定してください。

## Arguments of a read

unknown-element-kind = { $value } という要素の種類はありません。
unknown-element-kind-hint = { $names } を指定してください。
not-an-id = { $value } は量子ビットやカップリングの ID ではありません。
not-an-id-hint = ID は 7 や 4-1 の形です。
not-a-list = { $name } は { $value } ではなく、文字列のリストにしてください。
not-a-list-hint = リストに入れてください。
not-a-count = { $name } に { $value } は使えません。
not-a-count-hint = 0 以上の整数を指定してください。

## Files of results

no-figure-folder = 図のフォルダーが設定されていません（database.calib_data）
result-file-elsewhere = 図のフォルダーの外にあります
result-file-path-invalid = パスが正しくありません
result-file-missing = このマシンにファイルがありません
result-file-unreadable = 読み取れません（{ $reason }）
result-file-too-large = { $size } を超えています
result-file-no-numbers = 数値の表ではないか、途中で切れています
result-file-no-json = JSON ではないか、途中で切れています
result-file-no-figure = Plotly の図ではありません
figure-no-base64 = データが base64 ではありません
figure-no-data = データがありません
figure-no-png = PNG ではありません
trace-no-object = トレース { $number } がオブジェクトではありません
trace-of-type = { $trace }: 種類 { $type } のトレースには対応していません
trace-left-out = { $trace }: { $reason }
trace-uneven = x が{ $x }個、y が{ $y }個です
trace-no-matrix = z が行列ではありません
trace-wrong-count = { $axis } が{ $expected }個ではなく{ $count }個です
trace-no-numbers = { $axis } が数値のリストではありません
trace-uneven-rows = { $axis } の行の長さがそろっていません
trace-bad-array = { $axis } が Plotly の配列ではないか、途中で切れています
trace-dimensions = { $axis } が{ $count }次元です

## Analyses

ask-analysis = { $what }を分析
selected-result = 選択した結果
result-of = { $qid } の { $task }{ " " }
result-of-run = 実行 { $run } の { $result }
ask-picture = { $name } には何が写っていますか？
ask-lines = { $name } の選択した行を説明して
ask-cell = セル{ $name }の出力を説明して
ask-fix = セル{ $name }を修正して
cell-named = セル{ $name }
lines-of = { $name } の選択行
result-details = { $status ->
    [completed] 完了
    [failed] 失敗
   *[other] { $status }
 }{ $is_excluded ->
    [True] 、除外
   *[False] { "" }
 } · { $started } · 実行 { $run }
no-date = 日付なし
figure-of-result = この結果の図: { $file }
reference-figure = 参考図: { $title }
picture-not-kept = カーネルの終了時に画像は保存されませんでした。選択して、もう一度質問してください。
never-ran = { $task } は { $qid } で実行されていません。
no-such-result = { $qid } の { $task } に、条件に合う結果はありません。
task-ran-in = 実行されたのは { $runs } です。
