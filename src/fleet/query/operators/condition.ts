import { parseSize } from '../sizes.ts';
import { sqlName } from '../sql-text.ts';
import { joined, type SqlPieces } from './sql-pieces.ts';

/**
 * Reads the condition of a filter, such as `bytes_written < 1GB AND (application = 'vasp' OR processes >= 1000)`:
 * columns, numbers, sizes and texts with `+ - * /`, comparisons, IN, LIKE, IS NULL, AND, OR, NOT. Nothing else gets
 * through: names are those of columns, values become parameters.
 * @throws RangeError in words for the user: where it cannot be understood, or which column there is not.
 */
export function parseCondition(text: string, columns: ReadonlySet<string>): SqlPieces {
  return new ConditionParser(text, columns).whole();
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[A-Za-z]*)|([A-Za-z_]\w*)|('(?:[^']|'')*'|"(?:[^"]|"")*")|(<=|>=|<>|!=|==|&&|\|\||[-+*/<>=(),]))/y;

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

/** How strongly each sign binds, and what it is in SQL. */
const SIGNS: Readonly<Record<string, readonly [strength: number, sql: string]>> = {
  or: [1, 'OR'],
  '||': [1, 'OR'],
  and: [2, 'AND'],
  '&&': [2, 'AND'],
  '=': [4, '='],
  '==': [4, '='],
  '!=': [4, '<>'],
  '<>': [4, '<>'],
  '<': [4, '<'],
  '<=': [4, '<='],
  '>': [4, '>'],
  '>=': [4, '>='],
  like: [4, 'LIKE'],
  ilike: [4, 'ILIKE'],
  '+': [5, '+'],
  '-': [5, '-'],
  '*': [6, '*'],
  '/': [6, '/'],
};
const NOT_STRENGTH = 3;
const COMPARISON = 4;
/** Parentheses and signs in front that may stand within each other: no text of a user breaks the stack. */
const DEEPEST = 100;

class ConditionParser {
  private readonly tokens: readonly Token[];
  private next = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly columns: ReadonlySet<string>,
  ) {
    this.tokens = tokensOf(text);
  }

  whole(): SqlPieces {
    const found = this.expression(0);
    if (this.peek.kind !== 'end') throw this.unexpected('AND, OR or the end');
    return found;
  }

  private expression(least: number): SqlPieces {
    if (++this.depth > DEEPEST) throw new RangeError(`"${this.text.slice(0, 60)}…": too deep to be read`);
    let left = this.operand();
    for (;;) {
      const word = this.peek.text.toLowerCase();
      const sign = this.peek.kind === 'name' || this.peek.kind === 'sign' ? SIGNS[word] : undefined;
      if (sign !== undefined && sign[0] > least) {
        this.next++;
        left = ['(', ...left, ` ${sign[1]} `, ...this.expression(sign[0]), ')'];
      } else if (COMPARISON > least && this.isWord('is')) left = this.nullTest(left);
      else if (COMPARISON > least && (this.isWord('in') || this.isWord('not'))) left = this.listTest(left);
      else break;
    }
    this.depth--;
    return left;
  }

  private operand(): SqlPieces {
    const token = this.tokens[this.next++]!;
    switch (token.kind) {
      case 'number':
        return [{ value: this.amount(token) }];
      case 'text':
        return [{ value: unquoted(token.text) }];
      case 'name':
        return this.named(token);
      case 'sign':
        if (token.text === '-') return ['(-', ...this.expression(6), ')'];
        if (token.text === '(') {
          const inner = this.expression(0);
          this.take(')');
          return ['(', ...inner, ')'];
        }
        break;
      case 'end':
        break;
    }
    this.next--;
    throw this.unexpected('a column, a number, a size or a text');
  }

  private named(token: Token): SqlPieces {
    const word = token.text.toLowerCase();
    if (this.columns.has(token.text)) return [sqlName(token.text)];
    if (word === 'not') return ['(NOT ', ...this.expression(NOT_STRENGTH), ')'];
    if (word === 'true' || word === 'false') return [word];
    throw new RangeError(
      `"${this.text}": there is no column ${token.text}; there are ${[...this.columns].join(', ')}.`,
    );
  }

  private nullTest(left: SqlPieces): SqlPieces {
    this.next++;
    const isNot = this.isWord('not');
    if (isNot) this.next++;
    if (!this.isWord('null')) throw this.unexpected('NULL');
    this.next++;
    return ['(', ...left, isNot ? ' IS NOT NULL)' : ' IS NULL)'];
  }

  private listTest(left: SqlPieces): SqlPieces {
    const isNot = this.isWord('not');
    if (isNot) this.next++;
    if (!this.isWord('in')) throw this.unexpected('IN');
    this.next++;
    this.take('(');
    const items = [this.expression(COMPARISON)];
    while (this.peek.text === ',') {
      this.next++;
      items.push(this.expression(COMPARISON));
    }
    this.take(')');
    return ['(', ...left, isNot ? ' NOT IN (' : ' IN (', ...joined(items, ', '), '))'];
  }

  private amount({ text }: Token): number {
    const plain = Number(text);
    const value = Number.isNaN(plain) ? parseSize(text) : plain;
    if (value === undefined)
      throw new RangeError(`"${this.text}": ${text} is neither a number nor a size such as 1GB.`);
    return value;
  }

  private get peek(): Token {
    return this.tokens[this.next]!;
  }

  private isWord(word: string): boolean {
    return this.peek.kind === 'name' && this.peek.text.toLowerCase() === word;
  }

  private take(sign: string): void {
    if (this.peek.kind !== 'sign' || this.peek.text !== sign) throw this.unexpected(sign);
    this.next++;
  }

  private unexpected(expected: string): RangeError {
    const found = this.peek.kind === 'end' ? 'the end' : `"${this.peek.text}" at ${this.peek.at + 1}`;
    return new RangeError(`"${this.text}": ${expected} is expected, not ${found}.`);
  }
}

/** @throws RangeError in words for the user. */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const kinds = ['number', 'name', 'text', 'sign'] as const;
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < end) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new RangeError(`"${text}": "${text.slice(at).trim().slice(0, 20)}" cannot be understood.`);
    const kind = match.slice(1).findIndex((group) => (group as string | undefined) !== undefined);
    tokens.push({ kind: kinds[kind]!, text: match[kind + 1]!, at });
    at = TOKEN.lastIndex;
  }
  return [...tokens, { kind: 'end', text: '', at }];
}

function unquoted(text: string): string {
  const quote = text[0]!;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
