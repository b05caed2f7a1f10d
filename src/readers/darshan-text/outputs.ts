import type { Job, LogRegion } from '../../trace/counters.ts';
import { OutputHeader } from './output-header.ts';
import { isKnownModule } from './recorded-modules.ts';

/** The outputs of a text: people put those of darshan-parser and of darshan-dxt-parser one behind the other. */
export class Outputs {
  /** Number of the output that is read; 0 in front of the first. */
  number = 0;
  current = new OutputHeader();
  /** Modules that ran out of memory. */
  readonly incomplete = new Set<string>();
  /** Modules that the tool which printed the text does not know. */
  readonly unprinted = new Set<string>();
  /** Outputs of the recorded job, which is that of the first one. */
  private readonly read: OutputHeader[] = [];
  /** Whether the current output is of the recorded job; undefined as long as nobody asked. */
  private isOfJob: boolean | undefined;

  begin(): void {
    this.number++;
    this.current = new OutputHeader();
    this.isOfJob = undefined;
  }

  /** Whether the output that is read belongs to the recorded job. Its header is complete when its data are asked for. */
  belongs(): boolean {
    if (this.isOfJob === undefined) {
      this.isOfJob = this.read.length === 0 || this.read[0]!.isSameJob(this.current);
      if (this.isOfJob) this.read.push(this.current);
    }
    return this.isOfJob;
  }

  get hasHeader(): boolean {
    return this.number > 0;
  }

  get job(): Job {
    return (this.read[0] ?? this.current).job;
  }

  /** What the header of the current output says of a module. */
  headOf(module: string): { version: number; incomplete: boolean } {
    const region = this.read.flatMap(({ regions }) => regions).find(({ name }) => name === module);
    return { version: region?.version ?? 0, incomplete: this.incomplete.has(module) };
  }

  /** Regions of the log, each once. */
  get regions(): LogRegion[] {
    const regions = new Map<string, LogRegion>();
    for (const { name, bytes, version } of this.read.flatMap((header) => header.regions)) {
      if (regions.has(name)) continue;
      const known = !this.unprinted.has(name) && (NO_MODULES.includes(name) || isKnownModule(name));
      regions.set(name, { name, bytes, version, incomplete: this.incomplete.has(name), known });
    }
    return [...regions.values()];
  }
}

const NO_MODULES = ['job data', 'record table'];
