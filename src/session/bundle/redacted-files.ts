import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pseudonyms } from '../../export/redaction/pseudonyms.ts';
import { StraceRedactor } from '../../export/redaction/strace-redactor.ts';
import { namedPart, type NamedPart } from '../../readers/strace/part-name.ts';
import { RecordStream } from '../../readers/text/record-stream.ts';
import type { RecordingPart } from '../../trace/trace.ts';
import { CALIBRATION_ENDING } from '../reading/companions.ts';
import type { OpenedRecording } from '../reading/opened-recording.ts';
import { LocalRecordingFile } from '../reading/recording-files.ts';

/** A bundle cannot be made as it was asked for; the message is for the user. */
export class BundleError extends Error {
  override name = 'BundleError';
}

/**
 * Names for the files of a recording that say as much as the analysis needs: which belong to one command, host, rank and
 * process. Sorted names stay sorted, for a reader takes files in the order of their names.
 */
export function redactedNames(parts: readonly Pick<RecordingPart, 'name' | 'path'>[]): string[] {
  const named = parts.map(({ name, path: location }) => namedPart(name, location));
  const commands = numbered(
    'c',
    named.map(({ commandId }) => commandId),
  );
  const hosts = numbered(
    'host',
    named.map(({ host }) => host),
  );
  const ranks = numbered(
    'r',
    named.map(({ launchId }) => launchId),
  );
  const runKey = ({ commandId, run, path: location }: NamedPart): string =>
    commandId === '' ? `${path.dirname(location)}\0${run}` : '';
  const runs = numbered('run', named.map(runKey));
  const used = new Set<string>();
  return named.map((part, i) => {
    const { commandId, host, launchId, pid } = part;
    const rank = /^\d{1,7}$/.test(launchId) ? launchId : ranks.get(launchId)!;
    const process = Number.isNaN(pid) ? '' : `.${pid}`;
    let base =
      commandId === ''
        ? `${runs.get(runKey(part))!}.strace`
        : `${commands.get(commandId)!}_${hosts.get(host)!}_${rank}.st`;
    // Two folders may hold the same names: they stay two files.
    if (used.has(`${base}${process}`)) base = base.replace(/^[a-z]+\d+/, (first) => `${first}-${i + 1}`);
    used.add(`${base}${process}`);
    return `${base}${process}`;
  });
}

function numbered(prefix: string, texts: readonly string[]): Map<string, string> {
  const sorted = [...new Set(texts)].filter((text) => text !== '').sort();
  const digits = String(sorted.length).length;
  return new Map(sorted.map((text, i) => [text, `${prefix}${String(i + 1).padStart(digits, '0')}`]));
}

/**
 * Writes the files of an open strace recording redacted into a folder. The text passes through in pieces of a few
 * megabytes.
 * @param names of the files to be written, one for each of the recording's.
 * @throws BundleError when the recording is of another format, or cannot be read a second time.
 */
export async function writeRedacted(
  recording: OpenedRecording,
  pseudonyms: Pseudonyms,
  folder: string,
  names: readonly string[] = redactedNames(recording.trace.parts),
): Promise<void> {
  const { trace, resolved } = recording;
  const { parts } = trace;
  if (!trace.form.canBeRedacted)
    throw new BundleError(`only recordings of strace can be redacted; this is ${trace.format}`);
  if (parts.some(({ path: location }) => location === '-')) {
    throw new BundleError('standard input cannot be redacted: it is read twice; write it to a file first');
  }
  await mkdir(folder, { recursive: true });
  const redactor = new StraceRedactor(pseudonyms, trace, resolved);
  for (const [i, part] of parts.entries()) await writePart(redactor, part.path, path.join(folder, names[i]!));
}

/** Writes what calls cost on the machine of the recording, if that was measured: gains are worked out of it. */
export async function writeRedactedCalibration(
  { calibrated }: OpenedRecording,
  pseudonyms: Pseudonyms,
  recording: string,
): Promise<void> {
  const { calibration } = calibrated;
  if (calibration === undefined) return;
  const mounts = calibration.mounts.map(({ path: at, type }) => ({
    path: pseudonyms.path(at),
    // `fuse.PROGRAM` names a program.
    type: type.split('.')[0]!,
  }));
  const redacted = { ...calibration, folder: pseudonyms.path(calibration.folder), mounts };
  await writeFile(`${recording}${CALIBRATION_ENDING}`, `${JSON.stringify(redacted, null, 1)}\n`);
}

async function writePart(redactor: StraceRedactor, from: string, to: string): Promise<void> {
  const { size } = await stat(from);
  const records = new RecordStream(await new LocalRecordingFile(from, size).open(), {}, size);
  const output = await open(to, 'wx');
  redactor.begin();
  try {
    for (;;) {
      // What cannot be read further ends the file here too: the analysis knew no more of it.
      const run = await records.next().catch(() => undefined);
      if (run === undefined) break;
      if (run.skipped > 0) await output.write(Buffer.from(redactor.skipped(), 'latin1'));
      await output.write(Buffer.from(redactor.redact(run.bytes, run.start, run.end), 'latin1'));
    }
  } finally {
    await output.close();
    await records.close();
  }
}
