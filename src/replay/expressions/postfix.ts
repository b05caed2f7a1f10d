import type { NumberText } from '../program.ts';
import { bindNumber, type Names } from './evaluate.ts';
import { parseExpression, type Expression } from './expression.ts';

/**
 * A number for an engine that is no JavaScript: operands before operators, separated by commas, with all names as numbers
 * but the iterations of the series around it, which are `$0`, `$1`, … from the outermost. `n` turns the sign.
 * @throws ExpressionError for a wrong text, or a name that means nothing here.
 */
export function postfixOf(number: NumberText, names: Names): string {
  // Checks it, and gives its value where it has one.
  const bound = bindNumber(number, names);
  if (typeof number === 'number') return String(bound([]));
  return piecesOf(parseExpression(number), names).join(',');
}

function piecesOf(tree: Expression, names: Names): string[] {
  switch (tree.kind) {
    case 'number':
      return [String(tree.value)];
    case 'variable': {
      const loop = names.series.lastIndexOf(tree.name);
      return [loop >= 0 ? `$${loop}` : String(bindNumber(tree.name, names)([]))];
    }
    case 'negate':
      return [...piecesOf(tree.of, names), 'n'];
    case 'binary':
      return [...piecesOf(tree.left, names), ...piecesOf(tree.right, names), tree.operator];
  }
}
