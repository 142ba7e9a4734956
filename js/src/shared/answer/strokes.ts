/** With which colour and dashes each series of a chart is drawn. */
import type { Figure } from '../wire';
import { isHeatmap, isLine, object, text } from './plotly';

/** Blue, orange, teal, purple, then brown and slate. Green and red are left to assessments. */
const LIGHT = ['#1565c0', '#c75b00', '#00796b', '#6a3fb5', '#6d4c41', '#546e7a'];
const DARK = ['#64b5f6', '#ffb066', '#4fc3b5', '#b79cf0', '#bcaaa4', '#90a4ae'];

/** Lines are told apart by these as well; where a colour comes again, it comes with another one. */
const DASHES = ['solid', 'dash', 'dot', 'dashdot'];

export function colorsOf(dark: boolean): readonly string[] {
  return dark ? DARK : LIGHT;
}

export interface Stroke {
  readonly color: string;
  /** In Plotly's words. */
  readonly dash: string;
}

/** The series of a chart that has more than one, for the legend. */
export function legend(figure: Figure, dark: boolean): readonly Key[] {
  const strokes = strokesOf(figure, dark);
  const keys = figure.data.flatMap((trace, index) => {
    const [name, stroke] = [text(trace.name), strokes[index]];
    const isShown = name && stroke && trace.showlegend !== false && !isHeatmap(trace);
    return isShown ? [{ ...stroke, name, isLine: isLine(trace) }] : [];
  });
  return keys.length > 1 ? keys : [];
}

export interface Key extends Stroke {
  readonly name: string;
  readonly isLine: boolean;
}

/** Each trace's own colour and dashes, or the next ones; a single line is solid. */
export function strokesOf({ data }: Figure, dark: boolean): readonly Stroke[] {
  const colors = colorsOf(dark);
  const lines = data.filter(isLine).length;
  return data.map((trace, index) => {
    const [line, marker] = [object(trace.line), object(trace.marker)];
    const chosen = [line.color, marker.color].find(each => typeof each === 'string');
    const round = Math.floor(index / colors.length);
    const next = lines > 1 ? DASHES[(index + round) % DASHES.length] : 'solid';
    return { color: text(chosen ?? colors[index % colors.length]), dash: text(line.dash ?? next) };
  });
}
