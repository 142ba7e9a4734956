/** Icons of 16 px, drawn in the colour of the text around them. */
import type { ComponentChildren, VNode } from 'preact';

import type { Assessment } from '../../shared/wire';

function icon(shape: ComponentChildren): () => VNode {
  return () => (
    <svg class="qd-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {shape}
    </svg>
  );
}

const PEN = { fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } as const;

function lines(path: string): () => VNode {
  return icon(<path d={path} {...PEN} stroke="currentColor" stroke-width="1.4" />);
}

export const Plus = lines('M8 3.2v9.6M3.2 8h9.6');
export const Check = lines('M3.4 8.4l3 3 6.2-6.6');
export const Cross = lines('M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6');
export const Pause = lines('M5.8 4.2v7.6M10.2 4.2v7.6');
export const Caret = lines('M6.2 4.4L9.8 8l-3.6 3.6');
export const ArrowDown = lines('M8 3.4v9M4.4 8.8L8 12.4l3.6-3.6');
export const Copy = lines('M5.8 5.8h7v7h-7zM3.2 10.2v-7h7');
export const Save = lines('M8 2.8v7M5 7l3 3l3-3M3 12.8h10');
export const Expand = lines('M9.4 3.2h3.4v3.4M12.8 3.2L9 7M6.6 12.8H3.2V9.4M3.2 12.8L7 9');
export const Lens = lines('M7 2.8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4zM10.1 10.1l3.3 3.3M5 7.4l1.2-1.6l1.4 2l1.4-2.2');
export const Question = lines('M8 2.6a5.4 5.4 0 1 1 0 10.8a5.4 5.4 0 0 1 0-10.8zM6.4 6.6a1.6 1.6 0 1 1 2.4 1.4c-.5.3-.8.6-.8 1.1M8 10.9v.1');
export const Table = lines('M2.8 3.6h10.4v8.8H2.8zM2.8 6.6h10.4M6.6 6.6v5.8');
export const Clock = lines('M8 2.6a5.4 5.4 0 1 1 0 10.8a5.4 5.4 0 0 1 0-10.8zM8 5v3.2l2.2 1.4');
export const Pen = lines('M3.2 12.8l.7-2.9l6.8-6.8l2.2 2.2l-6.8 6.8zM9.3 4.5l2.2 2.2');
export const Bin = lines('M3.4 4.6h9.2M6.4 4.4V3h3.2v1.4M4.6 4.8l.6 8.2h5.6l.6-8.2M6.9 7v3.8M9.1 7v3.8');
export const Again = lines('M12.6 7.2A4.8 4.8 0 1 0 12.2 10.6M12.9 3.6v3.8H9.1');
export const CellBelow = lines('M2.8 3.2h10.4M2.8 6.6h10.4v6.2H2.8zM8 8.2v3M6.5 9.7h3');
/** Up and down; the one that is not meant is left out by the style sheet. */
export const SortMark = (): VNode => (
  <svg class="qd-sort-mark" viewBox="0 0 8 12" width="8" height="12" aria-hidden="true" focusable="false">
    <path d="M1.4 4.8L4 2.2l2.6 2.6" {...PEN} stroke="currentColor" stroke-width="1.3" />
    <path d="M1.4 7.2L4 9.8l2.6-2.6" {...PEN} stroke="currentColor" stroke-width="1.3" />
  </svg>
);
export const Dots = icon(
  <g fill="currentColor">
    <circle cx="3.6" cy="8" r="1.2" />
    <circle cx="8" cy="8" r="1.2" />
    <circle cx="12.4" cy="8" r="1.2" />
  </g>,
);
export const Square = icon(<rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />);

const MARK = { ...PEN, stroke: 'var(--qd-mark)', 'stroke-width': 1.6 } as const;

/** Told apart by their outline as well: circle, triangle, octagon, dashed circle. */
export const ASSESSMENTS: Readonly<Record<Assessment | 'unknown', () => VNode>> = {
  good: icon(
    <g>
      <circle cx="8" cy="8" r="6.4" fill="currentColor" />
      <path d="M5.2 8.2l2 2 3.6-4" {...MARK} />
    </g>,
  ),
  warning: icon(
    <g>
      <path d="M8 1.8l6.8 12H1.2z" fill="currentColor" stroke="currentColor" stroke-linejoin="round" />
      <path d="M8 6v3.6M8 11.8v.1" {...MARK} />
    </g>,
  ),
  bad: icon(
    <g>
      <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z" fill="currentColor" />
      <path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4" {...MARK} />
    </g>,
  ),
  unknown: icon(
    <g>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.3" stroke-dasharray="2.4 2" />
      <path d="M6.4 6.4a1.6 1.6 0 1 1 2.2 1.5q-.6.3-.6 1M8 11.2v.1" {...PEN} stroke="currentColor" stroke-width="1.3" />
    </g>,
  ),
};
