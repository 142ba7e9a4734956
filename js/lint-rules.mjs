import { basename } from 'node:path';

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

const CAMEL = /^[a-z][a-zA-Z0-9]*$/;
const CAMEL_OR_PASCAL = /^_?([a-zA-Z][a-zA-Z0-9]*)?$/;
const PASCAL = /^[A-Z][a-zA-Z0-9]*$/;
const OF_A_CONSTANT = /^([a-zA-Z][a-zA-Z0-9]*|[A-Z][A-Z0-9]*(_[A-Z0-9]+)*)$/;
const FUNCTION = ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression, TSDeclareFunction, TSFunctionType)';
/**
 * How the names are written that are ours. What destructuring takes out, and the fields of literals, have names that others
 * gave: to the fields of the wire, of Plotly's figures and of HTML. Components are functions, or are made by one; tokens and
 * classes of JupyterLab are imported.
 */
const NAMES = [
  [':matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration, TSEnumDeclaration) > Identifier.id', PASCAL],
  ['TSTypeParameter > Identifier.name', PASCAL],
  [':matches(FunctionDeclaration, TSDeclareFunction) > Identifier.id', CAMEL_OR_PASCAL],
  [':matches(ImportDefaultSpecifier, ImportNamespaceSpecifier) > Identifier.local', CAMEL_OR_PASCAL],
  [`${FUNCTION} > Identifier.params`, CAMEL_OR_PASCAL],
  [`${FUNCTION} > AssignmentPattern.params > Identifier.left`, CAMEL_OR_PASCAL],
  [`${FUNCTION} > RestElement.params > Identifier.argument`, CAMEL_OR_PASCAL],
  ['Program > VariableDeclaration[kind=const] > VariableDeclarator > Identifier.id', OF_A_CONSTANT],
  ['Program > ExportNamedDeclaration > VariableDeclaration[kind=const] > VariableDeclarator > Identifier.id', OF_A_CONSTANT],
  [':not(Program, ExportNamedDeclaration) > VariableDeclaration[kind=const] > VariableDeclarator > Identifier.id', /^[a-zA-Z][a-zA-Z0-9]*$/],
  ['VariableDeclaration[kind!=const] > VariableDeclarator > Identifier.id', CAMEL],
  [':matches(PropertyDefinition, MethodDefinition, TSPropertySignature, TSMethodSignature)[computed=false] > Identifier.key', CAMEL],
];
const names = {
  create: context =>
    Object.fromEntries(
      NAMES.map(([selector, written]) => [
        selector,
        node => {
          if (!written.test(node.name)) context.report({ node, message: `This is no name of ours: ${node.name}` });
        },
      ]),
    ),
};

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
const SEEN = [
  `JSXText[value=${LETTERS}]`,
  `JSXAttribute[name.name=/^(?:aria-label|title|placeholder|alt|label)$/] Literal[value=${LETTERS}]:not(BinaryExpression > *)`,
  `Literal[value=${PROSE}]:not([regex], ${UNSEEN})`,
  `TemplateElement:matches([value.raw=${PROSE}], [value.raw=${BETWEEN}]):not(${UNSEEN})`,
];
const noProse = {
  create: context =>
    Object.fromEntries(SEEN.map(selector => [selector, node => context.report({ node, message: WORDS })])),
};

export default { meta: { name: 'ours' }, rules: { 'file-names': fileNames, names, 'no-prose': noProse } };
