import type { ActivityTimeline } from '../../analysis/dfg/activity-timeline.ts';
import { counted, formatCount, formatDuration } from '../../base/quantities.ts';
import { printable } from '../report/report-text.ts';

/** Eighths of a column that is full of calls. */
const BARS = ' ▁▂▃▄▅▆▇█';
/** Names of cases are cut to this: their ends tell them apart. */
const LONGEST_LABEL = 40;
const CONCURRENCY = 'at once, at most';

/** When an activity was, for a terminal: a row for each case, and below them how many of its calls were under way at once. */
export function activityText(recorded: ActivityTimeline): string {
  const timeline = printable(recorded);
  const { activity, rows, bins, fromNs, toNs, maxConcurrency, maxConcurrencyAtNs } = timeline;
  const sum = (of: 'cases' | 'events'): number => rows.reduce((total, row) => total + row[of], 0);
  const most = `at most ${formatCount(maxConcurrency)} at once, first after ${formatDuration(maxConcurrencyAtNs)}`;
  const column = formatDuration((toNs - fromNs) / bins);
  const names = rows.map(({ label }) => (label.length > LONGEST_LABEL ? `…${label.slice(1 - LONGEST_LABEL)}` : label));
  const width = Math.max(CONCURRENCY.length, ...names.map(({ length }) => length));
  const line = (name: string, events: string, time: string, cells: string): string =>
    `${name.padEnd(width)}  ${events.padStart(9)}  ${time.padStart(8)}  ${cells}`.trimEnd();
  return [
    `${activity}: ${counted(sum('cases'), 'case')}, ${counted(sum('events'), 'event')}, ${most}`,
    `from ${formatDuration(fromNs)} to ${formatDuration(toNs)}, ${column} a column`,
    '',
    line('case', 'events', 'time', ''),
    ...rows.map(({ events, timeNs }, row) =>
      line(names[row]!, formatCount(events), formatDuration(timeNs), barsOf(timeline, row)),
    ),
    line(CONCURRENCY, '', '', timeline.concurrency.map(digit).join('')),
    '',
  ].join('\n');
}

/** How busy a row was in each column. A call is never lost, however short. */
function barsOf({ rows, bins, fromNs, toNs, busyNs, starts }: ActivityTimeline, row: number): string {
  const full = ((toNs - fromNs) / bins) * rows[row]!.cases;
  const bar = (bin: number): string => {
    const at = row * bins + bin;
    const eighths = Math.min(8, Math.round((8 * busyNs[at]!) / full));
    return BARS[eighths === 0 && (busyNs[at]! > 0 || starts[at]! > 0) ? 1 : eighths]!;
  };
  return Array.from({ length: bins }, (_, bin) => bar(bin)).join('');
}

function digit(most: number): string {
  return most === 0 ? ' ' : most > 9 ? '+' : String(most);
}
