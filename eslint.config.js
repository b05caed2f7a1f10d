import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import lint from './scripts/lint/rooms.mjs';

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
    ignores: ['dist/**', '.cache/**', '.workbench/**', 'native/wasm/*/target/**', 'test/data/**', 'test/programs/**'],
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
      // `() => save()` is one line, not three: what an arrow function returns to nobody confuses nobody.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `for (let i = 0; …)` over columns is the house style of the hot paths: no iterator, no closure.
      '@typescript-eslint/prefer-for-of': 'off',
      // What travels together is one thing. `-- per event: no object` where there is one call for each of millions.
      'max-params': ['error', 5],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { iolens: lint },
    rules: { 'iolens/rooms': 'error' },
  },
  { files: ['src/features/**', 'src/app/**'], rules: { 'no-restricted-syntax': ['error', ...untranslated] } },
  { files: ['webview/**'], rules: { 'no-restricted-properties': ['error', ...markup] } },
  { files: ['**/*.test.ts', 'test/**'], rules: { 'max-lines-per-function': 'off', 'max-params': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs', '*.config.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
    rules: { 'no-console': 'off' },
  },
);
