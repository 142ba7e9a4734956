/**
 * Markdown of an answer as HTML, and its blocks. Nothing of it may get into the page before it was sanitised.
 *
 * Formulas pass untouched, for the notebook's own typesetter to set.
 */
import { Lexer, Marked, Parser, type MarkedExtension, type Token } from 'marked';

import { escaped, formulas } from './formulas';
import { DATE, WITHIN_QUANTITY } from './units';

/** Two levels of headings are enough below a question, which is a heading itself. */
const TOP_LEVELS = 2;

const answer: MarkedExtension = {
  gfm: true,
  extensions: formulas,
  renderer: {
    heading({ tokens, depth }) {
      const level = depth <= TOP_LEVELS ? 'h4' : 'h5';
      return `<${level}>${this.parser.parseInline(tokens)}</${level}>\n`;
    },
    html({ text }) {
      return withoutUnknownTags(text);
    },
    image({ href, text }) {
      return named('picture', href, text);
    },
    text(token) {
      if ('tokens' in token) {
        return false; // as it is rendered without us
      }
      const html = 'escaped' in token && token.escaped ? token.text : escaped(token.text);
      return html.replace(WITHIN_QUANTITY, '\u00a0').replace(DATE, '<time>$&</time>');
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ ';
    },
  },
};

const marked = new Marked(answer);

/** Definitions of "[name]: address" links, which stand anywhere in a text. */
export type Links = Lexer['tokens']['links'];

/** Unsanitised. `links` are definitions from elsewhere in the same answer. */
export function toHtml(text: string, links: Links = {}): string {
  const lexer = new Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return Parser.parse(lexer.lex(text), marked.defaults);
}

/** The paragraphs, lists, tables and so on of a text, as their sources, and its definitions of links. */
export function blocksOf(text: string): { tokens: Token[]; links: Links } {
  const lexer = new Lexer(marked.defaults);
  const tokens = lexer.blockTokens(text.replace(/\r\n|\r/g, '\n'), []);
  return { tokens, links: lexer.tokens.links };
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

export const SAFE_ADDRESS = /^(?:https?|mailto):/i;

/** What stands in place of a picture: its name and a link, for the reader to decide. */
export function named(kind: string, address: string, label: string): string {
  const shown = escaped(`[${label ? `${kind}: ${label}` : kind}]`);
  return SAFE_ADDRESS.test(address)
    ? `<a href="${escaped(address)}" target="_blank" rel="noopener noreferrer">${shown}</a>`
    : `<span>${shown}</span>`;
}
