/** Whether a program will load the recorder library: the loader passes over LD_PRELOAD in silence where it may not. */
import { spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../base/error-message.ts';
import { Fields } from '../symbols/elf.ts';
import { isLauncher } from './launchers.ts';

const HEAD_BYTES = 4096;
const MOST_INTERPRETERS = 4;
const SET_USER = 0o4000;
const SET_GROUP = 0o2000;
const INTERPRETER_SEGMENT = 3;

/** What of a file matters to the loader. */
interface ProgramHead {
  /** 32 or 64 bits and the processor, as numbers of the ELF header. */
  readonly machine: string;
  /** The dynamic loader that the program names; '' for a static one. */
  readonly loader: string;
}

/**
 * Why the program of a command line cannot be recorded by the library, in words for the user; '' when it can. Behind a
 * launcher (`mpirun`, `env`) the program that it starts counts too.
 */
export function whyNotLoaded(command: readonly string[], workingFolder: string): string {
  const programs = new Set([command[0]!, meantProgram(command, workingFolder)]);
  return [...programs].map((program) => whyNot(program, workingFolder)).find((why) => why !== '') ?? '';
}

/** Why the system does not start a program, in its words; '' where nothing is known to be wrong. */
export function whyNotStarted(program: string, workingFolder: string): string {
  const file = program.includes('/') ? path.resolve(workingFolder, program) : fileOf(program, workingFolder);
  if (file === undefined) return `${program}: not found in the folders of PATH`;
  const wrong = whyNotExecutable(file);
  if (wrong !== '') return `${program}: ${wrong}`;
  const head = readHead(file);
  const interpreter = head && interpreterOf(head);
  if (interpreter?.includes('/') !== true) return '';
  const missing = whyNotExecutable(interpreter);
  return missing === '' ? '' : `${program}: its interpreter ${interpreter}: ${missing}`;
}

function whyNotExecutable(file: string): string {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? '' : 'is no file';
  } catch (error) {
    // `ENOENT: no such file or directory, access '/w/app'`
    return /^[A-Z]+: ([^,]+),/.exec(messageOf(error))?.[1] ?? messageOf(error);
  }
}

/** The program that a command line is about: behind a launcher the first word that is one. */
export function meantProgram([program = '', ...words]: readonly string[], workingFolder: string): string {
  if (!isLauncher(program)) return program;
  return words.find((word) => /^[^-=][^=]*$/.test(word) && fileOf(word, workingFolder) !== undefined) ?? program;
}

function whyNot(program: string, workingFolder: string): string {
  let file = fileOf(program, workingFolder);
  for (let depth = 0; depth < MOST_INTERPRETERS; depth++) {
    if (file === undefined) return '';
    const forbidden = whyForbidden(file);
    if (forbidden !== '') return forbidden;
    const head = readHead(file);
    if (head === undefined) return '';
    const interpreter = interpreterOf(head);
    if (interpreter === undefined) return whyOtherMachine(file, head);
    file = fileOf(interpreter, workingFolder);
  }
  return '';
}

/** The file that a word of a command line starts; undefined when there is none. */
function fileOf(program: string, workingFolder: string): string | undefined {
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => path.resolve(workingFolder, folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Programs with more rights than their user load nothing of his. */
function whyForbidden(file: string): string {
  const { mode, uid, gid } = statSync(file);
  if ((mode & SET_USER) !== 0 && uid !== process.getuid?.()) return `${file} is set-uid, and loads no library of yours`;
  if ((mode & SET_GROUP) !== 0 && gid !== process.getgid?.())
    return `${file} is set-gid, and loads no library of yours`;
  return hasCapabilities(file) ? `${file} has file capabilities, and loads no library of yours` : '';
}

/** Asked of `getcap`, since Node reads no extended attributes; without it nothing is known, and files that have any are rare. */
function hasCapabilities(file: string): boolean {
  const tool = ['/sbin/getcap', '/usr/sbin/getcap', '/usr/bin/getcap'].find((name) => existsSync(name));
  if (tool === undefined) return false;
  const { stdout } = spawnSync(tool, [file], { encoding: 'utf8' });
  return typeof stdout === 'string' && stdout.includes('cap_');
}

function readHead(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A program may be run without being readable.
    return undefined;
  }
}

/** What a script's first line names: the program that `env` looks for is the interpreter. */
function interpreterOf(head: Buffer): string | undefined {
  if (head[0] !== 0x23 || head[1] !== 0x21) return undefined;
  const words = head.toString('latin1', 2).split('\n')[0]!.trim().split(/\s+/);
  const isEnv = words[0]?.endsWith('/env') === true;
  return isEnv ? (words.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')) ?? words[0]) : words[0];
}

function whyOtherMachine(file: string, head: Buffer): string {
  const program = parseHead(head);
  // The kernel, or the shell in its stead, says what is wrong with a file that is no program.
  if (program === undefined) return '';
  const here = ownHead();
  if (here !== undefined && program.machine !== here.machine)
    return `${file} is for another processor or word size than this machine’s compiler`;
  if (program.loader === '') return `${file} is linked statically, and loads no libraries`;
  const [theirs, ours] = [program.loader, here?.loader ?? program.loader].map((loader) => path.basename(loader));
  return theirs === ours ? '' : `${file} is of another C library (its loader is ${theirs!})`;
}

function ownHead(): ProgramHead | undefined {
  const shell = readHead('/bin/sh');
  return shell === undefined ? undefined : parseHead(shell);
}

/** @returns undefined for what is no ELF file, or one whose headers are not at its beginning. */
function parseHead(head: Buffer): ProgramHead | undefined {
  if (head.length < 64 || head.readUInt32BE(0) !== 0x7f454c46) return undefined;
  const wide = head[4] === 2;
  const fields = new Fields(head, head[5] !== 2, wide);
  const table = fields.word(wide ? 32 : 28);
  const size = fields.u16(wide ? 54 : 42);
  const count = fields.u16(wide ? 56 : 44);
  if (size < (wide ? 56 : 32) || table + size * count > head.length) return undefined;
  const machine = `${head[4]!} ${head[5]!} ${fields.u16(18)}`;
  for (let at = table; at < table + size * count; at += size) {
    if (fields.u32(at) !== INTERPRETER_SEGMENT) continue;
    const offset = fields.word(at + (wide ? 8 : 4));
    const end = head.indexOf(0, Math.min(offset, head.length));
    return end < 0 ? undefined : { machine, loader: head.toString('latin1', offset, end) };
  }
  return { machine, loader: '' };
}
