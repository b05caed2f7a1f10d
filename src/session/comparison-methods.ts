import type { ComparisonDocument } from '../export/comparison-document.ts';

export interface ComparisonMethods {
  /** Compares open recordings; several of a side are repetitions of one run. */
  compare(base: readonly number[], changed: readonly number[]): Promise<ComparisonDocument>;
  /** Compares two groups of cases of one recording, named by globs as the graph's green and red ones. */
  compareGroups(id: number, base: readonly string[], changed: readonly string[]): Promise<ComparisonDocument>;
}
