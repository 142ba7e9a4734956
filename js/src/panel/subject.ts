/** What the next question is about: a result of the database, or a cell of the notebook. */
import type { ChosenCell, ChosenResult, Result } from '../shared/wire';

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

export function ofCell(cell: ChosenCell): Subject {
  const first = cell.code.split('\n').find(line => line.trim());
  return {
    label: `Cell ${cell.label} · ${first ?? 'empty'}`,
    title: cell.code,
    question: cell.fix ? `Fix cell ${cell.label}` : `Explain the output of cell ${cell.label}`,
    hint: cell.fix ? 'Say more about it, or just send' : 'Ask about this cell, or just send',
    analysis: null,
    cell,
  };
}
