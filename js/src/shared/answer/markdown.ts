/**
 * Markdown of an answer as HTML, and its blocks. Nothing of it may get into the page before it was sanitised.
 *
 * Formulas pass untouched, for the notebook's own typesetter to set.
 */
import { Lexer, Marked, Parser, type MarkedExtension, type Token, type TokenizerThis, type Tokens } from 'marked';

import { escaped, formulas } from './formulas';

/** Two levels of headings are enough below a question, which is a heading itself. */
const TOP_LEVELS = 2;

/** No line ends between a number and the short word behind it, or at a ±: "98 %", "3.2 ± 0.1 μs". */
const NUMBER_AND_UNIT = /(?<=(?:^|[^\p{L}\d])[\d.,]*\d) (?=[%\p{L}]{1,4}(?!\p{L}))| (?=±)|(?<=±) /gu;

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
      return named('picture', href, text);
    },
    text(token) {
      token.text = token.text.replace(NUMBER_AND_UNIT, '\u00a0');
      return false; // as it is rendered without us
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
