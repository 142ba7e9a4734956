/** Numbers, times and names as the panel writes them. */
import type { Frame, Json, StepBlock } from '../shared/wire';
import { words } from './words';

export { number } from '../shared/words/numbers';

export function duration(seconds: number): string {
  return seconds < 10 ? words.format.seconds({ n: seconds.toFixed(1) }) : waited(seconds);
}

/** Whole minutes and seconds. */
export function waited(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return minutes > 0 ? words.format.minutes({ n: minutes, seconds: rest }) : words.format.seconds({ n: rest });
}

/** The time of day; with the date where it is another day. */
export function moment(atMs: number, now = new Date()): string {
  const at = new Date(atMs);
  const time = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  return at.toDateString() === now.toDateString() ? time : `${day(at)} ${time}`;
}

/** When it was fetched. A snapshot's clock stands still: its day says more than how long ago that was. */
export function fetched(atMs: number, seconds: number): string {
  if (seconds < 60) {
    return words.format.justNow;
  }
  if (seconds < 3600) {
    return words.format.minutesAgo({ n: Math.floor(seconds / 60) });
  }
  return seconds < 172_800 ? words.format.hoursAgo({ n: Math.floor(seconds / 3600) }) : words.format.asOf({ day: day(new Date(atMs)) });
}

/** How the user writes it in Python; `dataName` is by what they reach the results, if by anything. */
export function handle(frameKey: string, dataName: string): string {
  return dataName ? `${dataName}[${JSON.stringify(frameKey)}]` : frameKey;
}

export function shape(frame: Frame): string {
  return `${words.format.rows({ n: frame.rows })} × ${words.format.columns({ n: frame.columns.length })}`;
}

const DIGITS = 4;
const MOST_NAME = 60;

/** How the numbers of a column are written: with as many decimals as its largest needs, all with the same. */
export function numbers(column: readonly Json[]): (value: Json | undefined) => string {
  const all = column.filter((each): each is number => typeof each === 'number' && Number.isFinite(each) && each !== 0);
  const sizes = all.map(Math.abs);
  const [low, high] = [sizes.reduce((a, b) => Math.min(a, b), Infinity), sizes.reduce((a, b) => Math.max(a, b), 0)];
  if (all.every(Number.isInteger) || high >= 10 ** DIGITS * low || high >= 1e6 || high < 1e-3) {
    return value;
  }
  const sorted = [...all].sort((a, b) => a - b);
  const quartile = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? 0;
  // Fidelities lie close together: they have digits by which they differ.
  const apart = quartile(0.75) - quartile(0.25);
  const decimals = Math.max(0, DIGITS - Math.max(1, Math.ceil(Math.log10(high))), apart > 0 ? Math.min(6, 1 - Math.floor(Math.log10(apart))) : 0);
  const needed = Math.max(...all.map(each => decimalsOf(each.toFixed(decimals))));
  return given => (typeof given === 'number' && Number.isFinite(given) ? given.toFixed(needed) : value(given));
}

function decimalsOf(written: string): number {
  return written.replace(/0+$/, '').split('.')[1]?.length ?? 0;
}

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** A value of a table. */
export function value(given: Json | undefined): string {
  if (given === null || given === undefined) {
    return '–';
  }
  if (typeof given === 'number') {
    return Number.isInteger(given) ? String(given) : String(Number(given.toPrecision(5)));
  }
  if (typeof given === 'string') {
    const time = ISO.exec(given);
    return time ? `${time[1]} ${time[2]}` : given;
  }
  return typeof given === 'boolean' ? String(given) : JSON.stringify(given);
}

/** Under what name a conversation is saved. */
export function fileName(of: string, ending: 'ipynb' | 'md'): string {
  const notebook = of.replace(/[\\/:*?"<>|]+/g, ' ').trim().slice(0, MOST_NAME) || 'qdash';
  return words.header.fileName({ notebook, ending });
}

/** What a finished step found. */
export function found(step: StepBlock): string {
  return step.rows === null ? '' : words.format.rows({ n: step.rows });
}

/** The assessment; unknown where it is one of a newer kernel. */
export function knownAssessment(assessment: string): keyof typeof words.assessment {
  return assessment in words.assessment ? (assessment as keyof typeof words.assessment) : 'unknown';
}

/** A status or label without the dots that say "it goes on". */
export function plain(text: string): string {
  return text.replace(/\s*(?:…|\.{3})\s*$/, '');
}

/** What is not seen, or turns what is seen: controls, directions, joiners, spaces without width, tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Code as it runs: what a screen leaves out or lets turn other letters is written by its number. */
export function visible(code: string): string {
  return code.replace(UNSEEN, letter => (/[\n\t]/.test(letter) ? letter : `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`));
}

function day(at: Date): string {
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
