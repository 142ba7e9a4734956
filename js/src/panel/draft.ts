/** The text of the question box, kept over a reload of the page. */

const PREFIX = 'qdash-copilot:draft:';

export function load(conversation: string): string {
  try {
    return sessionStorage.getItem(PREFIX + conversation) ?? '';
  } catch {
    return ''; // a page that may store nothing
  }
}

export function save(conversation: string, text: string): void {
  try {
    if (text) {
      sessionStorage.setItem(PREFIX + conversation, text);
    } else {
      sessionStorage.removeItem(PREFIX + conversation);
    }
  } catch {
    // A page that may store nothing, or is full: the draft lives as long as the page.
  }
}
