/** What the cells of a table mean: numbers with their units, days and verdicts, and the order that comes of it. */
import { PREFIXES, UNITS } from '../shared/answer/units';
import type { Assessment, Json } from '../shared/wire';

export type Kind = 'number' | 'day' | 'assessment' | 'text';

/** What the reader has made of a table. */
export interface TableLook {
  readonly open: boolean;
  readonly sort: { readonly column: number; readonly descending: boolean } | null;
}

export interface Verdict {
  readonly assessment: Assessment | 'unknown';
  /** As it was written, without a sign in front; empty where there was nothing but the sign. */
  readonly words: string;
}

const DIGITS = String.raw`(?:\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+|\d+)?(?:\.\d+|(?<=\d)\.?)`;
const POWER = String.raw`(?:e[+\-−]?\d+|\s?[×x·]\s?10\^?[\-−⁻]?[\d⁰¹²³⁴-⁹]+)?`;
const UNIT = String.raw`[%‰°]?[A-Za-zµμΩ]{0,8}(?:\/[A-Za-zµμ]{1,6})?[²³]?`;
const SPREAD = String.raw`(?:\s?(?:±|\+\/?-)\s?[\d.,]+${POWER}|\(\d+\))?`;

/** A sign, digits, a power of ten, what it may be off by, a unit. */
const NUMBER = new RegExp(
  String.raw`^[<>≤≥≈~↑↓▲▼]?\s?\(?([+\-−–]?)\s?(?=\.?\d)(${DIGITS})(${POWER})(?:\s?(${UNIT}))${SPREAD}\)?\s?(${UNIT})$`,
);

const SMALL_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The number that a text is, in the base of its unit: 40 µs are less than 0.1 ms. Null where it is none. */
export function quantityOf(text: string): number | null {
  const [, sign = '', digits = '', power = '', inner = '', outer = ''] = NUMBER.exec(text.trim()) ?? [];
  const size = digits === '' ? NaN : Number(digits.replace(/[,\s]/g, ''));
  const exponent = power
    .replace(/^\s?(?:e|[×x·]\s?10\^?)/, '')
    .replace(/[−⁻]/, '-')
    .replace(/[⁰¹²³⁴-⁹]/g, digit => String(SMALL_DIGITS.indexOf(digit)));
  const found = Number(`${size}e${exponent || '0'}`) * factorOf(outer || inner);
  return Number.isNaN(found) ? null : /[-−–]/.test(sign) ? -found : found;
}

function factorOf(unit: string): number {
  const [base = ''] = unit.split('/');
  const [prefix = 1, unprefixed] = [PREFIXES.get(base.slice(0, 1)), UNITS.get(base.slice(1))];
  return UNITS.get(base) ?? (unprefixed === undefined ? 1 : prefix * unprefixed);
}

const DAY =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T\s]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s?(?:Z|UTC|([+-])(\d\d):?(\d\d))?$/;
const NAMED_DAY = /^(?:[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]{2,8}\.? \d{4})(?: \d{1,2}:\d\d)?$/;

/** The moment that a text names, in milliseconds; null where it names none. */
export function momentOf(text: string): number | null {
  const found = DAY.exec(text.trim());
  if (!found) {
    const named = NAMED_DAY.test(text.trim()) ? Date.parse(text) : NaN;
    return Number.isNaN(named) ? null : named;
  }
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(part => Number(part || 0));
  const offset = (Number(found[8] ?? 0) * 60 + Number(found[9] ?? 0)) * (found[7] === '-' ? -1 : 1);
  return Date.UTC(year, month - 1, day, hour, minute - offset, second);
}

const VERDICTS: readonly (readonly [Verdict['assessment'], RegExp, string])[] = [
  ['good', /^(?:✅|✔|✓|🟢)/u, 'good|okay|ok|pass(?:ed)?|stable|healthy|normal|fine|excellent|completed|improv(?:ed|ing)|良好?|正常|合格|安定|改善|問題なし'],
  [
    'warning',
    /^(?:⚠|🟡|🟠)/u,
    'warn(?:ing)?|caution|marginal|borderline|drift(?:ing|ed)?|degrad(?:ed|ing)|declin(?:ed|ing)|suspect|要?注意|警告|要確認|変動|低下|劣化|ドリフト',
  ],
  ['bad', /^(?:❌|✗|✘|✖|🔴)/u, 'bad|poor|fail(?:ed|ing)?|error|critical|unstable|unhealthy|abnormal|broken|dead|lost|不良|悪化|異常|不合格|失敗|不安定'],
  ['unknown', /^(?:❓|❔)/u, 'unknown|no data|not measured|不明|未測定|データなし'],
];

/** The word alone, or with more on it behind a bracket or comma: "good → bad" and "not good" are no verdicts. */
const PATTERNS = VERDICTS.map(([assessment, sign, words]) => ({
  assessment,
  sign,
  word: new RegExp(`^(?:${words})(?:\\s*[(（:：,;–—][^→>]*)?[.!]?$`, 'i'),
}));

const LONGEST = 40;

export function verdictOf(text: string): Verdict | null {
  const given = text.trim();
  const signed = PATTERNS.find(({ sign }) => sign.test(given));
  const words = signed ? given.replace(signed.sign, '').replace(/^\uFE0F/, '').trim() : given;
  if (words.length > LONGEST || (words === '' && !signed)) {
    return null;
  }
  const { assessment = null } = PATTERNS.find(({ word }) => word.test(words)) ?? signed ?? {};
  return assessment && { assessment, words: words.charAt(0).toUpperCase() + words.slice(1) };
}

const VERDICT_HEAD = /^(?:verdict|assessment|severity|status|judge?ment|判定|評価|重要度|状態|ステータス)$/i;

export function isEmpty(text: string): boolean {
  return /^(?:[-–—−]?|n\/?a|nan|none|null)$/i.test(text.trim());
}

/** What a column holds: what most of its cells are, and a verdict where its head or every cell says so. */
export function kindOf(head: string, cells: readonly string[]): Kind {
  const filled = cells.filter(cell => !isEmpty(cell));
  const are = (read: (cell: string) => unknown): number => filled.filter(cell => read(cell) !== null).length;
  if (VERDICT_HEAD.test(head.trim()) ? are(quantityOf) === 0 : filled.length > 0 && are(verdictOf) === filled.length) {
    return 'assessment';
  }
  const most = Math.max(1, filled.length * 0.6);
  return are(momentOf) >= most ? 'day' : are(quantityOf) >= most ? 'number' : 'text';
}

const WORST_FIRST: readonly string[] = ['bad', 'warning', 'unknown', 'good'];
const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The rows of a column in order, as their places before. What is empty comes last either way. */
export function ordered(cells: readonly string[], kind: Kind, descending: boolean): readonly number[] {
  const sizes = cells.map(cell => sizeOf(cell, kind));
  const compare = (a: number, b: number): number => {
    const [left = '', right = ''] = [cells[a], cells[b]];
    const gap = Number(isEmpty(left)) - Number(isEmpty(right));
    // A word among numbers ("no fit") comes behind them.
    const [low = Infinity, high = Infinity] = [sizes[a], sizes[b]];
    const order = low === high ? COLLATOR.compare(left, right) : low < high ? -1 : 1;
    return gap || (descending ? -order : order) || a - b;
  };
  return cells.map((_, index) => index).sort(compare);
}

function sizeOf(cell: string, kind: Kind): number {
  switch (kind) {
    case 'number':
      return quantityOf(cell) ?? Infinity;
    case 'day':
      return momentOf(cell) ?? Infinity;
    case 'assessment':
      return WORST_FIRST.indexOf(verdictOf(cell)?.assessment ?? 'unknown');
    case 'text':
      return 0;
  }
}

/** A value of a tool's table as what it is read by. */
export function readable(value: Json | undefined): string {
  return value === null || value === undefined ? '' : typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
