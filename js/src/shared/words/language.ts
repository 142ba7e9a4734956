/** The languages that the panel and the extension are written in. */

export type Language = 'en' | 'ja';

/** Of a tag such as `ja-JP` or `ja_JP`; null where it is of no language of ours. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [name = ''] = (tag ?? '').toLowerCase().split(/[-_]/);
  return name === 'en' || name === 'ja' ? name : null;
}

/**
 * Of a page without our extension. Many pages call themselves English whatever they are read in, so Japanese counts
 * wherever the page or the browser says it.
 */
export function languageOfPage(): Language {
  return [document.documentElement.lang, navigator.language].some(tag => languageOf(tag) === 'ja') ? 'ja' : 'en';
}
