/** The door to stores for the command line, but for questions in SQL. */
export { LOG_STATUSES, type LogStatus } from '../fleet/store/store-logs.ts';
export { sweepStore } from '../fleet/store/sweep.ts';
export type { StoreFigures } from '../fleet/store/store-figures.ts';
export { BATCH_LIMITS } from './fleet/ingest/batch-limits.ts';
export { compactStore, type CompactionReport } from './fleet/ingest/compact-store.ts';
export { countFiles } from './fleet/ingest/count-files.ts';
export { findSources } from './fleet/ingest/find-sources.ts';
export { INGEST_MEMORY, ingestSources, type IngestReport } from './fleet/ingest/ingest-sources.ts';
export { LocalStore } from './fleet/local-store.ts';
export { existingStore } from './fleet/store-folder.ts';
export { figuresOf, logsOf, partsOf, wrongPartsOf, type StoreLog } from './fleet/store-questions.ts';
