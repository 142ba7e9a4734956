/** What is said. Written by scripts/panel_words.py from qdash_jupyter/messages: change it there. */
import { byLanguage, plural, text } from './fluent';

export const LANGUAGES = ['en', 'ja'] as const;

export type Language = (typeof LANGUAGES)[number];

const enPlural = /* @__PURE__ */ plural('en');

interface Panel {
  readonly format: {
    readonly rows: (f: { readonly n: number }) => string;
    readonly columns: (f: { readonly n: number }) => string;
    readonly records: (f: { readonly n: number }) => string;
    readonly characters: (f: { readonly n: number }) => string;
    readonly seconds: (f: { readonly n: string | number }) => string;
    readonly minutes: (f: { readonly n: string | number; readonly seconds: string | number }) => string;
    readonly justNow: string;
    readonly minutesAgo: (f: { readonly n: string | number }) => string;
    readonly hoursAgo: (f: { readonly n: string | number }) => string;
    readonly asOf: (f: { readonly day: string | number }) => string;
    readonly tokensInOut: (f: { readonly sent: string | number; readonly got: string | number }) => string;
  };
  readonly kernel: {
    readonly live: string;
    readonly busy: string;
    readonly silent: string;
    readonly lost: string;
    readonly connecting: string;
  };
  readonly header: {
    readonly fileName: (f: { readonly notebook: string | number; readonly ending: string | number }) => string;
    readonly transcriptCopied: string;
    readonly data: string;
    readonly dataCount: (f: { readonly n: string | number }) => string;
    readonly dataTitle: string;
    readonly results: string;
    readonly conversations: string;
    readonly begin: string;
    readonly more: string;
    readonly copyTranscript: string;
    readonly saveNotebook: string;
    readonly saveMarkdown: string;
    readonly ofProject: (f: { readonly chip: string | number; readonly project: string | number }) => string;
    readonly chip: (f: { readonly chip: string | number }) => string;
    readonly qubits: (f: { readonly n: number }) => string;
    readonly chooseChip: string;
  };
  readonly buttons: {
    readonly copied: string;
    readonly notCopied: string;
    readonly dismiss: string;
    readonly stop: string;
    readonly send: string;
    readonly keep: string;
    readonly show: string;
    readonly undo: string;
    readonly delete: string;
    readonly edit: string;
    readonly fetchAgain: string;
    readonly fetching: string;
    readonly tryAgain: string;
  };
  readonly notices: {
    readonly beganAnew: string;
    readonly lost: string;
    readonly missing: (f: { readonly names: string | number }) => string;
    readonly unhosted: string;
    readonly newerKernel: string;
    readonly saveAndReload: string;
    readonly undrawable: string;
  };
  readonly greeting: {
    readonly examples: string;
    readonly opening: string;
    readonly chip: string;
    readonly chipOf: (f: { readonly chip: string | number; readonly project: string | number; readonly n: number }) => string;
    readonly notChosen: string;
    readonly database: string;
    readonly model: string;
    readonly endpoint: string;
    readonly code: string;
    readonly noLanguageModel: string;
    readonly problems: (f: { readonly n: number }) => string;
    readonly cannotStart: string;
  };
  readonly issues: {
    readonly title: string;
    readonly issues: (f: { readonly n: number }) => string;
    readonly notes: (f: { readonly n: number }) => string;
    readonly connect: string;
    readonly tools: string;
    readonly skills: string;
    readonly context: string;
    readonly prompt: string;
  };
  readonly composer: {
    readonly box: string;
    readonly chooseOrReply: string;
    readonly askAbout: (f: { readonly chip: string | number }) => string;
    readonly theChip: string;
    readonly picture: (f: { readonly n: string | number }) => string;
    readonly leaveOut: string;
    readonly analyze: string;
    readonly completions: string;
    readonly completionsFound: (f: { readonly n: number }) => string;
    readonly names: string;
    readonly waitsForRunning: string;
    readonly findModels: string;
    readonly model: (f: { readonly model: string | number }) => string;
    readonly cell: (f: { readonly label: string | number }) => string;
    readonly kinds: (f: { readonly kind: 'variable' | 'data' | 'qubit' | 'task' | 'parameter' | 'time' | 'coupling' }) => string;
  };
  readonly gauge: {
    readonly filled: (f: { readonly filled: string | number; readonly most: string | number }) => string;
    readonly last: (f: { readonly tokens: string | number }) => string;
    readonly lastEstimated: (f: { readonly tokens: string | number }) => string;
    readonly tokens: (f: { readonly n: number }) => string;
  };
  readonly blocked: {
    readonly lost: string;
    readonly connecting: string;
    readonly failed: string;
    readonly look: string;
  };
  readonly refusals: {
    readonly noReason: string;
    readonly stoppedWithQueue: string;
    readonly stoppedWithQuestion: string;
    readonly unreadable: (f: { readonly file: string | number }) => string;
    readonly unknownFile: (f: { readonly file: string | number }) => string;
    readonly tooLarge: (f: { readonly file: string | number; readonly mb: string | number }) => string;
    readonly seesNot: (f: { readonly model: string | number }) => string;
    readonly plannerSeesNot: string;
    readonly pictureNotHere: string;
    readonly tooManyPictures: string;
    readonly picturesTooLarge: (f: { readonly mb: string | number }) => string;
  };
  readonly subject: {
    readonly run: (f: { readonly run: string | number }) => string;
    readonly analyzeRun: (f: { readonly task: string | number; readonly qid: string | number; readonly run: string | number }) => string;
    readonly analyze: (f: { readonly task: string | number; readonly qid: string | number }) => string;
    readonly ofElement: (f: { readonly task: string | number; readonly qid: string | number }) => string;
    readonly resultHint: string;
    readonly whatShows: (f: { readonly label: string | number }) => string;
    readonly pictureHint: string;
    readonly lines: (f: { readonly label: string | number }) => string;
    readonly explainLines: (f: { readonly label: string | number }) => string;
    readonly linesHint: string;
    readonly cell: (f: { readonly label: string | number }) => string;
    readonly empty: string;
    readonly fix: (f: { readonly label: string | number }) => string;
    readonly fixHint: string;
    readonly explainOutput: (f: { readonly label: string | number }) => string;
    readonly cellHint: string;
    readonly figureGone: string;
  };
  readonly conversation: {
    readonly name: string;
    readonly new: string;
    readonly answerReady: string;
    readonly stopped: string;
    readonly failed: string;
    readonly interrupted: string;
    readonly kernelEnded: string;
    readonly stoppedByYou: string;
    readonly askAgain: string;
    readonly unanswered: string;
    readonly noAnswer: string;
    readonly askedAgain: string;
    readonly replies: string;
    readonly nextSteps: string;
    readonly copyAnswer: string;
    readonly picture: string;
  };
  readonly status: {
    readonly thinking: string;
    readonly writing: string;
    readonly waitingForKernel: string;
    readonly stopsAfterCell: string;
    readonly waitsForCell: string;
    readonly silentStop: string;
    readonly silent: string;
    readonly stopping: string;
    readonly stillWaiting: string;
  };
  readonly thought: {
    readonly soFar: string;
    readonly lasted: (f: { readonly time: string | number }) => string;
  };
  readonly step: {
    readonly running: string;
    readonly forYou: string;
    readonly done: string;
    readonly failed: string;
    readonly folded: (f: { readonly n: number; readonly time: string | number }) => string;
    readonly waiting: string;
    readonly withoutCell: string;
    readonly inCell: string;
    readonly inCellNumber: (f: { readonly n: string | number }) => string;
    readonly cellGone: string;
    readonly gone: string;
    readonly showInData: string;
    readonly sent: string;
    readonly readByPlanner: string;
    readonly tool: string;
    readonly arguments: string;
    readonly readFrom: string;
    readonly code: string;
    readonly copy: (f: { readonly title: string | number }) => string;
    readonly forExample: (f: { readonly ids: string | number }) => string;
  };
  readonly code: {
    readonly name: string;
    readonly copy: string;
    readonly goToCell: string;
    readonly insert: string;
    readonly insertTitle: string;
    readonly notInserted: string;
    readonly firstLines: (f: { readonly n: string | number }) => string;
    readonly allLines: (f: { readonly n: string | number }) => string;
  };
  readonly table: {
    readonly name: string;
    readonly label: (f: { readonly name: string | number; readonly n: number }) => string;
    readonly rowsIn: (f: { readonly n: number; readonly name: string | number }) => string;
    readonly rowsSoFar: (f: { readonly n: number }) => string;
    readonly firstRows: (f: { readonly n: string | number }) => string;
    readonly allRows: (f: { readonly n: string | number }) => string;
  };
  readonly chart: {
    readonly unhosted: string;
    readonly foreign: string;
    readonly failed: string;
    readonly name: string;
    readonly expand: string;
    readonly copyData: string;
    readonly save: string;
    readonly savePicture: string;
    readonly saveData: string;
    readonly notSaved: string;
    readonly valuesInAll: (f: { readonly n: string | number }) => string;
    readonly series: string;
    readonly seriesNumber: (f: { readonly n: string | number }) => string;
    readonly values: string;
    readonly place: (f: { readonly row: string | number; readonly column: string | number }) => string;
    readonly over: (f: { readonly y: string | number; readonly x: string | number }) => string;
    readonly summary: (f: { readonly name: string | number; readonly n: number }) => string;
    readonly summaryRange: (f: { readonly name: string | number; readonly n: number; readonly low: string | number; readonly high: string | number }) => string;
    readonly title: (f: { readonly title: string | number }) => string;
    readonly untitled: string;
    readonly fileName: string;
  };
  readonly assessment: {
    readonly good: string;
    readonly warning: string;
    readonly bad: string;
    readonly unknown: string;
  };
  readonly addedCells: {
    readonly name: string;
    readonly added: (f: { readonly n: number }) => string;
    readonly undone: (f: { readonly n: number }) => string;
    readonly unseen: (f: { readonly n: number }) => string;
    readonly insert: string;
    readonly putBack: string;
  };
  readonly edit: {
    readonly name: (f: { readonly label: string | number }) => string;
    readonly title: (f: { readonly label: string | number }) => string;
    readonly copy: string;
    readonly written: string;
    readonly rejected: string;
    readonly changed: string;
    readonly gone: string;
    readonly accept: string;
    readonly acceptName: string;
    readonly reject: string;
    readonly rejectName: string;
  };
  readonly approval: {
    readonly title: (f: { readonly runs: 'session' | 'kernel' | 'tool' }) => string;
    readonly yes: (f: { readonly runs: 'session' | 'kernel' | 'tool' }) => string;
    readonly inSession: string;
    readonly needs: string;
    readonly elsewhere: string;
    readonly lines: (f: { readonly n: number }) => string;
    readonly readAgain: string;
    readonly cancel: string;
    readonly changedCode: string;
    readonly approveTool: string;
    readonly approveToolTitle: string;
    readonly reject: string;
    readonly reason: string;
    readonly reasonHint: string;
    readonly approvedBy: (f: { readonly who: string | number }) => string;
    readonly rejectedBy: (f: { readonly who: string | number }) => string;
    readonly notRun: string;
    readonly because: (f: { readonly what: string | number; readonly reason: string | number }) => string;
    readonly standing: string;
    readonly revoke: string;
  };
  readonly look: {
    readonly title: (f: { readonly endpoint: string | number }) => string;
    readonly goes: (f: { readonly model: string | number }) => string;
    readonly agree: (f: { readonly endpoint: string | number }) => string;
  };
  readonly signIn: {
    readonly title: string;
    readonly keyFor: (f: { readonly server: string | number }) => string;
    readonly key: string;
    readonly notNow: string;
    readonly kept: string;
  };
  readonly queue: {
    readonly name: string;
    readonly waiting: (f: { readonly n: number }) => string;
    readonly held: string;
    readonly remove: string;
  };
  readonly results: {
    readonly search: string;
    readonly searchHint: string;
    readonly none: string;
    readonly reading: string;
    readonly newest: (f: { readonly n: string | number }) => string;
    readonly excluded: (f: { readonly status: string | number }) => string;
  };
  readonly kept: {
    readonly search: string;
    readonly reading: string;
    readonly none: string;
    readonly nothing: string;
    readonly openNow: string;
    readonly deleteForGood: (f: { readonly title: string | number }) => string;
    readonly more: (f: { readonly title: string | number }) => string;
    readonly rename: string;
    readonly title: string;
    readonly titleHint: string;
  };
  readonly frames: {
    readonly list: string;
    readonly deleted: (f: { readonly key: string | number }) => string;
    readonly lastHeard: string;
    readonly wentAlong: (f: { readonly n: number }) => string;
    readonly fetchAll: string;
    readonly nothing: string;
    readonly nothingIn: (f: { readonly name: string | number }) => string;
    readonly filter: string;
    readonly noneFound: string;
    readonly fetching: string;
    readonly fetch: (f: { readonly key: string | number }) => string;
    readonly refresh: (f: { readonly key: string | number }) => string;
    readonly delete: (f: { readonly key: string | number }) => string;
    readonly had: (f: { readonly size: string | number }) => string;
    readonly deleteFromKernel: (f: { readonly key: string | number }) => string;
    readonly openInCell: string;
    readonly explore: string;
    readonly copyName: string;
    readonly copyNameOf: (f: { readonly name: string | number }) => string;
    readonly yourVariables: string;
    readonly cellBelow: (f: { readonly code: string | number }) => string;
    readonly notInserted: string;
    readonly unreachable: string;
    readonly reading: string;
    readonly part: (f: { readonly rows: string | number; readonly allRows: number; readonly columns: string | number; readonly allColumns: number }) => string;
    readonly changed: string;
    readonly noRows: string;
  };
  readonly transcript: {
    readonly assessment: (f: { readonly assessment: string | number }) => string;
    readonly chart: (f: { readonly title: string | number }) => string;
    readonly picture: string;
  };
}

export const panel = /* @__PURE__ */ byLanguage<Language, Panel>(LANGUAGES, {
  format: {
    rows: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'row' : 'rows'}`,
      f => text`${f.n}行`,
    ],
    columns: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'column' : 'columns'}`,
      f => text`${f.n}列`,
    ],
    records: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'record' : 'records'}`,
      f => text`${f.n}件`,
    ],
    characters: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'character' : 'characters'}`,
      f => text`${f.n}文字`,
    ],
    seconds: [
      f => text`${f.n} s`,
      f => text`${f.n}秒`,
    ],
    minutes: [
      f => text`${f.n} min ${f.seconds} s`,
      f => text`${f.n}分${f.seconds}秒`,
    ],
    justNow: [
      'just now',
      'たった今',
    ],
    minutesAgo: [
      f => text`${f.n} min ago`,
      f => text`${f.n}分前`,
    ],
    hoursAgo: [
      f => text`${f.n} h ago`,
      f => text`${f.n}時間前`,
    ],
    asOf: [
      f => text`as of ${f.day}`,
      f => text`${f.day}時点`,
    ],
    tokensInOut: [
      f => text`${f.sent} tokens in, ${f.got} out`,
      f => text`入力${f.sent}トークン、出力${f.got}トークン`,
    ],
  },
  kernel: {
    live: [
      'Kernel ready',
      'カーネル：準備完了',
    ],
    busy: [
      'Kernel busy',
      'カーネル：実行中',
    ],
    silent: [
      'Kernel not responding',
      'カーネル：応答なし',
    ],
    lost: [
      'Kernel stopped',
      'カーネル：停止',
    ],
    connecting: [
      'Connecting to the kernel',
      'カーネルに接続中',
    ],
  },
  header: {
    fileName: [
      f => text`${f.notebook} conversation.${f.ending}`,
      f => text`${f.notebook} 会話.${f.ending}`,
    ],
    transcriptCopied: [
      'Conversation copied',
      '会話をコピーしました',
    ],
    data: [
      'Data',
      'データ',
    ],
    dataCount: [
      f => text`Data ${f.n}`,
      f => text`データ${f.n}`,
    ],
    dataTitle: [
      'Data in the kernel',
      'カーネルにあるデータ',
    ],
    results: [
      'Results',
      '測定結果',
    ],
    conversations: [
      'Conversations',
      '会話の一覧',
    ],
    begin: [
      'New conversation',
      '新しい会話',
    ],
    more: [
      'More',
      'その他',
    ],
    copyTranscript: [
      'Copy conversation',
      '会話をコピー',
    ],
    saveNotebook: [
      'Save as notebook',
      'ノートブックとして保存',
    ],
    saveMarkdown: [
      'Save as Markdown',
      'Markdownとして保存',
    ],
    ofProject: [
      f => text`${f.chip}, project ${f.project}`,
      f => text`${f.chip}、プロジェクト${f.project}`,
    ],
    chip: [
      f => text`Chip: ${f.chip}`,
      f => text`チップ：${f.chip}`,
    ],
    qubits: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'qubit' : 'qubits'}`,
      f => text`${f.n}量子ビット`,
    ],
    chooseChip: [
      'Choose a chip',
      'チップを選択',
    ],
  },
  buttons: {
    copied: [
      'Copied',
      'コピーしました',
    ],
    notCopied: [
      'Not copied: your browser blocked it',
      'コピーできません：ブラウザーに拒否されました',
    ],
    dismiss: [
      'Dismiss',
      '閉じる',
    ],
    stop: [
      'Stop',
      '停止',
    ],
    send: [
      'Send',
      '送信',
    ],
    keep: [
      'Keep',
      '残す',
    ],
    show: [
      'Show',
      '表示',
    ],
    undo: [
      'Undo',
      '元に戻す',
    ],
    delete: [
      'Delete',
      '削除',
    ],
    edit: [
      'Edit',
      '編集',
    ],
    fetchAgain: [
      'Fetch again',
      '再取得',
    ],
    fetching: [
      'Fetching…',
      '取得中…',
    ],
    tryAgain: [
      'Try again',
      '再試行',
    ],
  },
  notices: {
    beganAnew: [
      'New conversation started.',
      '新しい会話を始めました。',
    ],
    lost: [
      'The kernel stopped. Your conversation is saved.',
      'カーネルが停止しました。会話は保存されています。',
    ],
    missing: [
      f => text`Missing from Jupyter's environment: ${f.names}.`,
      f => text`Jupyterの環境に不足：${f.names}`,
    ],
    unhosted: [
      "Code output appears here. This panel doesn't insert cells.",
      'コードの出力はここに表示されます。このパネルはセルを挿入しません。',
    ],
    newerKernel: [
      'The copilot in the kernel is newer than this page.',
      'カーネル側のcopilotは、このページより新しいバージョンです。',
    ],
    saveAndReload: [
      'Save the notebook and reload the page.',
      'ノートブックを保存し、ページを再読み込みしてください。',
    ],
    undrawable: [
      "This part can't be shown. See your browser's console for the reason.",
      'この部分は表示できません。理由はブラウザーのコンソールで確認してください。',
    ],
  },
  greeting: {
    examples: [
      'Examples',
      '質問の例',
    ],
    opening: [
      'Opening the database',
      'データベースを開いています',
    ],
    chip: [
      'Chip',
      'チップ',
    ],
    chipOf: [
      f => text`${f.chip} (${f.project}, ${f.n} ${enPlural(f.n) === 'one' ? 'qubit' : 'qubits'})`,
      f => text`${f.chip}（${f.project}、${f.n}量子ビット）`,
    ],
    notChosen: [
      'not chosen',
      '未選択',
    ],
    database: [
      'Database',
      'データベース',
    ],
    model: [
      'Model',
      'モデル',
    ],
    endpoint: [
      'Endpoint',
      '接続先',
    ],
    code: [
      'Code',
      'コード',
    ],
    noLanguageModel: [
      'No language model is configured. The offline planner answers questions like these.',
      '言語モデルが設定されていません。オフラインプランナーが次のような質問に回答します。',
    ],
    problems: [
      f => enPlural(f.n) === 'one' ? text`${f.n} value couldn't be read and is treated as missing.` : text`${f.n} values couldn't be read and are treated as missing.`,
      f => text`${f.n}個の値を読み取れませんでした。欠測として扱います。`,
    ],
    cannotStart: [
      "The copilot can't start.",
      'copilotを開始できません。',
    ],
  },
  issues: {
    title: [
      'Initialization issues',
      '初期化の問題',
    ],
    issues: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'issue' : 'issues'}`,
      f => text`問題${f.n}件`,
    ],
    notes: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'note' : 'notes'}`,
      f => text`注意${f.n}件`,
    ],
    connect: [
      'Settings and connection',
      '設定と接続',
    ],
    tools: [
      'Tools',
      'ツール',
    ],
    skills: [
      'Skills',
      'スキル',
    ],
    context: [
      'Context',
      'コンテキスト',
    ],
    prompt: [
      'Instructions',
      '指示',
    ],
  },
  composer: {
    box: [
      'Ask the copilot',
      'copilotに質問',
    ],
    chooseOrReply: [
      'Choose above, or type a reply',
      '上から選ぶか、返事を入力',
    ],
    askAbout: [
      f => text`Ask about ${f.chip}`,
      f => text`${f.chip}について質問`,
    ],
    theChip: [
      'the chip',
      'チップ',
    ],
    picture: [
      f => text`Image ${f.n}`,
      f => text`画像${f.n}`,
    ],
    leaveOut: [
      'Detach',
      '質問から外す',
    ],
    analyze: [
      'Analyze a result',
      '測定結果を分析',
    ],
    completions: [
      'Completions',
      '入力候補',
    ],
    completionsFound: [
      f => enPlural(f.n) === 'one' ? '1 completion' : text`${f.n} completions`,
      f => text`入力候補${f.n}件`,
    ],
    names: [
      'Names',
      '名前',
    ],
    waitsForRunning: [
      'Sent when the current question is done',
      '実行中の質問が終わると送信されます',
    ],
    findModels: [
      'Find models on this machine',
      'このマシンのモデルを探す',
    ],
    model: [
      f => text`Model: ${f.model}`,
      f => text`モデル：${f.model}`,
    ],
    cell: [
      f => text`cell ${f.label}`,
      f => text`セル${f.label}`,
    ],
    kinds: [
      f => f.kind === 'variable' ? 'variable' : f.kind === 'data' ? 'data' : f.kind === 'qubit' ? 'qubit' : f.kind === 'task' ? 'task' : f.kind === 'parameter' ? 'parameter' : f.kind === 'time' ? 'time' : 'coupling',
      f => f.kind === 'variable' ? '変数' : f.kind === 'data' ? 'データ' : f.kind === 'qubit' ? '量子ビット' : f.kind === 'task' ? 'タスク' : f.kind === 'parameter' ? 'パラメータ' : f.kind === 'time' ? '期間' : 'カップリング',
    ],
  },
  gauge: {
    filled: [
      f => text`${f.filled} of ${f.most} context tokens used`,
      f => text`コンテキスト${f.most}トークン中${f.filled}トークンを使用`,
    ],
    last: [
      f => text`last question: ${f.tokens}`,
      f => text`直前の質問：${f.tokens}`,
    ],
    lastEstimated: [
      f => text`last question: ${f.tokens} (estimated)`,
      f => text`直前の質問：${f.tokens}（推定）`,
    ],
    tokens: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'token' : 'tokens'}`,
      f => text`${f.n}トークン`,
    ],
  },
  blocked: {
    lost: [
      'Not connected to the copilot',
      'copilotに未接続',
    ],
    connecting: [
      'Connecting to the kernel…',
      'カーネルに接続中…',
    ],
    failed: [
      'Not connected: see above',
      '未接続（理由は上に表示）',
    ],
    look: [
      'Check above what will be sent',
      '先に送信内容を確認',
    ],
  },
  refusals: {
    noReason: [
      'The kernel rejected this without giving a reason.',
      'カーネルに拒否されました。理由は示されていません。',
    ],
    stoppedWithQueue: [
      'The kernel stopped before answering the question in the box.',
      '入力欄の質問に答える前に、カーネルが停止しました。',
    ],
    stoppedWithQuestion: [
      'The kernel stopped before it received your question.',
      '質問を受け取る前に、カーネルが停止しました。',
    ],
    unreadable: [
      f => text`Can't read ${f.file}.`,
      f => text`${f.file}を読み取れません。`,
    ],
    unknownFile: [
      f => text`${f.file} isn't a table (CSV, Parquet) or an image.`,
      f => text`${f.file}は表（CSV、Parquet）でも画像でもありません。`,
    ],
    tooLarge: [
      f => text`${f.file} is larger than ${f.mb} MB. Read it from disk with pandas in a cell.`,
      f => text`${f.file}は${f.mb} MBを超えています。セルでpandasを使い、ディスクから読み込んでください。`,
    ],
    seesNot: [
      f => text`${f.model} isn't set up to read images. “accepts” in copilot.yaml sets which models can.`,
      f => text`${f.model}は画像を扱う設定になっていません。扱えるモデルはcopilot.yamlの「accepts」で指定します。`,
    ],
    plannerSeesNot: [
      "The offline planner can't read images. Choose a language model that can.",
      'オフラインプランナーは画像を扱えません。画像を扱える言語モデルを選んでください。',
    ],
    pictureNotHere: [
      "You can't add an image to a question about something else. Remove that first.",
      'この質問には画像を付けられません。先に質問の対象を外してください。',
    ],
    tooManyPictures: [
      'You can add up to four images to a question.',
      '質問に付けられる画像は4枚までです。',
    ],
    picturesTooLarge: [
      f => text`The images of a question can be up to ${f.mb} MB in total.`,
      f => text`質問に付けられる画像は合計${f.mb} MBまでです。`,
    ],
  },
  subject: {
    run: [
      f => text`run ${f.run}`,
      f => text`実行${f.run}`,
    ],
    analyzeRun: [
      f => text`Analyze ${f.task} of ${f.qid} in run ${f.run}`,
      f => text`実行${f.run}の${f.qid}の${f.task}を分析`,
    ],
    analyze: [
      f => text`Analyze ${f.task} of ${f.qid}`,
      f => text`${f.qid}の${f.task}を分析`,
    ],
    ofElement: [
      f => text`${f.task} of ${f.qid}`,
      f => text`${f.qid}の${f.task}`,
    ],
    resultHint: [
      'Ask about this result, or just send',
      'この結果への質問（省略可）',
    ],
    whatShows: [
      f => text`What does ${f.label} show?`,
      f => text`${f.label}には何が写っていますか？`,
    ],
    pictureHint: [
      'Ask about the image, or just send',
      '画像への質問（省略可）',
    ],
    lines: [
      f => text`Lines of ${f.label}`,
      f => text`${f.label}の選択行`,
    ],
    explainLines: [
      f => text`Explain the selected lines of ${f.label}`,
      f => text`${f.label}の選択した行を説明して`,
    ],
    linesHint: [
      'Ask about these lines, or just send',
      '選択した行への質問（省略可）',
    ],
    cell: [
      f => text`Cell ${f.label}`,
      f => text`セル${f.label}`,
    ],
    empty: [
      'empty',
      '空',
    ],
    fix: [
      f => text`Fix cell ${f.label}`,
      f => text`セル${f.label}を修正して`,
    ],
    fixHint: [
      'Add details, or just send',
      '補足（省略可）',
    ],
    explainOutput: [
      f => text`Explain the output of cell ${f.label}`,
      f => text`セル${f.label}の出力を説明して`,
    ],
    cellHint: [
      'Ask about this cell, or just send',
      'このセルへの質問（省略可）',
    ],
    figureGone: [
      'available only while the kernel runs',
      'カーネルの実行中だけ表示できます',
    ],
  },
  conversation: {
    name: [
      'Conversation',
      '会話',
    ],
    new: [
      'New',
      '新着',
    ],
    answerReady: [
      'Answer ready',
      '回答ができました',
    ],
    stopped: [
      'Stopped',
      '停止しました',
    ],
    failed: [
      'The question failed',
      'この質問には回答できませんでした',
    ],
    interrupted: [
      'Interrupted',
      '中断しました',
    ],
    kernelEnded: [
      'Interrupted: the kernel stopped',
      '中断：カーネルが停止しました',
    ],
    stoppedByYou: [
      'Stopped by you',
      '停止しました',
    ],
    askAgain: [
      'Ask again',
      'もう一度質問',
    ],
    unanswered: [
      'This question has no answer.',
      'この質問への回答はありません。',
    ],
    noAnswer: [
      'No answer',
      '回答なし',
    ],
    askedAgain: [
      'asked again below',
      '下で再質問',
    ],
    replies: [
      'Replies',
      '返事の候補',
    ],
    nextSteps: [
      'Next steps',
      '次のステップ',
    ],
    copyAnswer: [
      'Copy answer',
      '回答をコピー',
    ],
    picture: [
      'Image drawn by the analysis code',
      '分析コードが描いた画像',
    ],
  },
  status: {
    thinking: [
      'Thinking',
      '考え中',
    ],
    writing: [
      'Writing the answer',
      '回答を作成中',
    ],
    waitingForKernel: [
      'Waiting for the kernel',
      'カーネルを待っています',
    ],
    stopsAfterCell: [
      'Stopping after the current cell',
      '実行中のセルの後に停止します',
    ],
    waitsForCell: [
      'Waiting for the current cell',
      '実行中のセルの終了を待っています',
    ],
    silentStop: [
      "The kernel isn't responding; Stop is queued",
      'カーネルが応答していません。応答があれば停止します',
    ],
    silent: [
      "The kernel isn't responding",
      'カーネルが応答していません',
    ],
    stopping: [
      'Stopping',
      '停止中',
    ],
    stillWaiting: [
      'Still waiting for the model',
      'モデルの応答を待っています',
    ],
  },
  thought: {
    soFar: [
      'Thoughts so far',
      'ここまでの思考',
    ],
    lasted: [
      f => text`Thought for ${f.time}`,
      f => text`思考時間${f.time}`,
    ],
  },
  step: {
    running: [
      'Running',
      '実行中',
    ],
    forYou: [
      'Waiting for you',
      '確認待ち',
    ],
    done: [
      'Done',
      '完了',
    ],
    failed: [
      'Failed',
      '失敗',
    ],
    folded: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'step' : 'steps'} · ${f.time}`,
      f => text`${f.n}ステップ · ${f.time}`,
    ],
    waiting: [
      'waiting for the kernel',
      'カーネル待ち',
    ],
    withoutCell: [
      'ran without a cell',
      'セルなしで実行',
    ],
    inCell: [
      'In cell ↗',
      'セルへ ↗',
    ],
    inCellNumber: [
      f => text`In cell [${f.n}] ↗`,
      f => text`セル[${f.n}]へ ↗`,
    ],
    cellGone: [
      'No longer in the notebook.',
      'ノートブックにはもうありません。',
    ],
    gone: [
      'gone',
      'データなし',
    ],
    showInData: [
      'Show in the data list',
      'データの一覧に表示',
    ],
    sent: [
      'Sent to the model',
      'モデルに送った内容',
    ],
    readByPlanner: [
      'Read by the offline planner',
      'オフラインプランナーが読んだ内容',
    ],
    tool: [
      'Tool',
      'ツール',
    ],
    arguments: [
      'Arguments',
      '引数',
    ],
    readFrom: [
      'Read from',
      '読み取り元',
    ],
    code: [
      'Code',
      'コード',
    ],
    copy: [
      f => text`Copy: ${f.title}`,
      f => text`コピー：${f.title}`,
    ],
    forExample: [
      f => text`for example ${f.ids}`,
      f => text`例：${f.ids}`,
    ],
  },
  code: {
    name: [
      'code',
      'コード',
    ],
    copy: [
      'Copy code',
      'コードをコピー',
    ],
    goToCell: [
      'Go to the inserted cell',
      '挿入したセルへ移動',
    ],
    insert: [
      'Insert as cell',
      'セルとして挿入',
    ],
    insertTitle: [
      'Insert as a cell below the cells of the answer',
      '回答のセルの下に挿入',
    ],
    notInserted: [
      "Not inserted: the notebook can't be edited",
      '挿入できません：ノートブックを編集できません',
    ],
    firstLines: [
      f => text`First ${f.n} lines`,
      f => text`最初の${f.n}行`,
    ],
    allLines: [
      f => text`All ${f.n} lines`,
      f => text`全${f.n}行`,
    ],
  },
  table: {
    name: [
      'Table',
      '表',
    ],
    label: [
      f => text`${f.name}, ${f.n} ${enPlural(f.n) === 'one' ? 'row' : 'rows'}`,
      f => text`${f.name}、${f.n}行`,
    ],
    rowsIn: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'row' : 'rows'} in \`${f.name}\``,
      f => text`\`${f.name}\` に${f.n}行`,
    ],
    rowsSoFar: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'row' : 'rows'} so far`,
      f => text`現在${f.n}行`,
    ],
    firstRows: [
      f => text`First ${f.n} rows`,
      f => text`最初の${f.n}行`,
    ],
    allRows: [
      f => text`All ${f.n} rows`,
      f => text`全${f.n}行`,
    ],
  },
  chart: {
    unhosted: [
      "Charts can't be drawn here. These are the first values.",
      'ここではグラフを描画できません。以下は最初の値です。',
    ],
    foreign: [
      "This chart type loads maps from another server, so it isn't drawn. These are the first values.",
      'この種類のグラフは外部サーバーから地図を読み込むため、描画しません。以下は最初の値です。',
    ],
    failed: [
      "The chart couldn't be drawn. These are the first values.",
      'グラフを描画できませんでした。以下は最初の値です。',
    ],
    name: [
      'Chart',
      'グラフ',
    ],
    expand: [
      'Expand chart',
      'グラフを拡大',
    ],
    copyData: [
      'Copy data',
      'データをコピー',
    ],
    save: [
      'Save chart',
      'グラフを保存',
    ],
    savePicture: [
      'Save image (PNG)',
      '画像を保存（PNG）',
    ],
    saveData: [
      'Save data (CSV)',
      'データを保存（CSV）',
    ],
    notSaved: [
      "The image couldn't be saved here. Expand the chart and save it there.",
      'ここでは画像を保存できませんでした。グラフを拡大して、そこで保存してください。',
    ],
    valuesInAll: [
      f => text`${f.n} values in total. Use Copy data to get them all.`,
      f => text`全${f.n}個の値は「データをコピー」で取得できます。`,
    ],
    series: [
      'Series',
      '系列',
    ],
    seriesNumber: [
      f => text`Series ${f.n}`,
      f => text`系列${f.n}`,
    ],
    values: [
      'Values',
      '値',
    ],
    place: [
      f => text`row ${f.row}, column ${f.column}`,
      f => text`${f.row}行${f.column}列`,
    ],
    over: [
      f => text`${f.y} over ${f.x}`,
      f => text`横軸${f.x}、縦軸${f.y}`,
    ],
    summary: [
      f => text`${f.name}: ${f.n} ${enPlural(f.n) === 'one' ? 'value' : 'values'}`,
      f => text`${f.name}：${f.n}個の値`,
    ],
    summaryRange: [
      f => text`${f.name}: ${f.n} ${enPlural(f.n) === 'one' ? 'value' : 'values'}, ${f.low} to ${f.high}`,
      f => text`${f.name}：${f.n}個の値、${f.low}から${f.high}`,
    ],
    title: [
      f => text`Chart: ${f.title}`,
      f => text`グラフ：${f.title}`,
    ],
    untitled: [
      'untitled',
      '無題',
    ],
    fileName: [
      'chart',
      'グラフ',
    ],
  },
  assessment: {
    good: [
      'Good',
      '良好',
    ],
    warning: [
      'Warning',
      '注意',
    ],
    bad: [
      'Bad',
      '不良',
    ],
    unknown: [
      'Unknown',
      '不明',
    ],
  },
  addedCells: {
    name: [
      'Cells of this answer',
      'この回答のセル',
    ],
    added: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'cell' : 'cells'} added`,
      f => text`${f.n}個のセルを追加`,
    ],
    undone: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'cell' : 'cells'} removed`,
      f => text`${f.n}個のセルを取り消し`,
    ],
    unseen: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'cell' : 'cells'} run but not inserted`,
      f => text`${f.n}個のセルを挿入せずに実行`,
    ],
    insert: [
      'Insert',
      '挿入',
    ],
    putBack: [
      'Restore',
      '戻す',
    ],
  },
  edit: {
    name: [
      f => text`Proposed edit of cell ${f.label}`,
      f => text`セル${f.label}の変更案`,
    ],
    title: [
      f => text`Edit of cell ${f.label}`,
      f => text`セル${f.label}の変更`,
    ],
    copy: [
      'Copy the new text',
      '変更後の内容をコピー',
    ],
    written: [
      'Accepted. To revert, undo in the cell.',
      '適用しました。取り消すには、セルで元に戻す操作をしてください。',
    ],
    rejected: [
      'Rejected. The cell is unchanged.',
      '却下しました。セルは元のままです。',
    ],
    changed: [
      'Not applied: the cell has changed since this edit was proposed.',
      '適用できません：提案の後にセルが変更されました。',
    ],
    gone: [
      'Not applied: the cell is no longer in an open notebook.',
      '適用できません：開いているノートブックに、このセルはもうありません。',
    ],
    accept: [
      'Accept',
      '適用',
    ],
    acceptName: [
      'Accept the edit',
      '変更を適用',
    ],
    reject: [
      'Reject',
      '却下',
    ],
    rejectName: [
      'Reject the edit',
      '変更を却下',
    ],
  },
  approval: {
    title: [
      f => f.runs === 'session' ? 'Run this cell?' : f.runs === 'kernel' ? 'Run this in your kernel?' : 'Allow this call?',
      f => f.runs === 'session' ? 'このセルを実行しますか？' : f.runs === 'kernel' ? 'カーネルで実行しますか？' : 'この呼び出しを許可しますか？',
    ],
    yes: [
      f => f.runs === 'session' ? 'Run' : f.runs === 'kernel' ? 'Run in my kernel' : 'Approve',
      f => f.runs === 'session' ? '実行' : f.runs === 'kernel' ? 'カーネルで実行' : '承認',
    ],
    inSession: [
      "It runs in the copilot's own process, not in your kernel.",
      'ノートブックのカーネルではなく、copilot専用のプロセスで実行します。',
    ],
    needs: [
      'It needs your kernel because it:',
      '次の操作のため、ノートブックのカーネルで実行する必要があります：',
    ],
    elsewhere: [
      'Answer in the panel beside the notebook.',
      'ノートブックの横のパネルで回答してください。',
    ],
    lines: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'line' : 'lines'}`,
      f => text`${f.n}行`,
    ],
    readAgain: [
      'Check again',
      '再確認',
    ],
    cancel: [
      'Cancel',
      'キャンセル',
    ],
    changedCode: [
      'Edited code is checked again before it runs.',
      '編集したコードは、実行前にもう一度確認します。',
    ],
    approveTool: [
      'Approve this tool in this conversation',
      'この会話ではこのツールを常に承認',
    ],
    approveToolTitle: [
      "Don't ask again about this tool",
      '今後、このツールは確認なしで呼び出されます',
    ],
    reject: [
      'Reject',
      '却下',
    ],
    reason: [
      'Reason for rejecting',
      '却下の理由',
    ],
    reasonHint: [
      'Reason, for the model',
      '理由（モデルに伝えます）',
    ],
    approvedBy: [
      f => text`Approved by ${f.who}`,
      f => text`承認：${f.who}`,
    ],
    rejectedBy: [
      f => text`Rejected by ${f.who}`,
      f => text`却下：${f.who}`,
    ],
    notRun: [
      'Not run',
      '未実行',
    ],
    because: [
      f => text`${f.what}: ${f.reason}`,
      f => text`${f.what}（理由：${f.reason}）`,
    ],
    standing: [
      'Approved in this conversation',
      'この会話で承認済み',
    ],
    revoke: [
      'Revoke',
      '取り消す',
    ],
  },
  look: {
    title: [
      f => text`Before your first question to ${f.endpoint}`,
      f => text`${f.endpoint}への最初の質問の前に`,
    ],
    goes: [
      f => text`This is sent to ${f.model}:`,
      f => text`次の内容を${f.model}に送信します：`,
    ],
    agree: [
      f => text`Allow ${f.endpoint}`,
      f => text`${f.endpoint}への送信を許可`,
    ],
  },
  signIn: {
    title: [
      'Sign in',
      'サインイン',
    ],
    keyFor: [
      f => text`Key for ${f.server}`,
      f => text`${f.server}のキー`,
    ],
    key: [
      'Key',
      'キー',
    ],
    notNow: [
      'Not now',
      '今はしない',
    ],
    kept: [
      'Kept in the kernel until it stops, never in a file.',
      'カーネルが停止するまで保持し、ファイルには保存しません。',
    ],
  },
  queue: {
    name: [
      'Queue',
      '待機中の質問',
    ],
    waiting: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'question' : 'questions'} in the queue`,
      f => text`${f.n}件の質問が待機中`,
    ],
    held: [
      'Not sent, because the previous question stopped or failed:',
      '前の質問が停止または失敗したため、送信していません：',
    ],
    remove: [
      'Remove',
      '削除',
    ],
  },
  results: {
    search: [
      'Task, qubit or status',
      'タスク、量子ビット、状態',
    ],
    searchHint: [
      'Example: CheckT1 Q07 failed',
      '例：CheckT1 Q07 failed',
    ],
    none: [
      'No results found.',
      '該当する結果はありません。',
    ],
    reading: [
      'Loading results',
      '結果を読み込み中',
    ],
    newest: [
      f => text`Newest ${f.n} results. Add a word to narrow them down.`,
      f => text`最新の結果${f.n}件です。語を追加すると絞り込めます。`,
    ],
    excluded: [
      f => text`${f.status}, excluded`,
      f => text`${f.status}、除外`,
    ],
  },
  kept: {
    search: [
      'Search conversations',
      '会話を検索',
    ],
    reading: [
      'Loading conversations',
      '会話を読み込み中',
    ],
    none: [
      'No conversations found.',
      '該当する会話はありません。',
    ],
    nothing: [
      "No conversations yet. A notebook's conversation is saved with its first question.",
      'まだ会話はありません。ノートブックの会話は、最初の質問から保存されます。',
    ],
    openNow: [
      'open now',
      '表示中',
    ],
    deleteForGood: [
      f => text`Permanently delete “${f.title}”?`,
      f => text`「${f.title}」を完全に削除しますか？`,
    ],
    more: [
      f => text`More: ${f.title}`,
      f => text`その他：${f.title}`,
    ],
    rename: [
      'Rename',
      '名前を変更',
    ],
    title: [
      'Title',
      'タイトル',
    ],
    titleHint: [
      'First question',
      '最初の質問',
    ],
  },
  frames: {
    list: [
      'Data',
      'データの一覧',
    ],
    deleted: [
      f => text`${f.key} was deleted. Fetch it again from its step in the conversation.`,
      f => text`${f.key}は削除されました。会話のステップから再取得できます。`,
    ],
    lastHeard: [
      'As last reported by the kernel.',
      'カーネルから最後に受け取った内容です。',
    ],
    wentAlong: [
      f => text`${f.n} ${enPlural(f.n) === 'one' ? 'dataset was' : 'datasets were'} lost with the kernel.`,
      f => text`カーネルの停止でデータ${f.n}件が失われました。`,
    ],
    fetchAll: [
      'Fetch all again',
      'すべて再取得',
    ],
    nothing: [
      'No data yet. What the copilot reads appears here.',
      'まだデータはありません。copilotが読み取ったデータがここに並びます。',
    ],
    nothingIn: [
      f => text`No data yet. What the copilot reads appears here, and in Python as ${f.name}["…"].`,
      f => text`まだデータはありません。copilotが読み取ったデータがここに並び、Pythonでは${f.name}["…"]で使えます。`,
    ],
    filter: [
      'Filter',
      '絞り込み',
    ],
    noneFound: [
      'No data matches.',
      '該当するデータはありません。',
    ],
    fetching: [
      'fetching…',
      '取得中…',
    ],
    fetch: [
      f => text`Fetch ${f.key}`,
      f => text`取得：${f.key}`,
    ],
    refresh: [
      f => text`Refresh ${f.key}`,
      f => text`更新：${f.key}`,
    ],
    delete: [
      f => text`Delete ${f.key}`,
      f => text`削除：${f.key}`,
    ],
    had: [
      f => text`had ${f.size}`,
      f => text`元は${f.size}`,
    ],
    deleteFromKernel: [
      f => text`Delete ${f.key} from the kernel, including your changes?`,
      f => text`${f.key}をカーネルから削除しますか？加えた変更も失われます。`,
    ],
    openInCell: [
      'Open in a cell',
      'セルで開く',
    ],
    explore: [
      'Explore',
      '探索',
    ],
    copyName: [
      'Copy name',
      '名前をコピー',
    ],
    copyNameOf: [
      f => text`Copy name ${f.name}`,
      f => text`名前をコピー：${f.name}`,
    ],
    yourVariables: [
      'Your variables already use the names `copilot` and `data`. Delete one of them to use this table by name in later cells.',
      '`copilot` と `data` という名前は、すでにほかの変数に使われています。どちらかを削除すると、次のセルからこの表を名前で使えます。',
    ],
    cellBelow: [
      f => text`Inserts a cell below the cells of its answer: ${f.code}`,
      f => text`回答のセルの下に挿入：${f.code}`,
    ],
    notInserted: [
      'Not inserted',
      '挿入できません',
    ],
    unreachable: [
      'Reading rows needs the kernel.',
      '行の読み取りにはカーネルが必要です。',
    ],
    reading: [
      'Loading rows',
      '行を読み込み中',
    ],
    part: [
      f => text`First ${f.rows} of ${f.allRows} ${enPlural(f.allRows) === 'one' ? 'row' : 'rows'}, ${f.columns} of ${f.allColumns} ${enPlural(f.allColumns) === 'one' ? 'column' : 'columns'}`,
      f => text`${f.allRows}行中最初の${f.rows}行、${f.allColumns}列中${f.columns}列`,
    ],
    changed: [
      'changed by you',
      '変更済み',
    ],
    noRows: [
      'No rows.',
      '行がありません。',
    ],
  },
  transcript: {
    assessment: [
      f => text`Assessment: ${f.assessment}`,
      f => text`評価：${f.assessment}`,
    ],
    chart: [
      f => text`[chart: ${f.title}]`,
      f => text`[グラフ：${f.title}]`,
    ],
    picture: [
      '[image]',
      '[画像]',
    ],
  },
});

interface Extension {
  readonly commands: {
    readonly open: string;
    readonly openCaption: string;
    readonly start: string;
    readonly startCaption: (f: { readonly line: string | number }) => string;
    readonly about: string;
    readonly aboutCaption: string;
    readonly fix: string;
    readonly fixCaption: string;
    readonly ask: string;
    readonly askCaption: string;
    readonly stop: string;
    readonly stopCaption: string;
    readonly approve: string;
    readonly approveCaption: string;
  };
  readonly start: {
    readonly starting: string;
    readonly pending: string;
    readonly done: string;
    readonly failed: (f: { readonly why: string | number }) => string;
    readonly runThere: (f: { readonly why: string | number; readonly line: string | number }) => string;
    readonly noKernel: string;
    readonly needsPython: (f: { readonly language: string | number }) => string;
    readonly kernelWent: string;
    readonly packageMissing: string;
    readonly noPanel: string;
  };
  readonly actions: {
    readonly start: string;
    readonly restart: string;
    readonly choose: string;
    readonly again: string;
    readonly copy: string;
    readonly copied: string;
  };
  readonly places: {
    readonly welcome: string;
    readonly welcomeText: string;
    readonly welcomeDetail: string;
    readonly noNotebook: string;
    readonly kernelStarts: string;
    readonly kernelUnheard: string;
    readonly kernelStopped: string;
    readonly noKernel: string;
    readonly otherLanguage: (f: { readonly language: string | number }) => string;
    readonly shared: string;
    readonly sharedDetail: string;
    readonly connecting: string;
    readonly kernelBusy: string;
    readonly runThenStart: string;
    readonly notStarted: string;
    readonly notShown: string;
    readonly missing: (f: { readonly names: string | number }) => string;
    readonly missingDetail: string;
    readonly noReason: string;
    readonly notLoaded: string;
    readonly notLoadedText: string;
    readonly loading: string;
  };
  readonly notices: {
    readonly notStarted: (f: { readonly why: string | number }) => string;
    readonly kernelBehind: (f: { readonly kernel: string | number; readonly page: string | number }) => string;
    readonly pageBehind: (f: { readonly kernel: string | number; readonly page: string | number }) => string;
  };
  readonly link: {
    readonly busy: string;
    readonly waitsForCell: string;
    readonly silent: string;
    readonly connecting: string;
    readonly notRunning: string;
    readonly connectionLost: string;
    readonly notTaken: string;
    readonly stopped: string;
  };
  readonly lost: {
    readonly dead: string;
    readonly restarted: string;
    readonly crashed: string;
    readonly replaced: string;
    readonly unloaded: string;
    readonly disconnected: string;
  };
  readonly cells: {
    readonly badge: (f: { readonly step: string | number }) => string;
    readonly cell: (f: { readonly label: string | number }) => string;
    readonly textCell: string;
    readonly fourPictures: string;
    readonly largePicture: string;
    readonly otherOutput: (f: { readonly types: string | number }) => string;
    readonly sessionOnly: string;
    readonly runHere: string;
  };
  readonly runHere: {
    readonly title: string;
    readonly run: string;
    readonly cancel: string;
    readonly asIf: (f: { readonly cells: number }) => string;
    readonly gone: string;
    readonly notRun: string;
    readonly changed: string;
  };
}

export const extension = /* @__PURE__ */ byLanguage<Language, Extension>(LANGUAGES, {
  commands: {
    open: [
      'QDash Copilot',
      'QDash Copilot',
    ],
    openCaption: [
      'Show the copilot of the current notebook',
      '現在のノートブックのcopilotを表示',
    ],
    start: [
      'QDash Copilot: Start in This Notebook',
      'QDash Copilot：このノートブックで開始',
    ],
    startCaption: [
      f => text`Run “${f.line}” in the kernel of the current notebook`,
      f => text`現在のノートブックのカーネルで「${f.line}」を実行`,
    ],
    about: [
      'Ask QDash Copilot About This Cell',
      'このセルについてQDash Copilotに質問',
    ],
    aboutCaption: [
      "Add this cell's code and output to your next question",
      'このセルのコードと出力を次の質問に付ける',
    ],
    fix: [
      'Fix with QDash Copilot',
      'QDash Copilotで修正',
    ],
    fixCaption: [
      'Ask the copilot to fix this failed cell; nothing changes until you accept the edit',
      '失敗したこのセルの修正案をcopilotに求める（適用するまで何も変わりません）',
    ],
    ask: [
      'QDash Copilot: Ask',
      'QDash Copilot：質問',
    ],
    askCaption: [
      'Go to the question box, with what you selected in a cell or a file',
      '質問の入力欄へ移動（セルやファイルで選択した部分も付きます）',
    ],
    stop: [
      'QDash Copilot: Stop',
      'QDash Copilot：停止',
    ],
    stopCaption: [
      'Stop the current question',
      '実行中の質問を停止',
    ],
    approve: [
      'QDash Copilot: Approve',
      'QDash Copilot：承認',
    ],
    approveCaption: [
      'Approve the pending request once it is visible',
      '確認待ちの内容を、表示されていれば承認',
    ],
  },
  start: {
    starting: [
      'Starting the copilot…',
      'copilotを開始しています…',
    ],
    pending: [
      'Starting QDash Copilot…',
      'QDash Copilotを開始しています…',
    ],
    done: [
      'QDash Copilot is running in this notebook. Type %copilot help in a cell to begin.',
      'QDash Copilotがこのノートブックで動いています。セルで%copilot helpを実行してみてください。',
    ],
    failed: [
      f => text`QDash Copilot didn't start. ${f.why}`,
      f => text`QDash Copilotを開始できませんでした。${f.why}`,
    ],
    runThere: [
      f => text`${f.why} Run “${f.line}” there, then try again.`,
      f => text`${f.why}そこで「${f.line}」を実行し、もう一度試してください。`,
    ],
    noKernel: [
      'This notebook has no kernel. Choose one first.',
      'このノートブックにはカーネルがありません。先に選択してください。',
    ],
    needsPython: [
      f => text`QDash Copilot needs a Python kernel; this one is ${f.language}.`,
      f => text`QDash CopilotにはPythonのカーネルが必要です。このカーネルは${f.language}です。`,
    ],
    kernelWent: [
      'The kernel stopped before it responded.',
      '応答する前にカーネルが停止しました。',
    ],
    packageMissing: [
      "The package isn't installed in the kernel's environment.",
      'カーネルの環境にパッケージがインストールされていません。',
    ],
    noPanel: [
      "The copilot is loaded, but the kernel's version has no panel. Update it and restart the kernel.",
      'copilotは読み込まれましたが、カーネル側のバージョンにはパネルがありません。更新してカーネルを再起動してください。',
    ],
  },
  actions: {
    start: [
      'Start the copilot',
      'copilotを開始',
    ],
    restart: [
      'Restart kernel',
      'カーネルを再起動',
    ],
    choose: [
      'Choose a kernel',
      'カーネルを選択',
    ],
    again: [
      'Try again',
      '再試行',
    ],
    copy: [
      'Copy',
      'コピー',
    ],
    copied: [
      'Copied',
      'コピーしました',
    ],
  },
  places: {
    welcome: [
      'Ask about your superconducting qubits',
      '超伝導量子ビットについて質問',
    ],
    welcomeText: [
      '“Which of them lost T1 this month?” The copilot reads your calibration data, computes in cells of this notebook and answers with charts.',
      '「今月T1が下がったのはどれ？」copilotはキャリブレーションデータを読み、このノートブックのセルで計算し、グラフで回答します。',
    ],
    welcomeDetail: [
      "It runs in this notebook's kernel. Nothing is sent anywhere until you ask.",
      'このノートブックのカーネルで実行されます。質問するまで、何もどこにも送信しません。',
    ],
    noNotebook: [
      'Open a notebook to ask the copilot about your qubits.',
      'ノートブックを開くと、量子ビットについてcopilotに質問できます。',
    ],
    kernelStarts: [
      'The kernel is starting…',
      'カーネルを起動しています…',
    ],
    kernelUnheard: [
      'Waiting for the kernel. If it is running a cell, the copilot appears when the cell is done.',
      'カーネルを待っています。セルの実行中なら、終了後にcopilotが表示されます。',
    ],
    kernelStopped: [
      'The kernel has stopped.',
      'カーネルが停止しました。',
    ],
    noKernel: [
      'This notebook has no kernel. The copilot needs a Python kernel.',
      'このノートブックにはカーネルがありません。copilotにはPythonのカーネルが必要です。',
    ],
    otherLanguage: [
      f => text`The copilot needs a Python kernel; this one is ${f.language}.`,
      f => text`copilotにはPythonのカーネルが必要です。このカーネルは${f.language}です。`,
    ],
    shared: [
      'The copilot is running in another open notebook that uses the same kernel.',
      '同じカーネルを使う別のノートブックが開いていて、copilotはそちらで動いています。',
    ],
    sharedDetail: [
      'To use it here, close that notebook and reload the page.',
      'ここで使うには、そのノートブックを閉じてページを再読み込みしてください。',
    ],
    connecting: [
      'Connecting to the copilot…',
      'copilotに接続中…',
    ],
    kernelBusy: [
      'The kernel is running a cell. The copilot starts when the cell is done.',
      'カーネルがセルを実行中です。終了後にcopilotを開始します。',
    ],
    runThenStart: [
      'Run this line in a cell, then start again:',
      'セルで次の行を実行し、もう一度開始してください：',
    ],
    notStarted: [
      "The copilot didn't start",
      'copilotを開始できませんでした',
    ],
    notShown: [
      "The copilot is running, but its panel can't be shown",
      'copilotは動いていますが、パネルを表示できません',
    ],
    missing: [
      f => text`Missing from the Jupyter server's environment: ${f.names}.`,
      f => text`Jupyterサーバーの環境に不足：${f.names}`,
    ],
    missingDetail: [
      "Run this in the server's environment (the kernel may have another one), then reload the page:",
      'サーバーの環境（カーネルの環境と異なる場合があります）で次を実行し、ページを再読み込みしてください：',
    ],
    noReason: [
      'The kernel gave no reason.',
      'カーネルから理由は示されていません。',
    ],
    notLoaded: [
      "The panel didn't load",
      'パネルを読み込めませんでした',
    ],
    notLoadedText: [
      "Try again. If that doesn't help, save the notebook and reload the page.",
      'もう一度試してください。解決しない場合は、ノートブックを保存してページを再読み込みしてください。',
    ],
    loading: [
      'Loading the panel…',
      'パネルを読み込み中…',
    ],
  },
  notices: {
    notStarted: [
      f => text`The copilot didn't start. ${f.why}`,
      f => text`copilotを開始できませんでした。${f.why}`,
    ],
    kernelBehind: [
      f => text`qdash_jupyter is ${f.kernel} in the kernel, ${f.page} in JupyterLab. Update it in the kernel's environment, then restart the kernel.`,
      f => text`qdash_jupyterはカーネルでは${f.kernel}、JupyterLabでは${f.page}です。カーネルの環境で更新し、カーネルを再起動してください。`,
    ],
    pageBehind: [
      f => text`qdash_jupyter is ${f.kernel} in the kernel, ${f.page} in JupyterLab. Update it in the Jupyter server's environment, then reload the page.`,
      f => text`qdash_jupyterはカーネルでは${f.kernel}、JupyterLabでは${f.page}です。Jupyterサーバーの環境で更新し、ページを再読み込みしてください。`,
    ],
  },
  link: {
    busy: [
      'The kernel is running a cell.',
      'カーネルがセルを実行中です。',
    ],
    waitsForCell: [
      'The kernel is running a cell. Your command runs afterwards.',
      'カーネルがセルを実行中です。操作はその後に実行されます。',
    ],
    silent: [
      "The kernel isn't responding. Your command is queued.",
      'カーネルが応答していません。操作は待機中です。',
    ],
    connecting: [
      'Connecting to the kernel…',
      'カーネルに接続中…',
    ],
    notRunning: [
      "The copilot isn't running. Start it again.",
      'copilotが動いていません。もう一度開始してください。',
    ],
    connectionLost: [
      'The connection was lost before the kernel responded. Try again.',
      'カーネルが応答する前に接続が切れました。もう一度試してください。',
    ],
    notTaken: [
      "The copilot didn't accept the command. Try again.",
      'copilotが操作を受け付けませんでした。もう一度試してください。',
    ],
    stopped: [
      'The kernel stopped before it responded.',
      '応答する前にカーネルが停止しました。',
    ],
  },
  lost: {
    dead: [
      'The kernel stopped. Your conversation is saved.',
      'カーネルが停止しました。会話は保存されています。',
    ],
    restarted: [
      'The kernel restarted. Your conversation is saved.',
      'カーネルが再起動しました。会話は保存されています。',
    ],
    crashed: [
      'The kernel crashed and was restarted. Your conversation is saved.',
      'カーネルが異常終了し、再起動しました。会話は保存されています。',
    ],
    replaced: [
      'The kernel changed. Your conversation is saved.',
      'カーネルが変わりました。会話は保存されています。',
    ],
    unloaded: [
      'The copilot was unloaded. Your conversation is saved.',
      'copilotの読み込みが解除されました。会話は保存されています。',
    ],
    disconnected: [
      'The connection to the kernel was lost.',
      'カーネルとの接続が切れました。',
    ],
  },
  cells: {
    badge: [
      f => text`copilot · step ${f.step}`,
      f => text`copilot · ステップ${f.step}`,
    ],
    cell: [
      f => text`cell ${f.label}`,
      f => text`セル${f.label}`,
    ],
    textCell: [
      'a text cell',
      'テキストセル',
    ],
    fourPictures: [
      'an image (the limit is four)',
      '画像（4枚まで）',
    ],
    largePicture: [
      'an image larger than 5 MB',
      '5 MBを超える画像',
    ],
    otherOutput: [
      f => text`an output that isn't text or an image (${f.types})`,
      f => text`テキストでも画像でもない出力（${f.types}）`,
    ],
    sessionOnly: [
      "Only in the copilot's session:",
      'copilotのセッションにのみ存在：',
    ],
    runHere: [
      'Run here',
      'カーネルで実行',
    ],
  },
  runHere: {
    title: [
      'Run in your kernel?',
      'カーネルで実行しますか？',
    ],
    run: [
      'Run in my kernel',
      'カーネルで実行',
    ],
    cancel: [
      'Cancel',
      'キャンセル',
    ],
    asIf: [
      f => enPlural(f.cells) === 'one' ? 'This cell runs as if you had pressed Shift+Enter in it.' : 'These cells run in this order, as if you had pressed Shift+Enter in each.',
      f => f.cells === 1 ? 'Shift+Enterを押したときと同じように、このセルを実行します。' : 'Shift+Enterを押したときと同じように、これらのセルを上から順に実行します。',
    ],
    gone: [
      'This may fail: earlier cells that it needs are no longer in the notebook.',
      'このコードに必要なセルの一部がノートブックにないため、失敗する可能性があります。',
    ],
    notRun: [
      'Nothing was run',
      '何も実行しませんでした',
    ],
    changed: [
      'A cell changed after its code was shown.',
      'コードの表示後にセルが変更されました。',
    ],
  },
});
