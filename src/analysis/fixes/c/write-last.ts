import type { Node } from 'web-tree-sitter';
import { askingStatement, conditionOf, JUMPS, KNOWN, looksOnly } from './ask-once.ts';
import { isClosedWorld } from './closed-world.ts';
import { isCode } from './counted-loop.ts';
import { identifiersIn, isAddressed, macroValue, isOwnName } from './declarations.ts';
import type { FixSources } from './descriptors.ts';
import {
  callsOnLine,
  enclosingFunction,
  indentOf,
  insertAt,
  isPure,
  removeStatement,
  type FunctionCall,
  type ParsedSource,
} from './syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';
import { nodesOf } from '../tree-nodes.ts';

/** What may be called in the loop besides: it changes memory alone. */
const MEMORY_ONLY = new Set('memcpy memmove memset strcpy strncpy snprintf sprintf'.split(' '));
const LEAVES = [...JUMPS, 'break_statement', 'return_statement'];

const TITLE = 'Write once, after the loop';
const NOTE = 'Each turn wrote over what the one before had written; the last one stays.';

/** A loop that ends each turn with `pwrite(fd, header, sizeof header, 0)`, over the same bytes: the last of these stays. */
export function writeLast(request: FixRequest, { main, all }: FixSources): Repair | Refusal | undefined {
  const [call, ...more] = callsOnLine(main, request.place.line, ['pwrite', 'pwrite64']);
  if (call === undefined || more.length > 0 || call.operands.length !== 4 || isOwnName(call.name, all))
    return undefined;
  const statement = askingStatement(call, all);
  const loop = statement === undefined ? undefined : loopEndedBy(statement);
  // Where it makes no turn, nothing is written.
  if (statement === undefined || loop === undefined || conditionOf(loop, all) !== '') return undefined;
  const reason = whyNot(request, all, { call, loop, statement });
  if (reason !== undefined) return { title: TITLE, note: NOTE, reason };
  const indent = indentOf(main, loop);
  return {
    title: `${TITLE} (until then the file has what it had before, and keeps it if the program is killed)`,
    note: NOTE,
    edits: [removeStatement(main, statement), insertAt(main, loop.endIndex, `\n${indent}${statement.text}`)],
    method: 'written at once',
    kind: 'trade',
  };
}

function loopEndedBy(statement: Node): Node | undefined {
  const body = statement.parent;
  const loop = body?.parent;
  if (body?.type !== 'compound_statement' || loop?.type !== 'for_statement' || loop.hasError) return undefined;
  const code = body.namedChildren.filter(isCode);
  if (code.at(-1)?.id !== statement.id || code.length < 2 || loop.parent?.type !== 'compound_statement')
    return undefined;
  return loop.previousNamedSibling?.type === 'preproc_call' || /^\s*#/m.test(loop.text) ? undefined : loop;
}

interface Rewrite {
  readonly call: FunctionCall;
  readonly loop: Node;
  readonly statement: Node;
}

function whyNot(request: FixRequest, all: readonly ParsedSource[], rewrite: Rewrite): string | undefined {
  const known = new Set(all.map(({ file }) => file));
  if (request.threaded || !isClosedWorld(request, all, KNOWN))
    return 'a thread, a handler, a child or unknown code may read the file';
  if (request.touchedAt.some(({ file }) => !known.has(file))) return 'something else touches the file';
  return isSteady(rewrite, all) ? undefined : 'a turn may write elsewhere, or not at all';
}

/** Whether each turn comes to the write, and writes to the same place; only memory is changed besides. */
function isSteady({ call, loop, statement }: Rewrite, all: readonly ParsedSource[]): boolean {
  const [file, buffer, size, offset] = call.operands;
  const scope = enclosingFunction(loop);
  const isFixed = [size!, offset!].every(
    (one) =>
      one.type === 'sizeof_expression' || /^\d+[ul]*$/i.test(one.text) || macroValue(one.text, all) !== undefined,
  );
  if (scope === null || file?.type !== 'identifier' || !isPure(buffer!) || !isFixed) return false;
  if (isAddressed(file.text, scope)) return false;
  // What the loop declares is gone behind it, as is its counter.
  const names = new Set(identifiersIn(statement));
  const declared = loop.descendantsOfType('declaration').flatMap((node) => node.childrenForFieldName('declarator'));
  if (declared.some((one) => identifiersIn(one).some((name) => names.has(name)))) return false;
  const base = buffer!.type === 'pointer_expression' ? buffer!.childForFieldName('argument') : buffer;
  if (base?.type !== 'identifier') return false;
  // Through its address, or by a reference, it may come to lead elsewhere.
  const isLed = base.id === buffer!.id && isAddressed(base.text, scope);
  if (isLed || new RegExp(String.raw`&\s*\w+\s*[={(]\s*${base.text}\b`).test(scope.text)) return false;
  const rest = loop.childForFieldName('body')!.namedChildren.filter(({ id }) => id !== statement.id);
  return rest.every(
    (node) =>
      nodesOf(node, LEAVES).length === 0 &&
      nodesOf(node, ['call_expression']).every((each) => changesMemoryOnly(each, all)) &&
      nodesOf(node, ['assignment_expression', 'update_expression']).every((change) => {
        const target = change.childForFieldName('left') ?? change.childForFieldName('argument');
        // A pointer to what is written would lead elsewhere.
        return target?.text !== file.text && target?.text !== base.text;
      }),
  );
}

function changesMemoryOnly(call: Node, all: readonly ParsedSource[]): boolean {
  const name = call.childForFieldName('function')?.text ?? '';
  return (MEMORY_ONLY.has(name) && !isOwnName(name, all)) || looksOnly(call);
}
