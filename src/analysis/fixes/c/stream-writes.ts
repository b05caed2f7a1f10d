import type { Node } from 'web-tree-sitter';
import { isClosedWorld } from './closed-world.ts';
import { identifiersIn } from './declarations.ts';
import type { FixSources } from './descriptors.ts';
import { reachOf } from './holders.ts';
import { isAlwaysClosed, isOnlyFile, leaves, onlyUse, type OnlyUse } from './only-use.ts';
import {
  ancestorOfType,
  callsOf,
  callsOnLine,
  indentOf,
  insertAt,
  isPure,
  replace,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair, SourceEdit } from '../fix.ts';

/**
 * `write` or `read` of a descriptor that one function opens, writes or reads, and closes: a stream of the library collects
 * what is written, or reads ahead. All that was asked before is asked of the stream, and what it holds back is told by its
 * `fclose`.
 */
interface Direction {
  readonly call: 'write' | 'read';
  readonly flags: RegExp;
  readonly mode: string;
  readonly title: string;
  readonly note: string;
  /** What else changes. */
  readonly price: string;
  readonly reason: string;
}

const WRITES: Direction = {
  call: 'write',
  flags: /^(O_(WRONLY|CREAT|TRUNC|EXCL|CLOEXEC)|[\s|()])+$/,
  mode: 'w',
  title: 'Collect the writes in a stream',
  note: 'The stream writes when its buffer is full and when it is closed. A full disk is noticed then, at the latest by fclose.',
  price: 'up to 64 KiB are lost if the program is killed, a full disk is noticed as much later',
  reason: 'threads, signals and error checks may need each write at once',
};

const READS: Direction = {
  call: 'read',
  flags: /^(O_(RDONLY|CLOEXEC)|[\s|()])+$/,
  mode: 'r',
  title: 'Read through a stream',
  note: 'The stream reads 64 KiB at once and hands out what is asked for.',
  price: 'what another program writes to the file meanwhile may be seen up to 64 KiB later',
  reason: 'threads, signals and error checks may need each read by itself',
};

export function collectWrites(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  return throughStream(WRITES, request, sources);
}

export function readAhead(request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  return throughStream(READS, request, sources);
}

function throughStream(direction: Direction, request: FixRequest, sources: FixSources): Repair | Refusal | undefined {
  const { main, all } = sources;
  const { title, note, price, reason, call, flags } = direction;
  const [transfer] = callsOnLine(main, request.place.line, [call]).filter(({ operands }) => operands.length === 3);
  if (transfer === undefined) return undefined;
  const use = request.threaded ? undefined : onlyUse(reachOf(request, sources), transfer, flags);
  const isKnown =
    use !== undefined &&
    (call === 'write' || request.plainFiles) &&
    isClosedWorld(request, all, ['open', 'close', 'write', 'read']) &&
    isOnlyFile(all, use.open) &&
    request.touchedAt.every(({ file }) => all.some((source) => source.file === file));
  const edits = use === undefined || !isKnown ? undefined : streamEdits(main, use, direction);
  if (edits === undefined) return { title, note, reason };
  return { title: `${title} (${price})`, note, edits, method: 'buffered stream', kind: 'trade' };
}

const NAMES: Readonly<Record<Direction['call'], readonly string[]>> = {
  write: ['out', 'stream', 'collected'],
  read: ['in', 'stream', 'ahead'],
};

/** undefined where the function may be left without a close, or an error would be told to nobody. */
function streamEdits(main: ParsedSource, use: OnlyUse, direction: Direction): SourceEdit[] | undefined {
  const { scope, declaration, name, test, check, transfers, closes } = use;
  const taken = new Set(identifiersIn(scope));
  const stream = NAMES[direction.call].find((candidate) => !taken.has(candidate));
  if (stream === undefined || taken.has('buffer') || !isAlwaysClosed(use)) return undefined;
  const isMissing = test === undefined ? `${stream} != NULL && ` : '';
  const changes = transfers.map((transfer) => transferEdit(main, transfer, { stream, isMissing, check, direction }));
  if (changes.includes(undefined)) return undefined;
  const areAsked =
    direction.call === 'write' && transfers.some(({ node }) => node.parent?.type !== 'expression_statement');
  if (areAsked && check === undefined && !closes.every((close) => isAsked(close) || followsFailure(close)))
    return undefined;
  const indent = indentOf(main, declaration);
  const lines = (...all: readonly string[]): string => all.map((line) => `\n${indent}${line}`).join('');
  const opened = `FILE *${stream} = ${name} < 0 ? NULL : fdopen(${name}, "${direction.mode}");`;
  const buffered = `setvbuf(${stream}, buffer, _IOFBF, sizeof buffer);`;
  const behind =
    test === undefined
      ? [
          insertAt(
            main,
            declaration.endIndex,
            lines('char buffer[65536];', opened, `if (${stream} != NULL) ${buffered}`),
          ),
        ]
      : [
          insertAt(main, declaration.endIndex, lines('char buffer[65536];', opened)),
          insertAt(main, ancestorOfType(test, ['if_statement'])!.endIndex, lines(buffered)),
          replace(main, test, `${stream} == NULL`),
        ];
  return [
    ...includeEdit(main),
    ...behind,
    ...changes.flatMap((change) => change ?? []),
    ...closes.map((close) => closeEdit(main, close, stream, use, direction)),
  ];
}

function includeEdit(main: ParsedSource): SourceEdit[] {
  if (/^\s*#\s*include\s*<(stdio\.h|cstdio)>/m.test(main.text)) return [];
  const [first] = main.tree.rootNode.descendantsOfType('preproc_include');
  return [insertAt(main, first?.startIndex ?? 0, '#include <stdio.h>\n')];
}

/** What a checked transfer would have told is told by a checked close. */
function closeEdit(
  main: ParsedSource,
  close: FunctionCall,
  stream: string,
  { test, check }: OnlyUse,
  direction: Direction,
): SourceEdit {
  const closing = `fclose(${stream})`;
  const isStatement = close.node.parent?.type === 'expression_statement';
  if (!isStatement)
    return replace(main, close.node, test === undefined ? `(${stream} == NULL ? -1 : ${closing})` : closing);
  const checked = check !== undefined && direction.call === 'write' ? `${check}(${closing} == 0)` : closing;
  return replace(main, close.node, test === undefined ? `if (${stream} != NULL) ${checked}` : checked);
}

/** Whether the result of a call is looked at. */
function isAsked({ node }: FunctionCall): boolean {
  return node.parent?.type !== 'expression_statement' && node.parent?.type !== 'cast_expression';
}

/** A close in the branch of a write that failed: what it says makes nothing worse. */
function followsFailure({ node }: FunctionCall): boolean {
  const test = ancestorOfType(node, ['if_statement']);
  const condition = test?.childForFieldName('condition');
  return !!condition && callsOf(condition, new Set(['write'])).length > 0;
}

interface Transfer {
  readonly stream: string;
  /** `out != NULL && ` where nobody has asked yet. */
  readonly isMissing: string;
  readonly check: string | undefined;
  readonly direction: Direction;
}

/** `write(fd, p, n)` alone; `write(fd, p, n) != n` or `write(fd, p, n) < 0` as a whole condition; `check(write(fd, p, n) == n)`. */
function transferEdit(
  main: ParsedSource,
  { node, operands }: FunctionCall,
  { stream, isMissing, check, direction }: Transfer,
): SourceEdit | undefined {
  const [, data, size] = operands;
  if (!isPure(data!) || !isPure(size!)) return undefined;
  const call = `f${direction.call}(${data!.text}, 1, ${size!.text}, ${stream})`;
  const { parent } = node;
  if (parent?.type === 'expression_statement') return replace(main, node, call);
  if (parent?.type !== 'binary_expression' || parent.childForFieldName('left')?.id !== node.id) return undefined;
  const asked = parent.childForFieldName('operator')!.text + plainSize(parent.childForFieldName('right')!.text);
  const plain = plainSize(size!.text);
  const whole = /^(\(size_t\)|sizeof\b)/.test(size!.text) ? size!.text : `(size_t)${sizeOperand(size!)}`;
  if (check !== undefined)
    return asked === `==${plain}` ? replace(main, parent, `${isMissing}${call} == ${whole}`) : undefined;
  const isWhole = ['parenthesized_expression', 'condition_clause'].includes(parent.parent?.type ?? '');
  const branch = parent.parent?.parent?.childForFieldName('consequence');
  if (!isWhole || parent.parent?.parent?.type !== 'if_statement' || !leaves(branch)) return undefined;
  // Of a read that failed and one that came to the end of the file only the read itself tells which.
  const known = [`!=${plain}`, `<${plain}`, ...(direction.call === 'write' ? ['<0', '==-1'] : [])];
  return known.includes(asked) ? replace(main, parent, `${call} != ${whole}`) : undefined;
}

function plainSize(text: string): string {
  return text.replaceAll(/\s|\((ssize_t|size_t|int|long)\)/g, '').replace(/^\((.*)\)$/, '$1');
}

function sizeOperand({ type, text }: Node): string {
  return ['identifier', 'number_literal', 'parenthesized_expression'].includes(type) ? text : `(${text})`;
}
