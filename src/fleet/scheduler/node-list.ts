/** More names than any machine has nodes: a list that says so is not expanded. */
const MOST_NODES = 200_000;

/**
 * Names of `n[1-2,07],login1` and `r[0-1]n[1-3]`; leading zeros stay.
 * @returns null when there is none, or when it would be more than 200,000; what is not in this form is kept as it stands.
 */
export function expandNodeList(text: string | null): string[] | null {
  if (text === null || text === '') return null;
  const names: string[] = [];
  for (const part of splitOutside(text)) {
    const expanded = expandPart(part, MOST_NODES - names.length);
    if (expanded === undefined) return null;
    for (const name of expanded) names.push(name);
  }
  return names;
}

/** At commas that are not within brackets. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at];
    if (letter === '[') depth++;
    else if (letter === ']') depth--;
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      if (at > from) parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return parts;
}

/** All names of one list with any number of brackets; undefined when there are too many. */
function expandPart(part: string, most: number): string[] | undefined {
  let names = [''];
  for (const piece of part.split(/(\[[^\]]*\])/)) {
    const choices = piece.startsWith('[') && piece.endsWith(']') ? expandRanges(piece.slice(1, -1), most) : [piece];
    if (choices === undefined || names.length * choices.length > most) return undefined;
    names = names.flatMap((name) => choices.map((choice) => name + choice));
  }
  return names;
}

function expandRanges(text: string, most: number): string[] | undefined {
  const numbers: string[] = [];
  for (const range of text.split(',')) {
    const match = /^(\d{1,15})-(\d{1,15})$/.exec(range);
    if (match === null) numbers.push(range);
    else {
      const [first, last] = [Number(match[1]), Number(match[2])];
      if (last - first >= most - numbers.length) return undefined;
      for (let value = first; value <= last; value++) numbers.push(String(value).padStart(match[1]!.length, '0'));
    }
    if (numbers.length > most) return undefined;
  }
  return numbers;
}
