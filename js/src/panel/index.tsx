/** The panel as an anywidget: one module for every view of the kernel's one model. */
import { render as draw } from 'preact';

import { languageOfPage } from '../shared/words/language';
import type { Model } from './channel';
import { PanelStore } from './panel-store';
import { Panel } from './views/panel';
import { speak } from './words';

export { renderMarkdown } from '../shared/answer/safe-html';

interface Context {
  readonly model: Model;
  readonly el: HTMLElement;
}

// Until an extension says another.
speak(languageOfPage());

/** Draws a view into `el`; the function that it returns takes everything away again. */
function render({ model, el }: Context): () => void {
  const root = document.createElement('div');
  root.className = 'qdash-panel';
  el.classList.add('qdash-panel-place');
  el.append(root);
  const store = new PanelStore(root, model);
  draw(<Panel store={store} />, root);
  store.open();
  return () => {
    store.close();
    draw(null, root);
    root.remove();
  };
}

export default { render };
