import { getOrCreate } from '../../base/grouping.ts';
import { ascii, NEWLINE, RETURN, startsWith } from '../../readers/text/bytes.ts';
import { isFrameLine } from '../../readers/text/frame-lines.ts';
import { LinePrefix } from '../../readers/strace/line-prefix.ts';
import { endsInCutFrame, StackBlocks } from '../../readers/strace/stack-blocks.ts';
import { SummaryTable } from '../../readers/strace/summary-table.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { ArgumentsRedactor, latin1, redactCallName } from './strace-line.ts';

const DUMP = ascii('| ');
const NOTE = ascii('strace: ');
/** What takes the place of a line that is no line of strace: it stays one. */
const UNKNOWN = '? redacted line';

/**
 * Rewrites strace text run by run (see RecordStream). The lines of calls stay lines of the same calls; call stacks are
 * written as they were resolved, with source lines (`strace -kk`): whoever gets the text has not the binaries.
 */
export class StraceRedactor {
  private readonly prefix = new LinePrefix();
  private readonly redactor: ArgumentsRedactor;
  private readonly blocks: StackBlocks;
  private readonly textOfNode = new Map<number, string>();
  private readonly summary = new SummaryTable();
  /** The call that a note was printed into: it goes on in the next line. */
  private interrupted: string | undefined;

  constructor(
    private readonly pseudonyms: Pseudonyms,
    private readonly trace: Trace,
    private readonly resolved: ResolvedStacks,
  ) {
    this.redactor = new ArgumentsRedactor(pseudonyms);
    // The blocks are in the trace already: nothing is added to its stacks.
    this.blocks = new StackBlocks(trace.stacks);
  }

  /** To be called before each file. */
  begin(): void {
    this.summary.begin();
    this.interrupted = undefined;
  }

  /** Rewrites whole records; `end` is the end of a line or of the file. */
  redact(bytes: Uint8Array, start: number, end: number): string {
    const out: string[] = [];
    let at = start;
    while (at < end) {
      if (isFrameLine(bytes, at)) {
        const stop = this.blocks.read(bytes, at, end);
        out.push(this.stack(bytes, at, stop));
        at = stop;
        continue;
      }
      let newline = bytes.indexOf(NEWLINE, at);
      if (newline < 0 || newline > end) newline = end;
      const stop = newline > at && bytes[newline - 1] === RETURN ? newline - 1 : newline;
      out.push(this.line(bytes, at, stop));
      if (newline < end) out.push('\n');
      at = newline + 1;
    }
    return out.join('');
  }

  /** For a line that was too long to be read. */
  skipped(): string {
    return `${UNKNOWN}\n`;
  }

  private line(bytes: Uint8Array, from: number, end: number): string {
    if (from === end || this.summary.holds(bytes, from, end)) return '';
    let start = from;
    while (start < end && bytes[start] === 0) start++;
    const hole = '\0'.repeat(start - from);
    const at = this.prefix.read(bytes, start, end);
    return hole + this.prefixText(bytes, start, at) + this.body(bytes, at, end);
  }

  /** Numbers and punctuation, but for the name of the process (`--decode-pids=comm`). */
  private prefixText(bytes: Uint8Array, from: number, end: number): string {
    const text = latin1(bytes, from, end);
    const open = text.indexOf('<');
    const close = text.lastIndexOf('>');
    if (open < 0 || close < open) return text;
    return `${text.slice(0, open + 1)}${this.pseudonyms.command(text.slice(open + 1, close))}${text.slice(close)}`;
  }

  private body(bytes: Uint8Array, from: number, end: number): string {
    if (from >= end) return '';
    const interrupted = this.interrupted;
    this.interrupted = undefined;
    if (interrupted !== undefined) return this.redactor.redact(bytes, from, end, interrupted, true);
    const text = latin1(bytes, from, Math.min(end, from + 200));
    const call = /^(\w+)\(/.exec(text);
    if (call !== null && /^[A-Za-z_]/.test(call[1]!)) {
      const name = call[1]!;
      return `${redactCallName(name, this.pseudonyms)}(${this.callText(bytes, from + name.length + 1, end, name, false)}`;
    }
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(text);
    if (resumed !== null) {
      const name = resumed[1]!;
      const rest = this.callText(bytes, from + resumed[0].length, end, name, true);
      return `<... ${redactCallName(name, this.pseudonyms)} resumed>${rest}`;
    }
    if (startsWith(bytes, from, end, DUMP)) return '| redacted';
    return otherLine(bytes, from, end, text);
  }

  /** Into a call on a terminal strace prints that it attached to a child: `clone(…strace: Process 9 attached`. */
  private callText(bytes: Uint8Array, from: number, end: number, name: string, isResumed: boolean): string {
    const text = latin1(bytes, Math.max(from, end - 60), end);
    const note = /strace: Process \d+ attached$/.exec(text)?.[0] ?? '';
    if (note !== '') this.interrupted = name;
    return this.redactor.redact(bytes, from, end - note.length, name, isResumed) + note;
  }

  private stack(bytes: Uint8Array, from: number, stop: number): string {
    const isWhole = bytes[stop - 1] === NEWLINE;
    const text = this.stackText(this.blocks.node());
    if (endsInCutFrame(bytes, from, stop)) return `${text} > cut`;
    return isWhole ? text : text.replace(/\n$/, '');
  }

  private stackText(node: number): string {
    if (node === NONE) return ' > redacted\n';
    const text = getOrCreate(this.textOfNode, node, () => this.writtenStack(node));
    return text;
  }

  private writtenStack(innermost: number): string {
    const { stacks } = this.trace;
    const lines: string[] = [];
    for (let node = innermost; node !== NONE; node = stacks.nodeParent.at(node)) {
      const value = stacks.frameValue.at(stacks.nodeFrame.at(node)).toString(16);
      for (const { functionName, file, line, module, isLibrary } of this.resolved.framesOf(node)) {
        const name = this.pseudonyms.functionName(functionName, isLibrary);
        const symbol = name === '' ? '' : `${name}+0x0`;
        const source = line > 0 ? ` ${this.pseudonyms.source(file)}:${line}` : '';
        lines.push(` > ${this.pseudonyms.path(module)}(${symbol}) [0x${value}]${source}\n`);
      }
    }
    return lines.join('');
  }
}

/** Signals, exits and notes, as far as they are nothing else. */
function otherLine(bytes: Uint8Array, from: number, end: number, text: string): string {
  const signal = /^--- (SIG\w+|stopped by SIG\w+)/.exec(text);
  if (signal !== null) return `--- ${signal[1]!} ---`;
  if (text.startsWith('--- ')) return '--- redacted ---';
  const exit =
    /^\+\+\+ (exited with \d+|killed by SIG\w+(?: \(core dumped\))?|superseded by execve in pid \d+) \+\+\+/.exec(text);
  if (exit !== null) return exit[0];
  if (startsWith(bytes, from, end, NOTE)) return /^strace: Process \d+ attached$/.exec(text)?.[0] ?? 'strace: redacted';
  return UNKNOWN;
}
