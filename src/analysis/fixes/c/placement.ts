import type { Node } from 'web-tree-sitter';
import { LOOPS } from './syntax.ts';

/** Where statements of a C or C++ file stand. */

/** Preprocessor conditions. */
const CONDITIONAL = ['preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif', 'preproc_elifdef'];

/** How a statement stands: among others of a list, or as all that a branch or a loop consists of. */
type Standing = 'listed' | 'sole';

function standingOf(node: Node): Standing | undefined {
  const { parent } = node;
  if (parent === null) return undefined;
  // Behind half a statement under an #if a node may be the other half.
  const before = node.previousNamedSibling;
  if (before !== null && CONDITIONAL.includes(before.type) && before.hasError) return undefined;
  const holds = (field: string): boolean => parent.childForFieldName(field)?.id === node.id;
  if (parent.type === 'compound_statement') return 'listed';
  if (CONDITIONAL.includes(parent.type)) return standingOf(parent) === 'listed' ? 'listed' : undefined;
  if (parent.type === 'case_statement') return holds('value') ? undefined : 'listed';
  if (parent.type === 'labeled_statement') return holds('label') || node.type === 'declaration' ? undefined : 'sole';
  if (parent.type === 'else_clause') return 'sole';
  if (parent.type === 'if_statement') return holds('consequence') ? 'sole' : undefined;
  return LOOPS.includes(parent.type) && holds('body') ? 'sole' : undefined;
}

/** Whether a statement can be taken away: it is one of a block's, and no branch or loop is left without its own. */
export function isRemovable(statement: Node | null | undefined): statement is Node {
  return statement?.parent?.type === 'compound_statement' && standingOf(statement) === 'listed';
}

/** The statement that a node stands in, in front of which another can be put; null outside of functions. */
export function statementOf(node: Node): Node | null {
  for (let at: Node | null = node; at !== null && at.type !== 'function_definition'; at = at.parent)
    if (standingOf(at) !== undefined) return at;
  return null;
}
