/** The languages that the panel and the extension are written in. */
import { LANGUAGES, type Language } from './messages';

export type { Language };

/** Of a tag such as `ja-JP` or `ja_JP`; null where it is of no language of ours. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [name] = (tag ?? '').toLowerCase().split(/[-_]/);
  return LANGUAGES.find(each => each === name) ?? null;
}

/**
 * Of a page without our extension. Many pages call themselves English whatever they are read in, so another language
 * counts wherever the page or the browser says it.
 */
export function languageOfPage(): Language {
  return [document.documentElement.lang, navigator.language].map(languageOf).find(each => each && each !== 'en') ?? 'en';
}
