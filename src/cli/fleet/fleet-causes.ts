import { jsonText } from '../../export/json-text.ts';
import { Option, type Command } from 'commander';
import type { Direction } from '../../fleet/causes/causes.ts';
import { jobCausesText } from '../../export/fleet/job-causes-text.ts';
import { amount, byteSize, filterOf, withFilterOptions, type FilterOptions } from './fleet-filter.ts';
import { withStore } from './fleet-query.ts';

interface CausesOptions extends FilterOptions {
  store: string;
  direction: Direction;
  leastBandwidth: number;
  mostBandwidth: number;
  jobs: number;
  json?: true;
}

export function addFleetCauses(fleet: Command): void {
  withFilterOptions(
    fleet
      .command('causes')
      .description('why jobs of low bandwidth are slow: critical files, contributing factors, verdicts')
      .requiredOption('--store <dir>', 'folder of the store')
      .addOption(
        new Option('--direction <direction>', 'whether reads or writes are looked at')
          .choices(['read', 'write'])
          .makeOptionMandatory(),
      )
      .option('--least-bandwidth <size>', 'bytes a second over the active time, at least', byteSize, 0)
      .option('--most-bandwidth <size>', 'bytes a second over the active time, at most', byteSize, 1e9)
      .option('--jobs <number>', 'jobs to list, those of the lowest bandwidth', amount, 1000)
      .option('--json', 'as JSON'),
  ).action(async (options: CausesOptions) => {
    const { direction, leastBandwidth, mostBandwidth, jobs: mostJobs } = options;
    const request = { filter: filterOf(options), direction, leastBandwidth, mostBandwidth, mostJobs };
    await withStore(options.store, async (store, signal) => {
      const jobs = await store.causes(request, signal);
      const document = { schema: 'iolens/fleet-causes@1', ...request, jobs };
      process.stdout.write(options.json === true ? jsonText(document) : jobCausesText(jobs));
    });
  });
}
