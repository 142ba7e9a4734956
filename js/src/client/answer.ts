/** Reads what an answer is kept as: the service's result, QDash's older form of an analysis, or plain text. */
import type { Answer, Block } from './wire';

type Fields = Readonly<Record<string, unknown>>;

/** The blocks and the assessment of a result, given as an object or as its JSON text. */
export function answerOf(content: unknown): Answer {
  const fields = fieldsOf(content);
  const assessment = ['good', 'warning', 'bad'].includes(fields.assessment as string) ? (fields.assessment as Answer['assessment']) : null;
  if (Array.isArray(fields.blocks)) {
    return { blocks: fields.blocks.flatMap(block), assessment };
  }
  if (typeof fields.summary === 'string') {
    return { blocks: [text(analysis(fields))], assessment };
  }
  return { blocks: typeof content === 'string' && content ? [text(content)] : [], assessment: null };
}

export function blocksOf(content: unknown): readonly Block[] {
  return answerOf(content).blocks;
}

/** What can be read without pictures, for a model that is told of earlier answers. */
export function textOf(content: unknown): string {
  return blocksOf(content).map(({ content }) => content ?? '[chart]').join('\n\n');
}

function fieldsOf(content: unknown): Fields {
  let value = content;
  if (typeof content === 'string') {
    try {
      value = JSON.parse(content);
    } catch {
      return {};
    }
  }
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A block that cannot be shown is left out. */
function block(raw: unknown): readonly Block[] {
  const { type, content, chart } = isFields(raw) ? raw : {};
  if (type === 'text' && typeof content === 'string') {
    return [text(content)];
  }
  if (type !== 'chart' || !isFields(chart) || !Array.isArray(chart.data)) {
    return [];
  }
  const { data, layout } = chart;
  return [{ type, content: null, chart: { data, layout: isFields(layout) ? layout : {} } } as Block];
}

function text(content: string): Block {
  return { type: 'text', content, chart: null };
}

function analysis({ summary, explanation, potential_issues, recommendations }: Fields): string {
  const parts = [summary, explanation, list('Potential Issues', potential_issues), list('Recommendations', recommendations)];
  return parts.filter(each => typeof each === 'string' && each).join('\n\n');
}

function list(title: string, items: unknown): string {
  return Array.isArray(items) && items.length > 0 ? `**${title}:**\n${items.map(each => `- ${String(each)}`).join('\n')}` : '';
}
