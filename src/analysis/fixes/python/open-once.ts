import type { Node } from 'web-tree-sitter';
import type { FixSources } from '../c/descriptors.ts';
import { ancestorOfType, indentOf, insertAt, type ParsedSource } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair, SourceEdit } from '../fix.ts';
import { needsFileNow } from './files.ts';
import {
  boundNames,
  calleeOf,
  hasTurns,
  keywordsOf,
  LOOPS,
  namesIn,
  nodesOn,
  operand,
  operandsOf,
  plainString,
  soleCall,
  statementsOf,
} from './syntax.ts';
import { lineEnd } from '../statement-lines.ts';

/**
 * `with open(path, 'a') as file:` as all that a loop does: the loop goes into it. A flush at the end of each turn does what
 * the close did: the records are in the file, and errors are told.
 */
export function openOutsideLoop(request: FixRequest, { main: source, all }: FixSources): Repair | Refusal | undefined {
  const inner = nodesOn(source, request.place.line, ['with_statement'])[0];
  const loop = inner?.parent?.parent;
  const body = inner?.childForFieldName('body');
  if (inner === undefined || loop?.type !== 'for_statement' || body === null || body === undefined) return undefined;
  const clause = inner.namedChildren.find(({ type }) => type === 'with_clause');
  const items = clause?.namedChildren ?? [];
  const call = items[0]?.descendantsOfType('call')[0];
  const alias = items[0]?.descendantsOfType('as_pattern_target')[0]?.text;
  if (items.length !== 1 || call === undefined || alias === undefined || calleeOf(call) !== 'open') return undefined;
  if (!/^ab?t?$/.test(plainString(operand(call, 1, 'mode')) ?? '') || !isSole(loop, body)) return undefined;
  const edits = exchanged(source, loop, inner);
  if (edits === undefined || !isSteady(loop, call, alias)) return undefined;
  const title = 'Open the file once, around the loop';
  const note = 'A flush at the end of each turn does what closing it did: the records are in the file.';
  const reason = needsFileNow(request, [{ call, region: [loop], name: alias }], all);
  if (reason !== undefined) return { title, note, reason };
  const last = statementsOf(body).at(-1)!;
  const flush = `${lineEnd(source)}${indentOf(source, last)}${alias}.flush()`;
  const mayBeEmpty = !hasTurns(loop.childForFieldName('right')!);
  return {
    title: `${title} (${mayBeEmpty ? 'where it makes no turn, a file of 0 B is left; ' : ''}a file that another program removes or replaces meanwhile is not noticed)`,
    note,
    edits: [
      ...edits,
      ...(soleCall(last)?.text === `${alias}.flush()` ? [] : [insertAt(source, endOf(source, last), flush)]),
    ],
    method: 'opened once',
    kind: 'trade',
  };
}

/** Whether a `with` is all of a loop, and each of its turns comes to the end of the `with`. */
function isSole(loop: Node, body: Node): boolean {
  const jumps = body
    .descendantsOfType('continue_statement')
    .some((node) => ancestorOfType(node, LOOPS)?.id === loop.id);
  const leaves = loop.descendantsOfType(['return_statement', 'yield', 'await', 'raise_statement']).length > 0;
  return (
    !jumps &&
    !leaves &&
    !loop.text.startsWith('async') &&
    loop.childForFieldName('body')!.namedChildCount === 1 &&
    loop.childForFieldName('alternative') === null
  );
}

/** The two heads change places; the lines below keep their depth. */
function exchanged(source: ParsedSource, loop: Node, inner: Node): SourceEdit[] | undefined {
  const headOf = (node: Node): string =>
    source.text.slice(node.startIndex, node.children.find(({ type }) => type === ':')!.endIndex);
  const [outerHead, innerHead] = [headOf(loop), headOf(inner)];
  const own = inner.childForFieldName('body')!;
  if (outerHead.includes('\n') || innerHead.includes('\n')) return undefined;
  // What stands behind the colon has no line of its own, nor has what is parted by a semicolon.
  if (own.startPosition.row === inner.startPosition.row || own.text.includes(';')) return undefined;
  if (inner.startPosition.row === loop.startPosition.row) return undefined;
  if (loop.namedChildren.some(({ type }) => type === 'comment')) return undefined;
  const text = `${innerHead}${lineEnd(source)}${indentOf(source, inner)}${outerHead}`;
  return [{ file: source.file, start: loop.startIndex, end: inner.startIndex + innerHead.length, text }];
}

/** Behind a comment on a node's last line. */
function endOf({ text }: ParsedSource, node: Node): number {
  const newline = text.indexOf('\n', node.endIndex);
  const end = newline < 0 ? text.length : newline;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** Whether an open means the same file in every turn, nobody else names the file, and its name is not wanted outside. */
function isSteady(loop: Node, call: Node, alias: string): boolean {
  const bound = boundNames(loop);
  const path = operandsOf(call)[0];
  // A member could get another value in any function.
  if (path === undefined || !['identifier', 'string'].includes(path.type)) return false;
  const shared = loop.tree.rootNode.descendantsOfType(['global_statement', 'nonlocal_statement']).flatMap(namesIn);
  if (namesIn(path).some((name) => bound.has(name) || shared.includes(name))) return false;
  if ([...keywordsOf(call).keys()].some((name) => !['mode', 'encoding', 'newline', 'errors'].includes(name)))
    return false;
  const head = [loop.childForFieldName('left')!, loop.childForFieldName('right')!].flatMap(namesIn);
  if (operandsOf(call).length > 2 || head.includes(alias)) return false;
  const body = ancestorOfType(call, ['with_statement'])!.childForFieldName('body')!;
  const closes = body.descendantsOfType('call').some((each) => calleeOf(each) === `${alias}.close`);
  return !boundNames(body).has(alias) && !closes && mentions(loop, path) === 1;
}

/** How often a piece of code has the same expression. */
function mentions(root: Node, expression: Node): number {
  return root
    .descendantsOfType(expression.type)
    .filter(({ id, text, parent }) => text === expression.text && parent?.childForFieldName('attribute')?.id !== id)
    .length;
}
