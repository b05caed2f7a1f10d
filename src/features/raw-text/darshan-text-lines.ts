import type { Bounds, Fold, TextLines } from './strace-lines.ts';

/** Lines that are looked at before others get their turn. */
const SLICE = 10_000;
const STARS = '# *****';
const FILE = '# DXT, file_id: ';
const MODULE = /^# \S+ module data$/;

/**
 * What folds in the output of darshan-parser and darshan-dxt-parser, from the top: modules, the rows of each record, and the
 * segments of each file and process. Lines are counted from 0; `call` is the line that stays.
 */
export async function darshanFolds(document: TextLines, { most, pause }: Bounds): Promise<Fold[]> {
  const found: Fold[] = [];
  const add = (first: number, last: number): void => {
    if (first >= 0 && last > first && found.length < most) found.push({ call: first, last });
  };
  let [module, file, record, key, filled] = [-1, -1, -1, '', 0];
  for (let line = 0; line <= document.lineCount && found.length < most; line++) {
    if (line % SLICE === SLICE - 1 && !(await pause())) break;
    const text = line < document.lineCount ? document.lineAt(line).text : STARS;
    const own = recordOf(text);
    if (own !== key) {
      if (key !== '') add(record, line - 1);
      [record, key] = [line, own];
    }
    const isFile = text.startsWith(FILE);
    if (isFile || text === '' || text.startsWith(STARS)) {
      add(file, filled);
      file = isFile ? line : -1;
    }
    // Stars stand above and below the name of a module.
    if (text.startsWith(STARS) && line !== module + 1) {
      add(module, filled);
      module = -1;
    } else if (MODULE.test(text)) module = line;
    if (text !== '') filled = line;
  }
  return found;
}

/** Module, rank and record of a row of counters; '' for other lines. */
function recordOf(text: string): string {
  const module = text.indexOf('\t');
  if (module <= 0 || text.startsWith('#')) return '';
  const record = text.indexOf('\t', text.indexOf('\t', module + 1) + 1);
  return record < 0 ? '' : text.slice(0, record);
}
