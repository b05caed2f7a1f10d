import type { FleetAnswers, FleetQuestion, FleetViewState, FromFleetView } from '../../src/features/store/protocol.ts';

/** An answer and the number of its question, by which rows of it can be named. */
export interface Numbered<Value> {
  readonly request: number;
  readonly value: Value;
}

/** What the parts of the view need of the page that they stand on. */
export interface FleetHost {
  /** @throws Error in words for the user. */
  ask<Kind extends FleetQuestion['ask']>(
    question: Extract<FleetQuestion, { ask: Kind }>,
  ): Promise<Numbered<FleetAnswers[Kind]>>;
  post(message: FromFleetView): void;
  /** The user went somewhere: it is to be kept over a reload. */
  keep(change: Partial<FleetViewState>): void;
}

/** Where parts of the view lead to. */
export interface FleetWays {
  showJob(log: string): void;
  showApplication(application: string): void;
  /** Brings an SQL text into the editor. */
  showSql(sql: string): void;
}
