import { OPEN_MODE } from '../../trace/events.ts';
import type { RecordedReplay, RecordedStep } from '../from-recording/recorded-replay.ts';
import { fioFiles, type FioFiles } from './file-names.ts';
import { iolog, originOf, type Unsaid } from './iolog.ts';

/** A file of text that is written piece by piece. */
interface TextFile {
  readonly name: string;
  readonly pieces: Iterable<string>;
  readonly executable?: boolean;
}

interface FioOptions {
  /** The folder that the files are written to, as an absolute path. */
  readonly folder: string;
  /** By what recorded times are multiplied; 0: as fast as it goes, in no order among the tasks. */
  readonly timeScale: number;
}

/** Where the files of the replay stand below the folder. */
const DATA = 'data';

/**
 * A replay for fio: one iolog for each task, the job file that runs them as processes of their own, and a script that
 * puts there what is read. The pieces of the files are to be gone through in their order, once; then `notes` is complete.
 *
 * @throws RangeError in words for the user when fio cannot take the folder's name.
 */
export function fioReplay(
  replay: RecordedReplay,
  { folder, timeScale }: FioOptions,
): { readonly files: readonly TextFile[]; readonly notes: () => readonly string[] } {
  // fio ends a name at a blank, and a job file a value at a semicolon or number sign.
  if (/[^A-Za-z0-9._+=@,~/-]/.test(folder))
    throw new RangeError(`${folder}: fio takes no blanks and special characters in names: choose another folder`);
  const files = fioFiles(replay);
  const unsaid: Unsaid = new Map();
  const place = { folder: `${folder}/${DATA}`, origin: originOf(replay), timeScale: timeScale === 0 ? 1 : timeScale };
  // fio refuses a log without requests.
  const logs = replay.tasks.flatMap(({ steps }, rank) => {
    if (!steps.some(isRequest)) return [];
    return [{ name: `rank-${rank}.iolog`, pieces: iolog(steps, (at) => files.nameOf(rank, at), place, unsaid) }];
  });
  if (logs.length === 0)
    throw new RangeError('nothing is read, written or synchronised: there is nothing for fio to do');
  const job = { name: 'replay.fio', pieces: [jobFile(folder, logs, timeScale === 0)] };
  const script = { name: 'prepare.sh', pieces: [prepareScript(files)], executable: true };
  return { files: [...logs, job, script], notes: () => notesOf(replay, files, unsaid) };
}

function isRequest({ operation, place }: RecordedStep): boolean {
  if (operation.operation === 'sync') return true;
  return 'bytes' in operation && Number(operation.bytes) > 0 && !Number.isNaN(place);
}

function jobFile(folder: string, logs: readonly TextFile[], noStall: boolean): string {
  const sections = logs.map(({ name }) => `\n[${name.replace('.iolog', '')}]\nread_iolog=${folder}/${name}\n`);
  return [
    '; Run prepare.sh first, each time: it puts the files there that are read.\n',
    '[global]\nioengine=psync\nread_iolog_chunked=1\n',
    ...(noStall ? ['replay_no_stall=1\n'] : []),
    ...sections,
  ].join('');
}

/** All names are of letters that a shell takes as they are; they are quoted all the same. */
function prepareScript({ inputs, holes, names }: FioFiles): string {
  const folders = new Set([...names].map((name) => name.slice(0, name.lastIndexOf('/'))));
  const lines = [
    '#!/bin/sh',
    '# Makes the files that the replay reads, in the folder "data" beside this script.',
    'set -eu',
    'cd "$(dirname "$0")"',
    `rm -rf -- ${DATA}`,
    ...Array.from(folders, (folder) => `mkdir -p -- '${DATA}/${folder}'`),
    ...Array.from(inputs, ([name, bytes]) => `head -c ${bytes} /dev/urandom > '${DATA}/${name}'`),
    ...Array.from(holes, ([name, bytes]) => `truncate -s ${bytes} -- '${DATA}/${name}'`),
  ];
  return `${lines.join('\n')}\n`;
}

function notesOf(replay: RecordedReplay, { holes }: FioFiles, unsaid: Unsaid): string[] {
  const notes = Array.from(unsaid)
    .filter(([what]) => !TOKENS.has(what))
    .map(([what, count]) => `fio cannot repeat ${count} × ${what}`);
  const opens = replay.tasks.some(({ steps }) =>
    steps.some(({ operation }) => operation.operation === 'open' && (operation.mode & NOT_FOR_FIO) !== 0),
  );
  if (opens) notes.push('fio opens every file for reading and writing, without O_APPEND, O_SYNC and O_DSYNC');
  if ([...unsaid.keys()].some((what) => TOKENS.has(what)))
    notes.push('fio keeps no order between processes but by the recorded times: a slower file system may mix them');
  if (holes.size > 0)
    notes.push(
      `${holes.size} files that one process writes and another reads are there as holes: fio ends at a short read`,
    );
  return notes;
}

const NOT_FOR_FIO = OPEN_MODE.append | OPEN_MODE.sync | OPEN_MODE.dataSync;
const TOKENS: ReadonlySet<string> = new Set(['send_sync', 'recv_sync', 'barrier']);
