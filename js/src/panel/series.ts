/** The values behind a chart, for those who cannot see it, and for the clipboard. */
import type { Figure, Json } from '../shared/wire';
import { object, text, values } from './plotly';

export interface Series {
  readonly name: string;
  readonly x: readonly Json[];
  readonly y: readonly Json[];
}

/** The values behind the chart. A map's are named by row and column. */
export function series(figure: Figure): readonly Series[] {
  return figure.data.map((trace, index) => {
    const name = text(trace.name) || (figure.data.length > 1 ? `Series ${index + 1}` : 'Values');
    const z = values(trace.z);
    if (z.length > 0) {
      const rows = z.map(values);
      const x = rows.flatMap((row, r) => row.map((_, c) => `row ${r + 1}, column ${c + 1}`));
      return { name, x, y: rows.flat() };
    }
    return { name, x: values(trace.x ?? trace.labels), y: values(trace.y ?? trace.values) };
  });
}

/** The values as lines with tabs, which spreadsheets take. */
export function tabbed(figure: Figure): string {
  const lines = series(figure).flatMap(({ name, x, y }) => {
    const length = Math.max(x.length, y.length);
    return Array.from({ length }, (_, index) => [name, x[index] ?? '', y[index] ?? ''].map(String).join('\t'));
  });
  return ['series\tx\ty', ...lines].join('\n');
}

/** What a reader who cannot see the chart is told. */
export function summary(figure: Figure, title: string): string {
  const axis = (name: string): string => text(object(figure.layout[name]).title);
  const over = [axis('yaxis'), axis('xaxis')].filter(Boolean).join(' over ');
  const parts = series(figure).map(({ name, x, y }) => {
    const numbers = y.filter((each): each is number => typeof each === 'number');
    const [low, high] = [numbers.reduce(least, Infinity), numbers.reduce(most, -Infinity)];
    const range = numbers.length > 0 ? `, ${short(low)} to ${short(high)}` : '';
    return `${name}: ${Math.max(x.length, y.length)} values${range}`;
  });
  return [`Chart: ${title || 'without a title'}`, over, ...parts].filter(Boolean).join('. ');
}

function least(a: number, b: number): number {
  return Math.min(a, b);
}

function most(a: number, b: number): number {
  return Math.max(a, b);
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
