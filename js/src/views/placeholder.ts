/** What stands in the panel's place: one sentence, and the one thing to do. */
import { Widget } from '@lumino/widgets';

import { button, element } from './element';
import type { Act, Place } from './words';

/** A wait shows its length from then on. */
const LONG_MS = 2000;
const COPIED_MS = 2000;

export class Placeholder extends Widget {
  private shown = '';
  private ticking: number | undefined;

  constructor(private readonly act: (act: Act) => void) {
    super({ node: element('div', { class: 'qdash-place' }) });
  }

  /** `binding`: the notebook and the kernel. `since`: when the wait began, if it is one. */
  say(place: Place, binding: string, since: number | null): void {
    const content = JSON.stringify([place, binding]);
    if (content === this.shown) {
      return;
    }
    const hadFocus = this.node.contains(document.activeElement);
    this.shown = content;
    clearInterval(this.ticking);
    const body = element('div', { class: `qdash-place-body${place.isError ? ' qdash-mod-error' : ''}` });
    if (place.title) {
      body.append(element('h2', {}, place.title));
    }
    body.append(this.sentence(place, since));
    if (place.detail) {
      body.append(element('p', { class: 'qdash-quiet' }, place.detail));
    }
    if (place.line) {
      body.append(copyable(place.line));
    }
    this.node.replaceChildren(...(binding ? [header(binding)] : []), body);
    const { action } = place;
    if (action) {
      const start = button(action.label, () => this.act(action.act));
      this.node.append(start);
      if (hadFocus) {
        start.focus();
      }
    } else if (hadFocus) {
      body.tabIndex = -1;
      body.focus();
    }
  }

  override dispose(): void {
    clearInterval(this.ticking);
    super.dispose();
  }

  private sentence({ text, isWaiting, isError }: Place, since: number | null): HTMLElement {
    const look = isWaiting ? 'qdash-pulse' : '';
    const sentence = element('p', { class: look, role: isError ? 'alert' : 'status' }, text);
    if (isWaiting && since !== null) {
      // Not for screen readers: they would read every second.
      const time = element('time', { 'aria-hidden': 'true' });
      sentence.append(time);
      this.ticking = setInterval(() => {
        const elapsed = Date.now() - since;
        time.textContent = elapsed < LONG_MS ? '' : `${Math.floor(elapsed / 1000)} s`;
      }, 500);
    }
    return sentence;
  }
}

function header(binding: string): HTMLElement {
  return element('div', { class: 'qdash-header' }, element('span', { title: binding }, binding));
}

function copyable(line: string): HTMLElement {
  const code = element('code', { tabindex: '0' }, line);
  const copy = button('Copy', () => {
    getSelection()?.selectAllChildren(code);
    // Old, but the one way on pages that came by plain HTTP. Where it fails the line is selected, to be copied by hand.
    if (document.execCommand('copy')) {
      copy.textContent = 'Copied';
      setTimeout(() => {
        copy.textContent = 'Copy';
      }, COPIED_MS);
    }
  });
  return element('div', { class: 'qdash-line' }, code, copy);
}

