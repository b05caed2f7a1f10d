import type { Node, Tree } from 'web-tree-sitter';
import { groupBy } from '../../../base/grouping.ts';
import { nodesOf } from '../tree-nodes.ts';
import { enclosingFunction, functionName, type ParsedSource } from './syntax.ts';

/** What sources tell about a name: how it is declared, and whether a macro stands behind it. */

export interface Declared {
  /** The type without qualifiers, without blanks. */
  readonly type: string;
  /** How often it can be indexed: the arrays and pointers of its declarator. */
  readonly depth: number;
  readonly isVolatile: boolean;
  readonly isReference: boolean;
  readonly isStatic: boolean;
  /** The declaration, parameter or field. */
  readonly holder: Node;
  readonly name: Node;
  /** The value that the declaration gives. */
  readonly value: Node | null;
}

const HOLDERS = ['declaration', 'parameter_declaration', 'optional_parameter_declaration', 'for_range_loop'];

/**
 * All declarations that a name may mean at a node: those of its function, else those outside of functions and, in C++, the
 * members of classes.
 */
export function declarationsOf(name: string, at: Node, all: readonly ParsedSource[]): Declared[] {
  for (let scope = enclosingFunction(at); scope !== null; scope = enclosingFunction(scope)) {
    const local = scope.descendantsOfType(HOLDERS).flatMap(declaredBy);
    const named = local.filter((one) => one.name.text === name);
    if (named.length > 0) return named;
  }
  const outside = all.flatMap((source) =>
    (outsideOf(source.tree).get(name) ?? []).filter((one) => isVisible(one, source, at)),
  );
  const defined = outside.filter(({ holder, value }) => value !== null || !/^extern\b/.test(holder.text));
  return [...(defined.length > 0 ? defined : outside), ...fieldsOf(name, all)];
}

/** The members of that name of all classes and structs. */
export function fieldsOf(name: string, all: readonly ParsedSource[]): Declared[] {
  return all
    .flatMap(({ tree }) => nodesOf(tree.rootNode, ['field_declaration']))
    .filter(({ text }) => text.includes(name))
    .flatMap(declaredBy)
    .filter((one) => one.name.text === name);
}

/** What is `static` in another source is another variable. */
function isVisible({ holder }: Declared, { file, tree }: ParsedSource, at: Node): boolean {
  return tree === at.tree || isHeader(file) || !/^static\b/.test(holder.text);
}

function isHeader(file: string): boolean {
  return /\.(h|hh|hp|hpp|hxx|h\+\+|inl|ipp|tcc|tpp|txx|cuh)$/i.test(file);
}

const knownOutside = new WeakMap<Tree, ReadonlyMap<string, Declared[]>>();

/** What a file declares outside of functions, by name. */
function outsideOf(tree: Tree): ReadonlyMap<string, Declared[]> {
  let found = knownOutside.get(tree);
  if (found === undefined) {
    const outside = nodesOf(tree.rootNode, ['declaration']).filter((node) => enclosingFunction(node) === null);
    found = groupBy(outside.flatMap(declaredBy), ({ name }) => name.text);
    knownOutside.set(tree, found);
  }
  return found;
}

function declaredBy(holder: Node): Declared[] {
  const type = (holder.childForFieldName('type')?.text ?? '').replaceAll(/\s+/g, ' ');
  const words = holder.namedChildren.filter((child) => /qualifier|specifier/.test(child.type)).map(({ text }) => text);
  return holder.childrenForFieldName('declarator').flatMap((declarator) => {
    let depth = 0;
    let isReference = false;
    let at: Node | null = declarator;
    while (at !== null && !at.type.endsWith('identifier')) {
      if (at.type === 'array_declarator' || at.type === 'pointer_declarator') depth++;
      // A function is no variable, and a pointer to one is no array.
      if (at.type === 'function_declarator') return [];
      if (at.type === 'reference_declarator') isReference = true;
      at = at.childForFieldName('declarator') ?? at.namedChildren.at(-1) ?? null;
    }
    if (at === null) return [];
    const value = declarator.type === 'init_declarator' ? declarator.childForFieldName('value') : null;
    const isVolatile = words.includes('volatile') || /\b(volatile|_Atomic|atomic)\b/.test(`${type} ${declarator.text}`);
    const isStatic = words.some((word) => /^(static|extern|thread_local|_Thread_local)$/.test(word));
    return [{ type, depth, isVolatile, isReference, isStatic, holder, name: at, value }];
  });
}

/** The value of an object-like macro; '' for one with parameters; undefined where the name is no macro of the sources. */
export function macroValue(name: string, all: readonly ParsedSource[]): string | undefined {
  for (const { tree } of all)
    for (const macro of nodesOf(tree.rootNode, ['preproc_def', 'preproc_function_def']))
      if (macro.childForFieldName('name')?.text === name)
        return macro.type === 'preproc_def' ? (macro.childForFieldName('value')?.text.trim() ?? '') : '';
  return undefined;
}

/** Whether a function or a macro of the program has the name: then it is not that of a library. */
export function isOwnName(name: string, all: readonly ParsedSource[]): boolean {
  if (macroValue(name, all) !== undefined) return true;
  return all.some(({ tree }) =>
    nodesOf(tree.rootNode, ['function_definition']).some((one) => functionName(one) === name),
  );
}

/** Whether the address of a variable is taken somewhere in a function. */
export function isAddressed(name: string, scope: Node): boolean {
  return nodesOf(scope, ['pointer_expression']).some(
    (node) => node.child(0)?.text === '&' && node.childForFieldName('argument')?.text === name,
  );
}

/** The identifiers under a node, and the node itself. */
export function identifiersIn(node: Node): string[] {
  return nodesOf(node, ['identifier']).map(({ text }) => text);
}
