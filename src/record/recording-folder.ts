/** The folder that the recorder library writes into: one file for each process image (docs/recording-format.md). */
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { makeFolders } from './make-folders.ts';
import { RecordError } from './strace-recorder.ts';

const FOLDER_ENDING = '.iolens';
const FILE_ENDING = '.iorec';
/** What is kept of a recording in its folder, such as the note on its sources: `recording.iolens.json`. */
const BESIDE = 'recording';
const COMPANIONS = ['iolens', 'calibration', 'places'].map((what) => `${BESIDE}.${what}.json`);
/** What every file of the library begins with. */
const MAGIC = 'IOLENSRC';

/** The name in a recording's folder that its companions' names begin with. */
export function companionBase(folder: string): string {
  return path.join(folder, BESIDE);
}

/** Names of the recorded processes' files, in order; none where there is no folder. */
export function recordedFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(FILE_ENDING))
    .sort();
}

/** A name for a recording of the program that no folder has yet: `app.iolens`, `app-2.iolens`, … */
export function freeFolder(program: string, parent: string): string {
  const base = path.basename(program) || 'program';
  for (let number = 1; ; number++) {
    const folder = path.join(parent, `${number === 1 ? base : `${base}-${number}`}${FOLDER_ENDING}`);
    if (!existsSync(folder)) return folder;
  }
}

/** Where all ranks of a run write, without a word to each other. */
export function folderOfRun(program: string, parent: string, run: string): string {
  return path.join(parent, `${path.basename(program) || 'program'}-${run}${FOLDER_ENDING}`);
}

/**
 * Makes the folder, empty: a recording that is there is removed, as a file would be written anew.
 * @throws RecordError when it cannot be made, or is a folder of something else.
 */
export function makeFolder(folder: string): void {
  makeOrFail(folder);
  const names = readdirSync(folder);
  const other = names.find((name) => !isOfRecording(folder, name));
  if (other !== undefined)
    throw new RecordError(`${folder} holds other files (${other}): a recording gets a folder of its own`);
  for (const name of names) rmSync(path.join(folder, name), { force: true });
}

/** Whether a file may be removed with a recording: its name alone could be that of a file of the user's. */
function isOfRecording(folder: string, name: string): boolean {
  if (!name.endsWith(FILE_ENDING)) return COMPANIONS.includes(name);
  const file = path.join(folder, name);
  const status = lstatSync(file);
  // An empty one is what a full disk left.
  return status.isFile() && (status.size === 0 || beginsAsRecording(file));
}

function beginsAsRecording(file: string): boolean {
  const head = Buffer.alloc(MAGIC.length);
  try {
    const opened = openSync(file, 'r');
    try {
      readSync(opened, head, 0, head.length, 0);
    } finally {
      closeSync(opened);
    }
  } catch {
    return false;
  }
  return head.toString('latin1') === MAGIC;
}

/**
 * Makes the folder, or joins the other ranks in it.
 * @param launcher the process that started this node's ranks: what is older than it is of another run.
 * @throws RecordError when it cannot be made, or holds the recording of an earlier run.
 */
export function joinFolder(folder: string, launcher: number): void {
  makeOrFail(folder);
  const began = startOf(launcher);
  const isOld = (name: string): boolean =>
    (statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < began;
  if (recordedFiles(folder).some(isOld))
    throw new RecordError(`${folder} holds the recording of an earlier run: remove it, or name another by -o`);
}

function makeOrFail(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false }) !== undefined)
      throw new RecordError(`${folder} is a file, and the recorder library writes into a folder: name another by -o`);
    const why = error instanceof Error ? error.message : String(error);
    throw new RecordError(`the recording cannot be written: ${why}`);
  }
}

/** The largest piece that the library writes at once. */
const CHUNK = 64 * 1024;

/** Whether the folder's file system is too full for more of a recording: its last calls are missing, perhaps. */
export function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < CHUNK;
  } catch {
    return false;
  }
}

/** Removes a folder into which nothing was recorded. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it, or another rank has removed it.
  }
}

/** Ticks of a second in /proc: the same on all of Linux (USER_HZ). */
const TICKS = 100;

/** When a process began, milliseconds since 1970; 0 when it is not known. */
function startOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may hold anything.
    const ticks = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[19]);
    const booted = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1];
    // The clock of files is a moment behind, and the boot's time is in whole seconds.
    return booted === undefined || Number.isNaN(ticks) ? 0 : (Number(booted) + ticks / TICKS - 2) * 1000;
  } catch {
    return 0;
  }
}
