/** Definitions of a file of the recorder library (docs/recording-format.md). */
import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import type { BatchProcess, ProcessLife } from '../../trace/trace.ts';
import { ProcessTallies } from './process-tallies.ts';
import { RecordCursor } from './record-cursor.ts';

const KIND = {
  process: 1,
  text: 2,
  function: 3,
  module: 4,
  stackNode: 5,
  world: 6,
  communicator: 7,
  note: 8,
  namedNode: 9,
  life: 10,
  limit: 11,
  tally: 12,
} as const;

/** How a process came to be. */
export const ORIGIN = { started: 0, forked: 1 } as const;

/** What a file says of its process first of all. */
export interface ProcessDefinition {
  readonly pid: number;
  readonly parentPid: number;
  /** Nanoseconds since 1970 and on the monotonic clock of the host, at the same moment. */
  readonly wallClock: bigint;
  readonly monotonicClock: bigint;
  /** One of ORIGIN. */
  readonly origin: number;
  /** −1 when unknown. */
  readonly rank: number;
  /** 0: no stacks were wanted. */
  readonly stackDepth: number;
  readonly stackSample: number;
  readonly host: string;
  readonly executable: string;
  /** The working folder. */
  readonly folder: string;
  /** `x86_64`, … */
  readonly machine: string;
  readonly recorderVersion: string;
  readonly arguments: readonly string[];
  /** On the monotonic clock; absent in recordings of libraries that do not record how long a process ran. */
  readonly startedAt?: bigint;
  /** Absent where no batch system ran it. */
  readonly batch?: BatchProcess;
}

/** How long a process has run. */
interface RecordedLife {
  /** On the monotonic clock. */
  readonly until: bigint;
  /** What processors did for it, and the recorder took. */
  readonly worked: Omit<ProcessLife, 'lastedNs'>;
  /** The signal that it was about to send itself; 0: none. */
  readonly signal: number;
}

export interface FunctionDefinition {
  /** By the numbers of the format. */
  readonly layer: number;
  readonly name: string;
  /** A letter for each argument. */
  readonly roles: string;
}

interface ModuleDefinition {
  readonly path: string;
  /** Hexadecimal digits, '' when there is none. */
  readonly buildId: string;
}

/** Ranks in MPI_COMM_WORLD at equal steps. */
export interface RankRun {
  readonly first: number;
  readonly step: number;
  readonly ranks: number;
}

/** A frame that the recorder itself could name: one of an interpreter. */
interface NamedFrame {
  /** Numbers of texts. */
  readonly function: number;
  readonly file: number;
  /** 0 when unknown. */
  readonly line: number;
}

export interface CommunicatorDefinition {
  readonly name: string;
  readonly size: number;
  /** By rank in the communicator; fewer ranks than `size` when they were not all listed. */
  readonly runs: readonly RankRun[];
}

/** What a definition that cannot be right says. */
type OnDamage = (what: string, lost: string) => void;

/** What was defined so far in a file. */
export class FileDefinitions {
  process: ProcessDefinition | undefined;
  readonly texts = new Map<number, string>();
  readonly functions = new Map<number, FunctionDefinition>();
  readonly modules = new Map<number, ModuleDefinition>();
  /** Nodes of call stacks: number of the caller's node, of the module, and the address; defined ones have `isNode`. */
  readonly nodeCaller = new IntegerColumn();
  readonly nodeModule = new IntegerColumn();
  readonly nodeAddress = new NumberColumn();
  /** Nodes whose frames have names in place of addresses. */
  readonly namedNodes = new Map<number, NamedFrame>();
  world: { readonly rank: number; readonly size: number; readonly library: string } | undefined;
  readonly communicators = new Map<number, CommunicatorDefinition>();
  readonly notes: string[] = [];
  /** When it last looked as if the process would end; undefined when it never did. */
  life: RecordedLife | undefined;
  /** What was counted once the process had written as many events as it might. */
  readonly tallies = new ProcessTallies();
  /** Bytes of definitions so far: no number of a node is larger. */
  private bytes = 0;

  constructor(private readonly onDamage: OnDamage) {}

  /** Lets go of what is numbered: it can be read again from the file's beginning. */
  forget(): void {
    for (const numbered of [this.texts, this.functions, this.modules, this.namedNodes, this.communicators])
      numbered.clear();
    this.nodeCaller.become(new IntegerColumn());
    this.nodeModule.become(new IntegerColumn());
    this.nodeAddress.become(new NumberColumn());
    this.notes.length = 0;
    this.bytes = 0;
  }

  /** Takes the definitions of a chunk. */
  read(payload: Uint8Array): void {
    const cursor = new RecordCursor();
    const body = new RecordCursor();
    cursor.set(payload);
    this.bytes += payload.length;
    while (cursor.at < cursor.end) {
      const kind = payload[cursor.at++]!;
      // Zeros fill the chunk up.
      if (kind === 0) return;
      const bytes = cursor.varint();
      if (cursor.overrun || bytes > cursor.end - cursor.at) {
        this.onDamage('a definition is longer than its chunk', 'this definition and those behind it');
        return;
      }
      body.set(payload, cursor.at, cursor.at + bytes);
      cursor.at += bytes;
      this.define(kind, body);
      if (body.overrun) this.onDamage(`a definition of kind ${kind} is cut`, 'what it defines');
    }
  }

  private define(kind: number, body: RecordCursor): void {
    switch (kind) {
      case KIND.process:
        this.process ??= readProcess(body);
        break;
      case KIND.text:
        this.texts.set(body.varint(), body.text());
        break;
      case KIND.function: {
        const number = body.varint();
        this.functions.set(number, { layer: body.varint(), name: body.text(), roles: body.text() });
        break;
      }
      case KIND.module: {
        const number = body.varint();
        for (let passed = 0; passed < 3; passed++) body.varint();
        this.modules.set(number, { path: body.text(), buildId: hexadecimal(body.raw()) });
        break;
      }
      case KIND.stackNode:
        this.defineNode(body.varint(), body.varint(), body.varint(), body.varint());
        break;
      case KIND.namedNode: {
        const number = body.varint();
        const caller = body.varint();
        const named = { function: body.varint(), file: body.varint(), line: body.varint() };
        if (this.defineNode(number, caller, 0, 0)) this.namedNodes.set(number, named);
        break;
      }
      case KIND.world:
        this.world = { rank: body.varint(), size: body.varint(), library: body.text() };
        break;
      case KIND.communicator:
        this.defineCommunicator(body);
        break;
      case KIND.note:
        this.notes.push(body.text());
        break;
      case KIND.life:
        this.life = readLife(body);
        break;
      case KIND.limit:
        this.tallies.readLimit(body);
        break;
      case KIND.tally:
        this.tallies.readTally(body);
        break;
      default:
      // Of a later release: passed over.
    }
  }

  /** @returns whether the node can be right. */
  private defineNode(number: number, caller: number, module: number, address: number): boolean {
    if (number < 1 || number > this.bytes || caller >= number || module > 0x7fffffff) {
      this.onDamage(`a node of call stacks has the number ${number}, and ${caller} as its caller`, 'this call stack');
      return false;
    }
    const { nodeCaller, nodeModule, nodeAddress } = this;
    // Numbers that were lost with their chunk: they have no caller, and no module.
    while (nodeCaller.length <= number) {
      nodeCaller.push(0);
      nodeModule.push(0);
      nodeAddress.push(NaN);
    }
    nodeCaller.values[number] = caller;
    nodeModule.values[number] = module;
    nodeAddress.values[number] = address;
    return true;
  }

  private defineCommunicator(body: RecordCursor): void {
    const number = body.varint();
    const size = body.varint();
    const name = body.text();
    const count = body.varint();
    const runs: RankRun[] = [];
    let listed = 0;
    let first = 0;
    for (let i = 0; i < count && !body.overrun; i++) {
      const run = { first: (first += body.signed()), step: body.signed(), ranks: body.varint() };
      runs.push(run);
      listed += run.ranks;
    }
    if (body.overrun) return;
    if (listed > size)
      this.onDamage(`communicator ${number} of ${size} processes lists ${listed}`, 'this communicator');
    else this.communicators.set(number, { name, size, runs });
  }
}

/** @returns undefined when it is cut. */
function readLife(body: RecordCursor): RecordedLife {
  const until = body.exact();
  const [userNs, systemNs] = [body.varint(), body.varint()];
  const later = (): number => (body.at < body.end ? body.varint() : 0);
  const [signal, firstThreadNs, recorderNs] = [later(), later(), later()];
  const fetched = body.at < body.end ? { fetched: { bytes: body.varint(), pageWaits: body.varint() } } : {};
  const known = { ...(firstThreadNs > 0 && { firstThreadNs }), ...(recorderNs > 0 && { recorderNs }), ...fetched };
  return { until, signal, worked: { userNs, systemNs, ...known } };
}

function readProcess(body: RecordCursor): ProcessDefinition | undefined {
  const [pid, parentPid] = [body.varint(), body.varint()];
  const [wallClock, monotonicClock] = [body.exact(), body.exact()];
  const origin = body.varint();
  const rank = body.signed();
  body.signed();
  body.varint();
  const [stackDepth, stackSample] = [body.varint(), body.varint()];
  const [host, executable, folder, machine, recorderVersion] = [
    body.text(),
    body.text(),
    body.text(),
    body.text(),
    body.text(),
  ];
  const job = body.text();
  const count = body.varint();
  const words: string[] = [];
  for (let i = 0; i < count && !body.overrun; i++) words.push(body.text());
  const startedAt = body.at < body.end ? body.exact() : undefined;
  const more = (): string => (body.at < body.end ? body.text() : '');
  const [step, node, user, account] = [more(), more(), more(), more()];
  if (body.overrun) return undefined;
  return {
    ...(job !== '' && { batch: { job, step, node, user, account } }),
    ...(startedAt !== undefined && { startedAt }),
    ...{ pid, parentPid, wallClock, monotonicClock, origin, rank, stackDepth, stackSample },
    ...{ host, executable, folder, machine, recorderVersion, arguments: words },
  };
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
