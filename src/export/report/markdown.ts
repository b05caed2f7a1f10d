/** Text of recordings in Markdown as GitHub and GitLab read it. */

/** Control characters and line ends would leave the line that they stand in. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

/** A text as itself: nothing in it is markup, HTML, a mention, a reference to an issue, or a link. */
export function escapeMarkdown(text: string): string {
  return (
    oneLine(text)
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/[\\`*_[\]|~]/g, '\\$&')
      // At the beginning of a line these make lists, headings and quotations.
      .replace(/^(\s*)([#+=-])/, '$1\\$2')
      // A backslash in front of a digit would show: the sign behind the number is escaped.
      .replace(/^(\s*\d+)([.)])/, '$1\\$2')
      // An empty comment parts what would else notify a person, or lead to an issue or another site.
      .replace(/([@#!])(?=[\w-])/g, '$1<!-- -->')
      .replace(/(:)(?=\/\/)/g, '$1<!-- -->')
      .replace(/\b(www)(?=\.)/gi, '$1<!-- -->')
  );
}

/** A text in a code span; in a table also its bars must be escaped. */
export function codeSpan(text: string, inTable = false): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 || /^\s|\s$/.test(line) || line === '' ? ' ' : '';
  const content = inTable ? line.replace(/\|/g, '\\|') : line;
  return `${fence}${padding}${content}${padding}${fence}`;
}

/** A block of code; its fence is longer than any in the code. */
export function codeBlock(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}
