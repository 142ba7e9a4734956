/** The extension's words, in the language that it speaks at the moment. */
import { Signal } from '@lumino/signaling';

import * as en from '../shared/words/en';
import * as ja from '../shared/words/ja';
import type { Language } from '../shared/words/language';

const TABLES: Readonly<Record<Language, typeof en.extension>> = { en: en.extension, ja: ja.extension };

export const languageChanged = new Signal<object, Language>({});

export let language: Language = 'en';

/** Read it where something is said, never before: the language may change. */
export let words = TABLES.en;

/** Speaks it from now on; whether that is another than before. */
export function speak(next: Language): boolean {
  const isOther = next !== language;
  if (isOther) {
    language = next;
    words = TABLES[next];
    languageChanged.emit(next);
  }
  return isOther;
}
