import { ExpressionError } from './expression-error.ts';

/** A piece of an expression: `at` counts characters from 0. */
export type Token =
  | { readonly kind: 'number'; readonly text: string; readonly at: number; readonly value: number }
  | { readonly kind: 'name' | 'sign'; readonly text: string; readonly at: number };

const PIECE = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(KiB|MiB|GiB|TiB)?(?![\w.])|([A-Za-z_]\w*)|([-+*/%()]))/y;
const UNITS: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** @throws ExpressionError at the first character that begins no number, name or sign. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  while (text.slice(end).trim() !== '') {
    PIECE.lastIndex = end;
    const match = PIECE.exec(text);
    if (match === null) {
      const at = end + text.slice(end).search(/\S/);
      throw new ExpressionError(`"${text}": "${text[at]!}" at character ${at + 1} is no part of an expression`);
    }
    end = PIECE.lastIndex;
    const [all, number, unit, name, sign] = match;
    const piece = all.trimStart();
    const at = end - piece.length;
    if (number !== undefined)
      tokens.push({ kind: 'number', text: piece, at, value: Number(number) * (unit === undefined ? 1 : UNITS[unit]!) });
    else tokens.push({ kind: name === undefined ? 'sign' : 'name', text: name ?? sign!, at });
  }
  return tokens;
}
