import type { Node } from 'web-tree-sitter';
import { callsOf, type FunctionCall, type ParsedSource } from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

/** The parsed sources of a request; the first is that of the finding. */
export interface FixSources {
  readonly main: ParsedSource;
  readonly all: readonly ParsedSource[];
}

export type Fixer = (request: FixRequest, sources: FixSources) => Repair | Refusal | undefined;

const names = (list: string): Set<string> => new Set(list.split(' '));

const CLOSE = names('close');
/** A child has a copy of everything that is pending, and shares the offsets of its parent's files. */
export const FORKS = names('fork vfork');
export const STARTS_PROCESS = names('system popen posix_spawn posix_spawnp');
/** Another program takes the place of this one. */
export const REPLACES_PROCESS = names('execl execle execlp execv execve execvp execvpe execveat fexecve');
/** Calls that only use a descriptor: it is as open behind them as before, and nobody keeps it. */
export const ONLY_USES = names(
  'read write readv writev pread pwrite preadv pwritev pread64 pwrite64 lseek lseek64 ftruncate fsync fdatasync fstat ' +
    'fchmod dprintf isatty posix_fadvise posix_fallocate fallocate readahead sync_file_range mmap sendfile copy_file_range',
);

/** Calls of one file's `close`: a function with another number of operands is not that of the system. */
export function closesIn(root: Node): FunctionCall[] {
  return callsOf(root, CLOSE).filter(({ operands }) => operands.length === 1);
}

export function callsAnywhere(all: readonly ParsedSource[], ...sets: readonly ReadonlySet<string>[]): boolean {
  return all.some(({ tree }) => callsAny(tree.rootNode, ...sets));
}

function callsAny(root: Node, ...sets: readonly ReadonlySet<string>[]): boolean {
  return callsOf(root, new Set(sets.flatMap((set) => [...set]))).length > 0;
}
