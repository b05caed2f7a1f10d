import type { StoreLine, StoreViewState } from '../../src/features/store/protocol.ts';
import type { PageEnd } from '../kit/page-end.ts';

/** What the parts of the view need of the page that they stand on. */
export interface FleetHost {
  readonly page: Pick<PageEnd<StoreLine>, 'ask' | 'say'>;
  /** The user went somewhere: it is to be kept over a reload. */
  keep(change: Partial<StoreViewState>): void;
}

/** Where parts of the view lead to. */
export interface FleetWays {
  showJob(log: string): void;
  showApplication(application: string): void;
  /** How the kinds of jobs of an application fared over time. */
  showKinds(application: string): void;
  /** Brings an SQL text into the editor. */
  showSql(sql: string): void;
}
