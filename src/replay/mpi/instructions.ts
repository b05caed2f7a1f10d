import { bindNumber, type Names } from '../expressions/evaluate.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { checkPath, piecesOf } from '../expressions/path-template.ts';
import { postfixOf } from '../expressions/postfix.ts';
import { ranksOf } from '../expressions/ranks.ts';
import type { MpiDatatype, NumberText, PathText, ReplayNode, ReplayOperation, ReplayProgram } from '../program.ts';
import { fopenMode } from '../run/task-files.ts';
import { isSeries } from '../run/task-program.ts';

/** What one rank does, for native/mpi-replayer: a line for each operation, loops kept. */
export interface RankInstructions {
  readonly text: string;
  /** The place of each line in the program, in words. */
  readonly places: readonly string[];
}

/** Words of MPI_MODE_…, each a bit from the lowest. */
const MODE_WORDS = [
  'rdonly',
  'wronly',
  'rdwr',
  'create',
  'excl',
  'append',
  'delete_on_close',
  'unique_open',
  'sequential',
];

/** Whether a program needs MPI. */
export function needsMpi(program: ReplayProgram): boolean {
  const has = (nodes: readonly ReplayNode[]): boolean =>
    nodes.some((node) => (isSeries(node) ? has(node.body) : node.operation.startsWith('mpi_')));
  return program.tasks.some(({ body }) => has(body));
}

/**
 * What the rank of `names` does.
 * @param openFlags the machine's flags for bits of OPEN_MODE.
 * @throws ExpressionError for what cannot be evaluated, and what this engine has not (pools), with its place.
 */
export function instructionsFor(
  program: ReplayProgram,
  names: Names,
  checksContent: boolean,
  openFlags: (mode: number) => number,
): RankInstructions {
  const writer = new InstructionWriter(names, openFlags);
  if (checksContent) writer.add('check', 'the begin');
  for (const datatype of program.datatypes) writer.datatype(datatype);
  program.tasks.forEach(({ ranks, body }, number) => {
    if (ranksOf(ranks, names.size, names.variables)[names.rank] === true)
      writer.body(body, `task ${number + 1}, `, names);
  });
  return { text: `${writer.lines.join('\n')}\n`, places: writer.places };
}

class InstructionWriter {
  readonly lines: string[] = [];
  readonly places: string[] = [];

  constructor(
    private readonly names: Names,
    private readonly openFlags: (mode: number) => number,
  ) {}

  add(line: string, place: string): void {
    this.lines.push(line);
    this.places.push(place);
  }

  datatype(datatype: MpiDatatype): void {
    const place = `the datatype "${datatype.name}"`;
    const { names } = this;
    this.at(place, () => {
      const start = `type ${encoded(datatype.name)} ${encoded(datatype.of)} ${datatype.kind}`;
      this.add(`${start} ${datatypeOperands(datatype, names).join(' ')}`, place);
    });
  }

  /** @param prefix what stands before the number of an operation in its place, as in run/task-program. */
  body(nodes: readonly ReplayNode[], prefix: string, names: Names): void {
    nodes.forEach((node, index) => {
      const place = `${prefix}${index + 1} ${node.operation}`;
      if (!isSeries(node)) {
        this.at(place, () => this.add(`${node.operation} ${this.operands(node, names).join(' ')}`, place));
        return;
      }
      this.at(place, () => this.add(`series ${postfixOf(node.count, names)}`, place));
      this.body(node.body, `${prefix}${index + 1}.`, { ...names, series: [...names.series, node.variable] });
      this.add('end', place);
    });
  }

  private at(place: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new ExpressionError(`${place}: ${error.message}`);
    }
  }

  private operands(operation: ReplayOperation, names: Names): (string | number)[] {
    const number = (text: NumberText): string => postfixOf(text, names);
    const path = (text: PathText): string => pathPieces(text, names);
    switch (operation.operation) {
      case 'open':
        return [operation.slot, this.openFlags(operation.mode), path(operation.path)];
      case 'fopen':
        if (fopenMode(operation.mode) === undefined)
          throw new ExpressionError(`"${operation.mode}" is no mode of fopen`);
        return [operation.slot, operation.mode, path(operation.path)];
      case 'mpi_fopen':
        return [
          operation.slot,
          modeBits(operation.mode),
          communicatorText(operation.communicator, names.size),
          path(operation.path),
        ];
      case 'close':
      case 'fclose':
      case 'mpi_fclose':
      case 'mpi_wait':
      case 'unlock':
        return [operation.slot];
      case 'duplicate':
        return [operation.slot, operation.to];
      case 'read':
      case 'write':
      case 'buf_read':
      case 'buf_write':
      case 'buf_read_random':
        return [operation.slot, number(operation.bytes)];
      case 'pread':
      case 'pwrite':
        return [operation.slot, number(operation.bytes), number(operation.offset)];
      case 'seek':
      case 'buf_seek':
        return [operation.slot, number(operation.offset), operation.whence];
      case 'sync':
        return [operation.slot, operation.dataOnly ? 1 : 0];
      case 'truncate':
        return [operation.slot, number(operation.length)];
      case 'lock':
        return [operation.slot, operation.shared === true ? 1 : 0];
      case 'rename':
        return [path(operation.path), path(operation.to)];
      case 'unlink':
      case 'mkdir':
      case 'rmdir':
      case 'stat':
      case 'mpi_fdelete':
        return [path(operation.path)];
      default:
        return this.otherOperands(operation, names);
    }
  }

  private otherOperands(operation: ReplayOperation, names: Names): (string | number)[] {
    switch (operation.operation) {
      case 'mpi_set_view': {
        const { slot, displacement, elementType, fileType } = operation;
        return [slot, postfixOf(displacement, names), encoded(elementType), encoded(fileType)];
      }
      case 'mpi_read':
      case 'mpi_write': {
        const { slot, position, blocking, collective, offset = 0, count, datatype } = operation;
        const flags = [position[0]!, blocking ? 1 : 0, collective ? 1 : 0];
        return [slot, ...flags, postfixOf(offset, names), postfixOf(count, names), encoded(datatype)];
      }
      case 'send_sync':
      case 'recv_sync':
        return [postfixOf(operation.peer, names)];
      case 'barrier':
        return [communicatorText(operation.tasks, names.size)];
      case 'sleep':
        return [bindNumber(operation.seconds, { ...names, series: [] }, 'real')([])];
      default:
        throw new ExpressionError(`${operation.operation} is not possible where ranks are processes of MPI`);
    }
  }
}

function datatypeOperands(datatype: MpiDatatype, names: Names): string[] {
  const number = (text: NumberText): string => postfixOf(text, names);
  const list = (texts: readonly NumberText[]): string => texts.map(number).join(';');
  switch (datatype.kind) {
    case 'contiguous':
      return [number(datatype.count)];
    case 'vector':
      return [number(datatype.count), number(datatype.blockLength), number(datatype.stride)];
    case 'subarray':
      return [list(datatype.sizes), list(datatype.subsizes), list(datatype.starts)];
    case 'indexed':
      return [list(datatype.blockLengths), list(datatype.displacements)];
    case 'resized':
      return [number(datatype.lowerBound), number(datatype.extent)];
  }
}

function modeBits(mode: string): number {
  const words = mode.split(/[\s,|]+/).filter((word) => word !== '');
  return words.reduce((bits, word) => {
    const bit = MODE_WORDS.indexOf(word.toLowerCase().replace(/^mpi_mode_/, ''));
    if (bit < 0) throw new ExpressionError(`"${word}" is no word of a mode of MPI: ${MODE_WORDS.join(', ')} are`);
    return bits | (1 << bit);
  }, 0);
}

function communicatorText(tasks: 'self' | readonly number[] | undefined, size: number): string {
  if (tasks === undefined) return 'world';
  if (tasks === 'self') return tasks;
  const stranger = tasks.find((task) => !(Number.isSafeInteger(task) && task >= 0 && task < size));
  if (stranger !== undefined) throw new ExpressionError(`task ${stranger} of ${size} tasks is named`);
  return [...new Set(tasks)].sort((a, b) => a - b).join(',');
}

/** Texts as `t…`, numbers as `nDIGITS:…`, separated by `|`. */
function pathPieces(path: PathText, names: Names): string {
  const pieces = piecesOf(path);
  // Numbers hold digits and a sign only: what leads out of the folder can only stand in the texts.
  checkPath(pieces.map((piece) => (typeof piece === 'string' ? piece : '0')).join(''));
  return pieces
    .map((piece) =>
      typeof piece === 'string' ? `t${encoded(piece)}` : `n${piece.digits}:${postfixOf(piece.expression, names)}`,
    )
    .join('|');
}

/** Letters, digits and `._/-` as they are, other bytes as %XX: without blanks, ends of lines and signs of this form. */
function encoded(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._/-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
