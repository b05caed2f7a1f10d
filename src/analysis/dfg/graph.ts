import type { Cost } from '../gain/cost.ts';

/** Names of the activities that begin and end every trace. */
export const START = '●';
export const END = '■';

export type Partition = 'green' | 'red' | 'both' | null;

export interface GraphNode {
  readonly activity: string;
  readonly events: number;
  /** As it was recorded, with a tracer's part. */
  readonly durationNs: number;
  /** Share of the recorded time of all activities (equation 8), 0 to 1. */
  readonly relativeDuration: number;
  /** What its calls cost of the run without the tracer; absent where no tracer was. */
  readonly cost?: Cost;
  /** Bytes that reads and writes moved (equation 9); failed calls move 0. */
  readonly bytes: number;
  /** Mean of the calls' own rates in bytes per second (equation 13); null where nothing is moved. */
  readonly processDataRate: number | null;
  /** Most calls under way at one moment, by a sweep over starts and ends (equation 16). */
  readonly maxConcurrency: number;
  /** First start and last return, nanoseconds from the trace's origin; null without a clock. */
  readonly firstStartNs: number | null;
  readonly lastEndNs: number | null;
  /** Which part of a partition it occurs in (section IV-C); null without a partition. */
  readonly partition: Partition;
  /** The folder that it lies in (for a source line its file); null where its name tells none. */
  readonly folder: string | null;
  /** It is a collapsed folder: all activities in it taken as one. */
  readonly collapsed?: { readonly folder: string; readonly activities: number };
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** The counts in the two parts of a partition. */
  readonly green: number;
  readonly red: number;
  readonly partition: Partition;
}

/** Events that a filter leaves out, though the mapping would take them. */
export interface HiddenEvents {
  /** Their path does not hold the text that is wanted. */
  readonly byPath: number;
  /** They concern files that are not the program's own. */
  readonly ofSystem: number;
}

export interface DirectlyFollowsGraph {
  /** Cases with at least one mapped event. */
  readonly cases: number;
  readonly caseNames: readonly string[];
  /** Mapped events. */
  readonly events: number;
  readonly hidden: HiddenEvents;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** What the reader of the numbers has to know. */
  readonly warnings: readonly string[];
}

export function partitionOf(green: number, red: number): Partition {
  if (green > 0 && red > 0) return 'both';
  if (green > 0) return 'green';
  return red > 0 ? 'red' : null;
}
