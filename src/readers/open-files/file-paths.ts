/** Paths as the kernel and programs write them, as paths that files are known by. */

const DELETED = ' (deleted)';

/** strace before 5.19 writes `</tmp/x (deleted)>`; `-yy` adds `<char 136:1>` to devices. */
export function withoutNotes(decoration: string): string {
  const text = decoration.startsWith('/') ? decoration.replace(/<(char|block) \d+:\d+>$/, '') : decoration;
  return text.endsWith(DELETED) && text.startsWith('/') ? text.slice(0, -DELETED.length) : text;
}

/** Takes `.`, `..` and doubled slashes out; symbolic links are not known here. */
export function normalise(path: string): string {
  if (!/\/\.{0,2}(\/|$)|^\.\.?(\/|$)/.test(path)) return path;
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push(part);
  }
  return (absolute ? '/' : '') + parts.join('/') || (absolute ? '/' : '.');
}
