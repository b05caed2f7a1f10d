import type { SiteIndex } from '../sites/call-sites.ts';

/**
 * What is counted. Times are nanoseconds, sizes bytes, the rest calls. "Small" is Drishti's word (up to 1 MiB, settable);
 * "tiny" is ours: less than a page (settable), where the call costs more than what it moves.
 */
const METRICS = [
  'events',
  'time',
  'failed',
  /** Opens and questions (stat, access) for files that do not exist. */
  'missing',
  'missingTime',
  'reads',
  'readBytes',
  'readTime',
  'writes',
  'writtenBytes',
  'writeTime',
  'copies',
  'copiedBytes',
  'copyTime',
  'opens',
  'openTime',
  'closes',
  'closeTime',
  'seeks',
  'seekTime',
  'syncs',
  'syncTime',
  'metadataCalls',
  'metadataTime',
  'maps',
  /** Changes of a file's length (ftruncate). */
  'truncations',
  /** Opens that empty a file which was there. */
  'emptyingOpens',
  /** Those of `reopens` and `recloses` that are of folders. */
  'folderReopens',
  'smallReads',
  'smallReadBytes',
  'smallReadTime',
  'smallWrites',
  'smallWrittenBytes',
  'smallWriteTime',
  'tinyReads',
  'tinyReadBytes',
  'tinyReadTime',
  'tinyWrites',
  'tinyWrittenBytes',
  'tinyWriteTime',
  /** The offset is where the last access of the same handle and direction ended. */
  'consecutiveReads',
  'consecutiveWrites',
  /** Behind where the last access ended, with the same distance as before (a stride). */
  'stridedReads',
  'stridedReadBytes',
  'stridedReadTime',
  'stridedWrites',
  'stridedWrittenBytes',
  'stridedWriteTime',
  /** At the place of the last access, or over a part of it. */
  'repeatedReads',
  'repeatedWrites',
  /** Anywhere else: Drishti's "random". */
  'randomReads',
  'randomReadBytes',
  'randomReadTime',
  'randomWrites',
  'randomWrittenBytes',
  'randomWriteTime',
  /** Of the random ones: those that lie before the last access. */
  'backwardReads',
  'backwardReadBytes',
  'backwardReadTime',
  'backwardWrites',
  'backwardWrittenBytes',
  'backwardWriteTime',
  /** The offset is not known. */
  'placelessReads',
  'placelessWrites',
  /** The offset is no multiple of the file system's block. */
  'misalignedReads',
  'misalignedReadBytes',
  'misalignedReadTime',
  'misalignedWrites',
  'misalignedWrittenBytes',
  'misalignedWriteTime',
  /** Reads of bytes that the same process had read before. */
  'redundantReads',
  'redundantReadBytes',
  'redundantReadTime',
  /** Writes of bytes that the same process had written before, without a synchronisation in between. */
  'redundantWrites',
  'redundantWrittenBytes',
  'redundantWriteTime',
  /** Synchronisations with at least one write since the last, and how many writes those were. */
  'writeSyncs',
  'writeSyncTime',
  'syncedWrites',
  /** Opens to write only, or of what is emptied by it, and the closes of these, as far as opens tell. */
  'writeOpens',
  'writeOpenTime',
  'writeCloses',
  'writeCloseTime',
  /** Opens of a file that this process had opened from the same place before, and the closes of these. */
  'reopens',
  'reopenTime',
  'recloses',
  'recloseTime',
  /** Closes of one of several descriptors (dup) of what stays open. */
  'duplicateCloses',
  /** Those of both that MPI-IO makes. */
  'mpiReopenings',
  /** Those of both by which one more stream is made of a descriptor that is open already (fdopen), and closed. */
  'rewraps',
  /** Renames, and removals, of a file by its name that the same process had renamed, or removed, before. */
  'repeatedRenames',
  'repeatedRenameTime',
  'repeatedRemovals',
  'repeatedRemovalTime',
  /** Seeks of the program itself that the next call on the handle follows with a read or write. */
  'accessSeeks',
  'accessSeekTime',
  /** Those of them that a second read or write follows, without a seek of its own. */
  'sharedSeeks',
  /** Those of them that go to the end of the file, for a write. */
  'appendSeeks',
  /** Seeks of the program itself that another one follows, with neither read nor write in between. */
  'idleSeeks',
  'idleSeekTime',
  /** Tiny writes that are the first of their file: each file's one write cannot be joined with another. */
  'firstTinyWrites',
  /** Tiny transfers that are the first of their open: one in each open cannot be joined with the next. */
  'openingReads',
  'openingWrites',
  /** Reads of any size that are the first of their open. */
  'initialReads',
  /** Synchronisations that are the first of their file, with writes before them. */
  'firstSyncs',
  /** Those of the synchronisations after writes behind which the thread tells somebody, or makes another file safe. */
  'acknowledgedSyncs',
  /** Those of them behind which the same one is told each time, and asks again only then. */
  'awaitedSyncs',
  'orderedSyncs',
  /** Synchronisations of a file that the same process had synchronised before, with few bytes written since. */
  'repeatedSyncs',
  'repeatedSyncTime',
  /** Small writes to files that were opened with O_SYNC or O_DSYNC: each waits for the storage. */
  'synchronousWrites',
  'synchronousWrittenBytes',
  'synchronousWriteTime',
  /** Transfers past the page cache (O_DIRECT) of less than the limit, each where the last one ended. */
  'directTransfers',
  'directBytes',
  'directTime',
  /** Tiny copies inside the kernel. */
  'tinyCopies',
  'tinyCopiedBytes',
  'tinyCopyTime',
  /** Calls that a buffer would make of the tiny ones; what else fills the buffer may share them. */
  'coalescedReads',
  'coalescedWrites',
  /** Tiny writes because a buffer was emptied (fflush, std::endl, FLUSH, H5Fflush). */
  'flushedWrites',
  'flushedWrittenBytes',
  'flushedWriteTime',
  /** Those of them of which the recording shows the call that flushes a stream, not the write; and what a buffer would make of them. */
  'streamFlushes',
  'coalescedFlushes',
  /** Transfers through C stdio or a C++ file stream. */
  'stdioTransfers',
  'stdioBytes',
  'stdioTime',
  /** Those of them that a flush wrote before the buffer was full. */
  'flushedTransfers',
  'flushedTransferBytes',
  'flushedTransferTime',
  /** Those of them that a seek led to, which throws away what the buffer holds. */
  'soughtTransfers',
  'soughtTransferBytes',
  'soughtTransferTime',
  /** Of the rest: how many are slow, and no large pieces. */
  'slowRefills',
  /** Transfers below MPI-IO calls of one process by itself, and below collective ones. */
  'independentReads',
  'independentReadBytes',
  'independentReadTime',
  'independentWrites',
  'independentWrittenBytes',
  'independentWriteTime',
  'collectiveReads',
  'collectiveReadBytes',
  'collectiveReadTime',
  'collectiveWrites',
  'collectiveWrittenBytes',
  'collectiveWriteTime',
  /** Tiny writes that HDF5 makes. */
  'hdf5TinyWrites',
  'hdf5TinyWrittenBytes',
  'hdf5TinyWriteTime',
  /** Questions (stat, access and the like) by a path that this process had asked the same before. */
  'repeatedQuestions',
  'repeatedQuestionTime',
  /** Such questions that had not been asked before. */
  'firstQuestions',
  /** Questions about an open file, by its descriptor. */
  'handleQuestions',
  /** Those of them that a library asks for itself: C's streams once for each that is opened, dprintf each time. */
  'libraryQuestions',
  /** Opens and closes of folders that are opened for the first time, and the calls that list them. */
  'folderOpens',
  'folderCloses',
  'listings',
  /** Calls that make, rename or remove a name. */
  'nameChanges',
  /** Calls that ask for the same again after a pause (questions about a path, reads that find the end), and their pauses. */
  'polls',
  'pollPauses',
  'pollTime',
  /** The same of opens to read, which ask only where all of the file is read again. */
  'openPolls',
  'openPollPauses',
  'openPollTime',
  /** Darshan's size bins, see SIZE_BIN_ENDS. */
  'readSize0',
  'readSize1',
  'readSize2',
  'readSize3',
  'readSize4',
  'readSize5',
  'readSize6',
  'readSize7',
  'readSize8',
  'readSize9',
  'writeSize0',
  'writeSize1',
  'writeSize2',
  'writeSize3',
  'writeSize4',
  'writeSize5',
  'writeSize6',
  'writeSize7',
  'writeSize8',
  'writeSize9',
] as const;

export type Metric = (typeof METRICS)[number];

/** Position of each metric in a row. */
export const METRIC = Object.fromEntries(METRICS.map((name, index) => [name, index])) as Record<Metric, number>;

/** Position of the site's own entry in arrays that also have one for "no site". */
export function siteEntry(site: SiteIndex): number {
  return site + 1;
}

const WIDTH = METRICS.length;
/** Rows of a page, a power of two. */
const PAGE = 128;
const PAGE_BITS = Math.log2(PAGE);

/** Additions after which a row stands by itself. */
const OFTEN = 2048;

/**
 * Rows of metrics, in pages of one metric each that are made when something is added: of a hundred metrics the calls to a
 * file touch a dozen, and a recording may have hundreds of thousands of files. Rows that are added to again and again,
 * of which there are few, stand by themselves: finding a place in a page is most of what an addition costs.
 */
export class MetricTable {
  length = 0;
  private readonly own: (Float64Array | undefined)[] = [];
  /** How often each row was added to that stands in pages. */
  private readonly additions: number[] = [];
  /** The pages of the first rows, one for each metric, then those of the next; undefined where all is zero. */
  private readonly pages: (Float64Array | undefined)[] = [];

  /** Adds a row of zeros. */
  addRow(): number {
    if (this.length % PAGE === 0) for (let metric = 0; metric < WIDTH; metric++) this.pages.push(undefined);
    this.own.push(undefined);
    this.additions.push(0);
    return this.length++;
  }

  add(row: number, metric: number, amount: number): void {
    const own = this.own[row];
    if (own !== undefined) own[metric]! += amount;
    else this.addToPage(row, metric, amount);
  }

  private addToPage(row: number, metric: number, amount: number): void {
    if (amount === 0) return;
    const page = (this.pages[(row >> PAGE_BITS) * WIDTH + metric] ??= new Float64Array(PAGE));
    page[row & (PAGE - 1)]! += amount;
    const additions = this.additions[row]! + 1;
    this.additions[row] = additions;
    if (additions === OFTEN) this.takeOut(row);
  }

  private takeOut(row: number): void {
    const values = new Float64Array(WIDTH);
    for (let metric = 0; metric < WIDTH; metric++) values[metric] = this.at(row, metric);
    this.own[row] = values;
  }

  /** Adds to count, bytes and time of a kind, which stand one behind the other. */
  addThree(row: number, first: number, count: number, bytes: number, time: number): void {
    const own = this.own[row];
    if (own !== undefined) {
      own[first]! += count;
      own[first + 1]! += bytes;
      own[first + 2]! += time;
      return;
    }
    this.add(row, first, count);
    this.add(row, first + 1, bytes);
    this.add(row, first + 2, time);
  }

  get(row: number, metric: Metric): number {
    return this.at(row, METRIC[metric]);
  }

  at(row: number, metric: number): number {
    const own = this.own[row];
    if (own !== undefined) return own[metric]!;
    const page = this.pages[(row >> PAGE_BITS) * WIDTH + metric];
    return page === undefined ? 0 : page[row & (PAGE - 1)]!;
  }

  /** Adds a row of another table to one of this. */
  addFrom(row: number, other: MetricTable, otherRow: number): void {
    const own = other.own[otherRow];
    if (own !== undefined) {
      for (let metric = 0; metric < WIDTH; metric++) this.add(row, metric, own[metric]!);
      return;
    }
    const first = (otherRow >> PAGE_BITS) * WIDTH;
    for (let metric = 0; metric < WIDTH; metric++) {
      const page = other.pages[first + metric];
      if (page !== undefined) this.add(row, metric, page[otherRow & (PAGE - 1)]!);
    }
  }
}
