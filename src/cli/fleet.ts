import type { Command } from 'commander';
import { addFleetAsk } from './fleet-ask.ts';
import { addFleetCauses } from './fleet-causes.ts';
import { addFleetQuery } from './fleet-query.ts';

export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('many logs at once: a store of Parquet tables, and questions to it');
  addFleetQuery(fleet);
  addFleetAsk(fleet);
  addFleetCauses(fleet);
}
