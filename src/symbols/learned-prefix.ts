import { fileName } from '../base/path-names.ts';
import { RELATIVE, type PathRule } from './symbol-files.ts';

/**
 * The rule that follows from one confirmed pair: what is left of both paths in front of their common end. From
 * `/build/app/src/heat.c` and `/home/me/app/src/heat.c` it is `/build=/home/me`, which leads to all other files too.
 *
 * @param recorded the path as recorded.
 * @param chosen the absolute path of the file that the user says it is.
 * @returns a rule for this file alone where not even the names agree.
 */
export function prefixRule(recorded: string, chosen: string): PathRule {
  if (fileName(recorded) !== fileName(chosen)) return { from: recorded, to: chosen };
  const from = recorded.split('/');
  const to = chosen.split('/');
  while (from.length > 1 && to.length > 1 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
  }
  if (recorded.startsWith('/')) return { from: from.join('/') || '/', to: to.join('/') || '/' };
  // A relative path has no prefix of its own: all of it is common, or it leads upwards.
  if (from.length > 1 || from[0] !== to.at(-1)) return { from: recorded, to: chosen };
  to.pop();
  return { from: RELATIVE, to: to.join('/') || '/' };
}

/** The rules with a new one, which replaces what was learned about the same prefix. */
export function withRule(rules: readonly PathRule[], rule: PathRule): PathRule[] {
  return [rule, ...rules.filter(({ from }) => from !== rule.from)];
}
