import { formatBytes, formatCount } from '../../base/quantities.ts';
import { printable } from '../report/report-text.ts';

/** What a replay did (session/replay/run-program), as far as it is told. */
interface ReplaySummary {
  readonly size: number;
  readonly seconds: number;
  readonly operations: number;
  readonly failures: number;
  readonly failed: readonly { readonly message: string }[];
  readonly backends: readonly {
    readonly backend: string;
    readonly text: readonly string[];
    readonly values: Readonly<Record<string, unknown>>;
  }[];
  readonly content: ContentSummary | undefined;
}

interface ContentSummary {
  readonly right: number;
  readonly unwritten: number;
  readonly wrong: number;
  readonly unchecked: number;
  readonly wrongPlaces: readonly { readonly path: string; readonly offset: number; readonly place: string }[];
}

/** For scripts (docs/cli.md). */
export function replayDocument(report: ReplaySummary): Record<string, unknown> {
  const { size, seconds, operations, failures, failed, content } = report;
  const backends = Object.fromEntries(report.backends.map(({ backend, values }) => [backend, values]));
  return {
    schema: 'iolens/replay@1',
    size,
    seconds,
    operations,
    failures,
    failed: failed.map(({ message }) => message),
    backends,
    ...(content && { content }),
  };
}

/** For people. Names in it come from files that may be anybody's. */
export function replayText(report: ReplaySummary): string {
  const { size, seconds, operations, failures, content } = report;
  const tasks = `${formatCount(size)} ${size === 1 ? 'task' : 'tasks'}`;
  const lines = [`${tasks}, ${formatCount(operations)} operations in ${seconds.toFixed(3)} s`];
  if (failures > 0) lines.push(`${formatCount(failures)} calls failed`);
  for (const { backend, text } of report.backends) {
    if (text.length === 1) lines.push(`${backend}: ${text[0]!}`);
    else if (text.length > 1) lines.push(`${backend}:`, ...text.map((line) => `  ${line}`));
  }
  if (content !== undefined) lines.push(...contentLines(content));
  return `${lines.map((line) => printable(line)).join('\n')}\n`;
}

function contentLines({ right, unwritten, wrong, unchecked, wrongPlaces }: ContentSummary): string[] {
  const lines = [
    `content: ${formatCount(wrong)} wrong bytes in ${formatBytes(right + unwritten + wrong)} that were read`,
  ];
  if (unwritten > 0) lines.push(`  ${formatCount(unwritten)} bytes that nobody wrote: holes, or writes that were lost`);
  if (unchecked > 0) lines.push(`  ${formatCount(unchecked)} bytes of files that were appended to were not checked`);
  for (const { path, offset, place } of wrongPlaces) lines.push(`  ${path} at ${offset} (${place})`);
  return lines;
}
