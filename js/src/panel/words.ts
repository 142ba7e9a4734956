/** The panel's words, in the language that it speaks at the moment. */
import { panel, type Language } from '../shared/words/messages';

export let language: Language = 'en';

/** Read it where something is said, never before: the language may change. */
export let words = panel.en;

export function speak(next: Language): void {
  language = next;
  words = panel[next];
}
