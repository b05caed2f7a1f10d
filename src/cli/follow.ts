import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnalysisDocument } from '../export/analysis/documents.ts';
import { formatCount, formatDuration } from '../base/quantities.ts';
import { printable } from '../export/report/report-text.ts';
import { messageOf } from '../base/error-message.ts';
import { followSteps } from '../session/live/follow.ts';
import type { LiveStep } from '../session/live/live-methods.ts';
import { plainRequest, type OpenRequest } from '../session/reading/open-request.ts';
import { localSession, type Session } from '../features/answers/all-answers.ts';
import type { OpenResult } from '../session/reading/open-recordings.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Milliseconds between two looks at a recording that has no call yet. */
const LOOK_FOR_CALLS = 200;
/** A file of so many bytes that is no recording will not become one. */
const MOST_BEFORE_FIRST_CALL = 1 << 14;

/** Columns of a terminal that does not say how many it has. */
const NARROWEST = 40;

/** A line on a terminal that is written over again and again; nothing where there is none. */
class StatusLine {
  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  show({ recordings, insights }: AnalysisDocument): void {
    if (!this.stream.isTTY) return;
    const { events, durationNs } = recordings[0]!;
    const text = printable(`● ${formatCount(events)} calls in ${formatDuration(durationNs)}${worstOf(insights)}`);
    this.stream.write(`\r${text.slice(0, Math.max(this.stream.columns, NARROWEST) - 1)}\u001b[K`);
  }

  clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001b[K');
  }
}

/** The finding that a status line names: the first of the costliest. */
function worstOf(insights: AnalysisDocument['insights']): string {
  const [worst] = insights.filter(({ severity }) => severity === 'high' || severity === 'warn');
  const place = worst?.sites[0];
  if (worst === undefined) return '';
  const where = place === undefined || place.line === 0 ? '' : ` at ${place.file.split('/').at(-1)!}:${place.line}`;
  return `; ${worst.title}${where}`;
}

/**
 * Opens a recording that is written; waits for its first call.
 * @throws Error in words for the user: there is no such file, or it is something else.
 */
async function openFollowed(
  session: Session,
  request: OpenRequest,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<OpenResult> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await session.live.follow(request, undefined, { signal });
    } catch (error) {
      const [status] = await Promise.all(request.paths.map((path) => stat(path).catch(() => undefined)));
      const mayBegin = status?.isDirectory() === true || (status?.size ?? Infinity) < MOST_BEFORE_FIRST_CALL;
      if (!mayBegin || signal.aborted) throw error;
      if (isFirst) onWaiting();
      await pause(LOOK_FOR_CALLS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Which findings there are, and where: their numbers grow all the time. */
function findingsOf({ insights }: AnalysisDocument): string {
  return JSON.stringify(
    insights.map(({ trigger, severity, sites }) => [trigger, severity, sites.map(({ file, line }) => [file, line])]),
  );
}

/**
 * Prints the findings of a recording that is written whenever there are others, until the user interrupts.
 * @returns the recording, read to its end: its last findings are still to be printed.
 */
export async function followFindings(
  session: Session,
  request: OpenRequest,
  show: (id: number) => Promise<AnalysisDocument>,
): Promise<OpenResult> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const line = new StatusLine();
  const { id } = await openFollowed(session, request, interrupted.signal, () =>
    say(`${request.paths.join(' ')}: waiting for the first call`),
  );
  let last = findingsOf(await show(id));
  let problem = '';
  await followSteps(
    session.live,
    id,
    async (step) => {
      if (step.problem !== problem && step.problem !== '') {
        line.clear();
        say(step.problem);
      }
      problem = step.problem;
      if (!step.changed) return;
      const analysis = await session.findings.analysis([id]);
      const now = findingsOf(analysis);
      line.clear();
      if (now !== last) await show(id);
      last = now;
      line.show(analysis);
    },
    interrupted.signal,
  );
  for (const signal of SIGNALS) process.off(signal, interrupt);
  line.clear();
  return session.live.stop(id);
}

/**
 * Records, and shows on the terminal meanwhile what it comes to, if the user wants that.
 * @param output the file or folder that is written.
 */
export async function watched<Made>(
  { live }: { readonly live?: true },
  output: string,
  record: () => Promise<Made>,
): Promise<Made> {
  // Where there is no terminal nobody looks.
  if (live !== true || !process.stderr.isTTY) return record();
  const complete = new AbortController();
  const request = { ...plainRequest(output), workspaceFolders: [process.cwd()], cacheBytes: 0 };
  const watching = watchRecording(localSession(resources), request, complete.signal);
  try {
    return await record();
  } finally {
    complete.abort();
    await watching;
  }
}

/** Shows on the terminal what a recording that is being made comes to, until `signal` says that it is complete. */
async function watchRecording(session: Session, request: OpenRequest, signal: AbortSignal): Promise<void> {
  const line = new StatusLine();
  try {
    const { id } = await openFollowed(session, request, signal, () => undefined);
    const onStep = async (step: LiveStep): Promise<void> => {
      if (step.changed) line.show(await session.findings.analysis([id]));
    };
    await followSteps(session.live, id, onStep, signal);
    line.clear();
    await session.recordings.close(id);
  } catch (error) {
    line.clear();
    // The recording goes on; only what is seen of it meanwhile is missing.
    if (!signal.aborted) say(messageOf(error));
  }
}
