import type { Command } from 'commander';
import { addFleetIngest } from './fleet-ingest.ts';

/** `iolens fleet`: many logs in a store, and questions about them. */
export function addFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('many logs at once: a store of their figures, and questions about it');
  addFleetIngest(fleet);
}
