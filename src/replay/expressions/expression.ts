/**
 * Numbers of a replay program as the DIOS paper has them (section 6): expressions of SIZE, RANK, variables of the series
 * around them, and environment variables. Whole numbers behave as in C: `/` cuts towards zero, `%` has the sign of its
 * left side; each result must stay within ±(2^53 − 1). `4KiB`, `1MiB` and `2GiB` are numbers too. Nothing is run:
 * a text becomes a tree, the tree a number.
 */
import { ExpressionError } from './expression-error.ts';
import { tokensOf, type Token } from './tokens.ts';

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'negate'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression };

export type Operator = '+' | '-' | '*' | '/' | '%';

/** Of brackets and signs within each other: more is no number that a person or a recording wrote. */
const DEEPEST = 64;
const LONGEST = 1000;

/** How strongly operators bind. */
const STRENGTH: Readonly<Record<Operator, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2 };

/** @throws ExpressionError naming the text, the place in it and what was expected there. */
export function parseExpression(text: string): Expression {
  if (text.length > LONGEST)
    throw new ExpressionError(`an expression of ${text.length} characters: ${LONGEST} are the most`);
  const parser = new Parser(text, tokensOf(text));
  const parsed = parser.sum(1, 0);
  parser.end();
  return parsed;
}

class Parser {
  private next = 0;

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
  ) {}

  /** Operands joined by operators that bind at least so strongly, from the left. */
  sum(strength: number, depth: number): Expression {
    let left = this.operand(depth);
    for (;;) {
      const operator = this.operatorAhead();
      if (operator === undefined || STRENGTH[operator] < strength) return left;
      this.next++;
      left = { kind: 'binary', operator, left, right: this.sum(STRENGTH[operator] + 1, depth + 1) };
    }
  }

  end(): void {
    const token = this.tokens[this.next];
    if (token !== undefined) this.fail(token, 'an operator or the end');
  }

  private operand(depth: number): Expression {
    const token = this.tokens[this.next++];
    if (depth > DEEPEST) throw new ExpressionError(`"${this.text}" is nested more than ${DEEPEST} deep`);
    if (token?.kind === 'number') return { kind: 'number', value: token.value };
    if (token?.kind === 'name') return { kind: 'variable', name: token.text };
    if (token?.text === '-') return { kind: 'negate', of: this.operand(depth + 1) };
    if (token?.text === '+') return this.operand(depth + 1);
    if (token?.text !== '(') return this.fail(token, 'a number, a variable or "("');
    const inner = this.sum(1, depth + 1);
    const closing = this.tokens[this.next++];
    if (closing?.text !== ')') this.fail(closing, '")"');
    return inner;
  }

  private operatorAhead(): Operator | undefined {
    const token = this.tokens[this.next];
    return token?.kind === 'sign' && token.text in STRENGTH ? (token.text as Operator) : undefined;
  }

  private fail(token: Token | undefined, expected: string): never {
    const place = token === undefined ? 'at the end' : `at character ${token.at + 1} ("${token.text}")`;
    throw new ExpressionError(`"${this.text}": ${expected} is expected ${place}`);
  }
}
