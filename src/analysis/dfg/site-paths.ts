/** A path prefix that stands for a site's variable: `$SCRATCH` for `/p/scratch/project`. */
export interface SiteVariable {
  /** With its dollar sign. */
  readonly name: string;
  /** A folder; `*` stands for one path part (`/home/*`). */
  readonly prefix: string;
}

/**
 * The top directory levels of a path: `/usr/lib/x/libc.so` with 2 levels is `/usr/lib`. A site variable counts as the
 * first level. Names that are no paths (`pipe:[123]`) stay whole.
 */
export function topLevels(path: string, levels: number): string {
  if (!path.startsWith('/') && !path.startsWith('$')) return path;
  let end = path.startsWith('/') ? 0 : -1;
  for (let level = 0; level < levels; level++) {
    end = path.indexOf('/', end + 1);
    if (end < 0) return path;
  }
  return path.slice(0, end);
}

/** The path with the site variable whose prefix is the longest that fits (the paper's f̄). */
export function abbreviate(path: string, variables: readonly SiteVariable[]): string {
  let best = '';
  let longest = 0;
  for (const { name, prefix } of variables) {
    const length = fittingLength(path, prefix);
    if (length > longest) {
      longest = length;
      best = name;
    }
  }
  return longest === 0 ? path : best + path.slice(longest);
}

/** How much of the path the prefix covers; 0 when it does not fit. Only whole path parts fit. */
function fittingLength(path: string, prefix: string): number {
  const wanted = prefix.replace(/\/+$/, '').split('/');
  const parts = path.split('/');
  if (parts.length < wanted.length || wanted.length < 2) return 0;
  let length = -1;
  for (const [i, part] of wanted.entries()) {
    if (part !== '*' && part !== parts[i]) return 0;
    length += parts[i]!.length + 1;
  }
  return length;
}
