import { formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';

/** What a slot holds, and how that is written. */
type Quantity = 'count' | 'mean' | 'bytes' | 'duration' | 'share' | 'name';

/** How a value of each quantity stands in a sentence, where nothing else is said. */
export const TEXT_OF: Readonly<Record<Quantity, (value: number) => string>> = {
  count: formatCount,
  mean: (value) => (Number.isInteger(value) ? formatCount(value) : value.toFixed(1)),
  bytes: formatBytes,
  duration: formatDuration,
  share: formatShare,
  name: String,
};

/**
 * Where a value comes from: it is counted from the recording; estimated from its times; a threshold; or a number of the advice
 * itself, which no recording holds.
 */
type SlotSource = 'recording' | 'estimate' | 'threshold' | 'advice';

interface SlotDefinition {
  readonly quantity: Quantity;
  readonly source: SlotSource;
  /** A sentence: how it is counted. */
  readonly means: string;
}

function recorded(quantity: Quantity, means: string): SlotDefinition {
  return { quantity, source: 'recording', means };
}

/**
 * All slots of messages and advice, each with what it means (docs/triggers.md). Here *the calls* are those that the finding
 * speaks of, by the column "offending calls" of its trigger; in the sentence of a place they are those of that place.
 */
const DEFINITIONS = {
  calls: recorded('count', 'The calls.'),
  size: recorded('bytes', 'Bytes that one of them moves; of a mix of sizes the one beside `callsOfSize`.'),
  callsOfSize: recorded('count', 'Those of the calls that move `size` bytes.'),
  leastSize: recorded('bytes', 'The fewest bytes that one of the calls moves.'),
  mostSize: recorded('bytes', 'The most bytes that one of the calls moves.'),
  medianSize: recorded(
    'bytes',
    'Median of the bytes that each of the calls moves: of an even number the upper one of the middle; of several places the median of their medians, each weighed by its calls.',
  ),
  meanSize: recorded('bytes', 'Bytes that the calls move, divided by their number, to the whole byte.'),
  meanAgain: recorded(
    'bytes',
    'Of the bytes that the reads move those that had been read before, divided by the number of reads, to the whole byte.',
  ),
  bytes: recorded('bytes', 'Bytes that the calls move.'),
  places: recorded('count', 'Call sites (lines of the source, where they are known) that make the calls.'),
  furtherPlaces: recorded(
    'count',
    'Call sites, or files where none are known, at which the same is seen, beside the costliest.',
  ),
  files: recorded('count', 'Different files that the calls are on.'),
  filesOfCalls: recorded('count', 'Files that the calls are on, where no call sites are known.'),
  functions: recorded('name', 'Functions of a library that stand for lines of Python in the stacks.'),
  function: recorded('name', 'The function, as the recording calls it.'),
  recording: recorded('name', 'The recording, as the user named it.'),
  path: recorded('name', 'Path of the file, as recorded.'),
  shareOfIoTime: recorded('share', 'Recorded time of the calls, divided by that of all calls on files that count.'),
  shareOfIoCalls: recorded(
    'share',
    'The calls, divided by all calls on files that count (and, for pipes and sockets, all transfers through these).',
  ),
  cost: {
    quantity: 'duration',
    source: 'estimate',
    means: 'Time of the run that the calls cost without the tracer (gain.md).',
  },
  shareOfRun: {
    quantity: 'share',
    source: 'estimate',
    means: '`cost`, divided by the length of the run without the tracer.',
  },

  loopRuns: recorded(
    'count',
    'Runs of the loop, in all threads: a run ends where the calls of the thread no longer repeat.',
  ),
  callsInLoop: recorded('count', 'Reads, or writes, of the place that are made in the loop.'),
  callsOfPlace: recorded(
    'count',
    'Reads, or writes, of the place (of the file, where no places are known) that did not fail.',
  ),
  callsLookedAt: recorded('count', 'Calls of the recording in which loops were looked for: the first so many.'),
  iterations: recorded(
    'count',
    'Iterations of the longest run of the loop: times that the same calls are made one behind the other, with as many bytes (but for short ones now and then), at places that lie alike.',
  ),
  fewestIterations: recorded('count', 'Iterations of its shortest run.'),
  callsPerIteration: recorded('count', 'Reads, or writes, of the place in one iteration.'),
  bytesPerIteration: recorded(
    'bytes',
    'Bytes that these move in one iteration; the mean over all iterations where it says "on average".',
  ),
  bytesAskedFor: recorded('bytes', 'Bytes that they ask for in one iteration.'),
  step: recorded('bytes', 'How far the first offset of an iteration is from that of the last one.'),
  gap: recorded('bytes', '`step` less the bytes of one iteration.'),
  callsSaved: recorded('count', '`callsPerIteration` less one.'),
  callsOfRun: recorded(
    'count',
    'Calls of the place in one run of the loop; the mean over its runs, to the whole call.',
  ),
  largerCalls: recorded('count', 'Calls of `largerSize` that move what one run of the loop moves.'),
  largerSize: recorded('bytes', 'Bytes that one run of the loop moves (the mean over its runs), at most 4 MiB.'),
  bufferSize: { quantity: 'bytes', source: 'threshold', means: 'The threshold `buffer_bytes`.' },
  callsWithBuffer: recorded(
    'count',
    'Calls that a buffer of `bufferSize` would make of the calls: evidence `coalescedCalls`, as the table has it at P05.',
  ),

  writesPerSync: recorded(
    'mean',
    'Writes to the file before a synchronisation that follows writes, since the one before: the mean.',
  ),
  acknowledged: recorded(
    'count',
    'Those of the calls behind which a pipe, a socket or a terminal is told, as the table has it at L39.',
  ),
  ordered: recorded('count', 'Those of the calls behind which another file is written and synchronised.'),
  reopenings: recorded('count', 'Opens of a file that the same process had opened and closed before.'),
  reclosings: recorded('count', 'Closes of files that are opened again.'),
  seeksOfSeveral: recorded(
    'count',
    'Those of the calls that are followed by more than one read or write at their offset.',
  ),
  turns: recorded('mean', 'How often each of the files is read as a whole in turns: the mean over the files.'),
  pause: recorded('duration', 'Time without a call of the thread before each of the calls: the mean.'),
  accesses: recorded('count', 'All reads, or writes (or both, as the sentence says), of the run.'),
  shareInOrder: recorded('share', 'Those of them that are not random.'),
  moreCalls: recorded('count', 'Calls of the run of the kind that is more (reads or writes).'),
  lessCalls: recorded('count', 'Calls of the other kind.'),
  moreBytes: recorded('bytes', 'Bytes of the run in the direction that moves more.'),
  lessBytes: recorded('bytes', 'Bytes in the other direction.'),
  shareOfBoth: recorded('share', 'The larger one of both, divided by their sum.'),
  collectiveCalls: recorded('count', 'Collective transfers of MPI-IO in one direction.'),
  mpiIoCalls: recorded('count', 'All transfers of MPI-IO in that direction.'),
  shareCollective: recorded('share', '`collectiveCalls`, divided by `mpiIoCalls`.'),

  process: recorded('name', 'A process by its rank, or by its number where no ranks are known.'),
  processNames: recorded('name', 'Processes, likewise.'),
  place: recorded(
    'name',
    'A line of the program that an advice is for: file and line, or its function where these are not known.',
  ),
  ranks: recorded('count', 'Processes of the parallel program that run side by side.'),
  processes: recorded('count', 'Different processes: those that make the calls, or that the sentence names.'),
  otherProcesses: recorded('count', 'Processes that are not named.'),
  otherRanks: recorded('count', 'Ranks that do not stand out.'),
  bytesOfRank: recorded(
    'bytes',
    'Bytes that a rank moves at the place (in the files, where no places are known); of several the least and the most.',
  ),
  timeOfRank: recorded('duration', 'Recorded time that it takes, likewise.'),
  processesWithFiles: recorded('count', 'Processes that have files which they alone use.'),
  meanTimeOfRank: recorded(
    'duration',
    'Mean of the recorded times of the processes that have files of their own, in these files; or of all processes, in the shared file.',
  ),
  imbalance: recorded(
    'share',
    'The most that a process moves less the least, divided by the most (P21, P22); the bytes of the slowest less those of the fastest process, divided by those of all (P18); the same of times (P19).',
  ),
  timeDifference: recorded('duration', 'Recorded time of the slowest process on the file less that of the fastest.'),
  shareOfBytes: recorded('share', 'Bytes that the process moves (that go through stdio), divided by all.'),
  waitingShare: recorded(
    'share',
    'Time that the other processes spend in communication and synchronisation while the one transfers, divided by the time of these transfers and the number of the others.',
  ),

  upperCalls: recorded('count', 'Calls of the upper layer: those that the program makes.'),
  upperBytes: recorded('bytes', 'Bytes that these move, or ask for.'),
  lowerCalls: recorded('count', 'Calls below them, of the kind that the sentence names.'),
  lowerCallsForEach: recorded('mean', '`lowerCalls`, divided by `upperCalls`, to two digits below ten.'),
  leastForEach: recorded('count', 'The fewest calls below one.'),
  mostForEach: recorded('count', 'The most calls below one.'),
  callsOfFunction: recorded('count', 'Calls below that are of this function.'),
  otherCalls: recorded('count', 'Calls below of all functions that are not named.'),
  lowerMedianSize: recorded('bytes', 'Median of the bytes that reads and writes below move.'),
  lowerMeanSize: recorded('bytes', 'Bytes that the calls below move, divided by their number.'),
  lowerReads: recorded('count', 'Reads below.'),
  lowerWrites: recorded('count', 'Writes below.'),
  lowerReadBytes: recorded('bytes', 'Bytes that the reads below move.'),
  lowerWrittenBytes: recorded('bytes', 'Bytes that the writes below move.'),
  timesAsMuch: recorded('mean', 'Bytes moved below, divided by `upperBytes`, to two digits.'),
  processesBelow: recorded('count', 'Processes that make the calls below.'),
  holes: recorded('bytes', 'Different bytes moved below that nobody asked for.'),
  shareOfHoles: recorded('share', '`holes`, divided by the different bytes moved below.'),
  shareUsed: recorded('share', '`upperBytes`, divided by all bytes moved below.'),
  domainSize: recorded(
    'bytes',
    'Median length of the part of the file that one aggregator moves in one collective call.',
  ),
  overlappingDomains: recorded('count', 'Such parts that overlap with another one of the same call.'),
  nodes: recorded('count', 'Compute nodes of the processes.'),
  nodesWithAggregators: recorded('count', 'Those of them on which an aggregator runs.'),
  aggregatorsOfNode: recorded('count', 'Aggregators of one of these nodes; where they differ the fewest and the most.'),
  moments: recorded('count', 'Collective calls, those of all processes counted once.'),
  momentsAsLast: recorded('count', 'Those of them to which the process came last.'),
  timeLost: recorded('duration', 'Time from each call to the one of the last process, all processes together.'),
  timeLostForOne: recorded('duration', 'The part of `timeLost` that is lost where this process comes last.'),
  shareLost: recorded('share', '`timeLost`, divided by the time of the calls.'),
  medianSpread: recorded(
    'duration',
    'Time from the first to the last process that comes to a collective call: the median.',
  ),
  mostSpread: recorded('duration', 'The same: the longest.'),
  timeOfCalls: recorded('duration', 'Recorded time of the calls: to the end of the wait, where they do not block.'),
  timeOfLibrary: recorded('duration', 'The part of it that is not spent in the calls below.'),
  timeForEach: recorded(
    'duration',
    'Recorded time of the calls (of the library itself, where the sentence says so), divided by their number.',
  ),
  longest: recorded('duration', 'The longest recorded time of one of the calls.'),
  medianTime: recorded('duration', 'The median of their recorded times.'),
  pieces: recorded('count', 'Reads at the lowest layer below the calls.'),
  piecesAgain: recorded(
    'count',
    'Those of them that begin where an earlier one of the same thread and file below these calls did, and move as much.',
  ),
  sharePiecesAgain: recorded('share', '`piecesAgain`, divided by `pieces`.'),
  timeHeld: recorded('duration', 'Part of the waiting time in which other processes held a lock on the file.'),
  bursts: recorded('count', 'Times at which enough processes make the call within `window`.'),
  callsOfBurst: recorded('count', 'Calls in the largest of them.'),
  window: { quantity: 'duration', source: 'threshold', means: 'The threshold `storm_window`.' },
  callsWithOverlap: recorded('count', 'Operations of whose time more than `overlap_share` is free for other work.'),
  shareOverlapped: recorded('share', 'Time of all operations that is free for other work, divided by all their time.'),

  block: { quantity: 'bytes', source: 'threshold', means: 'The threshold `alignment`.' },
  advisedSize: { quantity: 'bytes', source: 'advice', means: 'A size that the advice names.' },
  advisedNumber: { quantity: 'count', source: 'advice', means: 'A number that the advice names.' },
  advisedVersion: { quantity: 'name', source: 'advice', means: 'A version of a library that the advice names.' },

  aggregators: recorded('count', 'Aggregators that the hint `cb_nodes` of the log names.'),
  splitCalls: recorded('count', 'Split collective transfers of MPI-IO (begun by one call, ended by another one).'),
  bytesOfRun: recorded('bytes', 'Bytes that go through stdio, MPI-IO, and POSIX without MPI-IO.'),
  shareOfCalls: recorded('share', '`calls`, divided by `accesses`.'),
  shareConsecutive: recorded('share', 'Accesses that begin where the last one of the process ended.'),
  shareFurtherOn: recorded('share', 'Accesses that begin behind that place.'),
  shareOfOthers: recorded('share', 'Accesses that do neither.'),
  timeOfProcess: recorded(
    'duration',
    'Recorded time of the slowest process in these calls; of records of all processes the mean.',
  ),
  bytesAgain: recorded(
    'bytes',
    'Bytes moved, less those that lie between the beginning of each file and the last byte moved.',
  ),
  shareAgain: recorded('share', '`bytesAgain`, divided by all bytes moved in the direction.'),
  meanSizeOfAll: recorded('bytes', 'Bytes of all reads, or writes, divided by their number.'),
  commonestSize: recorded('bytes', 'The commonest size of a request to the file that takes most time.'),
  blockOfFile: recorded(
    'bytes',
    'Block of the file system by the log, at the file that takes most time; 4 KiB where it does not say.',
  ),
  filesOfAggregators: recorded('count', 'Those of the files that collective calls of MPI-IO move.'),
  largestCounted: {
    quantity: 'bytes',
    source: 'threshold',
    means: "The upper end of the last of Darshan's classes of sizes below the threshold `small_bytes`.",
  },
  shareOfCallsBelow: recorded('share', 'Accesses of up to `largestCountedBelow`, divided by `accesses`.'),
  largestCountedBelow: {
    quantity: 'bytes',
    source: 'threshold',
    means:
      "100 KiB, the upper end of one of Darshan's classes of sizes: what is larger is small by Drishti's bound alone.",
  },
  bound: { quantity: 'duration', source: 'threshold', means: 'The threshold that was passed.' },
  advisedSetting: { quantity: 'name', source: 'advice', means: 'A setting that the advice names.' },
} satisfies Record<string, SlotDefinition>;

export type SlotName = keyof typeof DEFINITIONS;

export const SLOTS: Readonly<Record<SlotName, SlotDefinition>> = DEFINITIONS;
