import type { Command } from 'commander';
import { addFleetAsk } from './fleet-ask.ts';
import { addFleetCauses } from './fleet-causes.ts';
import { addFleetIngest } from './fleet-ingest.ts';
import { addFleetQuery } from './fleet-query.ts';

/** `iolens fleet`: many logs in a store, and questions about them. */
export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('many logs at once: a store of their figures, and questions about it');
  addFleetIngest(fleet);
  addFleetQuery(fleet);
  addFleetAsk(fleet);
  addFleetCauses(fleet);
}
