/** A Plotly figure as the panel shows it: in the notebook's colours, in little room, and in words. */
import type { Figure, Json, JsonObject } from './wire';

export const PLOTLY_MIME = 'application/vnd.plotly.v1+json';

export interface Look {
  readonly text: string;
  readonly grid: string;
  readonly font: string;
  readonly dark: boolean;
}

/** What the notebook's renderer gets. */
export interface Drawing {
  readonly data: readonly JsonObject[];
  readonly layout: JsonObject;
  readonly config: JsonObject;
}

/** Told apart by their dashes as well. Green and red are left to assessments. */
const SERIES = { light: ['#1565c0', '#c75b00', '#00796b', '#6a3fb5'], dark: ['#64b5f6', '#ffb066', '#4fc3b5', '#b79cf0'] };
const DASHES = ['solid', 'dash', 'dot', 'dashdot'];

const LINE_PX = 1.5;
const MARKER_PX = 4;

/** Charts whose colour is that of their markers. */
const COLOURED = new Set(['bar', 'histogram', 'box', 'violin']);

const MARGIN = { l: 44, r: 8, t: 8, b: 36 };
const FONT_PX = 11;
const MOST_TICKS = 5;
const COLOR_BAR_PX = 34;

/** A square of a chip map that still holds a number. */
const READABLE_CELL_PX = 34;

/** Kinds of charts that fetch maps from elsewhere. */
const FETCHING = /geo$|mapbox$|^choropleth|^(?:scatter|density)map$/;

/** The figure for a panel of that width; null if it could only be drawn with something from another place. */
export function drawing(figure: Figure, look: Look, width: number): Drawing | null {
  if (fetches(figure)) {
    return null;
  }
  const grid = figure.data.find(isHeatmap);
  const layout: Record<string, Json> = {
    ...own(figure.layout, look),
    height: grid ? mapHeight(grid, width) : Math.round(Math.min(260, Math.max(200, 0.62 * width))),
    autosize: true,
    margin: grid ? { l: 4, r: 4, t: 4, b: 4 + COLOR_BAR_PX } : MARGIN,
    // The panel writes its own below the chart, unless the names are those of slices.
    showlegend: figure.data.some(({ type }) => type === 'pie'),
  };
  for (const [name, axis] of axes(figure.layout, look, Boolean(grid))) {
    layout[name] = axis;
  }
  const styles = stylesOf(figure, look.dark);
  const data = figure.data.map((trace, index) => shown(trace, styles[index] ?? PLAIN, look, width));
  return { data, layout, config: { displayModeBar: false, displaylogo: false, responsive: true } };
}

/** The figure for a tab of the main area: all the room there is, and Plotly's own tools. */
export function large(figure: Figure, look: Look, title: string): Drawing {
  const layout: Record<string, Json> = {
    ...own(figure.layout, look),
    autosize: true,
    title: { text: escaped(title), font: { size: 16 } },
    font: { family: look.font, color: look.text, size: 13 },
  };
  for (const name of Object.keys(figure.layout).filter(isAxis)) {
    layout[name] = { ...lines(look), ...object(figure.layout[name]) };
  }
  return { data: figure.data, layout, config: { displaylogo: false, responsive: true } };
}

export function titleOf(figure: Figure): string {
  return text(figure.layout['title']).replace(/<[^>]*>/g, ' ').trim();
}

/** What a reader who cannot see the chart is told. */
export function summary(figure: Figure, title: string): string {
  const axis = (name: string): string => text(object(figure.layout[name])['title']);
  const over = [axis('yaxis'), axis('xaxis')].filter(Boolean).join(' over ');
  const parts = series(figure).map(({ name, x, y }) => {
    const numbers = y.filter((each): each is number => typeof each === 'number');
    const range = numbers.length > 0 ? `, ${short(least(numbers))} to ${short(-least(numbers.map(each => -each)))}` : '';
    return `${name}: ${Math.max(x.length, y.length)} values${range}`;
  });
  return [`Chart: ${title || 'without a title'}`, over, ...parts].filter(Boolean).join('. ');
}

export interface Series {
  readonly name: string;
  readonly x: readonly Json[];
  readonly y: readonly Json[];
}

/** The values behind the chart. A map's are named by row and column. */
export function series(figure: Figure): readonly Series[] {
  return figure.data.map((trace, index) => {
    const name = text(trace['name']) || (figure.data.length > 1 ? `Series ${index + 1}` : 'Values');
    const z = values(trace['z']);
    if (z.length > 0) {
      const rows = z.map(values);
      const x = rows.flatMap((row, r) => row.map((_, c) => `row ${r + 1}, column ${c + 1}`));
      return { name, x, y: rows.flat() };
    }
    return { name, x: values(trace['x'] ?? trace['labels']), y: values(trace['y'] ?? trace['values']) };
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

function fetches({ data }: Figure): boolean {
  return data.some(({ type, source }) => FETCHING.test(text(type)) || (type === 'image' && !/^data:/.test(text(source))));
}

/** What is drawn otherwise here, and what could load something, at once or on a click. */
const LEFT_OUT = new Set(['template', 'title', 'width', 'height', 'images', 'updatemenus', 'sliders']);

/** The figure's own layout, in the notebook's colours. */
function own(layout: JsonObject, look: Look): Record<string, Json> {
  return {
    ...Object.fromEntries(Object.entries(layout).filter(([name]) => !LEFT_OUT.has(name))),
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    colorway: look.dark ? SERIES.dark : SERIES.light,
    font: { family: look.font, size: FONT_PX, color: look.text },
    annotations: values(layout['annotations']).map(each => {
      const note = object(each);
      return { ...note, font: { size: FONT_PX, ...object(note['font']), color: look.text } };
    }),
  };
}

function lines({ grid }: Look): JsonObject {
  return { gridcolor: grid, zerolinecolor: grid, linecolor: grid };
}

function axes(layout: JsonObject, look: Look, is_map: boolean): [string, JsonObject][] {
  const names = new Set(['xaxis', 'yaxis', ...Object.keys(layout).filter(isAxis)]);
  return [...names].map(name => {
    const axis = object(layout[name]);
    const font = { size: FONT_PX, color: look.text };
    const title = text(axis['title']);
    return [
      name,
      {
        ...axis,
        ...(is_map ? {} : { ...lines(look), automargin: true }),
        // Lines across are enough to read a value by.
        ...(name.startsWith('x') ? { showgrid: false } : {}),
        nticks: MOST_TICKS,
        tickfont: font,
        ...(title ? { title: { text: title, font, standoff: 6 } } : {}),
      },
    ];
  });
}

function shown(trace: JsonObject, style: Style, look: Look, width: number): JsonObject {
  if (isHeatmap(trace)) {
    const bar = object(trace['colorbar']);
    const cell = width / Math.max(1, values(values(trace['z'])[0]).length);
    return {
      ...trace,
      ...(cell < READABLE_CELL_PX ? { texttemplate: '' } : {}),
      colorbar: {
        orientation: 'h',
        thickness: 8,
        len: 1,
        x: 0.5,
        y: 0,
        yanchor: 'top',
        ypad: 6,
        xpad: 0,
        outlinewidth: 0,
        nticks: MOST_TICKS,
        tickfont: { size: FONT_PX, color: look.text },
        ticksuffix: text(bar['title']) ? ` ${text(bar['title'])}` : '',
      },
    };
  }
  const { color, dash } = style;
  const marker = { ...(isScatter(trace) ? { size: MARKER_PX } : {}), color, ...object(trace['marker']) };
  return isScatter(trace)
    ? { ...trace, line: { width: LINE_PX, color, dash, ...object(trace['line']) }, marker }
    : COLOURED.has(text(trace['type'])) ? { ...trace, marker } : trace;
}

export interface Style {
  readonly color: string;
  /** In Plotly's words. */
  readonly dash: string;
}

/** The series of a chart that has more than one, for the legend. */
export function legend(figure: Figure, dark: boolean): readonly (Style & { readonly name: string; readonly line: boolean })[] {
  const named = stylesOf(figure, dark).map((style, index) => ({
    ...style,
    name: text(figure.data[index]?.['name']),
    line: isLine(figure.data[index] ?? {}),
    hidden: figure.data[index]?.['showlegend'] === false || isHeatmap(figure.data[index] ?? {}),
  }));
  const shown_ones = named.filter(({ name, hidden }) => name && !hidden);
  return shown_ones.length > 1 ? shown_ones : [];
}

const PLAIN: Style = { color: '', dash: 'solid' };

/** Each trace's own colour and dashes, or the next ones; a single line is solid. */
function stylesOf({ data }: Figure, dark: boolean): readonly Style[] {
  const colors = dark ? SERIES.dark : SERIES.light;
  const lines = data.filter(isLine).length;
  return data.map((trace, index) => {
    const [line, marker] = [object(trace['line']), object(trace['marker'])];
    const chosen = [line['color'], marker['color']].find(each => typeof each === 'string');
    return {
      color: String(chosen ?? colors[index % colors.length]),
      dash: String(line['dash'] ?? (lines > 1 ? DASHES[index % DASHES.length] : 'solid')),
    };
  });
}

/** Square cells over the whole width, and the bar of colours below. */
function mapHeight(trace: JsonObject, width: number): number {
  const rows = values(trace['z']);
  const columns = Math.max(1, values(rows[0]).length);
  return Math.round(Math.min(480, ((width - 8) * Math.max(1, rows.length)) / columns)) + 8 + COLOR_BAR_PX;
}

function isHeatmap(trace: JsonObject): boolean {
  return trace['type'] === 'heatmap';
}

function isScatter(trace: JsonObject): boolean {
  return ['scatter', 'scattergl'].includes(text(trace['type']) || 'scatter');
}

function isLine(trace: JsonObject): boolean {
  const mode = trace['mode'];
  return isScatter(trace) && (typeof mode !== 'string' || mode.includes('lines'));
}

function isAxis(name: string): boolean {
  return /^[xy]axis\d*$/.test(name);
}

function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A title may be a text or an object with one. */
function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : String(object(value)['text'] ?? '');
}

const ARRAYS: Readonly<Record<string, new (bytes: ArrayBuffer) => ArrayLike<number>>> = {
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  f4: Float32Array,
  f8: Float64Array,
};

/** A list, or an array in Plotly's binary form. */
function values(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) {
    return value;
  }
  const { dtype, bdata, shape } = object(value);
  const kind = ARRAYS[String(dtype)];
  if (!kind || typeof bdata !== 'string') {
    return [];
  }
  const numbers = Array.from(new kind(Uint8Array.from(atob(bdata), each => each.charCodeAt(0)).buffer));
  const columns = Number(String(shape ?? '').split(',')[1] ?? 0);
  return columns > 0
    ? Array.from({ length: numbers.length / columns }, (_, row) => numbers.slice(row * columns, (row + 1) * columns))
    : numbers;
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b));
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Plotly reads some HTML in titles. */
function escaped(title: string): string {
  return title.replace(/</g, '&lt;');
}
