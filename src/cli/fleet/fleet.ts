import type { Command } from 'commander';
import { addFleetAsk } from './fleet-ask.ts';
import { addFleetCauses } from './fleet-causes.ts';
import { addFleetEngine } from './fleet-engine.ts';
import { addFleetHistory } from './fleet-history.ts';
import { addFleetIngest } from './fleet-ingest.ts';
import { addFleetQuery } from './fleet-query.ts';
import { addFleetReport } from './fleet-report.ts';
import { addFleetRun } from './fleet-run.ts';
import { addFleetStore } from './fleet-store.ts';

/** `iolens fleet`: many logs in a store, and questions about them. */
export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('many logs at once: a store of Parquet tables, and questions to it');
  addFleetIngest(fleet);
  addFleetStore(fleet);
  addFleetQuery(fleet);
  addFleetAsk(fleet);
  addFleetRun(fleet);
  addFleetCauses(fleet);
  addFleetHistory(fleet);
  addFleetReport(fleet);
  addFleetEngine(fleet);
}
