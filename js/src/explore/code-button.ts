/** A button that has code put into the notebook, as the panel does; without the extension it shows it, to be copied. */

/** The part of anywidget's model that it uses: the code, and the words of the button, its tooltip, and what it shows. */
interface Model {
  get(name: 'code'): string;
  get(name: 'words'): readonly [string, string, string];
  on(name: 'change:code', callback: () => void): void;
  off(name: 'change:code', callback: () => void): void;
}

interface Context {
  readonly model: Model;
  readonly el: HTMLElement;
}

function render({ model, el }: Context): () => void {
  const [label, tip, name] = model.get('words');
  const button = document.createElement('button');
  button.className = 'jupyter-widgets jupyter-button widget-button';
  button.style.width = 'auto';
  button.textContent = label;
  button.title = tip;
  const shown = document.createElement('pre');
  shown.tabIndex = 0;
  shown.setAttribute('aria-label', name);
  shown.style.cssText = 'user-select: text; white-space: pre-wrap; margin: 4px 2px';
  shown.hidden = true;
  const follow = () => {
    button.disabled = model.get('code') === '';
    shown.textContent = shown.hidden ? '' : model.get('code');
  };
  button.addEventListener('click', () => {
    const detail = { code: model.get('code') };
    const asked = new CustomEvent('qdash:insert', { bubbles: true, cancelable: true, composed: true, detail });
    el.dispatchEvent(asked);
    shown.hidden = asked.defaultPrevented;
    follow();
    if (!shown.hidden) {
      getSelection()?.selectAllChildren(shown);
      shown.focus();
    }
  });
  model.on('change:code', follow);
  follow();
  el.append(button, shown);
  return () => {
    model.off('change:code', follow);
  };
}

export default { render };
