import type { Node } from 'web-tree-sitter';
import { CONDITIONAL, userCode, type Helper } from './c-placement.ts';
import {
  callsOf,
  callsOnLine,
  enclosingFunction,
  includesFile,
  type FunctionCall,
  type ParsedSource,
} from './c-syntax.ts';
import type { FixRequest, Refusal, Repair } from './fix.ts';

/** The parsed sources of a request; the first is that of the finding. */
export interface FixSources {
  readonly main: ParsedSource;
  readonly all: readonly ParsedSource[];
}

export type Fixer = (request: FixRequest, sources: FixSources) => Repair | Refusal | undefined;

const names = (list: string): Set<string> => new Set(list.split(' '));

export const CLOSE = names('close');
/** A stream on the same descriptor has a buffer of its own, which nothing here can keep in order, and closes it. */
export const SHARES_DESCRIPTOR = names('fdopen fileno');
/** A child has a copy of everything that is pending, and shares the offsets of its parent's files. */
export const FORKS = names('fork vfork');
export const STARTS_PROCESS = names('system popen posix_spawn posix_spawnp');
/** Another program takes the place of this one. */
export const REPLACES_PROCESS = names('execl execle execlp execv execve execvp execvpe execveat fexecve');
/** The process ends without what is registered for its exit. */
export const ENDS_AT_ONCE = names('_exit _Exit abort quick_exit');
/** Calls that tell how large a file is, and when it was changed. */
export const ASKS_FOR_STATUS = names('stat fstat lstat fstatat stat64 fstat64 lstat64 statx');
/** What is locked is written, and read by others, before it is unlocked. */
export const LOCKS = names('flock lockf fcntl');
/** Calls that only use a descriptor: it is as open behind them as before, and nobody keeps it. */
export const ONLY_USES = names(
  'read write readv writev pread pwrite preadv pwritev pread64 pwrite64 lseek lseek64 ftruncate fsync fdatasync fstat ' +
    'fchmod dprintf isatty posix_fadvise posix_fallocate fallocate readahead sync_file_range mmap sendfile copy_file_range',
);

/** Calls of one file's `close`: a function with another number of operands is not that of the system. */
export function closesIn(root: Node): FunctionCall[] {
  return callsOf(root, CLOSE).filter(({ operands }) => operands.length === 1);
}

interface LocatedCall {
  readonly source: ParsedSource;
  readonly call: FunctionCall;
}

/**
 * The closes that belong to the finding: all in its own file but those of helpers, and those in other files that
 * the recording saw. undefined when one of them cannot be reached: its file is not here, or does not include the file that
 * the helper stands in.
 * @param replacement what an earlier fix has put in the place of `close`
 */
export function closesOf(
  request: FixRequest,
  { main, all }: FixSources,
  helper: Pick<Helper, 'names'>,
  replacement: string,
): LocatedCall[] | undefined {
  const isUsers = userCode(main, helper);
  const own = closesIn(main.tree.rootNode).filter(({ node }) => isUsers(node));
  const closes = own.map((call): LocatedCall => ({ source: main, call }));
  for (const { file, line } of request.closedAt) {
    if (file === main.file) continue;
    const source = all.find((candidate) => candidate.file === file);
    if (source === undefined || !includesFile(source, main.file)) return undefined;
    const found = callsOnLine(source, line, ['close', replacement]).filter(({ operands }) => operands.length === 1);
    if (found.length === 0) return undefined;
    const left = found.filter(({ name }) => name === 'close');
    closes.push(...left.map((call): LocatedCall => ({ source, call })));
  }
  return closes;
}

/**
 * Whether the file makes one of the calls where it is not seen here: in a macro, in code that could not be parsed (an
 * `#if` around half a statement), or by its address.
 */
export function hidesCalls({ tree }: ParsedSource, calls: ReadonlySet<string>): boolean {
  const macros = tree.rootNode
    .descendantsOfType(['preproc_def', 'preproc_function_def'])
    .map((macro) => macro.childForFieldName('value')?.text ?? '');
  const halves = tree.rootNode
    .descendantsOfType([...CONDITIONAL])
    .filter((node) => node.hasError && enclosingFunction(node) !== null);
  // Asked for beside other types, the parser would give errors alone.
  const unparsed = [...tree.rootNode.descendantsOfType('ERROR'), ...halves].map(({ text }) => text);
  const named = [...macros, ...unparsed].flatMap((text) =>
    [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name!),
  );
  return named.some((name) => calls.has(name)) || takesAddress(tree.rootNode, calls);
}

/** Functions whose names are no usual names of variables: as a value they are addresses. */
const ADDRESSES = names('close fsync fdatasync');
const VALUE_OF = [
  'init_declarator',
  'pointer_expression',
  'argument_list',
  'assignment_expression',
  'initializer_list',
];

function takesAddress(root: Node, calls: ReadonlySet<string>): boolean {
  return root
    .descendantsOfType('identifier')
    .some(({ text, parent }) => ADDRESSES.has(text) && calls.has(text) && VALUE_OF.includes(parent?.type ?? ''));
}

export function callsAnywhere(all: readonly ParsedSource[], ...sets: readonly ReadonlySet<string>[]): boolean {
  return all.some(({ tree }) => callsAny(tree.rootNode, ...sets));
}

export function callsAny(root: Node, ...sets: readonly ReadonlySet<string>[]): boolean {
  return callsOf(root, new Set(sets.flatMap((set) => [...set]))).length > 0;
}
