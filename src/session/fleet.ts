/** The door to stores of many logs for the command line and the editor. */
export { QueryError } from '../fleet/query/query-engine.ts';
export { QUESTIONS } from '../fleet/query/questions/questions.ts';
export { parseSize } from '../fleet/query/sizes.ts';
export { OpenedStore } from './fleet/opened-store.ts';
