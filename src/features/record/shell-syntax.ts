/** What of a command line only a shell understands. */
export type ShellSyntax = 'redirection' | 'pipe' | 'chain' | 'background' | 'substitution' | 'variable' | 'pattern';

/** Words in quotes, with an escaped character, and everything else one character at a time. */
const PIECES = /'[^']*'|"((?:[^"\\]|\\.)*)"|\\.|[^'"\\]/gs;
/** Longer operators first. */
const OPERATORS: readonly (readonly [pattern: RegExp, syntax: ShellSyntax])[] = [
  [/^(&&|\|\||;|\n)/, 'chain'],
  [/^(\d*[<>]|&>)/, 'redirection'],
  [/^\|/, 'pipe'],
  [/^&/, 'background'],
  [/^(`|\$\()/, 'substitution'],
  [/^\$[\w{?@#*!$-]/, 'variable'],
];
/** A word that names files by a pattern, or by a home folder. */
const PATTERN = /(^|\s)(~(\/|\s|$)|\S*[*?]|\S*\[\S+\])/;
/** Variables in front of a program. */
const ASSIGNMENT = /^\s*[A-Za-z_]\w*=/;

/**
 * What a command line has that takes a shell; undefined where it is a program and its arguments. What stands in quotes or
 * behind a backslash is text, but for variables and substitutions in double quotes.
 */
export function shellSyntax(text: string): ShellSyntax | undefined {
  // Text that stands for itself is replaced by as many letters: what is left are places of operators.
  const bare = text.replace(PIECES, (piece, quoted?: string) => {
    if (quoted === undefined) return piece.length === 1 ? piece : 'x'.repeat(piece.length);
    return `x${quoted.replace(/\\./gs, 'xx').replace(/[^$`({\w]/g, 'x')}x`;
  });
  for (let at = 0; at < bare.length; at++) {
    const rest = bare.slice(at);
    const found = OPERATORS.find(([pattern]) => pattern.test(rest));
    if (found !== undefined) return found[1];
  }
  if (ASSIGNMENT.test(bare)) return 'variable';
  return PATTERN.test(bare) ? 'pattern' : undefined;
}

/** The word that names the program, for the name of the recording: behind variables that are set for it. */
export function programWord(text: string): string {
  const words = text.trim().split(/\s+/);
  return words.find((word) => !ASSIGNMENT.test(word)) ?? '';
}
