import { parseStripes } from '../../../fleet/batch/storage-targets.ts';
import { clusterTool } from './cluster-tool.ts';

/** A command line holds two megabytes, a path four kilobytes. */
const FILES_AT_ONCE = 400;

/**
 * The storage targets that files begin on, where Lustre tells (`lfs getstripe`); none where `lfs` is not installed. Files that
 * lie elsewhere are missing.
 */
export async function stripeTargets(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const targets = new Map<string, number>();
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const some = files.slice(at, at + FILES_AT_ONCE);
    const answer = await clusterTool('lfs', ['getstripe', ...some]);
    if (answer === undefined) return targets;
    // It fails if one of them is not on Lustre, and tells the others.
    for (const [file, target] of parseStripes(answer.output, new Set(some))) targets.set(file, target);
    if (at === 0 && targets.size === 0) return targets;
  }
  return targets;
}
