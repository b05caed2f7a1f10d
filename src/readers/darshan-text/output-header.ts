import type { Job } from '../../trace/counters.ts';

/** What the comment lines in front of the data of one output say. All texts are as printed; '' when the line is missing. */
export class OutputHeader {
  readonly regions: { name: string; bytes: number; version: number }[] = [];
  readonly metadata: [key: string, value: string][] = [];
  readonly mounts: [mountPoint: string, fileSystem: string][] = [];
  private readonly values = new Map<string, string>();

  /**
   * Takes one comment line.
   * @param text of the line without `# `.
   * @returns whether it is one of a header.
   */
  read(text: string): boolean {
    if (text.startsWith('mount entry:')) return this.readMount(text.slice('mount entry:'.length));
    const colon = text.indexOf(': ');
    const key = colon < 0 ? text.replace(/: *$/, '') : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 2);
    if (key === 'metadata') return this.readMetadata(value);
    if (KEYS.has(key)) {
      this.values.set(key, value);
      return true;
    }
    return this.readRegion(key, value);
  }

  private readMetadata(value: string): boolean {
    const equals = value.indexOf(' = ');
    if (equals < 0) return false;
    this.metadata.push([value.slice(0, equals), value.slice(equals + 3)]);
    return true;
  }

  /** `<tab>/home<tab>lustre`; Darshan before 3 put the number of a device in front. */
  private readMount(value: string): boolean {
    const [, mountPoint, fileSystem] = value.split('\t');
    if (mountPoint === undefined || fileSystem === undefined) return false;
    this.mounts.push([mountPoint, fileSystem]);
    return true;
  }

  /** `POSIX module: 862 bytes (compressed), ver=4`, `job data: 100 bytes (compressed)`. */
  private readRegion(key: string, value: string): boolean {
    const region = /^(\d+) bytes \((?:un)?compressed\)(?:, ver=(\d+))?$/.exec(value);
    if (region === null) return false;
    // The size of the structure in the tool's memory, whatever the file holds.
    if (key === 'header') return true;
    const name = key.replace(/ module(?= \(id \d+\)$|$)/, '');
    this.regions.push({ name, bytes: Number(region[1]), version: Number(region[2] ?? 0) });
    return true;
  }

  /** Whether two outputs are of the same log. */
  isSameJob(other: OutputHeader): boolean {
    return IDENTITY.every((key) => this.values.get(key) === other.values.get(key));
  }

  /** Lines that every header has and this one lacks. */
  get missing(): string[] {
    return IDENTITY.filter((key) => !this.values.has(key));
  }

  /** The job in words, for messages. */
  get jobName(): string {
    return `job ${this.text('jobid')} (${this.text('exe')})`;
  }

  get job(): Job {
    const startTime = this.number('start_time');
    const endTime = this.values.has('end_time') ? Number(this.text('end_time')) : NaN;
    const runTime = Number.parseFloat(this.text('run time'));
    const compression = this.text('compression method').toLowerCase();
    return {
      command: this.text('exe'),
      userId: this.text('uid'),
      jobId: this.text('jobid'),
      startTime,
      endTime,
      runTime: endTime === 0 || !(runTime >= 0) ? NaN : runTime,
      processes: this.number('nprocs'),
      logVersion: this.text('darshan log version'),
      compression: compression === 'bzip2' || compression === 'none' ? compression : 'zlib',
      metadata: this.metadata,
      mounts: this.mounts,
    };
  }

  private text(key: string): string {
    return this.values.get(key) ?? '';
  }

  /** 0 when it is missing or no number. */
  private number(key: string): number {
    const value = Number(this.text(key));
    return Number.isFinite(value) ? value : 0;
  }
}

const IDENTITY = ['exe', 'uid', 'jobid', 'start_time', 'end_time', 'nprocs'];
const KEYS = new Set([
  ...IDENTITY,
  'darshan log version',
  'compression method',
  'start_time_asci',
  'end_time_asci',
  'run time',
]);
