/** The door to ingestion for the command line. */
export { countFiles } from './fleet/ingest/count-files.ts';
export { findSources } from './fleet/ingest/find-sources.ts';
export { INGEST_MEMORY, ingestSources, workersFor, type IngestReport } from './fleet/ingest/ingest-sources.ts';
export { BATCH_LIMITS } from './fleet/ingest/batch-limits.ts';
export { LocalStore } from './fleet/local-store.ts';
