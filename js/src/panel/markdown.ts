/**
 * Markdown of an answer as HTML that cannot do anything: no script, no style, no form, nothing loaded from elsewhere.
 *
 * The text comes from a model and from notes in a database, so it is nobody's to trust. marked makes HTML of it and
 * DOMPurify lets through a short list of elements and attributes. Formulas pass untouched, for the notebook's own
 * typesetter to set.
 */
import DOMPurify from 'dompurify';
import { Lexer, Marked, Parser, type MarkedExtension, type Token, type TokenizerThis, type Tokens } from 'marked';

import { FORMULA, formulas } from './formulas';

const ELEMENTS = [
  ...['a', 'abbr', 'b', 'blockquote', 'br', 'code', 'dd', 'del', 'details', 'div', 'dl', 'dt', 'em', 'h4', 'h5', 'hr'],
  ...['i', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small', 'span', 'strong', 'sub', 'summary'],
  ...['sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'u', 'ul', 'var', 'wbr'],
];

const ATTRIBUTES = ['align', 'class', 'colspan', 'href', 'rowspan', 'start', 'title'];

/** Every other attribute must hold a safe address. */
const NO_ADDRESSES = ATTRIBUTES.filter(name => name !== 'href');

const SAFE_ADDRESS = /^(?:https?|mailto):/i;

/** What loads something by itself, and what it is called where it stood. */
const LOADED = new Map([
  ['IMG', 'picture'],
  ['VIDEO', 'video'],
  ['AUDIO', 'sound'],
]);

const purify = DOMPurify(window);

purify.addHook('uponSanitizeElement', node => {
  const kind = LOADED.get(node.nodeName);
  if (kind && node instanceof Element) {
    node.before(named(kind, node.getAttribute('src') ?? '', node.getAttribute('alt') ?? ''));
  }
});

purify.addHook('uponSanitizeAttribute', (_node, attribute) => {
  if (attribute.attrName === 'class' && attribute.attrValue !== FORMULA) {
    attribute.keepAttr = false;
  }
});

purify.addHook('afterSanitizeAttributes', node => {
  if (node.nodeName === 'A' && node.hasAttribute('href')) {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
});

/** Two levels of headings are enough below a question, which is a heading itself. */
const TOP_LEVELS = 2;

/** Japanese sets no spaces: "**T1（平均）**は" has no end of bold by the rules of Markdown. */
const boldWithoutSpaces = {
  name: 'boldWithoutSpaces',
  level: 'inline' as const,
  start: (text: string) => text.indexOf('**'),
  tokenizer(this: TokenizerThis, text: string): Tokens.Generic | undefined {
    const found = /^\*\*(?![\s*])([^*\n]{0,400}[^\s*])\*\*(?!\*)/.exec(text);
    if (!found?.[1] || !/[\u3000-\u9fff\uff00-\uffef]/.test(found[1])) {
      return undefined;
    }
    return { type: 'strong', raw: found[0], text: found[1], tokens: this.lexer.inlineTokens(found[1]) };
  },
};

const answer: MarkedExtension = {
  gfm: true,
  extensions: [...formulas, boldWithoutSpaces],
  renderer: {
    heading({ tokens, depth }) {
      const level = depth <= TOP_LEVELS ? 'h4' : 'h5';
      return `<${level}>${this.parser.parseInline(tokens)}</${level}>\n`;
    },
    html({ text }) {
      return withoutUnknownTags(text);
    },
    image({ href, text }) {
      return named('picture', href, text).outerHTML;
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ ';
    },
  },
};

const marked = new Marked(answer);

/** Definitions of "[name]: address" links, which stand anywhere in a text. */
export type Links = Lexer['tokens']['links'];

/** Markdown as HTML. `links` are definitions from elsewhere in the same answer. */
export function renderMarkdown(text: string, links: Links = {}): string {
  const lexer = new Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return sanitised(Parser.parse(lexer.lex(text), marked.defaults));
}

/** The paragraphs, lists, tables and so on of a text, as their sources, and its definitions of links. */
export function blocksOf(text: string): { tokens: Token[]; links: Links } {
  const lexer = new Lexer(marked.defaults);
  const tokens = lexer.blockTokens(text.replace(/\r\n|\r/g, '\n'), []);
  return { tokens, links: lexer.tokens.links };
}

function sanitised(html: string): string {
  return purify.sanitize(html, {
    ALLOWED_TAGS: ELEMENTS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: SAFE_ADDRESS,
    ADD_URI_SAFE_ATTR: NO_ADDRESSES,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
  });
}

/** "<Z>" and "<Q007>" are words of physics, not of HTML: they stay to be read. Comments are for nobody here. */
function withoutUnknownTags(html: string): string {
  const uncommented = html.replace(/<!--[^]*?(?:-->|$)/g, '');
  return uncommented.replace(/<(?=[!?]|\/?([a-z][^\s/>]*))/gi, (sign, name?: string) =>
    name && isElement(name) ? sign : '&lt;',
  );
}

function isElement(name: string): boolean {
  return /^[a-z][a-z0-9]*$/i.test(name) && !(document.createElement(name) instanceof HTMLUnknownElement);
}

/** What stands in place of a picture: its name and a link, for the reader to decide. */
function named(kind: string, address: string, label: string): HTMLElement {
  const known = SAFE_ADDRESS.test(address);
  const shown = document.createElement(known ? 'a' : 'span');
  if (known) {
    shown.setAttribute('href', address);
    shown.setAttribute('target', '_blank');
    shown.setAttribute('rel', 'noopener noreferrer');
  }
  shown.textContent = `[${label ? `${kind}: ${label}` : kind}]`;
  return shown;
}
