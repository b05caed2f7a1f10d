import { SAXParser, type QualifiedTag, type Tag } from 'sax';
import { ExpressionError } from '../expressions/expression-error.ts';
import type { FilePool, MpiDatatype, NumberText, ReplayNode, ReplayProgram, ReplaySeries } from '../program.ts';
import { DEEPEST_SERIES } from '../run/task-program.ts';
import { attributeValue, checkRanks } from './attribute-texts.ts';
import { DATATYPE_KINDS, DATATYPE_START, FILE_POOL, INPUT, OPERATIONS, type AttributeRule } from './dialect.ts';

/** What is wrong with a DIOS file, and in which line. */
export class DiosError extends Error {
  override name = 'DiosError';

  constructor(
    /** Counted from 1. */
    readonly line: number,
    message: string,
  ) {
    super(`line ${line}: ${message}`);
  }
}

/** Characters of a file: more was made to be in the way. */
const LONGEST = 1 << 28;

/**
 * Reads DIOS XML (docs/dios-xml.md). Nothing is fetched, and no entity but XML's own is known: a document type is refused.
 * @throws DiosError with the line and what was expected there.
 */
export function readDios(file: string): ReplayProgram {
  const text = file.replace(/^\ufeff/, '');
  if (text.length > LONGEST) throw new DiosError(1, `the file has ${text.length} characters: ${LONGEST} are the most`);
  const parser = new SAXParser(true);
  const builder = new ProgramBuilder();
  let line = 1;
  const here = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ExpressionError || error instanceof RangeError)) throw error;
      throw new DiosError(line, error.message);
    }
  };
  const where = (): number => parser.line + 1;
  parser.onerror = (error) => {
    throw new DiosError(where(), `this is no well-formed XML: ${error.message.split('\n')[0]!}`);
  };
  parser.ondoctype = () => {
    throw new DiosError(where(), 'a document type is not allowed');
  };
  parser.ontext = (found) => {
    if (found.trim() !== '') throw new DiosError(where(), `"${found.trim().slice(0, 40)}": only elements are expected`);
  };
  parser.oncdata = () => {
    throw new DiosError(where(), 'CDATA is not expected');
  };
  parser.onopentagstart = () => {
    // The character behind the name has been read.
    line = where() - (text[parser.position - 1] === '\n' ? 1 : 0);
  };
  parser.onopentag = (tag) =>
    here(() => {
      refuseTwice(tag, text.slice(parser.startTagPosition, parser.position));
      builder.open(tag.name.replaceAll('-', '_'), (tag as Tag).attributes);
    });
  parser.onclosetag = () => here(() => builder.close());
  parser.write(text).close();
  if (!builder.hasBegun) throw new DiosError(where(), 'the file is empty: <iotest> is expected');
  return builder.program();
}

/** The parser drops the second of two attributes of one name. */
function refuseTwice(tag: Tag | QualifiedTag, source: string): void {
  const names = [...source.matchAll(/([^\s=<>"'/]+)\s*=\s*(?:"[^"]*"|'[^']*')/g)].map(([, name]) => name!);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`<${tag.name}> has the attribute ${twice} twice`);
}

/** An element under way that holds others. */
type Open =
  | { readonly kind: 'iotest' }
  /** An element without content. */
  | { readonly kind: 'leaf'; readonly tag: string }
  | { readonly kind: 'task'; readonly ranks: string; readonly body: ReplayNode[] }
  | {
      readonly kind: 'series';
      readonly tag: ReplaySeries['operation'];
      readonly count: NumberText | undefined;
      readonly variable: string;
      readonly body: ReplayNode[];
    };

type Attributes = Readonly<Record<string, string>>;

class ProgramBuilder {
  private readonly opened: Open[] = [];
  private readonly tasks: { ranks: string; body: readonly ReplayNode[] }[] = [];
  private readonly pools: FilePool[] = [];
  private readonly datatypes: MpiDatatype[] = [];
  private readonly inputs: { path: string; bytes: number }[] = [];

  hasBegun = false;

  program(): ReplayProgram {
    return { tasks: this.tasks, pools: this.pools, datatypes: this.datatypes, inputs: this.inputs };
  }

  open(tag: string, attributes: Attributes): void {
    const parent = this.opened.at(-1);
    if (parent === undefined) this.openRoot(tag, attributes);
    else if (parent.kind === 'iotest') this.openPart(tag, attributes);
    else if (parent.kind === 'leaf') throw new RangeError(`<${tag}> cannot stand in <${parent.tag}>`);
    else this.openNode(tag, attributes, parent);
  }

  close(): void {
    const closed = this.opened.pop()!;
    if (closed.kind === 'task') this.tasks.push({ ranks: closed.ranks, body: closed.body });
    if (closed.kind !== 'series') return;
    const { tag, count, variable, body } = closed;
    if (body.length === 0) throw new RangeError(`<${tag}> is empty: one or more operations are expected`);
    const parent = this.opened.at(-1);
    if (parent?.kind !== 'task' && parent?.kind !== 'series') return;
    // Without a count it only groups.
    if (count === undefined) for (const node of body) parent.body.push(node);
    else parent.body.push({ operation: tag, count, variable, body });
  }

  private openRoot(tag: string, attributes: Attributes): void {
    if (tag !== 'iotest') throw new RangeError(`<${tag}>: <iotest> is expected`);
    const { dialect = 'iolens-1' } = attributes;
    if (dialect !== 'iolens-1') throw new RangeError(`the dialect "${dialect}" is not known: iolens-1 is expected`);
    refuseOthers(tag, attributes, ['dialect']);
    this.hasBegun = true;
    this.opened.push({ kind: 'iotest' });
  }

  private openPart(tag: string, attributes: Attributes): void {
    switch (tag) {
      case 'task':
        refuseOthers(tag, attributes, ['ranks']);
        this.opened.push({ kind: 'task', ranks: checkRanks(attributes['ranks'] ?? 'all'), body: [] });
        return;
      case 'mpi_datatype':
        this.datatypes.push(datatypeOf(attributes));
        break;
      case 'filepool': {
        // The fields that the rules name are those of the type.
        const pool = fieldsOf(tag, FILE_POOL, attributes) as unknown as FilePool;
        if (this.pools.some(({ name }) => name === pool.name))
          throw new RangeError(`the pool "${pool.name}" is there twice`);
        this.pools.push(pool);
        break;
      }
      case 'input': {
        const { path, bytes } = fieldsOf(tag, INPUT, attributes);
        if (typeof bytes !== 'number') throw new RangeError('<input>: bytes is a number here, no expression');
        this.inputs.push({ path: path as string, bytes });
        break;
      }
      default:
        throw new RangeError(`<${tag}>: one of task, mpi_datatype, filepool, input is expected in <iotest>`);
    }
    this.opened.push({ kind: 'leaf', tag });
  }

  private openNode(tag: string, attributes: Attributes, parent: Open & { kind: 'task' | 'series' }): void {
    if (tag === 'series' || tag === 'mpi_series') {
      this.openSeries(tag, attributes);
      return;
    }
    const operation = tag === 'unlink' && 'pool' in attributes ? 'poolunlink' : tag;
    const rule = tag !== 'poolunlink' && Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
    if (rule === undefined) throw new RangeError(`<${tag}> is no operation: ${allowedIn(parent)} is expected`);
    const isFitting =
      parent.kind === 'series' && (rule.family === 'both' || (rule.family === 'mpi') === (parent.tag === 'mpi_series'));
    if (!isFitting)
      throw new RangeError(`<${tag}> cannot stand in <${tagOf(parent)}>: ${allowedIn(parent)} is expected`);
    // The fields that the rules name are those of the type.
    parent.body.push({ operation, ...fieldsOf(tag, rule.attributes, attributes) } as unknown as ReplayNode);
    this.opened.push({ kind: 'leaf', tag });
  }

  private openSeries(tag: ReplaySeries['operation'], attributes: Attributes): void {
    refuseOthers(tag, attributes, ['count', 'variable']);
    if (this.opened.length > DEEPEST_SERIES) throw new RangeError(`series are nested more than ${DEEPEST_SERIES} deep`);
    const { count: countText, variable = '' } = attributes;
    if (variable !== '' && !/^[A-Za-z_]\w*$/.test(variable))
      throw new RangeError(`the variable "${variable}" is no name: letters, digits and _ are expected`);
    const count = countText ?? (variable === '' ? undefined : '1');
    const value = count === undefined ? undefined : attributeValue({ is: 'number', least: 0 }, count);
    this.opened.push({ kind: 'series', tag, count: value as NumberText | undefined, variable, body: [] });
  }
}

function tagOf(open: Open): string {
  return open.kind === 'series' || open.kind === 'leaf' ? open.tag : open.kind;
}

function allowedIn(parent: Open): string {
  if (parent.kind !== 'series') return 'series or mpi_series';
  const family = parent.tag === 'series' ? 'posix' : 'mpi';
  const names = Object.keys(OPERATIONS).filter((name) => ['both', family].includes(OPERATIONS[name]!.family));
  return `one of ${names.filter((name) => name !== 'poolunlink').join(', ')}, series, mpi_series`;
}

function datatypeOf(attributes: Attributes): MpiDatatype {
  const { kind = '' } = attributes;
  const more = Object.hasOwn(DATATYPE_KINDS, kind) ? DATATYPE_KINDS[kind] : undefined;
  if (more === undefined)
    throw new RangeError(`<mpi_datatype>: the kind "${kind}" is none of ${Object.keys(DATATYPE_KINDS).join(', ')}`);
  const datatype = fieldsOf('mpi_datatype', [...DATATYPE_START, ...more], attributes) as unknown as MpiDatatype;
  const lists = Object.values(datatype).filter((value): value is NumberText[] => Array.isArray(value));
  if (lists.some((list) => list.length !== lists[0]!.length))
    throw new RangeError(`<mpi_datatype>: the lists of "${datatype.name}" are not of the same length`);
  return datatype;
}

/** @throws RangeError or ExpressionError for an attribute that is missing, unknown, or wrong. */
function fieldsOf(tag: string, rules: readonly AttributeRule[], attributes: Attributes): Record<string, unknown> {
  refuseOthers(
    tag,
    attributes,
    rules.map(({ name }) => name),
  );
  const fields: Record<string, unknown> = {};
  for (const { name, field, kind, otherwise } of rules) {
    const text = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (text !== undefined)
      try {
        fields[field] = attributeValue(kind, text);
      } catch (error) {
        if (error instanceof Error) throw new RangeError(`<${tag}>, ${name}: ${error.message}`, { cause: error });
        throw error;
      }
    else if (otherwise === undefined) throw new RangeError(`<${tag}> has no attribute ${name}`);
    else if (otherwise !== 'absent') fields[field] = otherwise.value;
  }
  return fields;
}

function refuseOthers(tag: string, attributes: Attributes, known: readonly string[]): void {
  const other = Object.keys(attributes).find((name) => !known.includes(name));
  if (other !== undefined)
    throw new RangeError(
      `<${tag}> has no attribute ${other}: ${known.length > 0 ? known.join(', ') : 'none'} are known`,
    );
}
