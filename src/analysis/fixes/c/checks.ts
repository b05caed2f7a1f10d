import type { Node } from 'web-tree-sitter';
import { isCode } from './counted-loop.ts';
import { macroValue } from './declarations.ts';
import { parametersOf } from './holders.ts';
import { callsOf, functionName, squeezed, type ParsedSource } from './syntax.ts';
import { nodesOf } from '../tree-nodes.ts';

const ENDS = new Set(['exit', '_exit', 'abort']);

/** Whether a statement is a call that ends the program, and nothing else. */
export function endsProgram(statement: Node | null | undefined): boolean {
  if (statement?.type !== 'expression_statement') return false;
  return callsOf(statement, ENDS).some(({ node }) => node.parent?.id === statement.id);
}

/** `void check(int sound) { if (!sound) { …; exit(1); } }`: a function of the program that does nothing else. */
export function isCheck(name: string, all: readonly ParsedSource[]): boolean {
  const named = all
    .flatMap(({ tree }) => nodesOf(tree.rootNode, ['function_definition']))
    .filter((node) => functionName(node) === name);
  const [definition] = named;
  if (definition === undefined || named.length > 1 || macroValue(name, all) !== undefined) return false;
  const [parameter, ...more] = parametersOf(definition);
  const declared = /^(?:int|bool|_Bool) (\w+)$/.exec(parameter?.text ?? '')?.[1];
  const [only, ...others] = definition.childForFieldName('body')?.namedChildren.filter(isCode) ?? [];
  if (declared === undefined || more.length > 0 || only?.type !== 'if_statement' || others.length > 0) return false;
  const branch = only.childForFieldName('consequence');
  const isAsked = squeezed(only.childForFieldName('condition')?.text ?? '') === `(!${declared})`;
  if (!isAsked || branch === null || only.childForFieldName('alternative') !== null) return false;
  const last = branch.type === 'compound_statement' ? branch.namedChildren.findLast(isCode) : branch;
  return endsProgram(last);
}
