/**
 * Formulas in Markdown: found before anything else, and passed on as they were written, each in an element of its own.
 * Only those elements are given to the typesetter, so that no other dollar sign can begin a formula.
 */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

/** The class of the elements that hold a formula. */
export const FORMULA = 'qd-formula';

/** Longer ones are no formulas but a forgotten dollar sign. */
const LONGEST = 4_000;

/** Commands that would load, link, style or redefine something. Such a formula is shown as its source. */
const COMMANDS = [
  ...['href', 'url', 'style', 'class', 'cssId', 'data', 'html\\w*', 'require', 'autoload', 'includegraphics', 'img'],
  ...['mmlToken', '[gxe]?def', 'let', '(?:re)?newcommand', '(?:re)?newenvironment'],
];
const REFUSED = new RegExp(`\\\\(?:${COMMANDS.join('|')})(?![a-z])`, 'i');

/** As little as possible of anything. */
const SOME = `[^]{1,${LONGEST}}?`;

/** $$…$$, \[…\] and \begin{…}…\end{…} */
const DISPLAYED = new RegExp(
  `^(?:\\$\\$${SOME}\\$\\$|\\\\\\[${SOME}\\\\\\]|\\\\begin\\{([a-z]+\\*?)\\}${SOME}\\\\end\\{\\1\\})`,
);

/** A letter of a formula, and one that may begin or end it. */
const LETTER = '(?:[^$\\\\]|\\\\[^])';
const EDGE = '(?:[^\\s$\\\\]|\\\\[^])';

/** $…$ and \(…\). No space inside the dollar signs and no digit behind them, so that "$5 or $10" stays money. */
const INLINE = new RegExp(`^(?:\\$${EDGE}(?:${LETTER}{0,${LONGEST}}${EDGE})?\\$(?!\\d)|\\\\\\(${SOME}\\\\\\))`);

const BEGINS_LINE = /(?:^|\n) {0,3}(?:\$\$|\\\[|\\begin\{)/;

export const formulas: TokenizerAndRendererExtension[] = [
  {
    name: 'formulaBlock',
    level: 'block',
    start: text => BEGINS_LINE.exec(text)?.index,
    tokenizer(text) {
      const indent = /^ {0,3}/.exec(text)?.[0].length ?? 0;
      const found = DISPLAYED.exec(text.slice(indent))?.[0];
      const rest = found === undefined ? null : /^[ \t]*(?:\n|$)/.exec(text.slice(indent + found.length));
      return found !== undefined && rest
        ? { type: 'formulaBlock', raw: text.slice(0, indent) + found + rest[0], text: found }
        : undefined;
    },
    renderer: token => `<p>${shown(token)}</p>\n`,
  },
  {
    name: 'formula',
    level: 'inline',
    start: text => /\$|\\[([]|\\begin\{/.exec(text)?.index,
    tokenizer(text) {
      const found = (DISPLAYED.exec(text) ?? INLINE.exec(text))?.[0];
      return found === undefined ? undefined : { type: 'formula', raw: found, text: found };
    },
    renderer: shown,
  },
];

/** The formulas in rendered Markdown that a typesetter may be given; the others stay to be read as they are. */
export function formulasIn(node: Element): Element[] {
  return [...node.getElementsByClassName(FORMULA)].filter(each => !REFUSED.test(each.textContent));
}

function shown(token: Tokens.Generic): string {
  return `<span class="${FORMULA}">${escaped(String(token.text))}</span>`;
}

/** A text as it may stand in HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
