/**
 * Which storage target each file begins on, of what `lfs getstripe FILE…` prints: the name on a line of its own, then
 * `lmm_stripe_offset` (of the first component, where the layout has several).
 */
export function parseStripes(output: string, files: ReadonlySet<string>): Map<string, number> {
  const targets = new Map<string, number>();
  let file: string | undefined;
  for (const line of output.split('\n')) {
    if (files.has(line)) file = line;
    const offset = /^\s*lmm_stripe_offset:\s*(\d+)\s*$/.exec(line)?.[1];
    if (offset !== undefined && file !== undefined && !targets.has(file)) targets.set(file, Number(offset));
  }
  return targets;
}
