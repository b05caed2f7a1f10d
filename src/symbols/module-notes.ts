import type { Lookup, RecordedStacks } from './frame-lookups.ts';
import type { PlaceCheck } from './recorded-places.ts';
import type { ResolvedStacks } from './resolved-stacks.ts';
import type { SymbolSearch } from './symbol-files.ts';

/** What the user is told of a module whose lines may be wrong, or are not there. */

export function joined(...notes: readonly string[]): string {
  return notes.filter((note) => note !== '').join('; ');
}

/** What the user is told of a binary that may have been rebuilt since the recording; '' when nothing speaks for it. */
export function ageNote(search: SymbolSearch, file: string, modified: number | null, check: PlaceCheck): string {
  const { misfits, checked, believable } = check;
  const isNewer = modified !== null && search.recordedUntil !== undefined && modified > search.recordedUntil;
  const written = isNewer ? ' was written after the recording was made' : '';
  if (misfits > 0) {
    const withoutLine = believable.filter((believed) => !believed).length;
    return `${file}${written || ' is not quite the binary that was recorded'}: ${misfits} of ${checked} recorded places do not fit it, so ${withoutLine} are shown without a line: rebuild it as it was, or record again`;
  }
  if (!isNewer) return '';
  const fit = checked > 0 ? `all ${checked} recorded places fit it, but ` : '';
  return `${file}${written}: ${fit}lines may be wrong if it was rebuilt from changed sources`;
}

export function missingNote(
  trace: RecordedStacks,
  module: number,
  lookups: readonly Lookup[],
  problem: string,
): string {
  const hasLines = lookups.some(({ frame }) => trace.stacks.frameSourceLine.at(frame) > 0);
  const printed = hasLines ? 'its lines are those that the recorder printed, without inlined calls' : '';
  const kept = trace.stacks.moduleForms.has(module) ? tableNote(trace, module, lookups) : printed;
  return joined(problem, kept, 'name it with --binary or a path rule');
}

/**
 * Recorders that write addresses as they were in memory, and lines for them (Darshan), looked up the address *behind* each
 * call: often that is the next statement.
 */
export function tableNote({ stacks }: RecordedStacks, module: number, lookups: readonly Lookup[]): string {
  if (!stacks.moduleForms.has(module)) return '';
  if (!lookups.some(({ frame }) => stacks.frameSourceLine.at(frame) > 0)) return '';
  return "its lines are those of the recording's own address table and uncertain: the table names the line to which a call returns, often that of the next statement";
}

/** Whether the recording's own table names other lines than the binary. */
export function comparedNote(
  trace: RecordedStacks,
  resolved: ResolvedStacks,
  module: number,
  lookups: readonly Lookup[],
): string {
  if (!trace.stacks.moduleForms.has(module)) return '';
  const inTable = lookups.filter(({ frame }) => trace.stacks.frameSourceLine.at(frame) > 0);
  if (inTable.length === 0) return '';
  const others = inTable.filter(({ frame, nodes }) => {
    const [innermost] = resolved.framesOf(nodes[0]!);
    return innermost?.line !== trace.stacks.frameSourceLine.at(frame);
  });
  return `lines by this binary, not by the recording's own address table, which names the lines behind the calls (${others.length} of ${inTable.length} differ)`;
}
