import fs from 'node:fs';
import { isSea } from 'node:sea';
import type { TrialFinding } from '../analysis/trials/trial-result.ts';
import { findingsOf } from '../export/analysis/findings.ts';
import { conflictsOf, editsByFile } from '../export/fixes/chosen-fixes.ts';
import { changesToTry, placeName, trialDocument, type TrialDocument } from '../export/fixes/trial-document.ts';
import { unifiedDiff } from '../export/fixes/unified-diff.ts';
import { localSession, type Session } from '../features/answers/all-answers.ts';
import type { OpenRequest } from '../session/reading/open-request.ts';
import type { SessionResources } from '../session/session-resources.ts';
import type { FixTrial } from '../session/trial/fix-trial.ts';
import { shellWords } from '../session/trial/shell-command.ts';
import { TrialRefusedError } from '../session/trial/trial-error.ts';
import { tryChanges, type JudgedRun, type TrialRecorder } from '../session/trial/trial.ts';
import { outsideOf } from '../session/trial/written-outside.ts';
import { fixedText, sourcesToFix } from './fix-files.ts';

interface Hooks {
  readonly signal: AbortSignal;
  readonly progress: (what: string) => void;
}

/**
 * Tries fixes in copies of their folder: several together, unless they exclude each other, and one by one.
 * @throws TrialError, TrialRefusedError, UsageError, FixChoiceError in words for the user; CancelledError.
 */
export async function tryFixes(
  trial: FixTrial,
  resources: SessionResources,
  { signal, progress }: Hooks,
): Promise<TrialDocument> {
  const { fixes, allowOutside, command } = trial;
  // A workspace may be opened through a link; what a program writes is known by its real path.
  const folder = fs.realpathSync.native(trial.folder);
  const outside = outsideOf(trial.written, folder, trial.opening.pathRules);
  if (outside.length > 0 && !allowOutside)
    throw new TrialRefusedError(`it writes files outside ${folder}: ${someOf(outside)} (--allow-outside permits it)`);
  const conflicts = conflictsOf(fixes);
  const changes = changesToTry(fixes, conflicts).map((some) => ({
    name: some.map(({ id }) => id).join(' and '),
    sources: sourcesToFix(editsByFile(some), folder),
  }));
  const result = await tryChanges(
    {
      ...trial,
      folder,
      changes: changes.map(({ name, sources }) => ({
        name,
        texts: new Map(sources.map((source) => [source.name, fixedText(source)])),
      })),
      without: trial.recordings.filter((file) => fs.existsSync(file)).map((file) => fs.realpathSync.native(file)),
      resources,
      signal,
      progress,
    },
    recorderFor(localSession(resources), { ...trial, folder }),
  );
  const shown = conflicts.length > 0 ? changes : changes.slice(0, 1);
  const diff = shown
    .flatMap(({ sources }) => sources.map(({ name, text, edits }) => unifiedDiff(name, text, edits)))
    .join('');
  return trialDocument({ fixes, conflicts, diff, command }, result);
}

const MOST_NAMED = 5;

function someOf(files: readonly string[]): string {
  const more = files.length - MOST_NAMED;
  return `${files.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Words that a shell would leave as they are: started directly, a static program is known for one, and recorded by strace. */
const PLAIN_WORDS = /^[\w@%+:,./-][\w@%+=:,./-]*( +[\w@%+=:,./-]+)*$/;

/** Records as `iolens record` does, by itself: program and recorder are in one group of processes, which ends as one. */
function recorderFor(session: Session, { folder, opening }: FixTrial): TrialRecorder {
  const own = isSea() ? [process.execPath] : [process.execPath, process.argv[1]!];
  // The editor's own program is Node with this; the program that is tried need not know.
  const node = process.versions['electron'] === undefined ? own : ['env', 'ELECTRON_RUN_AS_NODE=1', ...own];
  return {
    recording: (command, recording) => {
      const words = PLAIN_WORDS.test(command) ? command.split(/ +/) : shellWords(command);
      return [...node, 'record', '--quiet', '--no-calibration', '-o', recording, '--', ...words];
    },
    judge: (recording, root) => {
      if (!fs.existsSync(recording)) return Promise.resolve(undefined);
      // What was built before the copy was made names the sources of the folder itself.
      const places = { workspaceFolders: [root], pathRules: [{ from: folder, to: root }], cacheBytes: 0 };
      return judge(session, { ...opening, ...places, paths: [recording] });
    },
  };
}

async function judge(session: Session, request: OpenRequest): Promise<JudgedRun> {
  const { id } = await session.recordings.open(request);
  const { insights } = await session.findings.analysis([id]);
  const findings = findingsOf(insights).map(({ code, title, sites }): TrialFinding => ({
    code,
    title,
    places: sites.filter(({ file }) => file !== '').map((site) => placeName(site.file, site.function)),
  }));
  const { sites } = await session.lines.sites(id, 'function');
  const callsAt = new Map<string, number>();
  for (const { file, function: name, events } of sites) addTo(callsAt, placeName(file, name), events);
  const calls = sites.reduce((sum, { events }) => sum + events, 0);
  const written = await session.fixes.written(id);
  const threaded = await session.fixes.threaded(id);
  await session.recordings.close(id);
  return { findings, calls, callsAt, written, threaded };
}

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
