/** The width of the side area: as it was last, in whichever tab of the browser, and wide enough for a table at first. */
import type { Widget } from '@lumino/widgets';

const WIDTH_PX = 360;
const KEY = 'qdash-jupyter:width';

interface Split extends Widget {
  relativeSizes(): number[];
  setRelativeSizes(sizes: readonly number[]): void;
}

/** Until it is, the width is that of JupyterLab, which opens a side area of a new page at its least one. */
let isRestored = false;

/** Once a page: afterwards it is as wide as the user makes it. */
export function restoreWidth(widget: Widget): void {
  if (isRestored) {
    return;
  }
  isRestored = true;
  const wanted = kept();
  if (wanted !== null) {
    widen(widget, wanted);
  }
}

export function keepWidth(widget: Widget): void {
  if (isRestored && widget.isVisible) {
    try {
      localStorage.setItem(KEY, String(widget.node.offsetWidth));
    } catch {
      // Storage is switched off.
    }
  }
}

/** Null where nothing can be kept: it would be changed at every load. */
function kept(): number | null {
  try {
    return Number(localStorage.getItem(KEY) ?? WIDTH_PX);
  } catch {
    return null;
  }
}

function widen(widget: Widget, wanted: number): void {
  let inner = widget;
  let outer = widget.parent;
  while (outer && !isSplit(outer)) {
    [inner, outer] = [outer, outer.parent];
  }
  if (!outer || widget.node.offsetWidth >= wanted) {
    return;
  }
  const sizes = outer.relativeSizes();
  const index = [...outer.children()].indexOf(inner);
  const main = sizes.indexOf(Math.max(...sizes));
  const more = (wanted - widget.node.offsetWidth) / outer.node.offsetWidth;
  outer.setRelativeSizes(sizes.map((size, at) => size + (at === index ? more : at === main ? -more : 0)));
}

function isSplit(widget: Widget): widget is Split {
  return 'setRelativeSizes' in widget;
}

