import { endOfDecoration, endOfString, isDigit, unescapeText } from '../../readers/text/bytes.ts';
import { ROLE, SYSTEM_CALLS } from '../../readers/strace/system-calls.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { isPublicWord, OTHER_CALLS } from './public-names.ts';

/** Arguments that are paths, beside those of the reader's table. */
const OTHER_PATHS: Readonly<Record<string, readonly number[]>> = {
  link: [1],
  linkat: [3],
  symlink: [1],
  symlinkat: [0, 2],
  readlink: [1],
  readlinkat: [2],
  getcwd: [0],
};

/** Calls whose results are paths: they stand in the second half of a call that was split. */
const PATH_RESULTS = new Set(['readlink', 'readlinkat', 'getcwd']);

/** Calls whose plain numbers say who a user is. */
const USER_CALLS = /^[fl]?chown(at|32)?$|^[gs]et(re|res|e|fs)?[ug]id(32)?$|^[gs]etgroups/;

/** Numbers behind these names say who a user is. */
const USER_FIELD = /^(st|stx|si)_[ug]id$/;

/** Marks of strace that stand in angle brackets. */
const MARKS = new Set(['unfinished ...', 'detached ...', 'unavailable']);

const COMMENT = /^\/\* ?[A-Z0-9_|x ]*(?:vars?|entries|entry)? ?\*\/$/;

/** Bytes of the syntax between words, numbers, strings and decorations. */
const SYNTAX = new Set(Array.from(' ()[]{},=|&~+-*/.?!', (character) => character.charCodeAt(0)));

export function redactCallName(name: string, pseudonyms: Pseudonyms): string {
  return SYSTEM_CALLS.has(name) || OTHER_CALLS.has(name) || /^syscall_0x[0-9a-f]+$/.test(name)
    ? name
    : pseudonyms.call(name);
}

/**
 * Rewrites what stands behind the `(` (or the `resumed>`) of a call, up to the end of its line. Only what is known to be
 * harmless is copied: numbers, punctuation, words of the kernel. Strings that are paths and decorations become
 * pseudonyms, words of a command line too, all other strings become empty.
 */
export class ArgumentsRedactor {
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;
  private end = 0;
  private out = '';
  private depth = 0;
  private argument = 0;
  private name = '';
  private isResumed = false;

  constructor(private readonly pseudonyms: Pseudonyms) {}

  redact(bytes: Uint8Array, from: number, end: number, name: string, isResumed: boolean): string {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
    this.out = '';
    this.depth = 0;
    this.argument = 0;
    this.name = name;
    this.isResumed = isResumed;
    while (this.at < end) this.step(bytes[this.at]!);
    return this.out;
  }

  private step(byte: number): void {
    if (byte === 34) this.string();
    else if (byte === 60) this.angle();
    else if (byte === 47 && this.bytes[this.at + 1] === 42) this.comment();
    else if (isDigit(byte)) this.number();
    else if (isWordByte(byte)) this.word();
    else this.syntax(byte);
  }

  private syntax(byte: number): void {
    if (byte === 40 || byte === 91 || byte === 123) this.depth++;
    else if (byte === 41 || byte === 93 || byte === 125) this.depth--;
    else if (byte === 44 && this.depth === 0) this.argument++;
    this.out += SYNTAX.has(byte) ? String.fromCharCode(byte) : '?';
    this.at++;
  }

  private string(): void {
    const stop = endOfString(this.bytes, this.at, this.end);
    const isClosed = stop - this.at >= 2 && this.bytes[stop - 1] === 34 && stop <= this.end;
    const text = unescapeText(this.bytes, this.at + 1, isClosed ? stop - 1 : Math.min(stop, this.end));
    this.out += `"${this.stringContent(text)}${isClosed ? '"' : ''}`;
    this.at = Math.min(stop, this.end);
  }

  private stringContent(text: string): string {
    if (this.isPath()) return this.pseudonyms.path(text);
    const isCommandLine = (this.name === 'execve' || this.name === 'execveat') && this.depth > 0;
    return isCommandLine ? this.pseudonyms.word(text) : '';
  }

  private isPath(): boolean {
    if (this.isResumed) return PATH_RESULTS.has(this.name);
    if (this.depth !== 0) return false;
    const role = SYSTEM_CALLS.get(this.name)?.roles[this.argument];
    return role === ROLE.path || role === ROLE.path2 || (OTHER_PATHS[this.name]?.includes(this.argument) ?? false);
  }

  /** A decoration, a duration, a mark of strace, or the operator `<<`. */
  private angle(): void {
    if (this.bytes[this.at + 1] === 60) {
      this.out += '<<';
      this.at += 2;
      return;
    }
    const close = endOfDecoration(this.bytes, this.at, this.end);
    const stop = close < 0 ? this.end : close;
    const text = unescapeText(this.bytes, this.at + 1, stop);
    const isMark = MARKS.has(text) || /^\d+(\.\d+)?$/.test(text);
    this.out += `<${isMark ? text : this.pseudonyms.decoration(text)}${close < 0 ? '' : '>'}`;
    this.at = stop + (close < 0 ? 0 : 1);
  }

  private comment(): void {
    let stop = this.at + 2;
    while (stop < this.end && !(this.bytes[stop - 1] === 42 && this.bytes[stop] === 47 && stop > this.at + 2)) stop++;
    stop = Math.min(stop + 1, this.end);
    const text = latin1(this.bytes, this.at, stop);
    this.out += COMMENT.test(text) ? text : '/* */';
    this.at = stop;
  }

  private number(): void {
    const from = this.at;
    while (this.at < this.end && isNumberByte(this.bytes[this.at]!)) this.at++;
    const text = latin1(this.bytes, from, this.at);
    const isPlain = /^(\d+(\.\d+)?|0[xX][0-9a-fA-F]+)$/.test(text);
    // The descriptor of a chown is no user.
    const isUser = USER_CALLS.test(this.name) && this.bytes[this.at] !== 60;
    this.out += isUser ? '0' : isPlain ? text : '0';
  }

  private word(): void {
    const from = this.at;
    while (this.at < this.end && (isWordByte(this.bytes[this.at]!) || isDigit(this.bytes[this.at]!))) this.at++;
    const word = latin1(this.bytes, from, this.at);
    this.out += isPublicWord(word) ? word : /^[A-Z]/.test(word) ? 'X' : 'x';
    if (USER_FIELD.test(word) && this.bytes[this.at] === 61) this.userNumber();
    else if (/^E[A-Z0-9]+$/.test(word)) this.errorText();
  }

  private userNumber(): void {
    this.at++;
    while (this.at < this.end && isDigit(this.bytes[this.at]!)) this.at++;
    this.out += '=0';
  }

  /** ` (No such file or directory)` behind an error says nothing that the error does not. */
  private errorText(): void {
    if (this.bytes[this.at] !== 32 || this.bytes[this.at + 1] !== 40) return;
    const close = this.bytes.indexOf(41, this.at);
    if (close > 0 && close < this.end) this.at = close + 1;
  }
}

function isWordByte(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95;
}

function isNumberByte(byte: number): boolean {
  return isDigit(byte) || isWordByte(byte) || byte === 46;
}

export function latin1(bytes: Uint8Array, from: number, end: number): string {
  let text = '';
  for (let at = from; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
