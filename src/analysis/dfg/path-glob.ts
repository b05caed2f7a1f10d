/**
 * Globs on paths for mappings that come as data: `*` and `?` within a part of the path, `**` for any number of parts. A
 * pattern without a slash is for the last part, as in .gitignore. It is matched without a regular expression, in at most
 * the product of the two lengths: a mapping may come from somebody else (docs/decisions/0076).
 */
export function matchesPath(path: string, pattern: string): boolean {
  if (!pattern.includes('/') && !pattern.startsWith('$'))
    return matchesPart(path.slice(path.lastIndexOf('/') + 1), pattern);
  return matchesSequence(path.split('/'), pattern.split('/'), '**', matchesPart);
}

function matchesPart(part: string, pattern: string): boolean {
  return matchesSequence(
    Array.from(part),
    Array.from(pattern),
    '*',
    (character, wanted) => wanted === '?' || character === wanted,
  );
}

/** Whether items are what a pattern says, in which `any` stands for any number; it goes back to the last `any` only. */
function matchesSequence(
  items: readonly string[],
  pattern: readonly string[],
  any: string,
  fits: (item: string, wanted: string) => boolean,
): boolean {
  let at = 0;
  let wanted = 0;
  let lastAny = -1;
  let resumeAt = 0;
  while (at < items.length) {
    if (pattern[wanted] === any) {
      lastAny = wanted++;
      resumeAt = at;
    } else if (wanted < pattern.length && fits(items[at]!, pattern[wanted]!)) {
      at++;
      wanted++;
    } else if (lastAny >= 0) {
      wanted = lastAny + 1;
      at = ++resumeAt;
    } else return false;
  }
  while (pattern[wanted] === any) wanted++;
  return wanted === pattern.length;
}
