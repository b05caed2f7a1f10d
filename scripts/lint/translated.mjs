/** Two words in a row: a sentence for the user, and no name or pattern. */
const WORDS = '/[a-z]{2} [A-Za-z]/';
const SHOWN = 'CallExpression[callee.property.name=/^(show(Information|Warning|Error)Message|setStatusBarMessage)$/]';
const ASKED = 'Property[key.name=/^(placeHolder|prompt|openLabel|saveLabel)$/]';

const UNTRANSLATED = [
  `${SHOWN} > Literal[value=${WORDS}]`,
  `${SHOWN} > TemplateLiteral > TemplateElement[value.raw=${WORDS}]`,
  `${ASKED} > Literal[value=${WORDS}]`,
].join(', ');

/** What the editor shows goes through `vscode.l10n.t`, so that it can be translated; then `npm run l10n`. */
export const translated = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    return {
      [UNTRANSLATED](node) {
        context.report({ node, message: 'Show texts by vscode.l10n.t, then run "npm run l10n".' });
      },
    };
  },
};
