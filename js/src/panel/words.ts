/** The panel's words, in the language that it speaks at the moment. */
import * as en from '../shared/words/en';
import * as ja from '../shared/words/ja';
import type { Language } from '../shared/words/language';

const TABLES: Readonly<Record<Language, typeof en.panel>> = { en: en.panel, ja: ja.panel };

export let language: Language = 'en';

/** Read it where something is said, never before: the language may change. */
export let words = TABLES.en;

export function speak(next: Language): void {
  language = next;
  words = TABLES[next];
}
