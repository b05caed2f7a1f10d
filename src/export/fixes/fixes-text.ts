import { counted, formatDuration } from '../../base/quantities.ts';
import { printable } from '../report/report-text.ts';
import type { TextStyle } from '../report/text-style.ts';
import type { EditDocument, FixDocument, FixesDocument } from './fixes-document.ts';

/** What the kinds promise, behind a list that has them. */
const PROMISES: Readonly<Record<FixDocument['kind'], string>> = {
  repair: 'repair: the program stays right',
  trade: 'trade: same results, but what its title says changes',
  example: 'example: a comment that shows how',
};

/** The fixes as a person reads them in a terminal: a block for each. */
export function fixesText(document: FixesDocument, style: TextStyle): string {
  const { fixes } = printable(document);
  if (fixes.length === 0)
    return 'No fixes: no source line below the working folder has a finding, or none of them can be changed.\n';
  const kinds = (['repair', 'trade', 'example'] as const).filter((kind) => fixes.some((fix) => fix.kind === kind));
  const legend = kinds.map((kind) => `${PROMISES[kind]}.`);
  return `${[...fixes.map((fix) => fixText(fix, style)), legend.join('\n')].join('\n\n')}\n`;
}

function fixText(fix: FixDocument, style: TextStyle): string {
  const where = `${style.place(fix.file)}:${fix.line}${fix.function === '' ? '' : ` in ${fix.function}`}`;
  const lines = [
    `${style.bold(fix.id)}  ${fix.kind}  ${style.bold(fix.title)}`,
    `    ${where}${gainWords(fix)}`,
    ...(fix.codes.length > 1 ? [`    answers ${fix.codes.join(' and ')}`] : []),
    ...(fix.reason === null || fix.title.includes(fix.reason) ? [] : [`    no change: ${fix.reason}`]),
    ...fix.notes.flatMap((note) => note.split('\n')).map((note) => `    ${note}`),
    ...(fix.lineNote === null ? [] : [`    ${fix.lineNote}`]),
    ...(fix.kind === 'example' ? [] : [style.dim(`    ${changesWords(fix.edits, style)}`)]),
  ];
  return lines.join('\n');
}

function gainWords({ gain: { savedNs, lowNs, highNs } }: FixDocument): string {
  const between = lowNs === null || highNs === null ? '' : `${formatDuration(lowNs)} to ${formatDuration(highNs)}`;
  if (savedNs !== null) return ` — the whole finding: about ${formatDuration(savedNs)}${between && ` (${between})`}`;
  return between === '' ? '' : ` — the whole finding: ${between}`;
}

function changesWords(edits: readonly EditDocument[], style: TextStyle): string {
  const files = [...new Set(edits.map(({ file }) => file))];
  const places = files.map((file) => {
    const lines = edits.filter((edit) => edit.file === file).map(({ line }) => line);
    return `${style.place(file)}:${[...new Set(lines)].sort((a, b) => a - b).join(',')}`;
  });
  return `${counted(edits.length, 'edit')}: ${places.join('; ')}`;
}
