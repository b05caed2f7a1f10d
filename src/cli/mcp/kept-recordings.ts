import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { formatShare } from '../../base/quantities.ts';
import { shownInsights } from '../../export/analysis/findings.ts';
import type { AskedRecording } from '../../features/answers/agent/asked-recording.ts';
import type { Session } from '../../features/answers/all-answers.ts';
import { companionNames, PLACES_ENDING } from '../../session/reading/companions.ts';
import { groupRecordings } from '../../session/reading/recording-groups.ts';
import { openRequest, type OpenOptions } from '../arguments.ts';
import type { ToolCall } from './tool.ts';
import { Turns } from './turns.ts';

/** Recordings that stay open; an agent goes back and forth between two, and each takes memory. */
const MOST_OPEN = 4;
const MOST_NAMED = 10;

/** An open recording, and the files that what is said of it rests on. */
interface Kept {
  readonly recording: AskedRecording;
  /** State of each file when the recording was opened. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * The recordings that an agent asked about, open until others take their place. One whose files, sources or binaries have
 * changed since is opened anew: agents record again under the same name, and edit what findings are about.
 */
export class KeptRecordings {
  private readonly kept = new Map<string, Kept>();
  private readonly turns = new Turns();

  constructor(
    private readonly session: Session,
    private readonly options: OpenOptions,
  ) {}

  /** Opens recordings and asks about them, when all that was asked before is answered. */
  inTurn<Result>(
    names: readonly string[],
    call: ToolCall,
    ask: (...recordings: AskedRecording[]) => Promise<Result>,
  ): Promise<Result> {
    return this.turns.take(call.signal, async () => {
      const opened: AskedRecording[] = [];
      for (const name of names) opened.push(await this.opened(name, call));
      try {
        return await ask(...opened);
      } finally {
        await this.closeOldest();
      }
    });
  }

  private async opened(name: string, call: ToolCall): Promise<AskedRecording> {
    const paths = await filesOf(name);
    const key = paths.join('\0');
    const known = this.kept.get(key);
    this.kept.delete(key);
    if (known !== undefined && [...known.files].every(([file, state]) => stateOf(file) === state)) {
      this.kept.set(key, known);
      return known.recording;
    }
    if (known !== undefined) await this.session.recordings.close(known.recording.id);
    const fresh = await this.open(name, paths, call);
    this.kept.set(key, fresh);
    return fresh.recording;
  }

  private async open(name: string, paths: readonly string[], { signal, progress }: ToolCall): Promise<Kept> {
    const beside = paths.flatMap(companionNames).map((file) => `${file}${PLACES_ENDING}`);
    const read = new Map([...paths, ...beside].map((file) => [file, stateOf(file)]));
    let told = '';
    const tell = (share: number | undefined): void => {
      const now = `reading ${name}${share === undefined ? '' : `: ${formatShare(share)}`}`;
      if (now !== told) progress(now);
      told = now;
    };
    const request = openRequest(paths, this.options);
    const { id, info } = await this.session.recordings.open(request, { signal, progress: tell });
    try {
      const analysis = await this.session.findings.analysis([id]);
      const { sites } = await this.session.lines.sites(id, 'line');
      const { modules, sources } = analysis.symbols;
      const others = [...modules, ...sources].map(({ file }) => file).filter((file) => file !== '');
      const shown = { ...analysis, insights: shownInsights(analysis.insights) };
      return {
        recording: { id, name, info, analysis: shown, sites },
        files: new Map([...read, ...others.map((file) => [file, stateOf(file)] as const)]),
      };
    } catch (error) {
      await this.session.recordings.close(id);
      throw error;
    }
  }

  private async closeOldest(): Promise<void> {
    for (const [key, { recording }] of this.kept) {
      if (this.kept.size <= MOST_OPEN) return;
      this.kept.delete(key);
      await this.session.recordings.close(recording.id);
    }
  }
}

/**
 * The files of the one recording that a name means.
 * @throws Error in words for the model when it means none, or several.
 */
async function filesOf(name: string): Promise<readonly string[]> {
  if (name === '-') throw new Error('standard input is the agent’s own: name a file or a folder');
  const groups = await groupRecordings([name]);
  if (groups.length <= 1) return groups.flat();
  const names = groups.slice(0, MOST_NAMED).map((files) => files[0]!);
  throw new Error(
    `${name} holds ${groups.length} recordings: name one of ${names.join(', ')}${groups.length > MOST_NAMED ? ', …' : ''}`,
  );
}

/** The same text as long as a file is the same; of a folder, as long as all in it is. '' where there is none. */
function stateOf(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return '';
  const own = `${status.ino} ${status.size} ${status.mtimeMs}`;
  if (!status.isDirectory()) return own;
  return [own, ...readdirSync(file).map((name) => `${name} ${stateOfEntry(path.join(file, name))}`)].join('\n');
}

/** Recordings are folders of files, or (OTF2) with one more folder: deeper nothing is looked at. */
function stateOfEntry(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  return status === undefined ? '' : `${status.size} ${status.mtimeMs}`;
}
