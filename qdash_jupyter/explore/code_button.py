"""A button that puts code into the notebook where the JupyterLab extension is; elsewhere it shows it, to be copied."""

from __future__ import annotations

import anywidget
import traitlets

from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message

SCRIPT = """
export default {
  render({ model, el }) {
    const button = document.createElement('button');
    button.className = 'jupyter-widgets jupyter-button widget-button';
    button.style.width = 'auto';
    [button.textContent, button.title] = model.get('words');
    const shown = document.createElement('pre');
    shown.tabIndex = 0;
    shown.setAttribute('aria-label', model.get('words')[2]);
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
    return () => model.off('change:code', follow);
  },
};
"""
"""Asks as the panel does: docs/protocol.md, `qdash:insert`."""


class CodeButton(anywidget.AnyWidget):
    """One click, one cell."""

    _esm = SCRIPT
    code = traitlets.Unicode("").tag(sync=True)
    """Empty: there is nothing to insert."""
    words = traitlets.List().tag(sync=True)
    """Of the button, its tooltip, and the name of what it shows."""

    def __init__(self) -> None:
        """Speaks the reader's language."""
        words = (Message("explore-code"), Message("explore-code-tip"), Message("explore-code-name"))
        super().__init__(words=[each.of(reader()) for each in words])
