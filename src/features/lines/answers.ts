import { callerTree } from '../../analysis/sites/caller-tree.ts';
import type { SiteGrouping } from '../../analysis/sites/call-sites.ts';
import { functionCosts } from '../../analysis/sites/function-costs.ts';
import {
  callerDocument,
  functionDocuments,
  type CallerDocument,
  type FunctionDocument,
} from '../../export/analysis/caller-documents.ts';
import type { SitesDocument } from '../../export/analysis/documents.ts';
import { layersDocument, type LayersDocument } from '../../export/analysis/layer-documents.ts';
import { gapsDocument, type GapsDocument } from '../../export/gaps/gaps-document.ts';
import { sitesDocument } from '../../export/analysis/site-documents.ts';
import type { OpenRecordings } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { linesOf, quotedSources } from '../../session/sources/quoted-sources.ts';
import { eventsAtLine, type RecordedEvent } from '../answers/event-lines.ts';
import { StackLines, type StackLineFrame, type StackQuestion } from '../answers/stack-lines.ts';

/** What lines and functions of the source cost, and how the program came there. */
export class LineAnswers {
  private readonly stacks: StackLines;

  constructor(private readonly recordings: OpenRecordings) {
    this.stacks = new StackLines((maySpawn) => recordings.lookup(maySpawn));
  }

  // Not plain functions: what they throw is a rejection, as everywhere.
  async sites(id: number, by: SiteGrouping): Promise<SitesDocument> {
    return Promise.resolve(sitesOf(this.recordings.of(id), by));
  }

  /** What each function of the user's code costs, by itself and with everything that it calls. */
  async functions(id: number): Promise<FunctionDocument[]> {
    const recording = this.recordings.of(id);
    const { trace, resolved, metrics, costs } = recording;
    const found = functionCosts(trace, resolved, recording.callSites(), metrics, costs);
    return Promise.resolve(functionDocuments(found, (file) => recording.localSource(file)));
  }

  /** All ways to a line of a source file on this machine; undefined when no call came through it. */
  async callers(id: number, file: string, line: number): Promise<CallerDocument | undefined> {
    const recording = this.recordings.of(id);
    const { trace, resolved, metrics } = recording;
    const locate = (recorded: string): { file: string; isHere: boolean } => recording.localSource(recorded);
    const tree = callerTree(
      trace,
      resolved,
      metrics,
      (frame) => frame.line === line && locate(frame.file).file === file,
    );
    return Promise.resolve(tree === undefined ? undefined : callerDocument(tree, locate));
  }

  /** What the calls of each line became in the layers below. */
  async layers(id: number): Promise<LayersDocument> {
    const recording = this.recordings.of(id);
    const { trace, ignored } = recording;
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    return Promise.resolve(layersDocument(trace, recording.callSites(), ignored, locate));
  }

  /** Where the program is while it makes no recorded call. */
  async gaps(id: number): Promise<GapsDocument> {
    const recording = this.recordings.of(id);
    const { trace, resolved, metrics } = recording;
    const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
    return Promise.resolve(
      gapsDocument({ recording: recording.request.paths.join(' '), trace, resolved, metrics, locate }),
    );
  }

  /** The first events that come from a line of a source file on this machine. */
  async events(id: number, file: string, line: number, most: number): Promise<RecordedEvent[]> {
    return Promise.resolve(eventsAtLine(this.recordings.of(id), file, line, most));
  }

  /** The lines of a source file; undefined where its text may not be shown, or it is not here. */
  async source(id: number, file: string): Promise<readonly string[] | undefined> {
    const quoted = await quotedSources([file], this.recordings.of(id).request);
    return (await linesOf(quoted, [file])).get(file);
  }

  /** The source frames behind each line of a stack in a recording's text; the recording need not be open. */
  async stackFrames(question: StackQuestion): Promise<StackLineFrame[][]> {
    const open = question.recording === undefined ? undefined : this.recordings.find(question.recording);
    return this.stacks.resolve(question, open);
  }
}

export function sitesOf(recording: OpenedRecording, by: SiteGrouping): SitesDocument {
  const { trace, resolved, ignored, costs } = recording;
  const metrics = by === 'line' ? recording.metrics : recording.metricsBy(by);
  const locate = (file: string): { file: string; isHere: boolean } => recording.localSource(file);
  return sitesDocument({ trace, resolved, callSites: recording.callSites(by), metrics, costs }, by, ignored, locate);
}
