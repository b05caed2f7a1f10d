import { counted, formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { BudgetDocument, LimitCheck, LimitResult, Quantity } from './budget-document.ts';
import { codeSpan, escapeMarkdown } from '../report/markdown.ts';
import type { TextStyle } from '../report/text-style.ts';

const FORMATS: Readonly<Record<Quantity, (value: number) => string>> = {
  calls: (value) => counted(value, 'call'),
  bytes: formatBytes,
  timeNs: formatDuration,
  share: (value) => `${formatShare(value)} of the I/O time`,
  findings: (value) => counted(value, 'finding'),
};

/** `4,096 calls of at most 16`: what was measured and what is allowed. */
function checkWords({ quantity, most, measured, least, exceeded }: LimitCheck): string {
  const format = FORMATS[quantity];
  const allowed = quantity === 'calls' || quantity === 'findings' ? formatCount(most) : format(most);
  if (measured === null) return `not measured, at most ${allowed}`;
  // What seems to be over the limit, and is not surely, says why it passes.
  const doubt = least !== undefined && measured > most && !exceeded ? ` (at least ${format(least)})` : '';
  return `${format(measured)}${doubt} of at most ${allowed}`;
}

/** A limit in a sentence without its full stop; the reason stands behind it. */
export function limitWords({ subject, name, status, checks, reason }: LimitResult): string {
  const nobody = subject.kind === 'trigger' ? 'no trigger' : 'nothing in the recording';
  const what =
    status === 'matches nothing'
      ? `${name}: ${nobody} has this name, so nothing was measured`
      : `${name}: ${checks.map(checkWords).join(', ')}`;
  return reason === '' ? what : `${what} (${reason})`;
}

/** The budget as a part of the report in a terminal. @param document without control characters. */
export function budgetText(document: BudgetDocument, style: TextStyle, isOneOfSeveral: boolean): string {
  const width = Math.max(...document.results.map(({ status }) => status.length), 0);
  const lines = document.results.map((result) => {
    const status = result.status.padEnd(width);
    const mark = result.status === 'exceeded' ? style.colour('high', status) : status;
    return `  ${mark}  ${isOneOfSeveral ? `${result.recording}: ` : ''}${limitWords(result)}`;
  });
  return `${style.bold('Budget')} ${document.file}\n${lines.length === 0 ? '  no limits' : lines.join('\n')}\n`;
}

export function budgetMarkdown(budget: BudgetDocument, isOneOfSeveral: boolean): string {
  const rows = budget.results.map((result) => {
    const mark = result.status === 'exceeded' ? '🔴 exceeded' : result.status;
    return `- ${mark}: ${isOneOfSeveral ? `${codeSpan(result.recording)}: ` : ''}${escapeMarkdown(limitWords(result))}`;
  });
  return [`### Budget ${codeSpan(budget.file)}`, rows.length === 0 ? 'No limits.' : rows.join('\n')].join('\n\n');
}

export function isExceeded(budget: BudgetDocument): boolean {
  return budget.results.some(({ status }) => status === 'exceeded');
}
