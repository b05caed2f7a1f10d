/**
 * The one list of features. It is loaded with the first command, not at activation: an editor that only starts pays
 * nothing. What the editor asks for stands in package.json; src/app/extension.ts hands it on by name.
 */
import type * as vscode from 'vscode';
import { BudgetFeature } from '../features/budget/budget.ts';
import { CausesFeature } from '../features/causes/causes-feature.ts';
import { LanguageModelTools } from '../features/chat/language-model-tools.ts';
import { ComparisonFeature } from '../features/comparison/comparison-feature.ts';
import type { View } from '../features/editor/deferred-tree.ts';
import type { Contributions } from '../features/editor/contributions.ts';
import type { Services } from '../features/editor/services.ts';
import { FileFeature } from '../features/files/file-feature.ts';
import { FindingFeature } from '../features/findings/finding-feature.ts';
import { FixFeature } from '../features/fixes/fix-feature.ts';
import { GraphFeature } from '../features/graph/graph-feature.ts';
import { LineFeature } from '../features/lines/line-feature.ts';
import { LoopFeature } from '../features/loops/loop-feature.ts';
import { MachineFeature } from '../features/machine/machine-feature.ts';
import { OffsetFeature } from '../features/offsets/offset-feature.ts';
import { RawTextFeature } from '../features/raw-text/raw-text-feature.ts';
import { RecordFeature } from '../features/record/record-feature.ts';
import { RecordingsFeature } from '../features/recordings/recordings-feature.ts';
import { ReplayFeature } from '../features/replay/replay-feature.ts';
import { Reports } from '../features/report/reports.ts';
import { SelectionFeature } from '../features/selection/selection-feature.ts';
import { StoreFeature } from '../features/store/store-feature.ts';
import { TimelineFeature } from '../features/timeline/timeline-feature.ts';
import { WorkflowFeature } from '../features/workflow/workflow-feature.ts';
import { LoadedContributions } from './loaded-contributions.ts';
import { startServices } from './services.ts';

/** By the names of their folders. A new feature is a line here; what it answers to stands in package.json. */
const FEATURES = {
  recordings: RecordingsFeature,
  record: RecordFeature,
  // Before the fixes: of the actions at a line those that were registered first are shown last.
  findings: FindingFeature,
  fixes: FixFeature,
  lines: LineFeature,
  files: FileFeature,
  loops: LoopFeature,
  selection: SelectionFeature,
  comparison: ComparisonFeature,
  graph: GraphFeature,
  timeline: TimelineFeature,
  offsets: OffsetFeature,
  causes: CausesFeature,
  report: Reports,
  replay: ReplayFeature,
  workflow: WorkflowFeature,
  store: StoreFeature,
  budget: BudgetFeature,
  machine: MachineFeature,
  rawText: RawTextFeature,
  chat: LanguageModelTools,
} satisfies Record<string, new (services: Services, contributions: Contributions) => object>;

/** What is loaded: the services, and the features by the names of their folders. */
export interface Features extends Services {
  readonly feature: { readonly [Name in keyof typeof FEATURES]: InstanceType<(typeof FEATURES)[Name]> };
  readonly contributions: LoadedContributions;
}

/** @param views of the side bar, by their names in package.json. */
export function startFeatures(context: vscode.ExtensionContext, views: ReadonlyMap<string, View<unknown>>): Features {
  const services = startServices(context);
  const contributions = new LoadedContributions(views, context.subscriptions);
  const started = Object.entries(FEATURES).map(([name, Feature]) => [name, new Feature(services, contributions)]);
  return { ...services, feature: Object.fromEntries(started) as Features['feature'], contributions };
}
