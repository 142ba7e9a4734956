/** The strip above a panel: a word on its kernel, and at most one thing to do. */
import { Widget } from '@lumino/widgets';

import { button, element } from './element';
import type { Act, Notice } from './texts';

export class NoticeStrip extends Widget {
  private shown = '';

  constructor(private readonly act: (act: Act) => void) {
    super({ node: element('div', { class: 'qdash-strip', role: 'status' }) });
    this.hide();
  }

  setNotice(notice: Notice | null): void {
    const content = JSON.stringify(notice);
    if (content === this.shown) {
      return;
    }
    this.shown = content;
    this.setHidden(notice === null);
    this.node.replaceChildren();
    if (notice) {
      const { text, action } = notice;
      this.node.append(element('span', {}, text));
      if (action) {
        this.node.append(button(action.label, () => this.act(action.act)));
      }
    }
  }
}
