/** What stands in the panel's place: one sentence, and the one thing to do. */
import { Widget } from '@lumino/widgets';

import { copy } from '../../shared/clipboard';
import { words } from '../words';
import { button, element } from './element';
import type { Act, PlaceholderContent } from './texts';

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
  setContent(place: PlaceholderContent, binding: string, since: number | null): void {
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

  private sentence({ text, isWaiting, isError }: PlaceholderContent, since: number | null): HTMLElement {
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
  const copyLine = async (): Promise<void> => {
    if (await copy(line)) {
      taker.textContent = words.actions.copied;
      setTimeout(() => (taker.textContent = words.actions.copy), COPIED_MS);
    } else {
      getSelection()?.selectAllChildren(code); // to be copied by hand
    }
  };
  const taker = button(words.actions.copy, () => void copyLine());
  return element('div', { class: 'qdash-line' }, code, taker);
}

