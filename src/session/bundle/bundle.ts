import { mkdtempSync, rmSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { AnalysisDocument } from '../../export/analysis/documents.ts';
import type { MachineDocument } from '../../export/analysis/machine-document.ts';
import { Pseudonyms, type RedactionKey } from '../../export/redaction/pseudonyms.ts';
import { checkOutside, openBundleOutput } from './bundle-output.ts';
import { stackSampleOf } from '../reading/companions.ts';
import { chooseLookup } from '../machine/lookup-tools.ts';
import { checkMachine } from '../machine/machine-check.ts';
import { MemoryBudget } from '../reading/memory-budget.ts';
import { plainRequest, type OpenRequest } from '../reading/open-request.ts';
import { OpenedRecording, type OpenHooks } from '../reading/opened-recording.ts';
import { cacheOf } from '../reading/read-recording.ts';
import { BundleError, redactedNames, writeRedacted, writeRedactedCalibration } from './redacted-files.ts';
import type { SessionResources } from '../session-resources.ts';
import { findStackSample } from '../reading/stack-samples.ts';

export { BundleError };

interface BundleRequest {
  /** One for each recording; workspace folders are not used: who gets the bundle has none. */
  readonly recordings: readonly OpenRequest[];
  /** A file whose name ends with `.tar.gz` or `.tgz`, else a folder that is empty or not there yet. */
  readonly output: string;
  /** A file for what each pseudonym stands for; it stays with its owner. */
  readonly keyFile: string | undefined;
  readonly version: string;
  readonly resources: SessionResources;
  /** What the findings of recordings are. */
  readonly analyse: (recordings: readonly OpenRequest[]) => Promise<AnalysisDocument>;
}

/** What the bundle's reader needs to know. */
const README = `A bundle of I/O Lens for a help desk.

recordings/     strace text. Paths, functions, source files, hosts, commands and words of
                command lines are pseudonyms (the same text has the same one everywhere);
                what programs read and wrote is taken out. Names of the system and of
                public libraries, calls, sizes, offsets, times and results are as recorded.
                Call stacks hold the source lines that the owner's machine found.
analysis.json   what "iolens analyze --format json" says of these recordings
doctor.json     what works on the machine that made the bundle
versions.json   versions of what made it

Look at it:     iolens analyze recordings/1
`;

/**
 * Makes a bundle in which nothing says who did what where, and whose analysis comes to the same findings.
 * @throws BundleError, or an Error in words for the user.
 */
export async function makeBundle(request: BundleRequest, hooks: OpenHooks = {}): Promise<void> {
  const { keyFile } = request;
  if (keyFile !== undefined) await checkOutside(keyFile, request.output);
  const output = await openBundleOutput(request.output);
  let work = '';
  const stopWatching = beforeSignals(() => {
    output.abandon();
    if (work !== '') rmSync(work, { recursive: true, force: true });
  });
  try {
    work = mkdtempSync(path.join(tmpdir(), 'iolens-bundle-'));
    const pseudonyms = new Pseudonyms();
    await fill(work, request, pseudonyms, hooks);
    await output.write(work);
    if (keyFile !== undefined) await writeKey(keyFile, pseudonyms.key());
  } catch (error) {
    output.abandon();
    throw error;
  } finally {
    stopWatching();
    if (work !== '') await rm(work, { recursive: true, force: true });
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Who interrupts the work leaves nothing of it behind. @returns what ends the watch. */
function beforeSignals(clean: () => void): () => void {
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    stop();
    clean();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return stop;
}

async function fill(work: string, request: BundleRequest, pseudonyms: Pseudonyms, hooks: OpenHooks): Promise<void> {
  const { resources, version } = request;
  const lookup = await chooseLookup(path.join(resources.folder, 'addr2line.wasm'), true, resources.read);
  const redacted: OpenRequest[] = [];
  const budget = new MemoryBudget(request.recordings[0]?.memoryBudget);
  for (const [i, recording] of request.recordings.entries()) {
    const folder = path.join(work, 'recordings', String(i + 1));
    const means = { budget, cache: cacheOf(recording.cacheBytes) };
    const open: Opener = (paths, more) =>
      OpenedRecording.open({ ...recording, paths, workspaceFolders: [] }, lookup, more, means);
    await redact(open, recording.paths, pseudonyms, folder, hooks);
    redacted.push({
      ...plainRequest(folder),
      sharedPaths: recording.sharedPaths.map((shared) => pseudonyms.path(shared)),
      ...(recording.thresholds && { thresholds: recording.thresholds }),
      ...(recording.memoryBudget !== undefined && { memoryBudget: recording.memoryBudget }),
      // The folder is gone when the bundle is made.
      cacheBytes: 0,
      maySpawn: false,
    });
  }
  const writeJson = (name: string, value: unknown): Promise<void> =>
    writeFile(path.join(work, name), `${JSON.stringify(value, null, 2)}\n`);
  await writeJson('analysis.json', await analysisOf(redacted, request.analyse));
  const machine = await checkMachine({ version, resources, binaries: [], debugFolders: [] });
  await writeJson('doctor.json', redactedMachine(machine, pseudonyms));
  await writeJson('versions.json', { iolens: version, node: process.versions.node, ...machine.system });
  await writeFile(path.join(work, 'README.txt'), README);
}

type Opener = (paths: readonly string[], hooks: OpenHooks) => Promise<OpenedRecording>;

/** Writes a recording redacted into a folder, and what lies beside it and the analysis uses. */
async function redact(
  open: Opener,
  paths: readonly string[],
  pseudonyms: Pseudonyms,
  folder: string,
  hooks: OpenHooks,
): Promise<void> {
  const signal: OpenHooks = hooks.signal === undefined ? {} : { signal: hooks.signal };
  const opened = await open(paths, hooks);
  try {
    const names = redactedNames(opened.trace.parts);
    await writeRedacted(opened, pseudonyms, folder, names);
    await writeRedactedCalibration(opened, pseudonyms, path.join(folder, names[0]!));
    for (const [part, { path: file }] of opened.trace.parts.entries()) {
      const sample = await findStackSample(file);
      // What cannot be read lent nothing to the recording either.
      const lender = sample === undefined ? undefined : await open([sample], signal).catch(() => undefined);
      hooks.signal?.throwIfAborted();
      if (lender === undefined) continue;
      try {
        await writeRedacted(lender, pseudonyms, folder, [stackSampleOf(names[part]!)]);
      } finally {
        await lender.close();
      }
    }
  } finally {
    await opened.close();
  }
}

/** The analysis of what is in the bundle, as its reader will see it: it cannot say more than the bundle does. */
async function analysisOf(
  requests: readonly OpenRequest[],
  analyse: BundleRequest['analyse'],
): Promise<AnalysisDocument> {
  const analysis = await analyse(requests);
  const recordings = analysis.recordings.map((info, i) => ({ ...info, recording: `recordings/${i + 1}` }));
  return { ...analysis, recordings };
}

function redactedMachine(machine: MachineDocument, pseudonyms: Pseudonyms): MachineDocument {
  const secrets = [homedir(), hostname(), userInfo().username];
  const text = (value: string): string => pseudonyms.text(value, secrets);
  return {
    ...machine,
    checks: machine.checks.map((check) => ({
      ...check,
      // Servers have names too.
      found: check.id === 'debuginfod' ? 'redacted' : text(check.found),
      advice: text(check.advice),
    })),
  };
}

async function writeKey(file: string, key: RedactionKey): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify({ schema: 'iolens/bundle-key@1', ...key }, null, 2)}\n`);
  } finally {
    await handle.close();
  }
}
