import type { Node } from 'web-tree-sitter';
import type { FixSources } from '../c/descriptors.ts';
import { indentOf, insertAt } from '../c/syntax.ts';
import type { FixRequest, Refusal, Repair } from '../fix.ts';
import { touchesElsewhere } from '../recorded-touch.ts';
import { lineEnd, ownLines, remove } from '../statement-lines.ts';
import { fullName, happensBeside, namesOfProgram, unknownCall, type ProgramNames } from './calls.ts';
import {
  boundNames,
  calleeOf,
  hasTurns,
  keywordsOf,
  namesIn,
  nodesOn,
  operandsOf,
  PYTHON,
  statementsOf,
} from './syntax.ts';

const QUESTIONS = /^os\.path\.(exists|isfile|isdir|getsize|getmtime)$/;
/** Methods that move what a file holds. */
const MOVES = new Set(['write', 'writelines', 'writerow', 'writerows', 'writeheader', 'flush', 'close', 'truncate']);

/** `there = os.path.exists(path)` as the first statement of a loop that does nothing to files: in front of it. */
export function askOutsideLoop(request: FixRequest, { main: source, all }: FixSources): Repair | Refusal | undefined {
  const [statement] = nodesOn(source, request.place.line, ['expression_statement']);
  const loop = statement?.parent?.parent;
  if (statement === undefined || loop?.type !== 'for_statement' || loop.text.startsWith('async')) return undefined;
  const body = loop.childForFieldName('body');
  const code = statementsOf(body);
  const assignment = statement.namedChildren[0];
  const [name, call] = ['left', 'right'].map((field) => assignment?.childForFieldName(field));
  const lines = ownLines(source, PYTHON, statement);
  const names = namesOfProgram(all);
  if (statement.parent?.id !== body?.id || code[0]?.id !== statement.id || code.length < 2) return undefined;
  if (assignment?.type !== 'assignment' || name?.type !== 'identifier' || call?.type !== 'call') return undefined;
  if (!QUESTIONS.test(fullName(call, names.imported)) || lines === undefined || statement.text.includes('\n'))
    return undefined;
  // Where the loop makes no turn, the name keeps what it stood for.
  if (!hasTurns(loop.childForFieldName('right')!)) return undefined;
  const title = 'Ask once, in front of the loop';
  const note = 'The answer is kept: nothing in the loop changes the file or what is known of it.';
  const reason =
    touchesElsewhere(request, all) ??
    request.unseen ??
    happensBeside(names) ??
    (isSteady(loop, statement, { name, call, names })
      ? undefined
      : 'the loop may change the file, its name or the answer');
  if (reason !== undefined) return { title, note, reason };
  return {
    title: `${title} (what another program does to the file meanwhile is not noticed)`,
    note,
    edits: [
      insertAt(source, loop.startIndex, `${statement.text}${lineEnd(source)}${indentOf(source, loop)}`),
      remove(source, lines),
    ],
    method: 'asked once',
    kind: 'trade',
  };
}

interface Question {
  readonly name: Node;
  readonly call: Node;
  readonly names: ProgramNames;
}

/** Whether the loop only computes, and binds neither what it asks with nor the answer. */
function isSteady(loop: Node, statement: Node, { name, call, names }: Question): boolean {
  const [path, ...more] = operandsOf(call);
  if (path === undefined || more.length > 0 || keywordsOf(call).size > 0) return false;
  if (!['identifier', 'string'].includes(path.type) || /^[fF]/.test(path.text)) return false;
  const shared = loop.tree.rootNode.descendantsOfType(['global_statement', 'nonlocal_statement']).flatMap(namesIn);
  const rest = [...loop.childForFieldName('body')!.namedChildren.filter(({ id }) => id !== statement.id)];
  const head = [loop.childForFieldName('left')!, loop.childForFieldName('right')!];
  const alternative = loop.childForFieldName('alternative');
  const bound = new Set(
    [...rest, ...(alternative === null ? [] : [alternative])].flatMap((node) => [...boundNames(node)]),
  );
  for (const one of namesIn(head[0]!)) bound.add(one);
  if ([name.text, ...namesIn(path)].some((one) => bound.has(one) || shared.includes(one))) return false;
  if (namesIn(head[1]!).includes(name.text)) return false;
  return [...rest, head[1]!].every((node) => {
    const calls = [...(node.type === 'call' ? [node] : []), ...node.descendantsOfType('call')];
    // A function of the program may do anything, and an open makes a file.
    const isPlain = calls.every((each) => {
      const callee = calleeOf(each).split('.').at(-1)!;
      return callee !== 'open' && !MOVES.has(callee) && !names.functions.has(callee) && !names.classes.has(callee);
    });
    return (
      isPlain && node.descendantsOfType(['yield', 'await']).length === 0 && unknownCall(node, names, []) === undefined
    );
  });
}
