/** What the next question is about: a result of the database, or a cell of the notebook. */
import type { ChosenCell, ChosenResult, Queued, Result } from '../shared/wire';
import { MOST_MB } from './files';

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
    title: `${started} · run ${execution_id}`,
    question: `Analyze ${task} of ${qid} of run ${execution_id}`,
    hint: 'Ask about this result, or just send',
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
  const run = execution_id ? ` · run ${execution_id}` : '';
  return {
    label: `${task} · ${qid}${run}`,
    title: `${task} of ${qid}${run}`,
    question: `Analyze ${task} of ${qid}`,
    hint: 'Ask about this result, or just send',
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
    return 'A picture cannot go along with this question: leave out first what it is about.';
  }
  const label = name.slice(0, MOST_LABEL);
  const none = { label, code: '', output: '', pictures: [], left_out: [], cell_id: '', fix: false, selected: false };
  const { pictures = [], ...about } = cell ?? none;
  if (pictures.length >= MOST_PICTURES) {
    return 'Only four pictures go along with a question.';
  }
  const all = [...pictures, png];
  if (all.reduce((chars, each) => chars + each.length, 0) > MOST_PICTURE_CHARS) {
    return `Pictures of more than ${MOST_MB} MB together do not go along with a question.`;
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
      question: `What does ${cell.label} show?`,
      hint: 'Ask about the picture, or just send',
      analysis: null,
      cell,
    };
  }
  if (cell.selected) {
    return {
      label: `Lines of ${cell.label} · ${first ?? ''}`,
      title: cell.code,
      question: `Explain the selected lines of ${cell.label}`,
      hint: 'Ask about these lines, or just send',
      analysis: null,
      cell,
    };
  }
  return {
    label: `Cell ${cell.label} · ${first ?? 'empty'}`,
    title: cell.code,
    question: cell.fix ? `Fix cell ${cell.label}` : `Explain the output of cell ${cell.label}`,
    hint: cell.fix ? 'Say more about it, or just send' : 'Ask about this cell, or just send',
    analysis: null,
    cell,
  };
}
