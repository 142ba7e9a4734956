import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Figure, JsonObject } from '../src/shared/wire';
import { drawing, large, type ChartTheme } from '../src/shared/answer/figure';
import { object, titleOf, values } from '../src/shared/answer/plotly';
import { series, summary, tabbed } from '../src/panel/series';
import { legend, strokesOf } from '../src/shared/answer/strokes';

const THEME: ChartTheme = { text: '#111', grid: '#ddd', font: 'sans', dark: false };

function figure(...data: readonly JsonObject[]): Figure {
  return { data, layout: { title: { text: 'T1 <b>over</b> time' }, yaxis: { title: { text: 'T1 (µs)' } } } };
}

const LINE = { type: 'scatter', mode: 'lines', name: 'Q07', x: [1, 2], y: [30.5, 28] };

/** Of numpy, as Plotly writes it: two rows of two bytes each. */
const BINARY = { dtype: 'u1', bdata: btoa('\x01\x02\x03\x04'), shape: '2, 2' };

test('Values stand in lists or in binary', () => {
  assert.deepEqual(values([1, 2]), [1, 2]);
  assert.deepEqual(values(BINARY), [[1, 2], [3, 4]]);
  assert.deepEqual(values({ dtype: 'f8', bdata: btoa(String.fromCharCode(0, 0, 0, 0, 0, 0, 248, 63)) }), [1.5]);
  assert.deepEqual(values({ dtype: 'x9', bdata: 'AAAA' }), []);
  assert.deepEqual(values('no list'), []);
});

test('A chart in words, and as lines for a spreadsheet', () => {
  const chart = figure(LINE, { type: 'heatmap', z: BINARY });
  assert.equal(titleOf(chart), 'T1  over  time');
  assert.deepEqual(series(chart)[1]?.points.slice(0, 3).map(([x]) => x), ['row 1, column 1', 'row 1, column 2', 'row 2, column 1']);
  const words = 'Chart: T1. T1 (µs). Q07: 2 values, 28 to 30.5. Series 2: 4 values, 1 to 4';
  assert.equal(summary(chart, 'T1'), words);
  assert.equal(tabbed(figure(LINE)), 'series\tx\tT1 (µs)\nQ07\t1\t30.5\nQ07\t2\t28');
});

test('A second chart below the first has room of its own', () => {
  const one = figure(LINE);
  const two = { ...one, layout: { ...one.layout, yaxis2: { domain: [0, 0.28] } } };
  const other = { ...one, layout: { ...one.layout, yaxis2: { overlaying: 'y' } } };
  const height = (each: Figure): number => Number(drawing(each, THEME, 360)?.layout.height);
  assert(height(two) > 1.4 * height(one));
  assert.equal(height(other), height(one));
});

test('Lines are told apart by colour and by dashes; what the figure chose is kept', () => {
  const [first, second] = strokesOf(figure(LINE, { ...LINE, name: 'Q08' }), false);
  assert(first?.color !== second?.color);
  assert(first?.dash !== second?.dash);
  assert.deepEqual(strokesOf(figure({ ...LINE, line: { color: 'red', dash: 'dot' } }), true), [{ color: 'red', dash: 'dot' }]);
  assert.deepEqual(legend(figure(LINE), false), []);
  assert.deepEqual(legend(figure(LINE, { ...LINE, name: 'Q08' }), false).map(({ name }) => name), ['Q07', 'Q08']);
});

test('In the panel a chart has the colours of the notebook and little room', () => {
  const plan = drawing(figure(LINE), THEME, 360);
  assert.equal(plan?.layout.height, 223);
  assert.deepEqual(object(plan?.layout.font), { family: 'sans', size: 11, color: '#111' });
  assert.equal(plan?.layout.title, undefined);
  assert.equal(plan?.config.displayModeBar, false);
  assert.equal(object(large(figure(LINE), THEME, 'a < b').layout.title).text, 'a &lt; b');
});

test('A map marks the places that have a name and no value', () => {
  const grid = { type: 'heatmap', z: [[1, null], [null, 2]], text: [['Q0', 'Q1'], ['', 'Q3']] };
  const plan = drawing(figure(grid), THEME, 360);
  assert.deepEqual(plan?.data[0]?.z, [[null, 1], [null, null]]);
  assert.equal(plan?.data.length, 2);
});

test('The numbers of a map fit into its cells', () => {
  const grid = { type: 'heatmap', z: [Array(8).fill(99.9068)], texttemplate: '%{text}<br><b>%{z:.2f}</b>', textfont: { size: 10 } };
  const sizes = [256, 420].map(width => object(drawing(figure(grid), THEME, width)?.data.at(-1)?.textfont).size);
  assert.deepEqual(sizes, [9, 10]);
});

test('What would be loaded from elsewhere is not drawn, or left out', () => {
  for (const type of ['scattergeo', 'choropleth', 'scattermapbox', 'densitymap']) {
    assert.equal(drawing(figure({ type }), THEME, 360), null);
  }
  assert.equal(drawing(figure({ type: 'image', source: 'https://other.example/a.png' }), THEME, 360), null);
  assert(drawing(figure({ type: 'image', source: 'data:image/png;base64,AA' }), THEME, 360));
  const { layout } = figure(LINE);
  const images = { data: [LINE], layout: { ...layout, images: [{ source: 'https://other.example/b.png' }] } };
  assert.equal(drawing(images, THEME, 360)?.layout.images, undefined);
  assert.equal(large(images, THEME, '').layout.images, undefined);
});
