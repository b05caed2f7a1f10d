/**
 * The line (counted from 0) on which each entry of the list `limits` begins, with the line's length. The text is JSON that
 * was parsed before.
 */
export function limitPositions(text: string): { line: number; length: number }[] {
  const lines = text.split(/\r?\n/);
  const found: { line: number; length: number }[] = [];
  let depth = 0;
  let isText = false;
  lines.forEach((content, line) => {
    for (let i = 0; i < content.length; i++) {
      const sign = content[i]!;
      if (isText) {
        if (sign === '\\') i++;
        else if (sign === '"') isText = false;
      } else if (sign === '"') isText = true;
      else if (sign === '{' || sign === '[') {
        // The budget itself, its list, and then each entry.
        if (++depth === 3 && sign === '{') found.push({ line, length: content.length });
      } else if (sign === '}' || sign === ']') depth--;
    }
  });
  return found;
}
