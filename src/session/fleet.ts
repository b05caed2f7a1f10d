/** The door to stores of many logs for the command line and the editor. */
export { QueryError } from '../fleet/query/query-engine.ts';
export { QUESTIONS } from '../fleet/query/questions/questions.ts';
export { parseSize } from '../fleet/query/sizes.ts';
export { findBinding, userEngineFolder } from './fleet/engine-binding.ts';
export {
  installEngine,
  neededPackage,
  NPM_REGISTRY,
  packageAddress,
  type EngineSource,
} from './fleet/install-engine.ts';
export { OpenedStore } from './fleet/opened-store.ts';
export { runScript, type ScriptResult } from './fleet/run-script.ts';
