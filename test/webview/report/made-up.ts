import type { ViewFile, ViewFinding, ViewReport } from '../../../src/features/report/protocol.ts';

/** A report that no log has: four ranks, two interfaces, one finding of each kind. */

const MIB = 2 ** 20;

const time = (read: number, write: number, metadata: number): ViewReport['job']['modules'][number]['time'] => ({
  readSeconds: read,
  writeSeconds: write,
  metadataSeconds: metadata,
  waitSeconds: 0,
  shareOfRun: { read: read / 50, write: write / 50, metadata: metadata / 50, wait: 0 },
});

const category = (
  files: number,
  bytes: number,
): NonNullable<ViewReport['job']['modules'][number]['categories']>['total'] => ({
  files,
  bytes,
  maxOffset: bytes / 2,
  meanOffset: bytes / 4,
});

const posix: ViewReport['job']['modules'][number] = {
  module: 'POSIX',
  version: 4,
  records: 12,
  incomplete: false,
  totals: { POSIX_OPENS: 24, POSIX_READS: 4096, POSIX_WRITES: 16_384, POSIX_F_META_TIME: 0.62, POSIX_SEEKS: 0 },
  categories: {
    total: category(9, 768 * MIB),
    readOnly: category(3, 256 * MIB),
    writeOnly: category(5, 512 * MIB),
    readWrite: category(1, 0),
    unique: category(8, 256 * MIB),
    shared: category(1, 512 * MIB),
    partiallyShared: category(0, 0),
  },
  performance: {
    totalBytes: 768 * MIB,
    slowestRank: 3,
    slowestRankSeconds: 1.25,
    slowestRankMetadataSeconds: 0.25,
    slowestRankTransferSeconds: 1,
    sharedFilesSeconds: 2.5,
    seconds: 3.75,
    mebibytesPerSecond: 204.8,
  },
  time: time(2, 6, 0.62),
  bytesRead: 256 * MIB,
  bytesWritten: 512 * MIB,
  accessSizes: { read: [0, 0, 0, 4000, 96, 0, 0, 0, 0, 0], write: [12_000, 384, 0, 3900, 100, 0, 0, 0, 0, 0] },
  commonAccesses: [
    { bytes: 47, count: 12_000 },
    { bytes: 65_536, count: 7900 },
  ],
  commonStrides: [{ bytes: 262_144, count: 3900 }],
  operations: [
    { operation: 'open', count: 24 },
    { operation: 'read', count: 4096 },
    { operation: 'write', count: 16_384 },
    { operation: 'stat', count: 48 },
    { operation: 'seek', count: 0 },
  ],
  pattern: {
    read: { total: 4096, sequential: 4000, consecutive: 1024 },
    write: { total: 16_384, sequential: 12_000, consecutive: 12_000 },
  },
};

const mpiio: ViewReport['job']['modules'][number] = {
  ...posix,
  module: 'MPI-IO',
  version: 3,
  records: 1,
  incomplete: true,
  totals: { MPIIO_INDEP_WRITES: 4000 },
  categories: null,
  pattern: null,
  commonStrides: [],
  bytesRead: 0,
  bytesWritten: 512 * MIB,
  time: time(0, 7, 0.1),
};

const BINS = 40;
const wave = (phase: number): number[] =>
  Array.from({ length: BINS }, (_, bin) =>
    bin % 10 < 4 ? Math.round((4 + phase) * MIB * (1 + Math.sin(bin + phase))) : 0,
  );

const ADVICE: ViewFinding['advice'] = [
  {
    audience: 'code',
    text: 'Collect the 47-byte records in a buffer and write them in pieces of at least 1 MiB.',
    snippets: [
      {
        title: 'Write through a buffer',
        language: 'C',
        code: 'static char buffer[1 << 20];\nsetvbuf(file, buffer, _IOFBF, sizeof buffer);\n',
        number: 0,
      },
      {
        title: 'Write through a buffer',
        language: 'Python',
        code: 'file = open("out.txt", "wb", buffering=1 << 20)\n',
        number: 2,
      },
    ],
  },
  {
    audience: 'job',
    text: 'Let one process per node write for the others.',
    snippets: [
      {
        title: 'Aggregators by hint',
        language: 'shell',
        code: 'export ROMIO_HINTS="$PWD/hints"\necho "cb_nodes 4" > hints\n',
        number: 1,
      },
    ],
  },
];

export const FINDINGS: readonly ViewFinding[] = [
  {
    code: 'P06',
    trigger: 'posix-small-writes',
    severity: 'high',
    title: 'Many small writes',
    message: '12,384 of 16,384 writes (76 %) are smaller than 1 MiB, most of 47 bytes; they take 71 % of the I/O time.',
    isSummary: false,
    gain: '',
    evidence: [
      ['small_writes', 12_384],
      ['writes', 16_384],
      ['share', 0.755_859_4],
    ],
    files: [{ path: '/scratch/run/out.txt', amount: '12,000 calls, 551 KiB, 2.1 s' }],
    sites: [
      {
        place: { label: 'badio.c:42', place: 0 },
        function: 'emit',
        ranks: 'ranks 0-3',
        message: '12,000 writes of 47 bytes',
        source: 'write(fd, line, 47);',
        note: '',
        isHere: true,
      },
      {
        place: { label: 'gone.c:7', place: 1 },
        function: '',
        ranks: '',
        message: '384 writes of 512 bytes',
        source: '',
        note: '/tmp/app/gone.c is not on this machine: iolens.pathRules tells where it is.',
        isHere: false,
      },
    ],
    filesLeftOut: 0,
    sitesLeftOut: 2,
    advice: ADVICE,
  },
  {
    code: 'P19',
    trigger: 'posix-time-imbalance',
    severity: 'warn',
    title: 'Ranks wait for a straggler',
    message: 'Rank 3 spends 1.25 s in /scratch/run/shared.dat, rank 0 only 0.4 s.',
    isSummary: false,
    gain: '',
    evidence: [['imbalance', 0.68]],
    files: Array.from({ length: 7 }, (_, i) => ({ path: `/scratch/run/part.${i}`, amount: '' })),
    sites: [],
    filesLeftOut: 3,
    sitesLeftOut: 0,
    advice: [],
  },
  {
    code: 'P03',
    trigger: 'posix-write-size',
    severity: 'info',
    title: 'Mostly writes',
    message: 'The job writes 512 MiB and reads 256 MiB.',
    isSummary: true,
    gain: '',
    evidence: [],
    files: [],
    sites: [],
    filesLeftOut: 0,
    sitesLeftOut: 0,
    advice: [],
  },
];

export const REPORT: ViewReport = {
  name: 'badmpi.darshan',
  paths: ['/work/badmpi.darshan'],
  head: ['The run takes 12.5 s, 17 % of it I/O (2.1 s): it is bound by I/O.'],
  unmarked: [],
  nothingFound: 'No finding: 40 triggers looked at 12 records of counters (POSIX 12); none passed its threshold.',
  job: {
    schema: 'iolens/job@1',
    recording: '/work/badmpi.darshan',
    job: {
      jobId: '4242',
      userId: '1000',
      command: './badmpi --steps 100 /scratch/run',
      executable: 'badmpi',
      processes: 4,
      hosts: 2,
      startTime: 1_763_742_600,
      endTime: 1_763_742_613,
      runSeconds: 12.5,
      wasKilled: false,
      logVersion: '3.41',
      libraryVersion: '3.5.0',
      compression: 'zlib',
      hints: [
        ['romio_no_indep_rw', 'true'],
        ['cb_nodes', '4'],
      ],
      metadata: [['lib_ver', '3.5.0']],
      mounts: [
        ['/scratch', 'lustre'],
        ['/', 'ext4'],
      ],
    },
    regions: [
      { name: 'job data', bytes: 410, version: 0, incomplete: false, known: true },
      { name: 'POSIX', bytes: 1210, version: 4, incomplete: false, known: true },
      { name: 'MPI-IO', bytes: 310, version: 3, incomplete: true, known: true },
      { name: 'UNKNOWN_17', bytes: 99, version: 1, incomplete: false, known: false },
    ],
    usedFiles: {
      files: 9,
      byModule: [
        { module: 'POSIX', files: 9 },
        { module: 'MPI-IO', files: 1 },
      ],
    },
    modules: [posix, mpiio],
    fileSystems: [
      {
        name: '/scratch',
        fileSystem: 'lustre',
        filesRead: 3,
        filesWritten: 6,
        bytesRead: 256 * MIB,
        bytesWritten: 512 * MIB,
      },
      { name: '<STDOUT>', fileSystem: '', filesRead: 0, filesWritten: 1, bytesRead: 0, bytesWritten: 812 },
    ],
    ranks: [
      {
        module: 'POSIX',
        source: 'segments',
        active: 4,
        ranksPerRow: 1,
        bytesRead: [64, 64, 64, 64].map((mebibytes) => mebibytes * MIB),
        bytesWritten: [64, 96, 128, 224].map((mebibytes) => mebibytes * MIB),
        readSeconds: [0.4, 0.5, 0.5, 0.6],
        writeSeconds: [0.9, 1.2, 1.4, 2.5],
        metadataSeconds: [],
        mostBytes: [128, 160, 192, 288].map((mebibytes) => mebibytes * MIB),
        mostSeconds: [1.3, 1.7, 1.9, 3.1],
        exemplars: [
          { role: 'slowest', rank: 3, bytes: 288 * MIB, seconds: 3.1 },
          { role: 'fastest', rank: 0, bytes: 128 * MIB, seconds: 1.3 },
        ],
      },
    ],
    heatmaps: [
      {
        module: 'POSIX',
        source: 'heatmap',
        binSeconds: 12.5 / BINS,
        ranksPerRow: 1,
        rows: [0, 1, 2, 3].map(wave),
        read: wave(1).map((bytes) => bytes / 2),
        written: wave(2),
      },
    ],
    segments: [
      { module: 'DXT_POSIX', write: { count: 16_384, bytes: 512 * MIB }, read: { count: 4096, bytes: 256 * MIB } },
    ],
  },
  files: { rows: 120, leftOut: { rows: 0, bytes: 0 } },
  findings: FINDINGS,
  patches: [{ codes: ['P06'], snippet: ADVICE[1]!.snippets[0]! }],
  damage: [],
  lacks: [],
  notes: ['Lines are those of the return address where the log’s own table is used.'],
  events: 20_480,
};

/** A file of the table; numbers differ by its number. */
export function madeUpFile(number: number): ViewFile {
  return {
    path: `/scratch/run/part.${String(number).padStart(3, '0')}`,
    module: number % 10 === 0 ? 'MPI-IO' : 'POSIX',
    mountPoint: '/scratch',
    fileSystem: 'lustre',
    processes: 1,
    rank: number % 4,
    bytesRead: 0,
    bytesWritten: number * MIB,
    readSeconds: 0,
    writeSeconds: number / 100,
    metadataSeconds: 0.001,
    maxOffset: number * MIB,
    opens: 1,
    reads: 0,
    writes: number * 16,
    smallShare: number % 2,
    misalignedShare: 0.25,
    sequentialShare: 1,
    consecutiveShare: 1,
    fastest: null,
    slowest: null,
    stripes: { bytes: MIB, count: 4, targets: [1, 2, 3, 4], allTargets: 4, components: 1 },
    places: number === 119 ? [{ label: 'badio.c:42', place: 0 }] : [],
  };
}
