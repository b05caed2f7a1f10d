/** A line that does no more than name a function is a call or a declaration, not where the function begins. */
const NOT_A_DEFINITION = /^\s*(return|if|for|while|switch|else|call|import|from|use|end)\b|;\s*$/i;

/**
 * The line where a function begins: the nearest line at or above one of its own that names it like a definition and is
 * indented less. Works without a parser for the languages of HPC programs.
 *
 * @param lines the source.
 * @param name as in the debug information: `emit`, `grid::Writer::put(int)`, `io_module::write_slab`.
 * @param inside a line within the function, counted from 0.
 * @returns counted from 0; undefined when no such line is found: the function may come from a macro.
 */
export function functionLine(lines: readonly string[], name: string, inside: number): number | undefined {
  const plain = bareName(name);
  if (plain === '') return undefined;
  const word = new RegExp(`(?<![\\w$])${plain}(?![\\w$])`, 'i');
  const depth = indentation(lines[inside] ?? '');
  for (let at = Math.min(inside, lines.length - 1); at >= 0; at--) {
    const line = lines[at]!;
    // The whole function may stand on one line.
    const isOutside = at === inside || indentation(line) < depth || depth === 0;
    if (isOutside && word.test(line) && !NOT_A_DEFINITION.test(line) && definesIt(line, plain)) return at;
  }
  return undefined;
}

/** `put` of `void grid::Writer<int>::put(char const*) const`; '' for what has no name in the source. */
export function bareName(name: string): string {
  if (name.includes('{lambda') || name.startsWith('<')) return '';
  const beforeArguments = name.replace(/\(anonymous namespace\)::/g, '').split('(')[0]!;
  let depth = 0;
  let outside = '';
  for (const character of beforeArguments) {
    if (character === '<') depth++;
    else if (character === '>') depth--;
    else if (depth === 0) outside += character;
  }
  return /(\w+)\s*$/.exec(outside)?.[1] ?? '';
}

function definesIt(line: string, name: string): boolean {
  const before = line.slice(0, line.toLowerCase().indexOf(name.toLowerCase()));
  if (/(^|\s)(subroutine|function|program|def)\s+$/i.test(before)) return true;
  // C and C++: the name is followed by its parameters, and is no argument and no right side of another's.
  const after = line.slice(before.length + name.length);
  return /^\s*(\(|$)/.test(after) && !/[=(,."]/.test(before.replace(/<[^>]*>|__attribute__\s*\(\(.*?\)\)/g, ''));
}

function indentation(line: string): number {
  return /^\s*/.exec(line)![0].replaceAll('\t', '    ').length;
}
