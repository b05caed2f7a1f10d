import type { PathText } from '../program.ts';
import { bindNumber, type Bound, type Names } from './evaluate.ts';
import { ExpressionError } from './expression-error.ts';

/** A path that depends on the iterations of the series around it, outermost first. */
type BoundPath = (iterations: readonly number[]) => string;

/** Digits that `{i:4}` may fill up to. */
const MOST_DIGITS = 20;
const LONGEST_PATH = 4095;
const LONGEST_NAME = 255;

/**
 * Binds `dump.{RANK:4}/part{i}`: `{…}` is an expression, `{…:4}` is filled up with zeros to four digits, and `{{` and
 * `}}` are braces.
 * @throws ExpressionError for a wrong text, and when it is evaluated, for a path that leads out of the replay's folder.
 */
export function bindPath(path: PathText, names: Names): BoundPath {
  const pieces = piecesOf(path).map((piece) => {
    if (typeof piece === 'string') return piece;
    return { number: bindNumber(piece.expression, names), digits: piece.digits };
  });
  if (pieces.every((piece) => typeof piece === 'string')) {
    const whole = checkPath(pieces.join(''));
    return () => whole;
  }
  return (iterations) =>
    checkPath(pieces.map((piece) => (typeof piece === 'string' ? piece : filled(piece, iterations))).join(''));
}

function filled({ number, digits }: { number: Bound; digits: number }, iterations: readonly number[]): string {
  return String(number(iterations)).padStart(digits, '0');
}

interface NumberPiece {
  readonly expression: string;
  readonly digits: number;
}

/** The plain texts and the expressions of a template, in order. */
export function piecesOf(path: PathText): (string | NumberPiece)[] {
  const pieces: (string | NumberPiece)[] = [];
  for (const [piece] of path.matchAll(/\{\{|\}\}|\{[^{}]*\}|[^{}]+|[{}]/g)) {
    if (piece === '{{' || piece === '}}') pieces.push(piece[0]!);
    else if (piece === '{' || piece === '}')
      throw new ExpressionError(
        `the path "${path}" has a single "${piece}": write "${piece}${piece}", or an expression in braces`,
      );
    else if (piece.startsWith('{')) pieces.push(numberPiece(piece.slice(1, -1), path));
    else pieces.push(piece);
  }
  return pieces;
}

function numberPiece(text: string, path: PathText): NumberPiece {
  const match = /^([^:]+)(?::(\d{1,3}))?$/.exec(text);
  const digits = Number(match?.[2] ?? 0);
  if (match === null || digits > MOST_DIGITS)
    throw new ExpressionError(`"{${text}}" in the path "${path}": {EXPRESSION} or {EXPRESSION:DIGITS} is expected`);
  return { expression: match[1]!, digits };
}

/** A path as it is, as a template: its braces mean themselves. */
export function literalPath(path: string): PathText {
  return path.replace(/[{}]/g, '$&$&');
}

/** @throws ExpressionError unless the path is one below the replay's folder, by its text. */
export function checkPath(path: string): string {
  const refuse = (why: string): never => {
    throw new ExpressionError(`the path "${path.slice(0, 200)}" ${why}`);
  };
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\'))
    refuse('is absolute: paths are relative to the folder of the replay');
  if (path.includes('\0')) refuse('has a character 0');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) refuse('names no file');
  if (parts.includes('..')) refuse('leaves the folder of the replay by ".."');
  const normal = parts.join('/');
  if (normal.length > LONGEST_PATH || parts.some((part) => part.length > LONGEST_NAME)) refuse('is too long');
  return normal;
}
