import type { DamageKind } from '../../trace/damage.ts';
import { NONE } from '../../trace/events.ts';
import type { SegmentRows } from '../darshan/segment-rows.ts';
import { BLANK } from '../text/bytes.ts';
import { behindLine, contentEnd, CounterRows } from './counter-rows.ts';
import { isAddress } from './numbers.ts';
import type { ModuleRows } from './record-rows.ts';
import { DxtRows, type RowsOwner } from './dxt-rows.ts';
import type { TextRecording } from './text-recording.ts';

const HASH = 35;
const UPPER_A = 65;
const UPPER_Z = 90;
/** Characters of a line that a message shows. */
const SHOWN = 60;

const VERSION = 'darshan log version: ';
const ABOUT_SEGMENTS = 'DXT, ';
const NO_HANDLERS = /^Warning: no log utility handlers defined for module (.+), SKIPPING\./;
const INCOMPLETE = /^\*(WARNING|ERROR)\*: The (.+) module contains incomplete data!/;
/** Rows of `--total` and `--file-list`: sums of what stands in the text anyway. */
const DERIVED = /^(?:total_\w+: |\d+\t)/;
/** What tools say of a damaged log on standard error. */
const TOOL_ERROR = 'Error: ';
/** Rows of Darshan 2, which had other columns: rank, file, counter, value. */
const DARSHAN_2 = /^-?\d+\t\d+\tCP_/;

/** Reads lines of darshan-parser and darshan-dxt-parser into a recording. */
export class OutputLines {
  /** Lines that hold something of a log. */
  understood = 0;
  private fileName = '';
  private line = 0;
  private readonly counters: CounterRows;
  private readonly segments: DxtRows;
  private readonly decoder = new TextDecoder('utf-8');
  /** Output that holds the segments of a module. */
  private readonly outputOf = new Map<RowsOwner['module'], number>();
  /** The last output of which it was said that it is left out. */
  private leftOut = NONE;
  /** Where the header of the output began. */
  private headerLine = 0;
  /** The last output whose header was looked at for what it lacks. */
  private checked = NONE;

  constructor(private readonly recording: TextRecording) {
    this.counters = new CounterRows({
      rowsOf: (module) => this.rowsOf(module),
      fileOf: (...record) => recording.fileOf(...record),
      report: (kind, what, lost) => this.report(kind, this.line, what, lost),
    });
    this.segments = new DxtRows(
      {
        begin: (owner) => this.rowsOfOwner(owner),
        report: (kind, line, what, lost) => this.report(kind, line, what, lost),
      },
      recording.stackTexts,
    );
  }

  /** @param part index of the file. */
  beginFile(name: string, part: number): void {
    [this.fileName, this.line] = [name, 0];
    this.recording.builder.part = part;
  }

  /** Reads whole lines. */
  read(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      this.line++;
      const first = bytes[at]!;
      let next = NONE;
      if (first === BLANK) {
        next = this.segments.read(bytes, at, end, this.line);
      } else if (first >= UPPER_A && first <= UPPER_Z) {
        next = this.counters.read(bytes, at, end);
      }
      if (next !== NONE) this.understood++;
      else next = this.readOther(bytes, at, end);
      at = next;
    }
  }

  /** Reports what concerns the file from the line on that was read last. */
  reportFile(what: string, lost: string): void {
    this.report('file', this.line, what, lost);
  }

  private report(kind: DamageKind, line: number, what: string, lost: string): void {
    this.recording.builder.damage.add(kind, `${this.fileName}, line ${line}`, what, lost);
  }

  private reportHere(kind: DamageKind, what: string, lost: string): void {
    this.report(kind, this.line, what, lost);
  }

  /** Notes lines that were too long to be kept. */
  skipLine(bytes: number): void {
    this.line++;
    this.reportHere('long-line', `a line of ${bytes} bytes is too long`, 'this line');
  }

  /** Ends an output: the records under way, and what its header lacks. */
  finishOutput(): void {
    this.counters.finish();
    this.segments.finish();
    const { outputs } = this.recording;
    if (outputs.number > 0 && this.isOfJob() && this.checked !== outputs.number) {
      this.checked = outputs.number;
      const { missing } = outputs.current;
      if (missing.length > 0) {
        const what = `the header has no line for ${missing.join(', ')}`;
        this.report('hole', this.headerLine, what, 'what it says');
      }
    }
  }

  private readOther(bytes: Uint8Array, from: number, end: number): number {
    const next = behindLine(bytes, from, end);
    const stop = contentEnd(bytes, from, next);
    const first = bytes[from]!;
    if (first === HASH) {
      const text = this.decode(bytes, bytes[from + 1] === BLANK ? from + 2 : from + 1, stop);
      this.readComment(text);
    } else if (isAddress(bytes, from, stop) && this.recording.addresses.readLine(this.decode(bytes, from, stop))) {
      this.understood++;
    } else if (stop > from) this.readStray(this.decode(bytes, from, stop));
    return next;
  }

  private readComment(text: string): void {
    const { outputs, segmentLayouts, addresses } = this.recording;
    if (text.startsWith(ABOUT_SEGMENTS)) this.readAboutSegments(text.slice(ABOUT_SEGMENTS.length));
    else if (text.startsWith('\t[Component ')) {
      if (this.ownFile() !== undefined) segmentLayouts.readComponent(text);
    } else {
      if (text.startsWith(VERSION)) {
        this.finishOutput();
        outputs.begin();
        this.headerLine = this.line;
      }
      if (outputs.current.read(text) || addresses.readHeading(text)) this.understood++;
      else this.readWarning(text);
    }
  }

  /** Takes a comment of darshan-dxt-parser about the rows that follow, without its `DXT, `. */
  private readAboutSegments(text: string): void {
    this.understood++;
    this.segments.readHead(text, this.line);
    const { segmentLayouts } = this.recording;
    const file = this.ownFile();
    if (file === undefined) return;
    if (text.startsWith('file_id: ')) segmentLayouts.beginFile(file.recordId, file.fileName);
    else segmentLayouts.readLine(text);
  }

  /** The file that the comments are about, when it is one of the recorded job. */
  private ownFile(): { readonly recordId: bigint; readonly fileName: string } | undefined {
    return this.recording.outputs.belongs() ? this.segments.file : undefined;
  }

  /** Takes what the tools print of their own accord, some of it on standard error, which may stand in front of the rest. */
  private readWarning(text: string): void {
    const { outputs } = this.recording;
    if (outputs.number > 1 && !outputs.belongs()) return;
    const [, kind, module] = INCOMPLETE.exec(text) ?? [];
    if (module !== undefined) outputs.incomplete.add(module);
    if (kind === 'ERROR') {
      this.recording.noteOnce(`the module ${module!} is incomplete and was left out: --show-incomplete prints it`);
    }
    const unprinted = NO_HANDLERS.exec(text);
    if (unprinted !== null) outputs.unprinted.add(unprinted[1]!);
    if (text.startsWith('WARNING: ')) this.recording.noteOnce(`the tool that printed the text warns: ${text}`);
  }

  /** A line that is neither a row nor a comment. */
  private readStray(text: string): void {
    const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
    if (NO_HANDLERS.test(text)) this.readWarning(text);
    else if (DARSHAN_2.test(text)) this.recording.hasOldRows = true;
    else if (text.startsWith(TOOL_ERROR)) {
      this.reportHere('hole', `the tool that printed the text said: ${shown}`, 'what it could not read');
    }
    // What stands in front of the first output (a greeting, messages of a module system) is no part of it.
    else if (!DERIVED.test(text) && this.understood > 0) {
      this.reportHere('unreadable-line', `'${shown}' is no line of darshan-parser or darshan-dxt-parser`, 'this line');
    }
  }

  /** Where the rows of a module go. */
  private rowsOf(module: string): ModuleRows | undefined {
    const { outputs, modules } = this.recording;
    if (!this.isOfJob()) return undefined;
    const rows = modules.rowsOf(module, outputs.number, this.counters, () => outputs.headOf(module));
    if (rows === undefined)
      this.recording.noteOnce(`the counters of ${module} stand in the text twice: the first are read`);
    return rows;
  }

  /** Where the segments of an owner go. */
  private rowsOfOwner({ module, rank, host, recordId, fileName }: RowsOwner): SegmentRows | undefined {
    if (!this.isOfJob()) return undefined;
    const { outputs, builder } = this.recording;
    const first = this.outputOf.get(module) ?? outputs.number;
    this.outputOf.set(module, first);
    if (first !== outputs.number) {
      this.recording.noteOnce(`the segments of ${module} stand in the text twice: the first are read`);
      return undefined;
    }
    const rows = builder.segmentsOf(module);
    rows.begin(recordId === undefined ? NONE : this.recording.fileOf(recordId, fileName, '', ''), rank, host);
    return rows;
  }

  private isOfJob(): boolean {
    const { outputs } = this.recording;
    const belongs = outputs.belongs();
    if (!belongs && this.leftOut !== outputs.number) {
      this.leftOut = outputs.number;
      const what = `from here on stands the output of another one, ${outputs.current.jobName}: open it by itself`;
      this.reportHere('file', what, 'what stands of that job');
    }
    return belongs;
  }

  private decode(bytes: Uint8Array, from: number, end: number): string {
    return this.decoder.decode(bytes.subarray(from, end));
  }
}
