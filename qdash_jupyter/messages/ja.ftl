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
panel-format-asOf = { $day } 時点
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
panel-header-dataCount = データ { $n }
panel-header-dataTitle = カーネルにあるデータ
panel-header-results = 測定結果
panel-header-conversations = 会話の一覧
panel-header-begin = 新しい会話
panel-header-more = その他
panel-header-copyTranscript = 会話をコピー
panel-header-saveNotebook = ノートブックとして保存
panel-header-saveMarkdown = Markdown として保存
panel-header-ofProject = { $chip }、プロジェクト { $project }
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
panel-notices-missing = Jupyter の環境に不足：{ $names }
panel-notices-unhosted = コードの出力はここに表示されます。このパネルはセルを挿入しません。
panel-notices-newerKernel = カーネル側の copilot は、このページより新しいバージョンです。
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
panel-greeting-cannotStart = copilot を開始できません。

## Panel: initialization issues

panel-issues-title = 初期化の問題
panel-issues-issues = 問題 { $n }件
panel-issues-notes = 注意 { $n }件
panel-issues-connect = 設定と接続
panel-issues-tools = ツール
panel-issues-skills = スキル
panel-issues-context = コンテキスト
panel-issues-prompt = 指示

## Panel: question box

panel-composer-box = copilot に質問
panel-composer-chooseOrReply = 上から選ぶか、返事を入力
panel-composer-askAbout = { $chip } について質問
panel-composer-theChip = チップ
panel-composer-picture = 画像 { $n }
panel-composer-leaveOut = 質問から外す
panel-composer-analyze = 測定結果を分析
panel-composer-names = 名前
panel-composer-waitsForRunning = 実行中の質問が終わると送信されます
panel-composer-model = モデル：{ $model }
panel-composer-cell = セル { $label }
panel-composer-kinds = { $kind ->
    [variable] 変数
    [data] データ
    [qubit] 量子ビット
   *[coupling] カップリング
 }

## Panel: context window

panel-gauge-filled = コンテキスト{ $most }トークン中{ $filled }トークンを使用
panel-gauge-last = 直前の質問：{ $tokens }
panel-gauge-lastEstimated = 直前の質問：{ $tokens }（推定）
panel-gauge-tokens = { $n }トークン

## Panel: why a question can't be sent

panel-blocked-lost = copilot に未接続
panel-blocked-connecting = カーネルに接続中…
panel-blocked-failed = 未接続（理由は上に表示）
panel-blocked-look = 先に送信内容を確認
panel-refusals-noReason = カーネルに拒否されました。理由は示されていません。
panel-refusals-stoppedWithQueue = 入力欄の質問に答える前に、カーネルが停止しました。
panel-refusals-stoppedWithQuestion = 質問を受け取る前に、カーネルが停止しました。
panel-refusals-unreadable = { $file } を読み取れませんでした。
panel-refusals-unknownFile = { $file } は表（CSV、Parquet）でも画像でもありません。
panel-refusals-tooLarge = { $file } は { $mb } MB を超えています。セルで pandas を使い、ディスクから読み込んでください。
panel-refusals-seesNot = { $model } は画像を扱う設定になっていません。扱えるモデルは copilot.yaml の「accepts」で指定します。
panel-refusals-plannerSeesNot = オフラインプランナーは画像を扱えません。画像を扱える言語モデルを選んでください。
panel-refusals-pictureNotHere = この質問には画像を付けられません。先に質問の対象を外してください。
panel-refusals-tooManyPictures = 質問に付けられる画像は4枚までです。
panel-refusals-picturesTooLarge = 質問に付けられる画像は合計 { $mb } MB までです。

## Panel: what a question is about

panel-subject-run = 実行 { $run }
panel-subject-analyzeRun = 実行 { $run } の { $qid } の { $task } を分析
panel-subject-analyze = { $qid } の { $task } を分析
panel-subject-ofElement = { $qid } の { $task }
panel-subject-resultHint = この結果への質問（省略可）
panel-subject-whatShows = { $label } には何が写っていますか？
panel-subject-pictureHint = 画像への質問（省略可）
panel-subject-lines = { $label } の選択行
panel-subject-explainLines = { $label } の選択した行を説明して
panel-subject-linesHint = 選択した行への質問（省略可）
panel-subject-cell = セル { $label }
panel-subject-empty = 空
panel-subject-fix = セル { $label } を修正して
panel-subject-fixHint = 補足（省略可）
panel-subject-explainOutput = セル { $label } の出力を説明して
panel-subject-cellHint = このセルへの質問（省略可）
panel-subject-figureGone = カーネルの実行中だけ表示できます

## Panel: conversation

panel-conversation-name = 会話
panel-conversation-new = 新着
panel-conversation-answerReady = 回答ができました
panel-conversation-stopped = 停止しました
panel-conversation-failed = 質問に失敗しました
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
panel-status-silentStop = カーネルの応答なし。応答後に停止します
panel-status-silent = カーネルが応答していません
panel-status-stopping = 停止中
panel-status-stillWaiting = モデルの応答を待っています
panel-thought-soFar = ここまでの思考
panel-thought-lasted = 思考時間 { $time }

## Panel: steps

panel-step-running = 実行中
panel-step-forYou = あなたの確認待ち
panel-step-done = 完了
panel-step-failed = 失敗
panel-step-folded = { $n }ステップ · { $time }
panel-step-waiting = カーネル待ち
panel-step-withoutCell = セルなしで実行
panel-step-inCell = セルへ ↗
panel-step-inCellNumber = セル [{ $n }] へ ↗
panel-step-cellGone = ノートブックにはもうありません。
panel-step-gone = 消失
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
panel-code-insertTitle = 現在のセルの下に挿入
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
panel-chart-seriesNumber = 系列 { $n }
panel-chart-values = 値
panel-chart-place = { $row }行{ $column }列
panel-chart-over = 横軸 { $x }、縦軸 { $y }
panel-chart-summary = { $name }：{ $n }個の値
panel-chart-summaryRange = { $name }：{ $n }個の値、{ $low } から { $high }
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

panel-edit-name = セル { $label } の変更案
panel-edit-title = セル { $label } の変更
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
    [kernel] あなたのカーネルで実行しますか？
   *[tool] この呼び出しを許可しますか？
 }
panel-approval-yes = { $runs ->
    [session] 実行
    [kernel] 自分のカーネルで実行
   *[tool] 承認
 }
panel-approval-inSession = あなたのカーネルではなく、copilot 専用のプロセスで実行します。
panel-approval-needs = 次の操作のため、あなたのカーネルでの実行が必要です：
panel-approval-happened = 次の操作は実行済みです。コードを実行すると、もう一度行われます：
panel-approval-elsewhere = ノートブックの横のパネルで回答してください。
panel-approval-line = { $n }行目
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

panel-look-title = { $endpoint } への最初の質問の前に
panel-look-goes = 次の内容を { $model } に送信します：
panel-look-agree = { $endpoint } への送信を許可
panel-signIn-title = サインイン
panel-signIn-keyFor = { $server } の キー
panel-signIn-key = キー
panel-signIn-notNow = 今はしない
panel-signIn-kept = カーネルが停止するまで保持し、ファイルには保存しません。

## Panel: queue

panel-queue-name = 待機中の質問
panel-queue-waiting = { $n }件の質問が待機中
panel-queue-held = 前の質問が停止または失敗したため、送信していません：
panel-queue-remove = 取り除く

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
panel-kept-title = 名前
panel-kept-titleHint = 最初の質問

## Panel: data

panel-frames-list = データの一覧
panel-frames-deleted = { $key } は削除されました。会話のステップから再取得できます。
panel-frames-lastHeard = カーネルから最後に受け取った内容です。
panel-frames-wentAlong = カーネルの停止でデータ{ $n }件が失われました。
panel-frames-fetchAll = すべて再取得
panel-frames-nothing = まだデータはありません。copilot が読み取ったデータがここに並びます。
panel-frames-nothingIn = まだデータはありません。copilot が読み取ったデータがここに並び、Python では { $name }["…"] で使えます。
panel-frames-fetching = 取得中…
panel-frames-fetch = 取得：{ $key }
panel-frames-refresh = 更新：{ $key }
panel-frames-delete = 削除：{ $key }
panel-frames-had = 元は{ $size }
panel-frames-deleteFromKernel = { $key } をカーネルから削除しますか？加えた変更も失われます。
panel-frames-openInCell = セルで開く
panel-frames-explore = 探索
panel-frames-copyName = 名前をコピー
panel-frames-copyNameOf = 名前をコピー：{ $name }
panel-frames-yourVariables = `copilot` と `data` という名前はあなたの変数が使っています。どちらかを削除すると、次のセルからこの表を名前で使えます。
panel-frames-cellBelow = 現在のセルの下に挿入：{ $code }
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
extension-commands-openCaption = 現在のノートブックの copilot を表示
extension-commands-start = QDash Copilot：このノートブックで開始
extension-commands-startCaption = 現在のノートブックのカーネルで「{ $line }」を実行
extension-commands-about = このセルについて QDash Copilot に質問
extension-commands-aboutCaption = このセルのコードと出力を次の質問に付ける
extension-commands-fix = QDash Copilot で修正
extension-commands-fixCaption = 失敗したこのセルの修正案を copilot に求める（適用するまで何も変わりません）
extension-commands-ask = QDash Copilot：質問
extension-commands-askCaption = 質問の入力欄へ移動（セルやファイルで選択した部分も付きます）
extension-commands-stop = QDash Copilot：停止
extension-commands-stopCaption = 実行中の質問を停止
extension-commands-approve = QDash Copilot：承認
extension-commands-approveCaption = 確認待ちの内容を、表示されていれば承認

## Extension: starting

extension-start-starting = copilot を開始しています…
extension-start-pending = QDash Copilot を開始しています…
extension-start-done = QDash Copilot がこのノートブックで動いています。セルで %copilot help を実行してみてください。
extension-start-failed = QDash Copilot を開始できませんでした。{ $why }
extension-start-runThere = { $why }そこで「{ $line }」を実行し、もう一度お試しください。
extension-start-noKernel = このノートブックにはカーネルがありません。先に選択してください。
extension-start-needsPython = QDash Copilot には Python のカーネルが必要です。このカーネルは { $language } です。
extension-start-kernelWent = 応答する前にカーネルが停止しました。
extension-start-packageMissing = カーネルの環境にパッケージがインストールされていません。
extension-start-noPanel = copilot は読み込まれましたが、カーネル側のバージョンにはパネルがありません。更新してカーネルを再起動してください。
extension-actions-start = copilot を開始
extension-actions-restart = カーネルを再起動
extension-actions-choose = カーネルを選択
extension-actions-again = 再試行
extension-actions-copy = コピー
extension-actions-copied = コピーしました

## Extension: in the place of the panel

extension-places-welcome = 超伝導量子ビットについて質問
extension-places-welcomeText = 「今月 T1 が下がったのはどれ？」copilot はキャリブレーションデータを読み、このノートブックのセルで計算し、グラフで回答します。
extension-places-welcomeDetail = このノートブックのカーネルで実行されます。質問するまで、何もどこにも送信しません。
extension-places-noNotebook = ノートブックを開くと、量子ビットについて copilot に質問できます。
extension-places-kernelStarts = カーネルを起動しています…
extension-places-kernelUnheard = カーネルを待っています。セルの実行中なら、終了後に copilot が表示されます。
extension-places-kernelStopped = カーネルが停止しました。
extension-places-noKernel = このノートブックにはカーネルがありません。copilot には Python のカーネルが必要です。
extension-places-otherLanguage = copilot には Python のカーネルが必要です。このカーネルは { $language } です。
extension-places-shared = 同じカーネルを使う別のノートブックが開いていて、copilot はそちらで動いています。
extension-places-sharedDetail = ここで使うには、そのノートブックを閉じてページを再読み込みしてください。
extension-places-connecting = copilot に接続中…
extension-places-kernelBusy = カーネルがセルを実行中です。終了後に copilot を開始します。
extension-places-runThenStart = セルで次の行を実行し、もう一度開始してください：
extension-places-notStarted = copilot を開始できませんでした
extension-places-notShown = copilot は動いていますが、パネルを表示できません
extension-places-missing = Jupyter サーバーの環境に不足：{ $names }
extension-places-missingDetail = サーバーの環境（カーネルの環境と異なる場合があります）で次を実行し、ページを再読み込みしてください：
extension-places-noReason = カーネルから理由は示されていません。
extension-places-notLoaded = パネルを読み込めませんでした
extension-places-notLoadedText = もう一度お試しください。解決しない場合は、ノートブックを保存してページを再読み込みしてください。
extension-places-loading = パネルを読み込み中…
extension-notices-notStarted = copilot を開始できませんでした。{ $why }
extension-notices-kernelBehind = qdash_jupyter はカーネルでは { $kernel }、JupyterLab では { $page } です。カーネルの環境で更新し、カーネルを再起動してください。
extension-notices-pageBehind = qdash_jupyter はカーネルでは { $kernel }、JupyterLab では { $page } です。Jupyter サーバーの環境で更新し、ページを再読み込みしてください。

## Extension: connection to the kernel

extension-link-busy = カーネルがセルを実行中です。
extension-link-waitsForCell = カーネルがセルを実行中です。操作はその後に受け付けます。
extension-link-silent = カーネルが応答していません。操作は待機中です。
extension-link-connecting = カーネルに接続中…
extension-link-notRunning = copilot が動いていません。もう一度開始してください。
extension-link-connectionLost = カーネルが応答する前に接続が切れました。もう一度お試しください。
extension-link-notTaken = copilot が操作を受け付けませんでした。もう一度お試しください。
extension-link-stopped = 応答する前にカーネルが停止しました。
extension-lost-dead = カーネルが停止しました。会話は保存されています。
extension-lost-restarted = カーネルが再起動しました。会話は保存されています。
extension-lost-crashed = カーネルが異常終了し、再起動しました。会話は保存されています。
extension-lost-replaced = カーネルが変わりました。会話は保存されています。
extension-lost-unloaded = copilot の読み込みが解除されました。会話は保存されています。
extension-lost-disconnected = カーネルへの接続が切れました。

## Extension: cells

extension-cells-badge = copilot · ステップ { $step }
extension-cells-cell = セル { $label }
extension-cells-textCell = テキストセル
extension-cells-fourPictures = 画像（4枚まで）
extension-cells-largePicture = 5 MB を超える画像
extension-cells-otherOutput = テキストでも画像でもない出力（{ $types }）
extension-cells-sessionOnly = copilot のセッションにのみ存在：
extension-cells-runHere = カーネルで実行
extension-runHere-title = カーネルで実行しますか？
extension-runHere-run = カーネルで実行
extension-runHere-cancel = キャンセル
extension-runHere-asIf = { $cells ->
    [1] Shift+Enter を押したときと同じように、このセルを実行します。
   *[other] Shift+Enter を押したときと同じように、これらのセルを上から順に実行します。
 }
extension-runHere-gone = このコードに必要なセルの一部がノートブックにないため、失敗する可能性があります。
extension-runHere-notRun = 何も実行しませんでした
extension-runHere-changed = コードの表示後にセルが変更されました。
