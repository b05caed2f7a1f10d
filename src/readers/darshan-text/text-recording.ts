import type { FileLayout, Job } from '../../trace/counters.ts';
import type { ReadOptions, RecordingPart, Trace } from '../../trace/trace.ts';
import { DarshanTraceBuilder } from '../darshan/darshan-trace-builder.ts';
import { AddressTables } from './address-table.ts';
import { drownInRounding } from './rounded-times.ts';
import { Outputs } from './outputs.ts';
import { hasCounters, isKnownModule, RecordedModules } from './recorded-modules.ts';
import { SegmentLayouts } from './segment-layouts.ts';
import { StackTexts } from './stack-texts.ts';

/** What printf writes for a name that is not there. */
const NULL_NAME = '(null)';
/** What stands for a mount point or type that the log does not know. */
const UNKNOWN_MOUNTS = ['', 'UNKNOWN', 'N/A'];

const MOST_NOTES = 50;
const ROUNDED =
  'text of darshan-dxt-parser has times of four decimals: calls of less than 0.1 ms seem to take no time; the log itself has them in full';
const DROWNED =
  'text of darshan-dxt-parser has times of four decimals, and most of these calls take less than 0.1 ms: how long they took is not known, findings go by calls and bytes; the log itself has the times in full';
const NO_SEGMENTS =
  'the log holds segments (DXT) that this text does not: darshan-dxt-parser prints them, and the log itself has all';
const NO_COUNTERS =
  'the log holds counters that this text does not: darshan-parser prints them, and the log itself has all';
const NO_HEADER = 'the text has no header: command, times, number of processes and mount points are not known';

/** What the files of one recording share while they are read. */
export class TextRecording {
  readonly builder: DarshanTraceBuilder;
  readonly outputs = new Outputs();
  readonly modules = new RecordedModules();
  readonly segmentLayouts = new SegmentLayouts();
  readonly stackTexts = new StackTexts();
  readonly addresses = new AddressTables();
  /** Rows of Darshan 2 stood in the text. */
  hasOldRows = false;
  /** Mount points that records name and no header. */
  private readonly mounts = new Map<string, string>();

  constructor(
    private readonly files: readonly { readonly name: string; readonly path: string }[],
    options: ReadOptions,
  ) {
    this.builder = new DarshanTraceBuilder(files[0]!, options);
  }

  /** Index of a record's file; NONE when it has no name or one of Darshan's own. */
  fileOf(recordId: bigint, name: string, mountPoint: string, fileSystem: string): number {
    if (name !== '' && name !== NULL_NAME) this.builder.addName(recordId, name);
    if (!UNKNOWN_MOUNTS.includes(fileSystem)) this.mounts.set(mountPoint, fileSystem);
    return this.builder.fileOf(recordId);
  }

  /** Neither a record nor a segment was read. */
  get isEmpty(): boolean {
    return this.builder.events.length === 0 && this.modules.tables.length === 0;
  }

  noteOnce(note: string): void {
    const { notes } = this.builder;
    if (!notes.includes(note) && notes.length < MOST_NOTES) notes.push(note);
  }

  build(): Trace {
    const { builder, outputs, modules, addresses } = this;
    builder.regions.push(...outputs.regions);
    builder.layouts.push(...modules.layouts, ...this.layoutsOfSegments());
    builder.heatmaps.push(...modules.heatmaps);
    const knowsDurations = !drownInRounding(builder.events);
    this.note(knowsDurations);
    this.stackTexts.place(builder, addresses.unnamed);
    addresses.place(builder, this.stackTexts.length > 0);
    const { tables } = modules;
    builder.finish(tables);
    const trace = builder.build(this.job());
    if (!knowsDurations) {
      trace.events.update(({ duration }) => {
        duration.fill(NaN);
      });
    }
    return {
      ...trace,
      parts: this.files.map(partOf),
      capabilities: { ...trace.capabilities, duration: trace.capabilities.duration && knowsDurations },
      counters: { ...trace.counters!, modules: tables },
    };
  }

  /** Notes what the text lacks. */
  private note(knowsDurations: boolean): void {
    const { builder, outputs, modules } = this;
    const names = builder.regions.map(({ name }) => name);
    const unprinted = [...outputs.unprinted];
    if (unprinted.length > 0) {
      this.noteOnce(`the tool that printed the text does not know the modules ${unprinted.join(', ')}`);
    }
    for (const { module } of modules.tables) {
      if (!isKnownModule(module))
        this.noteOnce(`the module ${module} is not known: its counters are kept by their names`);
    }
    if (builder.events.length > 0) this.noteOnce(knowsDurations ? ROUNDED : DROWNED);
    else if (names.some((name) => name.startsWith('DXT_'))) this.noteOnce(NO_SEGMENTS);
    if (modules.tables.length === 0 && names.some(hasCounters)) this.noteOnce(NO_COUNTERS);
    if (!outputs.hasHeader) this.noteOnce(NO_HEADER);
  }

  private job(): Job {
    const { job } = this.outputs;
    const listed = new Set(job.mounts.map(([mountPoint]) => mountPoint));
    const further = [...this.mounts].filter(([mountPoint]) => !listed.has(mountPoint));
    return { ...job, mounts: [...job.mounts, ...further] };
  }

  /** What darshan-dxt-parser says of layouts, for files of which darshan-parser's output is not there. */
  private layoutsOfSegments(): FileLayout[] {
    const known = new Set(this.modules.layouts.map(({ recordId }) => recordId));
    return [...this.segmentLayouts.layouts]
      .filter(([recordId]) => !known.has(recordId))
      .map(([recordId, { fileName, components }]) => {
        return { recordId, components, rank: -1, file: this.fileOf(recordId, fileName, '', '') };
      });
  }
}

function partOf({ name, path }: { readonly name: string; readonly path: string }): RecordingPart {
  return { name, path, commandId: '', host: '', launchId: '', run: '' };
}
