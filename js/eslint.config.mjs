import { basename } from 'node:path';

import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

/** One way to write the names of files: kebab-case, also for those of one component or class. */
const fileNames = {
  create: context => ({
    Program(node) {
      const name = basename(context.filename);
      if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.d|\.test|\.config)?\.(tsx?|mjs)$/.test(name)) {
        context.report({ node, message: `Write the file's name in kebab-case: ${name}` });
      }
    },
  }),
};

/** The bundles meet in shared/ alone. */
function closedTo(room, ...others) {
  const patterns = [{ group: others.map(other => `**/${other}/**`), message: `${room}/ does not know of this room.` }];
  return { files: [`src/${room}/**`], rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/** What a person reads or hears is a message, in each language. Names, code and signs may stand anywhere. */
const WORDS = 'Put what a person sees into qdash_jupyter/messages/en.ftl and ja.ftl, and run make js.';
const LETTERS = String.raw`/\p{L}{2}/u`;
/** A word with a capital in front, three words in a row, or a letter of Japanese; not in HTML, CSS, an expression or a line for a shell. */
const PROSE = String.raw`/^(?![<.(]|%?pip )(?!.*\|)(?:[A-Z][a-z]+(?:[ .…:?!]|$)|.*(?:\p{L}+[,:;]? ){2}\p{L}|.*[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}])/u`;
/** What stands between expressions: there a single word is one of a sentence. */
const BETWEEN = String.raw`/^(?!%?pip ).*(?: \p{L}{2,}(?: |$)|(?:^| )\p{L}{2,}[,.:]? )/u`;
/** What is compared, for the console, for the style sheet; descriptions of plugins are JupyterLab's. */
const UNSEEN = [
  'ImportDeclaration *', 'TSLiteralType *', 'SwitchCase > *', 'BinaryExpression[operator=/^[!=]==$/] > *', 'Property > .key', 'MemberExpression > TemplateLiteral *',
  'CallExpression[callee.object.name=console] *', 'NewExpression[callee.name=Error] *', 'Property[key.name=description] *',
  'CallExpression[callee.property.name=/^(?:includes|querySelector|querySelectorAll|closest|execute)$/] *',
  'JSXAttribute[name.name=/^(?:class|d|type|role|viewBox|transform)$/] *',
].join(', ');
const noProse = [
  { selector: `JSXText[value=${LETTERS}]`, message: WORDS },
  { selector: `JSXAttribute[name.name=/^(?:aria-label|title|placeholder|alt|label)$/] Literal[value=${LETTERS}]:not(BinaryExpression > *)`, message: WORDS },
  { selector: `Literal[value=${PROSE}]:not([regex], ${UNSEEN})`, message: WORDS },
  { selector: `TemplateElement:matches([value.raw=${PROSE}], [value.raw=${BETWEEN}]):not(${UNSEEN})`, message: WORDS },
];

export default defineConfig(
  {
    extends: [eslint.configs.recommended],
    plugins: { ours: { rules: { 'file-names': fileNames } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { 'ours/file-names': 'error' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { Buffer: false, URL: false, console: false, process: false } },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // An empty text is none.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'default', format: ['camelCase'] },
        { selector: 'typeLike', format: ['PascalCase'] },
        // Components are functions, or are made by one; tokens and classes of JupyterLab are imported.
        { selector: ['function', 'import', 'parameter'], format: ['camelCase', 'PascalCase'], leadingUnderscore: 'allow' },
        { selector: 'variable', modifiers: ['const'], format: ['camelCase', 'PascalCase'] },
        { selector: 'variable', modifiers: ['const', 'global'], format: ['camelCase', 'PascalCase', 'UPPER_CASE'] },
        // Names that others gave: to the fields of the wire, of Plotly's figures and of HTML.
        { selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
        { selector: ['objectLiteralProperty', 'objectLiteralMethod'], format: null },
      ],
    },
  },
  {
    // Here those fields are declared.
    files: ['src/shared/*.ts', 'src/client/wire.ts', 'src/extension/jupyter.d.ts'],
    rules: { '@typescript-eslint/naming-convention': 'off' },
  },
  { files: ['src/panel/**', 'src/extension/**'], rules: { 'no-restricted-syntax': ['error', ...noProse] } },
  {
    // A script writes it: types, and one constant in JSON.
    files: ['src/shared/wire.ts'],
    rules: {
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
    },
  },
  closedTo('extension', 'panel', 'client'),
  closedTo('panel', 'extension', 'client'),
  closedTo('client', 'extension', 'panel'),
  closedTo('shared', 'extension', 'panel', 'client'),
);
