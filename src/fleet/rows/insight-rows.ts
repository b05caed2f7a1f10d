import type { CallSites } from '../../analysis/sites/call-sites.ts';
import type { Amount, Insight } from '../../analysis/triggers/insight.ts';
import { textOf } from '../../analysis/triggers/message.ts';
import type { FileTable } from '../../trace/files.ts';
import type { Row } from '../schema/tables.ts';
import type { RowKey } from './recording-facts.ts';
import { placeOf } from './site-rows.ts';

type InsightRow = Omit<Row<'insight'>, keyof RowKey>;

/** A row for each finding and call site of it; one for a finding without sites. */
export function insightRows(insights: readonly Insight[], { sites }: CallSites, files: FileTable): InsightRow[] {
  return insights.flatMap((insight): InsightRow[] => {
    const { code, trigger, severity, title } = insight;
    const message = textOf(insight.message);
    const finding = { code, trigger, severity, title, message, file: fileOf(insight, files) };
    if (insight.sites.length === 0) {
      const nowhere = { place: 0, source_file: null, line: null, function: null };
      return [{ ...finding, ...nowhere, ...amountOf(wholeOf(insight)) }];
    }
    return insight.sites.map((site, place) => ({
      ...finding,
      place,
      ...placeOf(sites[site.site]!),
      ...amountOf(site),
    }));
  });
}

/** The file that takes most time in the finding. */
function fileOf({ files }: Insight, table: FileTable): string | null {
  const [first] = files;
  return first === undefined ? null : table.at(first.file).path;
}

/** What a finding without sites is about; undefined where it counts nothing. */
export function wholeOf({ evidence, files }: Pick<Insight, 'evidence' | 'files'>): Amount | undefined {
  const { events, bytes, timeNs } = evidence;
  if (events !== undefined) return { events, bytes: bytes ?? 0, timeNs: timeNs ?? 0 };
  if (files.length === 0) return undefined;
  const whole = { events: 0, bytes: 0, timeNs: 0 };
  for (const file of files) {
    whole.events += file.events;
    whole.bytes += file.bytes;
    whole.timeNs += file.timeNs;
  }
  return whole;
}

export function amountOf(amount: Amount | undefined): Pick<InsightRow, 'events' | 'bytes' | 'seconds'> {
  if (amount === undefined) return { events: null, bytes: null, seconds: null };
  return { events: amount.events, bytes: amount.bytes, seconds: amount.timeNs / 1e9 };
}
