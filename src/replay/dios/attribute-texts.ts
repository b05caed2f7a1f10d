import { checkPath, piecesOf } from '../expressions/path-template.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { parseExpression } from '../expressions/expression.ts';
import type { NumberText } from '../program.ts';
import { OPEN_WORDS, type AttributeKind, type AttributeRule } from './dialect.ts';

/** The text of a field in an attribute. @throws RangeError for a value that the dialect has no words for. */
export function attributeText(rule: AttributeRule, value: unknown): string {
  const { kind } = rule;
  switch (kind.is) {
    case 'number':
    case 'slot':
    case 'path':
    case 'text':
      return String(value);
    case 'numbers':
      return (value as readonly NumberText[]).map(String).join(', ');
    case 'ranks':
    case 'communicator':
      return value === 'self' ? value : (value as readonly number[]).join(',');
    case 'yes-no':
      return value === true ? 'yes' : 'no';
    case 'open-mode':
      return openModeText(value as number);
    case 'choice': {
      const word = Object.entries(kind.choices).find(([, its]) => its === value)?.[0];
      if (word === undefined) throw new RangeError(`${rule.field} cannot be ${String(value)}`);
      return word;
    }
  }
}

function openModeText(mode: number): string {
  const words = OPEN_WORDS.filter(([, bits], index) => (index < 3 ? (mode & 3) === bits : (mode & bits) === bits));
  const bits = words.reduce((all, [, its]) => all | its, 0);
  if (words.length === 0 || bits !== mode) throw new RangeError(`0${mode.toString(8)} is no mode of open`);
  return words.map(([word]) => word).join(' ');
}

/** The field for an attribute's text. @throws RangeError or ExpressionError saying what was expected. */
export function attributeValue(kind: AttributeKind, text: string): unknown {
  switch (kind.is) {
    case 'number':
      return numberValue(text, kind.least, kind.decimals);
    case 'numbers':
      return text.split(',').map((part) => numberValue(part.trim(), undefined, undefined));
    case 'slot':
      return wholeNumber(text, 'the number of a file');
    case 'path':
      return pathValue(text);
    case 'text':
      if (text === '') throw new RangeError('a text is expected');
      return text;
    case 'ranks':
    case 'communicator':
      if (text === 'self' && kind.is === 'communicator') return text;
      return text.split(',').map((part) => wholeNumber(part.trim(), 'a list of ranks'));
    case 'yes-no':
      return choice({ yes: true, no: false }, text);
    case 'open-mode':
      return openModeValue(text);
    case 'choice':
      return choice(kind.choices, text);
  }
}

function numberValue(text: string, least: number | undefined, decimals: true | undefined): NumberText {
  const value = Number(text);
  const isPlain = text.trim() !== '' && String(value) === text.trim();
  if (!isPlain) {
    parseExpression(text);
    return text;
  }
  if (decimals !== true && !Number.isSafeInteger(value))
    throw new RangeError(`${text} is ${Number.isInteger(value) ? 'beyond 2^53 − 1' : 'no whole number'}`);
  if (!Number.isFinite(value) || (least !== undefined && value < least))
    throw new RangeError(`${text} is out of range: ${least ?? 0} or more is expected`);
  return value;
}

function wholeNumber(text: string, what: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`"${text}": ${what} is expected`);
  return Number(text);
}

function pathValue(text: string): string {
  const pieces = piecesOf(text);
  for (const piece of pieces) if (typeof piece !== 'string') parseExpression(piece.expression);
  // What numbers stand for cannot lead out of the folder; what stands around them can.
  checkPath(pieces.map((piece) => (typeof piece === 'string' ? piece : '0')).join(''));
  return text;
}

function choice(choices: Readonly<Record<string, unknown>>, text: string): unknown {
  if (Object.hasOwn(choices, text)) return choices[text];
  throw new RangeError(`"${text}": one of ${Object.keys(choices).join(', ')} is expected`);
}

function openModeValue(text: string): number {
  const words = text.split(/[\s,|]+/).filter((word) => word !== '');
  let mode = 0;
  let accesses = 0;
  for (const word of words) {
    const index = OPEN_WORDS.findIndex(([its]) => its === word);
    if (index < 0)
      throw new RangeError(`"${word}" is no word of a mode: ${OPEN_WORDS.map(([its]) => its).join(', ')} are`);
    if (index < 3) accesses++;
    mode |= OPEN_WORDS[index]![1];
  }
  if (accesses !== 1) throw new RangeError(`"${text}": one of read, write, readwrite is expected`);
  return mode;
}

/** @throws ExpressionError for a text that names no ranks, whatever SIZE is. */
export function checkRanks(text: string): string {
  if (text.trim() === 'all') return text;
  for (const part of text.split(',')) {
    const bounds = part.split('..');
    if (bounds.length > 2) throw new ExpressionError(`the ranks "${text}": FROM..TO is expected`);
    for (const bound of bounds) parseExpression(bound);
  }
  return text;
}
