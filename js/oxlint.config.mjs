/** The bundles meet in shared/ alone. */
function closedTo(room, ...others) {
  const patterns = [{ group: others.map(other => `**/${other}/**`), message: `${room}/ does not know of this room.` }];
  return { files: [`src/${room}/**`], rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

function all(names, prefix = '', severity = 'error') {
  return Object.fromEntries(names.trim().split(/\s+/).map(name => [`${prefix}${name}`, severity]));
}

/** What ESLint recommends. */
const RECOMMENDED = `
  constructor-super for-direction getter-return no-async-promise-executor no-case-declarations no-class-assign
  no-compare-neg-zero no-cond-assign no-const-assign no-constant-binary-expression no-constant-condition no-control-regex
  no-debugger no-delete-var no-dupe-class-members no-dupe-else-if no-dupe-keys no-duplicate-case no-empty
  no-empty-character-class no-empty-pattern no-empty-static-block no-ex-assign no-extra-boolean-cast no-fallthrough
  no-func-assign no-global-assign no-import-assign no-invalid-regexp no-irregular-whitespace no-loss-of-precision
  no-misleading-character-class no-new-native-nonconstructor no-nonoctal-decimal-escape no-obj-calls
  no-prototype-builtins no-redeclare no-regex-spaces no-self-assign no-setter-return no-shadow-restricted-names
  no-sparse-arrays no-this-before-super no-unassigned-vars no-undef no-unexpected-multiline no-unreachable
  no-unsafe-finally no-unsafe-negation no-unsafe-optional-chaining no-unused-labels no-unused-private-class-members
  no-unused-vars no-useless-assignment no-useless-backreference no-useless-catch no-useless-escape no-with
  preserve-caught-error require-yield use-isnan valid-typeof`;

/** Of these the types already say it. */
const SAID_BY_TYPES = 'no-redeclare no-undef';

/** The strict and the stylistic presets of typescript-eslint, with types. */
const STRICT = `
  adjacent-overload-signatures array-type await-thenable ban-ts-comment ban-tslint-comment class-literal-property-style
  consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions
  consistent-type-definitions dot-notation no-array-delete no-base-to-string no-confusing-non-null-assertion
  no-deprecated no-duplicate-enum-values no-duplicate-type-constituents no-dynamic-delete no-empty-object-type
  no-explicit-any no-extra-non-null-assertion no-extraneous-class no-floating-promises no-for-in-array
  no-generated-empty-object-type no-implied-eval no-inferrable-types no-invalid-void-type no-meaningless-void-operator
  no-misused-new no-misused-promises no-misused-spread no-mixed-enums no-namespace
  no-non-null-asserted-nullish-coalescing no-non-null-asserted-optional-chain no-non-null-assertion
  no-redundant-type-constituents no-require-imports no-this-alias no-unnecessary-boolean-literal-compare
  no-unnecessary-condition no-unnecessary-template-expression no-unnecessary-type-arguments
  no-unnecessary-type-assertion no-unnecessary-type-constraint no-unnecessary-type-conversion
  no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-declaration-merging
  no-unsafe-enum-assignment no-unsafe-enum-comparison no-unsafe-function-type no-unsafe-member-access no-unsafe-return
  no-unsafe-unary-minus no-useless-default-assignment no-wrapper-object-types non-nullable-type-assertion-style
  only-throw-error prefer-as-const prefer-find prefer-for-of prefer-function-type prefer-includes
  prefer-literal-enum-member prefer-namespace-keyword prefer-optional-chain prefer-promise-reject-errors
  prefer-reduce-type-parameter prefer-regexp-exec prefer-return-this-type prefer-string-starts-ends-with
  related-getter-setter-pairs require-await return-await triple-slash-reference unbound-method
  unified-signatures use-unknown-in-catch-callback-variable`;

export default {
  plugins: ['typescript'],
  jsPlugins: ['./lint-rules.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true, typeCheck: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  env: { es2024: true },
  rules: { ...all(RECOMMENDED), 'ours/file-names': 'error' },
  overrides: [
    { files: ['**/*.mjs'], env: { node: true } },
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...all(SAID_BY_TYPES, '', 'off'),
        ...all('no-array-constructor no-empty-function no-unused-expressions no-useless-constructor no-var'),
        ...all('prefer-const prefer-rest-params prefer-spread'),
        ...all(STRICT, 'typescript/'),
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        // An empty text is none.
        'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
        // A number put to a text is written into a template.
        'typescript/restrict-plus-operands': ['error', { allowNumberAndString: false }],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'ours/names': 'error',
      },
    },
    // Here the fields of others are declared.
    { files: ['src/shared/*.ts', 'src/client/wire.ts', 'src/extension/jupyter.d.ts'], rules: { 'ours/names': 'off' } },
    { files: ['src/panel/**', 'src/extension/**'], rules: { 'ours/no-prose': 'error' } },
    {
      // A script writes it: types, and one constant in JSON.
      files: ['src/shared/wire.ts'],
      rules: all('consistent-indexed-object-style consistent-type-definitions', 'typescript/', 'off'),
    },
    closedTo('extension', 'panel', 'client', 'explore'),
    closedTo('panel', 'extension', 'client', 'explore'),
    closedTo('client', 'extension', 'panel', 'explore'),
    closedTo('explore', 'extension', 'panel', 'client'),
    closedTo('shared', 'extension', 'panel', 'client', 'explore'),
  ],
};
