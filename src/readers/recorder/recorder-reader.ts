import type { RecordingFile } from '../../trace/byte-source.ts';
import { DamageLog } from '../../trace/damage.ts';
import type { ReadOptions, Trace } from '../../trace/trace.ts';
import { folderFacts } from './folder-name.ts';
import { RankEvents } from './rank-events.ts';
import { RecorderDirectory } from './recorder-directory.ts';
import { RecorderFiles } from './recorder-files.ts';
import { RecorderTraceBuilder } from './recorder-trace-builder.ts';

interface ReadLimits {
  /** Calls that are kept: a packed file of a megabyte can hold the times of a hundred million. */
  mostEvents: number;
}

const MOST_EVENTS = 200_000_000;

/**
 * Reads a Recorder directory. Damage is reported and passed over; what is sound is kept.
 *
 * @throws UnreadableRecordingError when version or metadata are not what Recorder writes.
 * @throws the signal's reason when reading is aborted.
 */
export async function readRecorder(
  files: readonly RecordingFile[],
  options: ReadOptions = {},
  limits: Partial<ReadLimits> = {},
): Promise<Trace> {
  const damage = new DamageLog();
  const folder = new RecorderFiles(files, damage);
  try {
    const directory = await RecorderDirectory.open(folder, damage);
    const { version, startTime } = directory;
    const { host, program } = folderFacts(folder.path('recorder.mt') ?? '');
    const builder = new RecorderTraceBuilder(options, damage, directory.metadata.functions, directory.ranks);
    addStreams(builder, directory, folder, host);
    for (let rank = 0; rank < directory.ranks; rank++) {
      options.signal?.throwIfAborted();
      if (builder.events.length > (limits.mostEvents ?? MOST_EVENTS)) {
        damage.add('file', `rank ${rank}`, 'the directory holds more calls than are kept', 'what this rank did');
        continue;
      }
      await addRank(builder, directory, rank, options);
    }
    return builder.build({ version: version.text, program, startTime, notes: notesOn(directory) });
  } finally {
    await folder.closeAll();
  }
}

/** The stream of each rank has its number. Only rank 0's host is known: it is the one that names the directory. */
function addStreams(
  builder: RecorderTraceBuilder,
  directory: RecorderDirectory,
  folder: RecorderFiles,
  host: string,
): void {
  const parts = new Map<string, number>();
  for (let rank = 0; rank < directory.ranks; rank++) {
    const name = directory.recordFile(rank);
    let part = parts.get(name);
    if (part === undefined) {
      const path = folder.path(name) ?? name;
      part = builder.parts.push({ name, path, commandId: '', host: '', launchId: '', run: '' }) - 1;
      parts.set(name, part);
    }
    builder.streams.push({ host: rank === 0 ? host : '', pid: rank, processId: rank, part, rank });
  }
}

async function addRank(
  builder: RecorderTraceBuilder,
  directory: RecorderDirectory,
  rank: number,
  options: ReadOptions,
): Promise<void> {
  const recording = await directory.rank(rank);
  if (recording === undefined) return;
  const origin = Number.isNaN(recording.startTime) ? 0 : Math.round((recording.startTime - directory.startTime) * 1e9);
  const events = new RankEvents(builder, rank, recording.files, origin, directory.metadata.resolution * 1e9);
  const unknown = events.add(recording.records, (share) => {
    options.signal?.throwIfAborted();
    options.progress?.((rank + share) / directory.ranks);
  });
  if (unknown > 0) {
    const what = `${unknown} calls have a signature that no table holds, or a function without a name`;
    builder.damage.add('record', `rank ${rank}`, what, 'these calls');
  }
}

function notesOn(directory: RecorderDirectory): string[] {
  if (directory.version.generation === 'peephole') return [];
  const notes = [
    'Recorder does not write down what calls returned: bytes are those that were asked for, and calls that failed look like others',
  ];
  if (directory.ranks > 1) {
    notes.push(
      'the times of each rank count from its own start, and how far these lie apart was not recorded: the order of calls of different ranks is not certain',
    );
  }
  return notes;
}
