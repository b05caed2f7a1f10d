import { insertAt, type ParsedSource } from './c-syntax.ts';
import type { Fix, FixLanguage, FixRequest } from './fix.ts';
import { lineEnd } from './statement-lines.ts';

const COMMENT: Readonly<Record<FixLanguage, string>> = { c: '//', cpp: '//', fortran: '!', python: '#' };

/** An example as a comment above the line. */
export function exampleFix(request: FixRequest, source: ParsedSource, title: string, code: string): Fix {
  const lines = source.text.split('\n');
  const row = Math.min(request.place.line - 1, lines.length - 1);
  const start = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
  const indent = /^[ \t]*/.exec(lines[row]!)![0];
  const mark = COMMENT[request.language];
  const comment = [`I/O Lens: ${title}`, ...code.trimEnd().split('\n')].map((line) =>
    `${indent}${mark} ${line}`.trimEnd(),
  );
  const end = lineEnd(source);
  return {
    title: `Insert an example: ${title}`,
    note: 'The example is inserted as a comment, with the numbers of this recording.',
    edits: [insertAt(source, start, `${comment.join(end)}${end}`)],
    repairs: false,
  };
}
