/** The extension's words, in the language that it speaks at the moment. */
import { Signal } from '@lumino/signaling';

import { extension, type Language } from '../shared/words/messages';

export const languageChanged = new Signal<object, Language>({});

export let language: Language = 'en';

/** Read it where something is said, never before: the language may change. */
export let words = extension.en;

/** Speaks it from now on; whether that is another than before. */
export function speak(next: Language): boolean {
  const isOther = next !== language;
  if (isOther) {
    language = next;
    words = extension[next];
    languageChanged.emit(next);
  }
  return isOther;
}
