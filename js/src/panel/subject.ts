/** What the next question is about: a result of the database, or a cell of the notebook. */
import type { ChosenCell, ChosenResult, Queued, Result } from '../shared/wire';
import { MOST_MB } from './files';
import { words } from './words';

const MOST_LABEL = 40;
/** Of what one message may hold, as base64. */
const MOST_PICTURE_CHARS = (MOST_MB * 1024 * 1024 * 4) / 3 + 4;

export interface Subject {
  readonly label: string;
  /** More on it, shown where it is pointed at. */
  readonly title: string;
  /** The question where the user writes none. */
  readonly question: string;
  readonly hint: string;
  readonly analysis: ChosenResult | null;
  readonly cell: ChosenCell | null;
}

export function ofResult({ task, qid, label, started, execution_id, task_id }: Result): Subject {
  return {
    label: `${task} · ${label} · ${started}`,
    title: `${started} · ${words.subject.run({ run: execution_id })}`,
    question: words.subject.analyzeRun({ task, qid, run: execution_id }),
    hint: words.subject.resultHint,
    analysis: { task, qid, execution_id, task_id },
    cell: null,
  };
}

/** What a question was about that waits. */
export function subjectOf({ analysis, cell }: Queued): Subject | null {
  if (cell) {
    return ofCell(cell);
  }
  if (!analysis) {
    return null;
  }
  const { task, qid, execution_id } = analysis;
  const run = execution_id ? ` · ${words.subject.run({ run: execution_id })}` : '';
  return {
    label: `${task} · ${qid}${run}`,
    title: `${words.subject.ofElement({ task, qid })}${run}`,
    question: words.subject.analyze({ task, qid }),
    hint: words.subject.resultHint,
    analysis,
    cell: null,
  };
}

/** A question that waits, in one line. */
export function wordsOf(queued: Queued): string {
  return queued.text || (subjectOf(queued)?.question ?? '');
}

const MOST_PICTURES = 4;

/** The subject with one picture more; a text says why not. */
export function withPicture(subject: Subject | null, name: string, png: string): Subject | string {
  const { cell = null, analysis = null } = subject ?? {};
  if (analysis || cell?.fix) {
    return words.refusals.pictureNotHere;
  }
  const label = name.slice(0, MOST_LABEL);
  const none = { label, code: '', output: '', pictures: [], left_out: [], cell_id: '', fix: false, selected: false };
  const { pictures = [], ...about } = cell ?? none;
  if (pictures.length >= MOST_PICTURES) {
    return words.refusals.tooManyPictures;
  }
  const all = [...pictures, png];
  if (all.reduce((chars, each) => chars + each.length, 0) > MOST_PICTURE_CHARS) {
    return words.refusals.picturesTooLarge({ mb: MOST_MB });
  }
  return ofCell({ ...about, pictures: all });
}

/** Put into the question by the user; a cell has code. */
function isPictures({ code, output, pictures = [] }: ChosenCell): boolean {
  return !code && !output && pictures.length > 0;
}

export function ofCell(cell: ChosenCell): Subject {
  const first = cell.code.split('\n').find(line => line.trim());
  if (isPictures(cell)) {
    return {
      label: cell.label,
      title: cell.label,
      question: words.subject.whatShows(cell),
      hint: words.subject.pictureHint,
      analysis: null,
      cell,
    };
  }
  if (cell.selected) {
    return {
      label: `${words.subject.lines(cell)} · ${first ?? ''}`,
      title: cell.code,
      question: words.subject.explainLines(cell),
      hint: words.subject.linesHint,
      analysis: null,
      cell,
    };
  }
  return {
    label: `${words.subject.cell(cell)} · ${first ?? words.subject.empty}`,
    title: cell.code,
    question: cell.fix ? words.subject.fix(cell) : words.subject.explainOutput(cell),
    hint: cell.fix ? words.subject.fixHint : words.subject.cellHint,
    analysis: null,
    cell,
  };
}
