import type { FileIndex } from '../../trace/indices.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import type { Amount } from '../triggers/insight.ts';
import type { Cost } from './cost.ts';

/** Why calls that cost much have no finding. All but the last two are as they should be. */
export type UnmarkedKind =
  /** Large pieces: their bytes cost, not the calls. */
  | 'large'
  /** What makes data safe, no oftener than the rules allow. */
  | 'synchronisation'
  /** One open, close or question for each file. */
  | 'once'
  /** Too few calls to be joined. */
  | 'few'
  /** They wait for another process. */
  | 'waiting'
  /** Many places and kinds of calls, each of them cheap. */
  | 'spread'
  /** No rule is about them. */
  | 'unjudged';

/** Calls that cost much of the run's I/O, and that no finding names: silence about them would be taken for praise. */
export interface Unmarked extends Amount {
  readonly kind: UnmarkedKind;
  /** Call sites, the dearest first; empty where stacks lead nowhere. */
  readonly sites: readonly SiteIndex[];
  /** The files of the calls, the dearest first; empty for pipes and sockets. */
  readonly files: readonly FileIndex[];
  /** What the calls cost without a tracer. */
  readonly cost: Cost;
  /** What they are, and why they have no finding; a sentence without place and full stop. */
  readonly what: string;
}
