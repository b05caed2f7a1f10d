import { stateOf, textOf } from './values.ts';

/**
 * Values of the JSON that Slurm prints. Its layout changes between releases: numbers became `{set, infinite, number}` and
 * states arrays in 23.02; both are read.
 */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let inner = value;
  for (const key of keys) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return inner;
}

export function numberAt(value: unknown, ...keys: readonly string[]): number | null {
  const found = at(value, ...keys);
  if (typeof found === 'number') return Number.isFinite(found) ? found : null;
  if (typeof found === 'string' && /^\d+$/.test(found)) return Number(found);
  const number = at(found, 'set') === false || at(found, 'infinite') === true ? undefined : at(found, 'number');
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Times are 0 where there is none. */
export function timeAt(value: unknown, ...keys: readonly string[]): number | null {
  const seconds = numberAt(value, ...keys);
  return seconds === 0 ? null : seconds;
}

/** Numbers of jobs are 0 where there is none. */
export function jobAt(value: unknown, ...keys: readonly string[]): string | null {
  const number = numberAt(value, ...keys);
  return number === null || number === 0 ? null : String(number);
}

export function textAt(value: unknown, ...keys: readonly string[]): string | null {
  const found = at(value, ...keys);
  return typeof found === 'string' ? textOf(found) : null;
}

/** The first of several: the others are flags such as `COMPLETING`. */
export function stateAt(value: unknown, ...keys: readonly string[]): string | null {
  const found = at(value, ...keys);
  const first: unknown = Array.isArray(found) ? found[0] : found;
  return typeof first === 'string' ? stateOf(first) : null;
}

/** `{status, return_code, signal: {id}}`; the controller of older releases gives what `wait` returned. */
export function exitAt(value: unknown): { exit_code: number | null; exit_signal: number | null } {
  const exit = at(value, 'exit_code');
  if (typeof exit === 'number') return { exit_code: exit >> 8, exit_signal: exit & 0x7f };
  const code = numberAt(exit, 'return_code');
  const signal = numberAt(exit, 'signal', 'id') ?? numberAt(exit, 'signal', 'signal_id');
  return { exit_code: code, exit_signal: code === null && signal === null ? null : (signal ?? 0) };
}
