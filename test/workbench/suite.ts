/**
 * Tests inside a real extension host, with the real `vscode` API. `run` is called by the host; it works on the workspace
 * that workspace.mjs makes.
 */
import { LANGUAGE_MODEL } from './suite/language-model.ts';
import { LANGUAGES } from './suite/languages.ts';
import { runTests } from './run-tests.ts';
import { COMPARISON } from './suite/comparison.ts';
import { DARSHAN } from './suite/darshan.ts';
import { FLEET } from './suite/fleet.ts';
import { FINDINGS } from './suite/findings.ts';
import { closeAll, type Suite } from './suite/host.ts';
import { JOINED } from './suite/joined.ts';
import { LAYERS } from './suite/layers.ts';
import { LOOPS } from './suite/loops.ts';
import { LIVE } from './suite/live.ts';
import { AT_START, MANNERS } from './suite/manners.ts';
import { RECORDING } from './suite/recording.ts';
import { RELOAD } from './suite/reload.ts';
import { REPORT } from './suite/report.ts';
import { SELECTION } from './suite/selection.ts';
import { SOURCES } from './suite/sources.ts';
import { TRIAL } from './suite/trial.ts';
import { TIMELINE } from './suite/timeline.ts';
import { GRAPH_VIEW, VIEWS } from './suite/views.ts';
import { VIRTUAL } from './suite/virtual.ts';
import { WORKFLOW } from './suite/workflow.ts';

// The first looks at an editor in which nothing has been done yet.
const TESTS: Suite = {
  ...AT_START,
  ...FINDINGS,
  ...TRIAL,
  ...VIEWS,
  ...SELECTION,
  ...TIMELINE,
  ...RECORDING,
  ...RELOAD,
  ...LIVE,
  ...LOOPS,
  ...JOINED,
  ...SOURCES,
  ...REPORT,
  ...DARSHAN,
  ...LAYERS,
  ...WORKFLOW,
  ...FLEET,
  ...LANGUAGES,
  ...VIRTUAL,
  ...LANGUAGE_MODEL,
  ...COMPARISON,
  ...MANNERS,
  ...GRAPH_VIEW,
};

export function run(): Promise<void> {
  return runTests(TESTS, closeAll);
}
