import type { Node } from 'web-tree-sitter';
import { isClosedWorld } from './closed-world.ts';
import { declarationsOf } from './declarations.ts';
import type { FixSources } from './descriptors.ts';
import { isRemovable } from './placement.ts';
import {
  callsOf,
  enclosingFunction,
  removeStatement,
  squeezed,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';

/** Streams that are read and were given no buffer, or one that holds next to nothing. */

/** Bytes: less than what a stream takes by itself. */
const SMALL = 1024;
const KNOWN = 'rdbuf pubsetbuf read gcount seekg tellg eof fail good reinterpret_cast static_cast unlink'.split(' ');

/** `char buffer[64]; setvbuf(in, buffer, _IOFBF, sizeof buffer);`: the declaration of the buffer, which goes as well. */
export function smallBuffer({ name, operands, node }: FunctionCall): Node | undefined {
  const [, buffer, mode, size] = operands;
  const scope = enclosingFunction(node);
  if (name !== 'setvbuf' || mode?.text !== '_IOFBF' || buffer?.type !== 'identifier' || scope === null)
    return undefined;
  const declaration = scope
    .descendantsOfType('declaration')
    .find((one) => new RegExp(String.raw`^(static )?char ${buffer.text}\[\d+\];$`).test(one.text));
  const bytes = Number(/\[(\d+)\]/.exec(declaration?.text ?? '')?.[1] ?? NaN);
  const isWhole = [`sizeof${buffer.text}`, `sizeof(${buffer.text})`, String(bytes)].includes(
    squeezed(size?.text ?? ''),
  );
  const uses = scope.descendantsOfType('identifier').filter(({ text }) => text === buffer.text);
  const isOnly = uses.length === (size?.text === String(bytes) ? 2 : 3);
  return bytes <= SMALL && isWhole && isOnly && isRemovable(declaration) ? declaration : undefined;
}

/** `in.rdbuf()->pubsetbuf(nullptr, 0);` of a `std::ifstream` in a program that writes no file. */
export function letInputBuffer(request: FixRequest, { main, all }: FixSources): Repair | Refusal | undefined {
  const row = request.place.line - 1;
  const stream = main.tree.rootNode
    .descendantsOfType('identifier', { row, column: 0 }, { row: row + 1, column: 0 })
    .find((use) => use.startPosition.row === row && isInput(use, all));
  const scope = stream === undefined ? null : enclosingFunction(stream);
  if (request.language !== 'cpp' || stream === undefined || scope === null) return undefined;
  const settings = scope
    .descendantsOfType('expression_statement')
    .filter(({ text }) => /^\w+\.rdbuf\(\)->pubsetbuf\((nullptr|NULL|0),0\);$/.test(squeezed(text)));
  const own = settings.filter(({ text }) => squeezed(text).startsWith(`${stream.text}.`));
  if (own.length !== 1 || !isRemovable(own[0])) return undefined;
  const answer = {
    title: 'Let the stream buffer',
    note: 'The stream was made unbuffered; buffered, it reads 8 KiB at once.',
  };
  if (request.threaded || !isClosedWorld(request, all, KNOWN))
    return { ...answer, reason: 'other code may go on with the file behind what is read' };
  if (!all.every(writesNothing)) return { ...answer, reason: 'the file may be written while it is read' };
  return { ...answer, edits: [removeStatement(main, own[0])], method: 'buffered stream', kind: 'repair' };
}

function isInput(use: Node, all: readonly ParsedSource[]): boolean {
  const declared = declarationsOf(use.text, use, all);
  const isLocal = declared.every(({ holder }) => enclosingFunction(holder) !== null && holder.type === 'declaration');
  return declared.length === 1 && isLocal && /^(std::)?ifstream$/.test(declared[0]!.type) && declared[0]!.depth === 0;
}

function writesNothing({ tree, text }: ParsedSource): boolean {
  if (/\b(basic_)?(o|io)?fstream\b/.test(text.replaceAll(/#\s*include.*/g, ''))) return false;
  return callsOf(tree.rootNode, new Set(['fopen'])).every(({ operands }) => /^"rb?"$/.test(operands[1]?.text ?? ''));
}
