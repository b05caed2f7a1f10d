import type { DamageLog } from '../../trace/damage.ts';
import { UnreadableRecordingError } from '../../trace/trace.ts';
import { SignatureTable } from './call-signatures.ts';
import { Grammar } from './grammar.ts';
import { peepholeRecords, readRankMetadata, type RankMetadata } from './peephole-records.ts';
import { timedRecords, type RankRecords, type RecordProblem } from './rank-records.ts';
import { joined, type RecorderFiles } from './recorder-files.ts';
import { readMetadata, type RecorderMetadata } from './recorder-metadata.ts';
import { numberOfRanks } from './recorder-ranks.ts';
import { recorderVersion, type RecorderVersion } from './recorder-version.ts';

/** What was read of one rank. */
interface RankRecording {
  readonly records: RankRecords;
  /** Seconds since 1970 that its times count from. */
  readonly startTime: number;
  /** Paths by the number that stands for them in arguments (2.2). */
  readonly files: ReadonlyMap<number, string>;
}

/** What all ranks have in common where they were compressed together. */
interface Merged {
  readonly signatures: SignatureTable | undefined;
  /** Index into `grammars`, by rank. */
  readonly grammarOf: Int32Array;
  readonly grammars: readonly (Grammar | undefined)[];
}

const NO_FILES: ReadonlyMap<number, string> = new Map();

/** A Recorder directory of any generation, one rank at a time. */
export class RecorderDirectory {
  private merged: Merged | undefined;
  /** Where the times of each rank begin in `recorder.ts`, and the end. */
  private timePlaces: readonly number[] = [];
  /** By rank (2.2). */
  private readonly rankMetadata: (RankMetadata | undefined)[] = [];
  /** Number of ranks that are gone through. */
  ranks: number;

  private constructor(
    private readonly files: RecorderFiles,
    private readonly damage: DamageLog,
    readonly version: RecorderVersion,
    readonly metadata: RecorderMetadata,
  ) {
    this.ranks = numberOfRanks(metadata.ranks, files.names, damage);
  }

  /** @throws UnreadableRecordingError when the directory cannot be read at all. */
  static async open(files: RecorderFiles, damage: DamageLog): Promise<RecorderDirectory> {
    const version = recorderVersion(await files.readIfThere('VERSION', 'nothing'), files.names);
    const content = await files.read('recorder.mt', 'everything');
    if (content === undefined) {
      throw new UnreadableRecordingError('recorder.mt cannot be read; without it a Recorder directory tells nothing');
    }
    const directory = new RecorderDirectory(files, damage, version, readMetadata(content, version));
    if (version.generation === 'packed signatures') await directory.readTimePlaces();
    if (version.generation === 'peephole') await directory.readRankMetadata();
    if (directory.metadata.ranksAreMerged) directory.merged = await directory.readMerged();
    return directory;
  }

  /** Seconds since 1970 that all times can count from; NaN when unknown. */
  get startTime(): number {
    if (this.version.generation !== 'peephole') return this.metadata.startTime;
    return this.rankMetadata.reduce((first, rank) => Math.min(first, rank?.startTime ?? Infinity), Infinity);
  }

  /** The file that a rank's records are counted in. */
  recordFile(rank: number): string {
    if (this.version.generation === 'packed signatures') return 'recorder.ts';
    return `${rank}.${this.version.generation === 'peephole' ? 'itf' : 'ts'}`;
  }

  /** The calls of a rank; undefined when nothing of it is there, which is reported. */
  async rank(rank: number): Promise<RankRecording | undefined> {
    if (this.version.generation === 'peephole') return this.peepholeRank(rank);
    const signatures = await this.signaturesOf(rank);
    const grammar = await this.grammarOf(rank);
    const times = await this.timesOf(rank);
    if (signatures === undefined || grammar === undefined || times === undefined) return undefined;
    const records = timedRecords(grammar, times, (terminal) => signatures.at(terminal), this.reporterOf(rank));
    return { records, startTime: this.metadata.startTime, files: NO_FILES };
  }

  private reporterOf(rank: number): (problem: RecordProblem) => void {
    return ({ what, lost }) => this.damage.add('record', `rank ${rank}`, what, lost);
  }

  private async readRankMetadata(): Promise<void> {
    for (let rank = 0; rank < this.ranks; rank++) {
      const name = `${rank}.mt`;
      const lost = `times and paths of rank ${rank}`;
      const head = await this.files.read(name, lost);
      await this.files.close(name);
      const metadata = head === undefined ? undefined : readRankMetadata(head);
      if (head !== undefined && metadata === undefined) {
        this.damage.add('record', name, 'it holds no metadata of a rank', lost);
      } else if (metadata !== undefined && metadata.problem !== '') {
        this.damage.add('record', name, metadata.problem, 'the paths of some files');
      }
      this.rankMetadata.push(metadata);
    }
  }

  private async peepholeRank(rank: number): Promise<RankRecording | undefined> {
    const name = `${rank}.itf`;
    const bytes = await this.files.read(name, `what rank ${rank} did`);
    await this.files.close(name);
    if (bytes === undefined) return undefined;
    const metadata = this.rankMetadata[rank];
    const report = this.reporterOf(rank);
    const records = peepholeRecords(bytes, report);
    const expected = metadata?.records ?? NaN;
    if (expected > records.length) {
      report({ what: `${records.length} of ${expected} records are there`, lost: 'the others' });
    }
    return { records, startTime: metadata?.startTime ?? NaN, files: metadata?.files ?? NO_FILES };
  }

  private async signaturesOf(rank: number): Promise<SignatureTable | undefined> {
    if (this.merged !== undefined) return this.merged.signatures;
    const bytes = await this.table(`${rank}.cst`, `what rank ${rank} did`);
    return bytes === undefined ? undefined : this.signatureTable(`${rank}.cst`, bytes);
  }

  private signatureTable(name: string, bytes: Uint8Array): SignatureTable {
    const table = new SignatureTable(bytes, this.version.generation !== 'signatures');
    if (table.problem !== '') this.damage.add('record', name, table.problem, 'the calls behind it');
    return table;
  }

  private async grammarOf(rank: number): Promise<Grammar | undefined> {
    if (this.merged === undefined) {
      const bytes = await this.table(`${rank}.cfg`, `what rank ${rank} did`);
      return bytes === undefined ? undefined : this.grammar(`${rank}.cfg`, bytes);
    }
    const number = this.merged.grammarOf[rank] ?? -1;
    const grammar = this.merged.grammars[number];
    if (grammar === undefined) {
      this.damage.add('record', `rank ${rank}`, `its grammar, number ${number}, is not there`, `what rank ${rank} did`);
    }
    return grammar;
  }

  private grammar(name: string, bytes: Uint8Array): Grammar {
    const grammar = new Grammar(bytes);
    if (grammar.problem !== '') this.damage.add('record', name, grammar.problem, 'the calls behind it');
    return grammar;
  }

  /** A table of one rank, unpacked where the generation packs it. */
  private async table(name: string, lost: string): Promise<Uint8Array | undefined> {
    try {
      if (this.version.generation !== 'packed signatures') return await this.files.read(name, lost);
      const [piece] = await this.files.unpack(name, lost);
      return piece;
    } finally {
      await this.files.close(name);
    }
  }

  private async readMerged(): Promise<Merged> {
    const lost = 'what all ranks did';
    const isPacked = this.version.generation === 'packed signatures';
    const table = isPacked ? 'recorder.cst' : '0.cst';
    const bytes = await this.table(table, lost);
    const signatures = bytes === undefined ? undefined : this.signatureTable(table, bytes);
    const { ranks } = this;
    const map = (await this.files.read('ug.mt', lost)) ?? new Uint8Array();
    const grammarOf = new Int32Array(Math.min(ranks, Math.floor(map.length / 4)));
    const view = new DataView(map.buffer, map.byteOffset, map.length);
    for (let rank = 0; rank < grammarOf.length; rank++) grammarOf[rank] = view.getInt32(rank * 4, true);
    const grammars = isPacked ? await this.packedGrammars(lost) : await this.grammarFiles(grammarOf);
    return { signatures, grammarOf, grammars };
  }

  private async packedGrammars(lost: string): Promise<Grammar[]> {
    const pieces = await this.files.unpack('ug.cfg', lost);
    return pieces.map((piece) => this.grammar('ug.cfg', piece));
  }

  /** The file of each grammar that a rank uses. */
  private async grammarFiles(grammarOf: Int32Array): Promise<(Grammar | undefined)[]> {
    const grammars: (Grammar | undefined)[] = [];
    for (const number of new Set(grammarOf)) {
      if (number < 0 || number >= grammarOf.length) continue;
      const bytes = await this.table(`${number}.cfg`, 'what the ranks did that share it');
      grammars[number] = bytes === undefined ? undefined : this.grammar(`${number}.cfg`, bytes);
    }
    return grammars;
  }

  /** 3.x begins the one file of times with the bytes of each rank's. */
  private async readTimePlaces(): Promise<void> {
    const ranks = this.metadata.ranks;
    const bytes = await this.files.read('recorder.ts', 'when calls were made, and so all of them', 0, ranks * 8);
    // The file says itself for how many ranks it can have room.
    this.ranks = Math.min(this.ranks, Math.max(1, Math.floor((bytes?.length ?? 0) / 8)));
    if (bytes === undefined) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const places = [ranks * 8];
    for (let rank = 0; rank + 1 <= bytes.length / 8; rank++) {
      places.push(places[rank]! + Number(view.getBigUint64(rank * 8, true)));
    }
    this.timePlaces = places;
  }

  private async timesOf(rank: number): Promise<Uint8Array | undefined> {
    const lost = `what rank ${rank} did`;
    if (this.version.generation !== 'packed signatures') {
      const bytes = await this.files.read(`${rank}.ts`, lost);
      await this.files.close(`${rank}.ts`);
      return bytes;
    }
    const [from, end] = [this.timePlaces[rank], this.timePlaces[rank + 1]];
    if (from === undefined || end === undefined) {
      this.damage.add('record', 'recorder.ts', `the place of the times of rank ${rank} is cut off`, lost);
      return undefined;
    }
    if (!this.metadata.timesArePacked) return this.files.read('recorder.ts', lost, from, end - from);
    return joined(await this.files.unpack('recorder.ts', lost, from, end - from));
  }
}
