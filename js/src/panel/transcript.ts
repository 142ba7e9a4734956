/** The conversation as Markdown, for the clipboard. */
import type { Block, EditBlock, State, TableBlock, Turn } from '../shared/wire';
import { titleOf } from '../shared/answer/plotly';
import { found, handle, knownAssessment, plain, value } from './format';
import { words } from './words';

export function transcript(state: State): string {
  return state.turns.map(turnText).join('\n\n');
}

/** The answer of a turn without its steps. */
export function answer(turn: Turn): string {
  return turn.blocks.filter(block => block.kind !== 'step' && block.kind !== 'thought').map(blockText).filter(Boolean).join('\n\n');
}

function turnText(turn: Turn): string {
  const assessment = turn.assessment ? [`**${words.transcript.assessment({ assessment: words.assessment[knownAssessment(turn.assessment)] })}**`] : [];
  return [`## ${turn.question}`, ...assessment, ...turn.blocks.map(blockText)].filter(Boolean).join('\n\n');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'subject':
      return `**${block.title}** ${block.details}`;
    case 'step':
      return `- ${[plain(block.label), block.about, found(block), block.error].filter(Boolean).join(' · ')}`;
    case 'thought':
      return '';
    case 'text':
      return block.text.trim();
    case 'chart':
      return words.transcript.chart({ title: block.title || titleOf(block.figure) || words.chart.untitled });
    case 'image':
      return words.transcript.picture;
    case 'table':
      return tableText(block);
    case 'edit':
      return editText(block);
    case 'error':
      return `**${block.title}** ${block.hint}`.trim();
  }
}

const MARKS = { same: ' ', removed: '-', added: '+', gap: '@@' } as const;

function editText({ label, why, lines }: EditBlock): string {
  const diff = lines.map(({ kind, text }) => `    ${MARKS[kind]} ${text}`).join('\n');
  return `**${words.edit.name({ label })}** ${why}`.trim() + `\n\n${diff}`;
}

function tableText({ columns, rows, total_rows, frame_key }: TableBlock): string {
  const plain = (cell: string): string => cell.replace(/[|\n]/g, ' ');
  const line = (cells: readonly string[]): string => `| ${cells.map(plain).join(' | ')} |`;
  const shown = [line(columns), line(columns.map(() => '---')), ...rows.map(row => line(row.map(value)))];
  const rest = total_rows > rows.length && frame_key ? [``, words.table.rowsIn({ n: total_rows, name: handle(frame_key, 'copilot.data') })] : [];
  return [...shown, ...rest].join('\n');
}
