/** The values behind a chart, for those who cannot see it, and for the clipboard. */
import type { Figure, Json } from '../shared/wire';
import { object, text, values } from '../shared/answer/plotly';
import { words } from './words';

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: Json, y: Json])[];
}

/** The values behind the chart. A map's are named by row and column. */
export function series(figure: Figure): readonly Series[] {
  return figure.data.map((trace, index) => {
    const name = text(trace.name) || (figure.data.length > 1 ? words.chart.seriesNumber({ n: index + 1 }) : words.chart.values);
    const z = values(trace.z);
    if (z.length > 0) {
      const rows = z.map(values);
      return { name, points: rows.flatMap((row, r) => row.map((y, c) => [words.chart.place({ row: r + 1, column: c + 1 }), y] as const)) };
    }
    const [x, y] = [values(trace.x ?? trace.labels), values(trace.y ?? trace.values)];
    const length = Math.max(x.length, y.length);
    return { name, points: Array.from({ length }, (_, at) => [x[at] ?? null, y[at] ?? null] as const) };
  });
}

/** The values as lines with tabs, which spreadsheets take. */
export function tabbed(figure: Figure): string {
  return rows(figure)
    .map(row => row.join('\t'))
    .join('\n');
}

/** The values as a CSV file, read as UTF-8 by spreadsheets too. */
export function commaSeparated(figure: Figure): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return `\uFEFF${rows(figure)
    .map(row => row.map(quoted).join(','))
    .join('\r\n')}\r\n`;
}

/** With the titles of the axes as heads, which tell the units. */
function rows(figure: Figure): readonly (readonly string[])[] {
  const head = (axis: string, otherwise: string): string => text(object(figure.layout[axis]).title) || otherwise;
  const lines = series(figure).flatMap(({ name, points }) =>
    points.map(([x, y]) => [name, ...[x ?? '', y ?? ''].map(String)]),
  );
  return [['series', head('xaxis', 'x'), head('yaxis', 'y')], ...lines];
}

/** What a reader who cannot see the chart is told. */
export function summary(figure: Figure, title: string): string {
  const axis = (name: string): string => text(object(figure.layout[name]).title);
  const [y, x] = [axis('yaxis'), axis('xaxis')];
  const over = y && x ? words.chart.over({ y, x }) : y || x;
  const parts = series(figure).map(({ name, points }) => {
    const numbers = points.flatMap(([, y]) => (typeof y === 'number' ? [y] : []));
    const low = numbers.reduce((a, b) => Math.min(a, b), Infinity);
    const high = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
    const n = points.length;
    return numbers.length > 0 ? words.chart.summaryRange({ name, n, low: short(low), high: short(high) }) : words.chart.summary({ name, n });
  });
  return [words.chart.title({ title: title || words.chart.untitled }), over, ...parts].filter(Boolean).join('. ');
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
