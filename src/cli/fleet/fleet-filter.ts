import { InvalidArgumentError, type Command } from 'commander';
import type { JobFilter } from '../../features/store/methods.ts';
import { parseSize } from '../../fleet/query/sizes.ts';

export interface FilterOptions {
  text?: string;
  application?: string;
  user?: string;
  from?: number;
  to?: number;
  leastProcesses?: number;
  leastBytes?: number;
  leastBytesPerProcess?: number;
  insight?: string;
}

/** Options that say which jobs count. */
export function withFilterOptions(command: Command): Command {
  return command
    .option('--text <text>', 'jobs with it in their application, path, number or user')
    .option('--application <name>', 'jobs of this executable')
    .option('--user <id>', 'jobs of this user, as recorded')
    .option('--from <date>', 'jobs that started then or later (UTC)', moment)
    .option('--to <date>', 'jobs that started before (UTC)', moment)
    .option('--least-processes <number>', 'jobs with at least this many processes', amount)
    .option(
      '--least-bytes <size>',
      'jobs that moved at least this much, such as 10GB (causes: in that direction)',
      byteSize,
    )
    .option('--least-bytes-per-process <size>', 'the same, averaged over its processes', byteSize)
    .option('--insight <code>', 'jobs with this finding, such as P06');
}

export function filterOf(options: FilterOptions): JobFilter {
  const { text, application, user, from, to, leastProcesses, leastBytes, leastBytesPerProcess, insight } = options;
  const given = { text, application, user, from, to, leastProcesses, leastBytes, leastBytesPerProcess, insight };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Seconds since 1970; a date or time without zone is one of UTC. */
export function moment(text: string): number {
  const match = /^(\d{4}-\d{2}(?:-\d{2})?)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  const [, day = '', time = '00:00', zone = 'Z'] = match ?? [];
  const milliseconds = Date.parse(`${day.length === 7 ? `${day}-01` : day}T${time}${zone}`);
  if (Number.isNaN(milliseconds))
    throw new InvalidArgumentError('a date such as 2018-01-31 or 2018-01-31T12:00 is expected');
  return milliseconds / 1000;
}

export function amount(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('a number of 0 or more is expected');
  return value;
}

/** Powers of 1000 (`GB`) or 1024 (`GiB`). */
export function byteSize(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined) throw new InvalidArgumentError('a size such as 10GB or 512MiB is expected');
  return bytes;
}
