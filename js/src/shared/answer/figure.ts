/** A Plotly figure as the panel shows it: in the notebook's colours and in little room. */
import type { Figure, Json, JsonObject } from '../wire';
import { isAxis, isHeatmap, isScatter, object, text, values } from './plotly';
import { colorsOf, strokesOf, type Stroke } from './strokes';

export interface ChartTheme {
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

const LINE_PX = 1.5;
const MARKER_PX = 4;

/** Charts whose colour is that of their markers. */
const COLOURED = new Set(['bar', 'histogram', 'box', 'violin']);

const MARGIN = { l: 44, r: 8, t: 8, b: 36 };
const FONT_PX = 11;
const MOST_TICKS = 5;

/** The room of a date along the axis: with more of them Plotly would turn them upright. */
const TICK_PX = 64;
const COLOR_BAR_PX = 34;

/** What a second chart below the first takes of their height. */
const BELOW = 0.35;

/** A square of a chip map that still holds a number. */
const READABLE_CELL_PX = 28;

/** Kinds of charts that fetch maps from elsewhere. */
const FETCHING = /geo$|mapbox$|^choropleth|^(?:scatter|density)map$/;

/** The figure for a panel of that width; null if it could only be drawn with something from another place. */
export function drawing(figure: Figure, theme: ChartTheme, width: number): Drawing | null {
  if (fetches(figure)) {
    return null;
  }
  const grid = figure.data.find(isHeatmap);
  const layout: Record<string, Json> = {
    ...baseLayout(figure.layout, theme),
    height: grid ? mapHeight(grid, width) : lineHeight(figure, width),
    autosize: true,
    margin: grid ? { l: 4, r: 4, t: 4, b: 4 + COLOR_BAR_PX } : MARGIN,
    // The panel writes its own below the chart, unless the names are those of slices.
    showlegend: figure.data.some(({ type }) => type === 'pie'),
  };
  for (const [name, axis] of axes(figure.layout, theme, Boolean(grid), width)) {
    layout[name] = axis;
  }
  const strokes = strokesOf(figure, theme.dark);
  const data = figure.data.map((trace, index) => styled(trace, strokes[index], theme, width));
  const under = grid ? [namedGaps(grid, theme)] : [];
  return { data: [...under, ...data], layout, config: { displayModeBar: false, displaylogo: false, responsive: true } };
}

function lineHeight({ layout }: Figure, width: number): number {
  const height = Math.min(260, Math.max(200, 0.62 * width));
  const hasBelow = values(object(layout.yaxis2).domain).length > 0;
  return Math.round(hasBelow ? height / (1 - BELOW) : height);
}

/** The figure for a tab of the main area: all the room there is, and Plotly's own tools. */
export function large(figure: Figure, theme: ChartTheme, title: string): Drawing {
  const layout: Record<string, Json> = {
    ...baseLayout(figure.layout, theme),
    autosize: true,
    title: { text: escaped(title), font: { size: 16 } },
    font: { family: theme.font, color: theme.text, size: 13 },
  };
  for (const name of Object.keys(figure.layout).filter(isAxis)) {
    layout[name] = { ...gridColors(theme), ...object(figure.layout[name]), automargin: true };
  }
  return { data: figure.data, layout, config: { displaylogo: false, responsive: true } };
}

function fetches({ data }: Figure): boolean {
  return data.some(
    ({ type, source }) => FETCHING.test(text(type)) || (type === 'image' && !text(source).startsWith("data:")),
  );
}

/** What is drawn otherwise here, and what could load something, at once or on a click. */
const LEFT_OUT = new Set(['template', 'title', 'width', 'height', 'images', 'updatemenus', 'sliders']);

/** The figure's own layout, in the notebook's colours. */
function baseLayout(layout: JsonObject, theme: ChartTheme): Record<string, Json> {
  return {
    ...Object.fromEntries(Object.entries(layout).filter(([name]) => !LEFT_OUT.has(name))),
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    colorway: colorsOf(theme.dark),
    font: { family: theme.font, size: FONT_PX, color: theme.text },
    annotations: values(layout.annotations).map(each => {
      const note = object(each);
      return { ...note, font: { size: FONT_PX, ...object(note.font), color: theme.text } };
    }),
  };
}

function gridColors({ grid }: ChartTheme): JsonObject {
  return { gridcolor: grid, zerolinecolor: grid, linecolor: grid };
}

function axes(layout: JsonObject, theme: ChartTheme, isMap: boolean, width: number): [string, JsonObject][] {
  const names = new Set(['xaxis', 'yaxis', ...Object.keys(layout).filter(isAxis)]);
  return [...names].map(name => {
    const axis = object(layout[name]);
    const font = { size: FONT_PX, color: theme.text };
    const title = text(axis.title);
    return [
      name,
      {
        ...axis,
        ...(isMap ? {} : { ...gridColors(theme), automargin: true }),
        // Lines across are enough to read a value by.
        ...(name.startsWith('x') ? { showgrid: false } : {}),
        nticks: name.startsWith('x') ? Math.max(2, Math.min(MOST_TICKS, Math.floor(width / TICK_PX))) : MOST_TICKS,
        tickfont: font,
        ...(title ? { title: { text: title, font, standoff: 6 } } : {}),
      },
    ];
  });
}

/** Letters with which the longest number fits its cell; a digit is two thirds as wide as they are high. */
function fitting(trace: JsonObject, cell: number): JsonObject {
  const font = object(trace.textfont);
  const decimals = Number(/:\.(\d)f/.exec(text(trace.texttemplate))?.[1] ?? 0);
  const sizes = values(trace.z).flatMap(row => values(row)).map(each => (typeof each === 'number' ? Math.abs(each).toFixed(decimals).length : 0));
  const most = (1.5 * cell) / Math.max(1, ...sizes);
  return typeof font.size === 'number' && font.size > most ? { ...font, size: Math.floor(most) } : font;
}

function styled(trace: JsonObject, stroke: Stroke | undefined, theme: ChartTheme, width: number): JsonObject {
  if (isHeatmap(trace)) {
    const bar = object(trace.colorbar);
    const cell = width / Math.max(1, values(values(trace.z)[0]).length);
    return {
      ...trace,
      ...(cell < READABLE_CELL_PX ? { texttemplate: '' } : { textfont: fitting(trace, cell) }),
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
        tickfont: { size: FONT_PX, color: theme.text },
        ticksuffix: text(bar.title) ? ` ${text(bar.title)}` : '',
      },
    };
  }
  const { color = theme.text, dash = 'solid' } = stroke ?? {};
  const marker = { ...(isScatter(trace) ? { size: MARKER_PX } : {}), color, ...object(trace.marker) };
  if (isScatter(trace)) {
    return { ...trace, line: { width: LINE_PX, color, dash, ...object(trace.line) }, marker };
  }
  return COLOURED.has(text(trace.type)) ? { ...trace, marker } : trace;
}

/** What a map has a name for and no value: grey below it, so that the name can be read on any ground. */
function namedGaps(trace: JsonObject, theme: ChartTheme): JsonObject {
  const names = values(trace.text).map(values);
  const z = values(trace.z).map((row, r) =>
    values(row).map((value, c) => (value === null && names[r]?.[c] ? 1 : null)),
  );
  const { x = null, y = null, xgap = 0, ygap = 0 } = trace;
  const grey = theme.dark ? '#757575' : '#e0e0e0';
  const places = { ...(x ? { x } : {}), ...(y ? { y } : {}), xgap, ygap };
  return { ...places, type: 'heatmap', z, colorscale: [[0, grey], [1, grey]], showscale: false, hoverinfo: 'skip' };
}

/** Square cells over the whole width, and the bar of colours below. */
function mapHeight(trace: JsonObject, width: number): number {
  const rows = values(trace.z);
  const columns = Math.max(1, values(rows[0]).length);
  return Math.round(Math.min(480, ((width - 8) * Math.max(1, rows.length)) / columns)) + 8 + COLOR_BAR_PX;
}

/** Plotly reads some HTML in titles. */
function escaped(title: string): string {
  return title.replace(/</g, '&lt;');
}
