/** A chart as a file: its values, or a picture of it. */
import { download } from '../shared/download';
import type { Figure } from '../shared/wire';
import { large } from '../shared/answer/figure';
import type { Host } from './host';
import { commaSeparated } from './series';
import { words } from './words';

/** On paper and slides, whatever the notebook's theme is. */
const ON_WHITE = { text: '#212121', grid: '#e0e0e0', dark: false };
const SIZE = { width: 900, height: 560 };

/** Plotly makes the picture in its own time, from the drawing. */
const MADE_WITHIN_MS = 30_000;

export function saveValues(figure: Figure, title: string): void {
  download(`${fileName(title)}.csv`, commaSeparated(figure), 'text/csv;charset=utf-8');
}

/**
 * Draws the chart out of sight, in white, and presses Plotly's own button for a picture.
 *
 * @returns whether there was such a button: another renderer may draw without one.
 */
export async function savePicture(host: Host, place: HTMLElement, figure: Figure, title: string): Promise<boolean> {
  const { data, layout } = large(figure, { ...ON_WHITE, font: getComputedStyle(place).fontFamily }, title);
  const picture = { format: 'png', filename: fileName(title), scale: 2, ...SIZE };
  const plan = {
    data,
    layout: { ...layout, ...SIZE, autosize: false, paper_bgcolor: '#ffffff', plot_bgcolor: '#ffffff' },
    config: { displaylogo: false, displayModeBar: true, modeBarButtons: [['toImage']], toImageButtonOptions: picture },
  };
  const node = document.createElement('div');
  node.className = 'qd-out-of-sight';
  node.setAttribute('aria-hidden', 'true');
  place.append(node);
  await host.render(node, plan);
  const button = node.querySelector<HTMLElement>('.modebar-btn');
  button?.click();
  setTimeout(
    () => {
      host.unrender(node);
      node.remove();
    },
    button ? MADE_WITHIN_MS : 0,
  );
  return button !== null;
}

function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, ' ').trim().slice(0, 80) || words.chart.fileName;
}
