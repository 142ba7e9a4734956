import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { ChartBlock, Figure } from '../../shared/wire';
import { PLOTLY_MIME } from '../../shared/page';
import { Canvas, chartThemeOf, type Undrawn } from '../canvas';
import { saveValues, savePicture } from '../chart-file';
import { DATE } from '../../shared/answer/units';
import { large } from '../../shared/answer/figure';
import { titleOf } from '../../shared/answer/plotly';
import { series, summary, tabbed } from '../series';
import { legend } from '../../shared/answer/strokes';
import { current } from '../theme';
import { words } from '../words';
import { CopyButton, IconButton } from './buttons';
import { usePanelContext } from './panel-context';
import { CellBelow, Expand, Save } from './icons';
import { memo } from './memo';
import { Menu } from './menu';
import { RunButton } from './run-button';
import { Table } from './table';

const DATES = new RegExp(`(${DATE.source})`);

interface ChartProps {
  readonly block: ChartBlock;
  /** Of its table, where it cannot be drawn. */
  readonly name: string;
}

/** A chart, drawn by the notebook's own renderer or the kernel's. */
export const Chart = memo(({ block, name }: ChartProps): VNode => {
  const { store, hosted, hasNotebook, dataName, theme } = usePanelContext();
  const { figure } = block;
  const title = block.title || titleOf(figure);
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<Canvas | null>(null);
  const [undrawn, setUndrawn] = useState<Undrawn | null>(null);
  const [unsaved, setUnsaved] = useState(false);

  useEffect(() => {
    if (!place.current || hosted === null) {
      return undefined;
    }
    setUndrawn(null);
    const drawn = new Canvas(place.current, store.host, figure, setUndrawn);
    canvas.current = drawn;
    return () => drawn.close();
  }, [figure, hosted]);
  useEffect(() => canvas.current?.repaint(), [theme]);

  const picture = async (): Promise<void> => {
    if (place.current && !(await savePicture(store.host, place.current, figure, title).catch(() => false))) {
      setUnsaved(true);
    }
  };
  const expand = (): void => {
    if (place.current) {
      store.host.open(place.current, title || words.chart.name, { [PLOTLY_MIME]: large(figure, chartThemeOf(place.current), title) });
    }
  };
  return (
    <figure class="qd-chart">
      <div class="qd-chart-head">
        <figcaption>{title.split(DATES).map((part, at) => (at % 2 === 1 ? <time>{part}</time> : part))}</figcaption>
        <span class="qd-chart-actions">
          {hosted && !undrawn && <IconButton label={words.chart.expand} icon={Expand} onClick={expand} />}
          <CopyButton label={words.chart.copyData} text={() => tabbed(figure)} />
          <Menu
            label={words.chart.save}
            icon={Save}
            choices={[
              { label: words.chart.savePicture, choose: () => void picture(), disabled: undrawn !== null },
              { label: words.chart.saveData, choose: () => saveValues(figure, title) },
            ]}
          />
        </span>
      </div>
      <div
        ref={place}
        class="qd-chart-place"
        role="img"
        aria-label={summary(figure, title)}
        hidden={undrawn !== null}
      />
      {unsaved && <p class="qd-quiet">{words.chart.notSaved}</p>}
      {!undrawn && <Legend figure={figure} dark={current().dark} />}
      {undrawn && <Values figure={figure} because={words.chart[undrawn]} name={name} />}
      {block.code && hasNotebook && dataName && <RunButton label={words.frames.openInCell} icon={CellBelow} code={block.code} />}
    </figure>
  );
});

/** Dashes of Plotly's as SVG writes them. */
const DASHES: Readonly<Record<string, string>> = {
  dash: '6 3',
  dot: '2 2',
  dashdot: '6 2 2 2',
  longdash: '10 3',
  longdashdot: '8 2 2 2',
};

function Legend({ figure, dark }: { figure: Figure; dark: boolean }): VNode | null {
  const keys = legend(figure, dark);
  if (keys.length === 0) {
    return null;
  }
  return (
    <ul class="qd-legend" aria-hidden="true">
      {keys.map(({ name, color, dash, isLine }, index) => (
        <li key={index}>
          <svg width="20" height="8" viewBox="0 0 20 8">
            {isLine && <path d="M0 4h20" stroke={color} stroke-width="1.5" stroke-dasharray={DASHES[dash]} />}
            <circle cx="10" cy="4" r="2.5" fill={color} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

const FIRST_VALUES = 6;

interface ValuesProps {
  readonly figure: Figure;
  readonly because: string;
  readonly name: string;
}

function Values({ figure, because, name }: ValuesProps): VNode {
  const all = series(figure);
  const rows = all.flatMap(({ name, points }) => points.slice(0, FIRST_VALUES).map(point => [name, ...point]));
  const first = rows.slice(0, 2 * FIRST_VALUES);
  const table = { id: '', kind: 'table', frame_key: null, columns: [words.chart.series, 'x', 'y'], rows: first } as const;
  const total = all.reduce((sum, { points }) => sum + points.length, 0);
  return (
    <>
      <p class="qd-quiet">{because}</p>
      <Table table={{ ...table, total_rows: first.length }} name={name} />
      <p class="qd-quiet">{words.chart.valuesInAll({ n: total })}</p>
    </>
  );
}
