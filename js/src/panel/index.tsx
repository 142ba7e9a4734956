/** The panel as an anywidget: one module for every view of the kernel's one model. */
import { render as draw } from 'preact';

import { Desk } from './desk';
import { NAME } from './host';
import { follow } from './theme';
import { Panel } from './views/panel';
import type { Model } from './wire';

export { renderMarkdown } from './markdown';
export { apply, initialState } from './state';

interface Context {
  readonly model: Model;
  readonly el: HTMLElement;
}

/** Draws a view into `el`; the function that it returns takes everything away again. */
function render({ model, el }: Context): () => void {
  const root = document.createElement('div');
  root.className = 'qdash-panel';
  el.classList.add('qdash-panel-place');
  el.append(root);
  const desk = new Desk(root, model);
  let theme = 0;
  const redraw = (): void => draw(<Panel desk={desk} theme={theme} />, root);
  const unfollow = follow(root, () => {
    theme += 1;
    redraw();
  });
  const settled = desk.watch(() => {
    if (desk.shown.hosted !== null) {
      settled();
      settle(root, desk.host.sidebar !== null);
    }
  });
  redraw();
  desk.open();
  return () => {
    desk.close();
    unfollow();
    draw(null, root);
    root.remove();
  };
}

/** In the sidebar the panel fills it; elsewhere it has a height and a name of its own. */
function settle(root: HTMLElement, in_sidebar: boolean): void {
  if (!in_sidebar) {
    root.dataset['place'] = 'output';
    root.setAttribute('role', 'region');
    root.setAttribute('aria-label', NAME);
  }
}

export default { render };
