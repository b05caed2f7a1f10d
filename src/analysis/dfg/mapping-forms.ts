import { topLevels } from './site-paths.ts';

/**
 * The mappings that have a short name.
 * - `call+path` is f̂ of equation 4: the call and the top directory levels of its path,
 * - `path`, `call`, `call+file` leave the one or the other out or keep the path whole,
 * - `site` is the place in the source code.
 */
export type FixedMapping =
  | { readonly kind: 'call+path' | 'path'; readonly levels: number }
  | { readonly kind: 'call' | 'call+file' | 'site' };

/**
 * Reads `call+path:2`, `path:3`, `call`, `call+file`, `site`.
 * @throws RangeError that names the forms.
 */
export function parseFixedMapping(text: string): FixedMapping {
  const match = /^(call\+path|path)(?::(\d{1,2}))?$/.exec(text);
  if (match !== null && !/^0+$/.test(match[2] ?? '')) {
    return { kind: match[1] as 'call+path' | 'path', levels: Number(match[2] ?? '2') };
  }
  if (text === 'call' || text === 'call+file' || text === 'site') return { kind: text };
  throw new RangeError(
    `"${text.slice(0, 80)}" is no mapping: call+path:N, path:N, call, call+file, or site, or the JSON text of rules (docs/graph.md)`,
  );
}

/** The name that all but `site` give a call; null where it needs a path and there is none. */
export function fixedName(mapping: FixedMapping, call: string, path: string | null): string | null {
  if (mapping.kind === 'call') return call;
  if (path === null) return null;
  if (mapping.kind === 'path') return topLevels(path, mapping.levels);
  return `${call}:${mapping.kind === 'call+path' ? topLevels(path, mapping.levels) : path}`;
}
