import { isDependency } from './dependency.ts';

/** Short options of sbatch, salloc and srun that stand alone; all others take a value. */
const SHORT_FLAGS = new Set('hHIEkKlOQRsuvVWXZ'.split(/(?:)/));

/** Long options that stand alone, or take their value behind `=` only. */
const LONG_FLAGS = new Set([
  'contiguous',
  'disable-status',
  'exclusive',
  'external-launcher',
  'get-user-env',
  'help',
  'hold',
  'ignore-pbs',
  'immediate',
  'interactive',
  'kill-on-bad-exit',
  'label',
  'multi-prog',
  'nice',
  'no-allocate',
  'no-bell',
  'no-kill',
  'no-requeue',
  'no-shell',
  'overcommit',
  'overlap',
  'oversubscribe',
  'parsable',
  'preserve-env',
  'propagate',
  'pty',
  'quiet',
  'quit-on-interrupt',
  'reboot',
  'requeue',
  'share',
  'spread-job',
  'stepmgr',
  'test-only',
  'unbuffered',
  'usage',
  'use-min-nodes',
  'verbose',
  'version',
  'wait-all-nodes',
]);

/**
 * The dependency that a command line of sbatch, salloc or srun declares: `-d X`, `-dX`, `--dependency=X`, `--dependency X`
 * and its abbreviations. The last one counts, as for Slurm.
 * @param words of the command, its name first.
 */
export function dependencyOfCommand(words: readonly string[]): string | null {
  let found: string | null = null;
  let inCommand = false;
  for (let at = 1; at < words.length; at++) {
    const option = optionOf(words, at);
    // Accounting keeps no quotes: the first word that is no option may be the script, or the second word of a job's name.
    // What comes later counts only if it can be nothing else.
    if (option === undefined) inCommand = true;
    else {
      if (option.dependency !== undefined && (inCommand ? found === null && isDependency(option.dependency) : true))
        found = option.dependency;
      if (option.wraps) inCommand = true;
      if (!inCommand) at += option.words - 1;
    }
  }
  return found === '' ? null : found;
}

/** The script that a command of sbatch names: its first word that is no option. */
export function scriptOfCommand(words: readonly string[]): string | undefined {
  for (let at = 1; at < words.length; at++) {
    const option = optionOf(words, at);
    if (option === undefined) return words[at];
    at += option.words - 1;
  }
  return undefined;
}

/** The same of a line as accounting keeps it (`SubmitLine`). */
export function dependencyOfSubmitLine(line: string | null): string | null {
  return line === null ? null : dependencyOfCommand(line.split(/\s+/));
}

/** The dependency that lines `#SBATCH …` of a batch script declare; Slurm reads them up to the first command. */
export function dependencyOfScript(script: string): string | null {
  let found: string | null = null;
  for (const line of script.split('\n')) {
    if (!/^\s*($|#)/.test(line)) break;
    const directive = /^#SBATCH\s+([^#]*)/.exec(line)?.[1];
    if (directive === undefined) continue;
    const words = directive.trim().split(/\s+/);
    found = dependencyOfCommand(['sbatch', ...words.map((word) => word.replace(/["']/g, ''))]) ?? found;
  }
  return found;
}

interface CommandOption {
  /** What it declares; undefined when it is another option. */
  readonly dependency?: string;
  /** That it takes of the command. */
  readonly words: number;
  /** The rest of the line may be the command that it wraps. */
  readonly wraps: boolean;
}

function optionOf(words: readonly string[], at: number): CommandOption | undefined {
  const word = words[at]!;
  if (word.startsWith('--') && word.length > 2) return longOption(word.slice(2), words[at + 1]);
  if (word.startsWith('-') && word.length > 1) return shortOptions(word.slice(1), words[at + 1]);
  return undefined;
}

function longOption(text: string, next: string | undefined): CommandOption {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const wraps = name === 'wrap';
  const separate = equals < 0 && !LONG_FLAGS.has(name) && name !== 'wait';
  if (name.length < 3 || !'dependency'.startsWith(name)) return { words: separate ? 2 : 1, wraps };
  return { dependency: (separate ? next : text.slice(equals + 1)) ?? '', words: separate ? 2 : 1, wraps };
}

function shortOptions(letters: string, next: string | undefined): CommandOption {
  for (let at = 0; at < letters.length; at++) {
    if (SHORT_FLAGS.has(letters[at]!)) continue;
    const attached = letters.slice(at + 1);
    const words = attached === '' ? 2 : 1;
    if (letters[at] !== 'd') return { words, wraps: false };
    return { dependency: (attached === '' ? next : attached.replace(/^=/, '')) ?? '', words, wraps: false };
  }
  return { words: 1, wraps: false };
}
