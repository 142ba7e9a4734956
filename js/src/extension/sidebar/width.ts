/** The width of the side area when the sidebar is opened for the first time. */
import type { Widget } from '@lumino/widgets';

const WIDTH_PX = 360;
const KEY = 'qdash-jupyter:width';

interface Split extends Widget {
  relativeSizes(): number[];
  setRelativeSizes(sizes: readonly number[]): void;
}

/** JupyterLab opens a side area at its least width. Once only: afterwards it is as wide as the user makes it. */
export function widenOnce(widget: Widget): void {
  try {
    if (localStorage.getItem(KEY)) {
      return;
    }
    localStorage.setItem(KEY, 'yes');
  } catch {
    return; // Storage is switched off: it would be done at every load.
  }
  let inner = widget;
  let outer = widget.parent;
  while (outer && !isSplit(outer)) {
    [inner, outer] = [outer, outer.parent];
  }
  if (!outer || widget.node.offsetWidth >= WIDTH_PX) {
    return;
  }
  const sizes = outer.relativeSizes();
  const index = [...outer.children()].indexOf(inner);
  const main = sizes.indexOf(Math.max(...sizes));
  const more = (WIDTH_PX - widget.node.offsetWidth) / outer.node.offsetWidth;
  outer.setRelativeSizes(sizes.map((size, at) => size + (at === index ? more : at === main ? -more : 0)));
}

function isSplit(widget: Widget): widget is Split {
  return 'setRelativeSizes' in widget;
}

