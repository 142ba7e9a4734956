/**
 * Markdown of an answer as HTML that cannot do anything: no script, no style, no form, nothing loaded from elsewhere.
 *
 * The text comes from a model and from notes in a database, so it is nobody's to trust: of the HTML that comes of it
 * DOMPurify lets through a short list of elements and attributes.
 */
import createDOMPurify, { type DOMPurify, type UponSanitizeAttributeHookEvent } from 'dompurify';

import { FORMULA } from './formulas';
import { named, SAFE_ADDRESS, toHtml, type Links } from './markdown';

const ELEMENTS = [
  ...['a', 'abbr', 'b', 'blockquote', 'br', 'code', 'dd', 'del', 'details', 'div', 'dl', 'dt', 'em', 'h4', 'h5', 'hr'],
  ...['i', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small', 'span', 'strong', 'sub', 'summary'],
  ...['sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'u', 'ul', 'var', 'wbr'],
];

const ATTRIBUTES = ['align', 'class', 'colspan', 'href', 'rowspan', 'start', 'title'];

/** Every other attribute must hold a safe address. */
const NO_ADDRESSES = ATTRIBUTES.filter(name => name !== 'href');

/** What loads something by itself, and what it is called where it stood. */
const LOADED = new Map([
  ['IMG', 'picture'],
  ['VIDEO', 'video'],
  ['AUDIO', 'sound'],
]);

let purify: DOMPurify | null = null;

/** Made at first use: the module can be loaded where no page is. */
function sanitiser(): DOMPurify {
  if (!purify) {
    purify = createDOMPurify(window);
    purify.addHook('uponSanitizeElement', nameWhatLoads);
    purify.addHook('uponSanitizeAttribute', keepOurClassAlone);
    purify.addHook('afterSanitizeAttributes', openElsewhere);
  }
  return purify;
}

function nameWhatLoads(node: Node): void {
  const kind = LOADED.get(node.nodeName);
  if (kind && node instanceof Element) {
    const label = node.getAttribute('alt') ?? '';
    node.insertAdjacentHTML('beforebegin', named(kind, node.getAttribute('src') ?? '', label));
  }
}

function keepOurClassAlone(_node: Element, attribute: UponSanitizeAttributeHookEvent): void {
  if (attribute.attrName === 'class' && attribute.attrValue !== FORMULA) {
    attribute.keepAttr = false;
  }
}

function openElsewhere(node: Element): void {
  if (node.nodeName === 'A' && node.hasAttribute('href')) {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
}

/** Markdown as HTML. `links` are definitions from elsewhere in the same answer. */
export function renderMarkdown(text: string, links: Links = {}): string {
  return sanitiser().sanitize(toHtml(text, links), {
    ALLOWED_TAGS: ELEMENTS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: SAFE_ADDRESS,
    ADD_URI_SAFE_ATTR: NO_ADDRESSES,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
  });
}
