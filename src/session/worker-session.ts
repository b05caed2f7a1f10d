import { startWorker } from '#worker';
import type { Fix, FixRequest, ParseRequest } from '../analysis/fixes/fix.ts';
import type { SiteGrouping } from '../analysis/sites/call-sites.ts';
import type { DrishtiRow } from '../export/drishti-csv.ts';
import type { ReportMaterial } from '../export/report-material.ts';
import type { CallerDocument, FunctionDocument } from '../export/caller-documents.ts';
import type { AnalysisDocument, GraphDocument, SitesDocument } from '../export/documents.ts';
import type { EventFormat } from '../export/events/event-formats.ts';
import type { LayersDocument } from '../export/layer-documents.ts';
import type { FileOrder, FilesDocument } from '../export/file-documents.ts';
import type { JobDocument } from '../export/job-document.ts';
import type { RecordPage } from '../export/record-page.ts';
import type { TableQuery } from '../export/table-query.ts';
import type { PathRule } from '../symbols/symbol-files.ts';
import { messageOf } from '../trace/error-message.ts';
import type { BudgetMethods } from './budget-methods.ts';
import { CAUSES_METHODS, type CausesMethods } from './causes-methods.ts';
import type { ComparisonMethods } from './comparison-methods.ts';
import type { ActivityMethods } from './activity-methods.ts';
import type { RecordedEvent } from './event-lines.ts';
import { OFFSET_METHODS, type OffsetMethods } from './offset-methods.ts';
import { FLEET_METHODS, type FleetMethods } from './fleet/fleet-methods.ts';
import { WORKFLOW_METHODS, type WorkflowMethods } from './fleet/workflow-methods.ts';
import { LOOP_METHODS, type LoopMethods } from './loop-methods.ts';
import type { LiveMethods } from './live-methods.ts';
import type { OpenRequest } from './open-request.ts';
import type { OpenHooks } from './opened-recording.ts';
import type { GraphRequest, OpenResult, SessionMethods, SessionResources } from './session.ts';
import type { PrintedReport } from './report-text.ts';
import type { SelectionMethods } from './selection-methods.ts';
import type { StackLineFrame, StackQuestion } from './stack-lines.ts';
import type { TimelineMethods } from './timeline-methods.ts';
import type { EditorFileSystem } from './editor-files.ts';
import type { WorkerChannel } from './worker-channel.ts';
import { remoteTopic } from './topics.ts';
import { CancelledError, type Reply, type Request } from './worker-protocol.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  progress: ((share: number | undefined) => void) | undefined;
}

/**
 * A session in a worker thread: loading and analysis never hold the caller's event loop. The worker starts with the first
 * request.
 */
export class WorkerSession implements SessionMethods {
  readonly activities = remoteTopic<ActivityMethods>('activities', ['timeline', 'preview'], (name, values) =>
    this.call(name, values),
  );
  readonly selection = remoteTopic<SelectionMethods>('selection', ['selected'], (name, values) =>
    this.call(name, values),
  );
  private worker: WorkerChannel | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  /** Numbers of recordings are not used again, also when a worker is lost: nobody may take one recording for another. */
  private nextRecording = 1;
  readonly offsets = remoteTopic<OffsetMethods>('offsets', OFFSET_METHODS, (name, values) => this.call(name, values));
  readonly timeline = remoteTopic<TimelineMethods>(
    'timeline',
    ['rows', 'window', 'eventAt', 'totals', 'search', 'linked', 'summary'],
    (name, values) => this.call(name, values),
  );

  readonly budget = remoteTopic<BudgetMethods>('budget', ['check'], (name, values) => this.call(name, values));
  readonly loops = remoteTopic<LoopMethods>('loops', LOOP_METHODS, (name, values) => this.call(name, values));
  readonly causes = remoteTopic<CausesMethods>('causes', CAUSES_METHODS, (name, values) => this.call(name, values));
  readonly fleet = remoteTopic<FleetMethods>('fleet', FLEET_METHODS, (name, values) => this.call(name, values));
  readonly workflow = remoteTopic<WorkflowMethods>('workflow', WORKFLOW_METHODS, (name, values) =>
    this.call(name, values),
  );
  readonly comparison = remoteTopic<ComparisonMethods>('comparison', ['compare', 'compareGroups'], (name, values) =>
    this.call(name, values),
  );

  /**
   * @param script the bundled session-worker.
   * @param editor answers for the files that only an editor reaches.
   */
  constructor(
    private readonly script: string | URL,
    private readonly resources: SessionResources,
    private readonly editor?: EditorFileSystem,
  ) {}

  readonly live: LiveMethods = {
    ...remoteTopic<LiveMethods>('live', ['step', 'stop'], (name, values) => this.call(name, values)),
    follow: (request, id, hooks) => this.opened('live.follow', [request, id], hooks),
  };

  open(request: OpenRequest, hooks: OpenHooks = {}): Promise<OpenResult> {
    return this.opened('open', [request], hooks);
  }

  private async opened(method: string, values: unknown[], hooks: OpenHooks = {}): Promise<OpenResult> {
    const opened = await this.call<OpenResult>(method, values, hooks);
    this.nextRecording = Math.max(this.nextRecording, opened.id + 1);
    return opened;
  }

  analysis(ids: readonly number[]): Promise<AnalysisDocument> {
    return this.call('analysis', [ids]);
  }

  sites(id: number, by: SiteGrouping): Promise<SitesDocument> {
    return this.call('sites', [id, by]);
  }

  layers(id: number): Promise<LayersDocument> {
    return this.call('layers', [id]);
  }

  functions(id: number): Promise<FunctionDocument[]> {
    return this.call('functions', [id]);
  }

  files(id: number, order: FileOrder, most: number): Promise<FilesDocument> {
    return this.call('files', [id, order, most]);
  }

  callers(id: number, file: string, line: number): Promise<CallerDocument | undefined> {
    return this.call('callers', [id, file, line]);
  }

  graph(id: number, request: GraphRequest): Promise<GraphDocument> {
    return this.call('graph', [id, request]);
  }

  drishtiRows(ids: readonly number[]): Promise<DrishtiRow[]> {
    return this.call('drishtiRows', [ids]);
  }

  report(ids: readonly number[]): Promise<ReportMaterial> {
    return this.call('report', [ids]);
  }

  reportText(ids: readonly number[], printed: PrintedReport): Promise<string> {
    return this.call('reportText', [ids, printed]);
  }

  job(id: number): Promise<JobDocument | undefined> {
    return this.call('job', [id]);
  }

  records(id: number, module: string, query: TableQuery): Promise<RecordPage> {
    return this.call('records', [id, module, query]);
  }

  eventsAt(id: number, file: string, line: number, most: number): Promise<RecordedEvent[]> {
    return this.call('eventsAt', [id, file, line, most]);
  }

  exportEvents(id: number, format: EventFormat, file: string): Promise<number> {
    return this.call('exportEvents', [id, format, file]);
  }

  stackLines(question: StackQuestion): Promise<StackLineFrame[][]> {
    return this.call('stackLines', [question]);
  }

  fixes(request: FixRequest): Promise<Fix[]> {
    return this.call('fixes', [request]);
  }

  prepareFixes(request: ParseRequest): Promise<void> {
    return this.call('prepareFixes', [request]);
  }

  relocate(id: number, learnedRules: readonly PathRule[]): Promise<void> {
    return this.call('relocate', [id, learnedRules]);
  }

  close(id: number): Promise<void> {
    return this.call('close', [id]);
  }

  /** Ends the worker; what is open in it is gone. */
  async dispose(): Promise<void> {
    this.failAll(new CancelledError('the session was ended'));
    await this.worker?.terminate();
    this.worker = undefined;
  }

  private async call<Value>(method: string, values: unknown[], hooks: OpenHooks = {}): Promise<Value> {
    const { signal, progress } = hooks;
    if (signal?.aborted === true) throw new CancelledError('cancelled');
    const worker = this.started();
    const id = this.next++;
    const send = (message: Request): void => {
      worker.send(message);
    };
    const cancel = (): void => {
      send({ kind: 'cancel', id });
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject, progress });
        send({ kind: 'call', id, method, values });
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.waiting.delete(id);
    }
  }

  private started(): WorkerChannel {
    if (this.worker !== undefined) return this.worker;
    const resources: SessionResources = { ...this.resources, firstId: this.nextRecording };
    const worker: WorkerChannel = startWorker(this.script, resources, {
      received: (reply) => {
        this.receive(reply, worker);
      },
      lost: (error) => {
        if (this.worker === worker) this.worker = undefined;
        this.failAll(error);
      },
    });
    this.worker = worker;
    return worker;
  }

  private receive(reply: Reply, worker: WorkerChannel): void {
    if (reply.kind === 'ask') {
      void this.answer(reply, worker);
      return;
    }
    const waiting = this.waiting.get(reply.id);
    if (waiting === undefined) return;
    switch (reply.kind) {
      case 'progress':
        waiting.progress?.(reply.share);
        break;
      case 'result':
        waiting.resolve(reply.value);
        break;
      case 'error': {
        const error = reply.name === 'CancelledError' ? new CancelledError(reply.message) : new Error(reply.message);
        error.name = reply.name;
        waiting.reject(error);
        break;
      }
    }
  }

  private async answer(
    { id, method, location }: Extract<Reply, { kind: 'ask' }>,
    worker: WorkerChannel,
  ): Promise<void> {
    try {
      if (this.editor === undefined) throw new Error('only an editor reaches this file');
      const value = await this.editor[method](location);
      worker.send({ kind: 'answer', id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
    } catch (error) {
      worker.send({
        kind: 'answer',
        id,
        value: undefined,
        error: messageOf(error),
      });
    }
  }

  private failAll(error: Error): void {
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}
