import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * The rooms of docs/architecture.md, from left to right. A room may import itself and the rooms listed behind it,
 * nothing else: this keeps the way of the data one-directional.
 */
const rooms = {
  trace: [],
  messages: [],
  drawing: ['analysis'],
  readers: ['trace'],
  symbols: ['trace', 'addr2line-wasm'],
  analysis: ['trace', 'symbols'],
  fleet: ['trace', 'readers', 'symbols', 'analysis'],
  export: ['trace', 'readers', 'symbols', 'analysis', 'drawing', 'fleet'],
  record: ['trace', 'symbols'],
  replay: ['trace', 'analysis'],
  session: ['trace', 'readers', 'symbols', 'addr2line-wasm', 'analysis', 'fleet', 'export', 'record', 'replay'],
  cli: ['session', 'export'],
  extension: ['session', 'export', 'messages'],
  webview: ['messages', 'drawing'],
  'addr2line-wasm': [],
};

/** Users of the session may name the types of the results that it hands out, but call nothing behind its back. */
const resultTypes = {
  cli: ['trace', 'symbols', 'analysis', 'fleet', 'record', 'replay'],
  extension: ['trace', 'symbols', 'analysis', 'fleet', 'record', 'replay'],
  messages: ['analysis', 'export', 'fleet'],
};

/** Rooms whose code must also run in a browser worker: files and processes come through interfaces. */
const portable = [
  'trace',
  'messages',
  'drawing',
  'readers',
  'symbols',
  'analysis',
  'fleet',
  'export',
  'replay',
  'addr2line-wasm',
];
const nodeOnly = ['fs', 'fs/promises', 'child_process', 'worker_threads', 'os', 'net', 'http', 'https', 'zlib'];

function roomRules(room) {
  const patterns = [];
  const typesOnly = resultTypes[room] ?? [];
  const forbidden = Object.keys(rooms).filter((other) => other !== room && !rooms[room].includes(other));
  const path = (names) => `^\\.\\./(.*/)?(${names.join('|')})/`;
  const strictly = forbidden.filter((other) => !typesOnly.includes(other));
  patterns.push({ regex: path(strictly), message: `The room ${room} may not know this one: docs/architecture.md.` });
  if (typesOnly.length > 0) {
    const message = `The room ${room} may name types of this one, not call it: docs/architecture.md.`;
    patterns.push({ regex: path(typesOnly), allowTypeImports: true, message });
  }
  if (portable.includes(room)) {
    const message = 'The core also runs in a browser worker: reach files and processes through an interface.';
    patterns.push({ regex: `^(node:)?(${nodeOnly.join('|')})$`, message });
  }
  if (room !== 'extension') patterns.push({ regex: '^vscode$', message: 'Only src/extension knows the editor.' });
  return { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] };
}

const roomConfigs = Object.keys(rooms).map((room) => ({
  files: [['webview', 'addr2line-wasm'].includes(room) ? `${room}/**/*.ts` : `src/${room}/**/*.ts`],
  ignores: ['**/*.test.ts'],
  rules: roomRules(room),
}));

/** Two words in a row: a sentence for the user, and no name or pattern. */
const WORDS = '/[a-z]{2} [A-Za-z]/';
const SHOWN = 'CallExpression[callee.property.name=/^(show(Information|Warning|Error)Message|setStatusBarMessage)$/]';
const ASKED = 'Property[key.name=/^(placeHolder|prompt|openLabel|saveLabel)$/]';
/** What the editor shows goes through `vscode.l10n.t`, so that it can be translated; then `npm run l10n`. */
const untranslated = [
  `${SHOWN} > Literal[value=${WORDS}]`,
  `${SHOWN} > TemplateLiteral > TemplateElement[value.raw=${WORDS}]`,
  `${ASKED} > Literal[value=${WORDS}]`,
].map((selector) => ({ selector, message: 'Show texts by vscode.l10n.t, then run "npm run l10n".' }));

/** What would make markup of a text: names come from recordings, and recordings are not to be trusted. */
const markup = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc', 'createContextualFragment'].map(
  (property) => ({ property, message: 'Texts go into the page as text: textContent, append, make().' }),
);

export default tseslint.config(
  {
    ignores: ['dist/**', '.cache/**', '.workbench/**', 'addr2line-wasm/target/**', 'test/data/**', 'test/programs/**'],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './webview/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A read from a typed array inside its length is never undefined; the type system cannot know the length.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // `for (let i = 0; …)` over columns is the house style of the hot paths: no iterator, no closure.
      '@typescript-eslint/prefer-for-of': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  ...roomConfigs,
  { files: ['src/extension/**'], rules: { 'no-restricted-syntax': ['error', ...untranslated] } },
  { files: ['webview/**'], rules: { 'no-restricted-properties': ['error', ...markup] } },
  { files: ['**/*.test.ts', 'test/**'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs', '*.config.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
    rules: { 'no-console': 'off' },
  },
);
