import type { ColumnType } from '../../schema/table.ts';
import type { Direction } from '../../causes/causes.ts';
import { causesOfFiles, type JobCauses } from '../job-causes.ts';
import type { QueryEngine, QueryOptions, QueryResult, QueryValue, UserFunction } from '../query-engine.ts';
import { parseSize } from '../sizes.ts';
import { sqlName, sqlText } from '../sql-text.ts';
import { SQL_TYPES } from '../table-views.ts';
import type { Columns, JoinedColumns, Tuple } from './columns.ts';
import { parseCondition } from './condition.ts';
import type { GroupFunction } from './group-functions.ts';
import { boundQuery, joined, type SqlPieces } from './sql-pieces.ts';

/** What a relation stands for. */
interface RelationSource<Of extends Columns, Name extends string> {
  /** Of the table that it comes from: stands in front of names that another relation has too. */
  readonly name: Name;
  readonly columns: Of;
  readonly pieces: SqlPieces;
  /** Its `log` is the recording that a row is of. */
  readonly isOfRecordings: boolean;
  /** Functions of the user's that the query calls. */
  readonly functions: readonly UserFunction[];
}

/** The SQL engine, with functions that are defined when they are first called. */
export interface OperatorEngine extends Pick<QueryEngine, 'query' | 'stream' | 'define'> {
  /** A name for a function that no other has. */
  nextFunctionName(): string;
}

/** Upper bounds of bins in ascending order: numbers, or sizes such as `1GB`. */
type BinBounds = readonly (number | string)[];

/** Percentiles of a column: 0 is the least value, 100 the greatest. */
interface PercentileColumns extends Columns {
  readonly percentile: 'integer';
  readonly value: 'number';
}

/**
 * Tuples that are asked for step by step (IOMiner, section II.A): each operator gives another relation, and nothing is
 * computed before the rows are wanted. The whole chain becomes one query.
 */
export class Relation<Of extends Columns, Name extends string = string> {
  constructor(
    private readonly engine: OperatorEngine,
    private readonly source: RelationSource<Of, Name>,
  ) {}

  /** Only these columns. @throws RangeError in words for the user: no such column. */
  project<Column extends keyof Of & string>(...columns: readonly Column[]): Relation<Pick<Of, Column>, Name> {
    const kept = Object.fromEntries(columns.map((column) => [column, this.type(column)])) as unknown as Pick<
      Of,
      Column
    >;
    return this.next(kept, ['SELECT ', columns.map(sqlName).join(', '), ' FROM ', ...this.nested()]);
  }

  /** Only tuples for which the condition holds, such as `bytes_written < 1GB` (see `parseCondition`). */
  filter(condition: string): Relation<Of, Name> {
    const where = parseCondition(condition, new Set(Object.keys(this.source.columns)));
    return this.next(this.source.columns, ['SELECT * FROM ', ...this.nested(), ' WHERE ', ...where]);
  }

  /** By a column; what is not known comes last. */
  sort(column: keyof Of & string, order: 'ascending' | 'descending' = 'ascending'): Relation<Of, Name> {
    const by = `${this.column(column)} ${order === 'ascending' ? 'ASC' : 'DESC'} NULLS LAST`;
    return this.next(this.source.columns, ['SELECT * FROM ', ...this.nested(), ` ORDER BY ${by}`]);
  }

  /** The first tuples. */
  first(most: number): Relation<Of, Name> {
    return this.next(this.source.columns, ['SELECT * FROM ', ...this.nested(), ' LIMIT ', { value: most }]);
  }

  /** One tuple for each value of the keys, with what the functions make of the group. */
  group<Key extends keyof Of & string, Made extends string, Type extends ColumnType>(
    keys: Key | readonly Key[],
    ...made: readonly GroupFunction<Of, Made, Type>[]
  ): Relation<Pick<Of, Key> & Readonly<Record<Made, Type>>, Name> {
    const by = [keys].flat() as Key[];
    const functions = made.map((one) => this.madeOfGroup(one));
    const columns = {
      ...Object.fromEntries(by.map((key) => [key, this.type(key)])),
      ...Object.fromEntries(made.map(({ name, returns }) => [name, returns])),
    } as unknown as Pick<Of, Key> & Readonly<Record<Made, Type>>;
    const names = by.map((key) => this.column(key)).join(', ');
    const selected = [names, ...functions.map(({ sql }) => sql)].join(', ');
    const pieces = [`SELECT ${selected} FROM `, ...this.nested(), ` GROUP BY ${names}`];
    return this.next(
      columns,
      pieces,
      functions.flatMap(({ defined }) => defined),
    );
  }

  /**
   * Tuples of both that have the same keys. Tables of recordings are also joined by `log`: numbers of jobs are not unique,
   * and files of one program are not those of another. Other columns that both have get the name of the right one in front.
   */
  join<Right extends Columns, RightName extends string, Key extends keyof Of & keyof Right & string>(
    other: Relation<Right, RightName>,
    ...keys: readonly Key[]
  ): Relation<JoinedColumns<Of, Right, Key, RightName>, Name> {
    const [left, right] = [this.source, other.source];
    const isOfOne = left.isOfRecordings && right.isOfRecordings && 'log' in left.columns && 'log' in right.columns;
    const by: string[] = [...new Set([...keys, ...(isOfOne ? ['log'] : [])])];
    const added = Object.keys(right.columns).filter((column) => !by.includes(column));
    const renamed = added.map((column) => (column in left.columns ? `${right.name}_${column}` : column));
    const twice = renamed.find((column) => column in left.columns);
    if (twice !== undefined) throw new RangeError(`join: both sides have a column ${twice}; project one of them away.`);
    const columns = {
      ...left.columns,
      ...Object.fromEntries(added.map((column, i) => [renamed[i], right.columns[column]])),
    } as unknown as JoinedColumns<Of, Right, Key, RightName>;
    const selected = ['a.*', ...added.map((column, i) => `b.${sqlName(column)} AS ${sqlName(renamed[i]!)}`)].join(', ');
    const on = by.map((key) => `a.${this.column(key)} = b.${other.column(key)}`).join(' AND ');
    const pieces = [`SELECT ${selected} FROM `, ...this.nested('a'), ' JOIN ', ...other.nested('b'), ` ON ${on}`];
    return this.next(columns, pieces, right.functions);
  }

  /** The tuples with the number of the bin that a column falls into, from 0: bin 0 lies below the first bound. */
  bin<Added extends string>(
    name: Added,
    bounds: BinBounds,
    column: keyof Of & string,
  ): Relation<Of & Readonly<Record<Added, 'integer'>>, Name>;
  /** The tuples with what a function of the user's says of a column. */
  bin<Added extends string, Type extends ColumnType = 'integer'>(
    name: Added,
    classify: (value: QueryValue) => QueryValue,
    column: keyof Of & string,
    returns?: Type,
  ): Relation<Of & Readonly<Record<Added, Type>>, Name>;
  bin(
    name: string,
    by: BinBounds | ((value: QueryValue) => QueryValue),
    column: keyof Of & string,
    returns: ColumnType = 'integer',
  ): Relation<Columns, Name> {
    const { pieces, functions } =
      typeof by === 'function' ? this.called(by, column, returns) : binOf(by, this.column(column));
    const columns = { ...this.source.columns, [name]: returns };
    return this.next(columns, ['SELECT *, ', ...pieces, ` AS ${sqlName(name)} FROM `, ...this.nested()], functions);
  }

  /** Percentiles 0 to 100 of a column: each is one of its values (nearest rank). */
  percentile(column: keyof Of & string): Relation<PercentileColumns, Name> {
    const shares = '[x / 100.0 FOR x IN range(101)]';
    const value = `unnest(quantile_disc(${this.column(column)}, ${shares}))`;
    const pieces = [`SELECT unnest(range(101)) AS percentile, ${value} AS value FROM `, ...this.nested()];
    return this.next({ percentile: 'integer', value: 'number' }, pieces);
  }

  /**
   * Root causes (section II.D) of the jobs among these tuples whose bandwidth over their active time lies between two
   * bounds, such as `0` and `1GB` a second. Where the tuples are of files (`file_id`), only these files count.
   * @throws RangeError in words for the user: no size, or tuples that name no recording.
   */
  async extractPerfFactors(
    low: string | number,
    high: string | number,
    direction: Direction,
    signal?: AbortSignal,
  ): Promise<readonly JobCauses[]> {
    if (!this.source.isOfRecordings || !('log' in this.source.columns))
      throw new RangeError(
        'extractPerfFactors: the tuples have no column log, which says of which recording they are.',
      );
    const keys = ['log', ...('file_id' in this.source.columns ? ['file_id'] : [])];
    const chosen = boundQuery([`SELECT DISTINCT ${keys.join(', ')} FROM `, ...this.nested()]);
    await this.define();
    const bounds = { leastBandwidth: sizeOf(low), mostBandwidth: sizeOf(high), mostJobs: Infinity };
    return causesOfFiles(this.engine, { ...bounds, direction, chosen, keys }, signal);
  }

  /** The query that it stands for, with `$1`, … for values. */
  get sql(): string {
    return boundQuery(this.source.pieces).sql;
  }

  /** All tuples. */
  async rows(options?: Pick<QueryOptions, 'mostRows' | 'signal'>): Promise<Tuple<Of>[]> {
    const result = await this.result(options);
    return result.rows.map((row) => tupleOf(result, row) as Tuple<Of>);
  }

  /** As the engine gives it. */
  async result(options?: Pick<QueryOptions, 'mostRows' | 'signal'>): Promise<QueryResult> {
    await this.define();
    const { sql, parameters } = boundQuery(this.source.pieces);
    return this.engine.query(sql, { ...options, parameters });
  }

  /** Rows a chunk at a time. */
  async *stream(signal?: AbortSignal): AsyncGenerator<QueryResult> {
    await this.define();
    const { sql, parameters } = boundQuery(this.source.pieces);
    yield* this.engine.stream(sql, { parameters, ...(signal && { signal }) });
  }

  private async define(): Promise<void> {
    for (const one of this.source.functions) await this.engine.define(one);
  }

  private next<Now extends Columns>(
    columns: Now,
    pieces: SqlPieces,
    functions: readonly UserFunction[] = [],
  ): Relation<Now, Name> {
    const all = [...new Set([...this.source.functions, ...functions])];
    return new Relation(this.engine, { ...this.source, columns, pieces, functions: all });
  }

  private nested(alias = 'tuples'): SqlPieces {
    return ['(', ...this.source.pieces, `) AS ${alias}`];
  }

  /** @throws RangeError in words for the user: no such column. */
  private type(column: string): ColumnType {
    const type = Object.hasOwn(this.source.columns, column) ? this.source.columns[column] : undefined;
    if (type !== undefined) return type;
    const known = Object.keys(this.source.columns).join(', ');
    throw new RangeError(`${this.source.name}: there is no column ${column}; there are ${known}.`);
  }

  private column(name: string): string {
    this.type(name);
    return sqlName(name);
  }

  private called(
    call: (value: QueryValue) => QueryValue,
    column: string,
    returns: ColumnType,
  ): { pieces: SqlPieces; functions: UserFunction[] } {
    const name = this.engine.nextFunctionName();
    const parameters = [this.type(column)];
    return { pieces: [`${name}(${this.column(column)})`], functions: [{ name, parameters, returns, call }] };
  }

  /** Groups go over to a function of the user's as JSON: the engine's own functions take no tuples. */
  private madeOfGroup<Made extends string, Type extends ColumnType>(
    made: GroupFunction<Of, Made, Type>,
  ): { sql: string; defined: UserFunction[] } {
    const as = ` AS ${sqlName(made.name)}`;
    const columns = made.columns.map((column) => this.column(column));
    if ('sql' in made) return { sql: `(${made.sql(...columns)})::${SQL_TYPES[made.returns]}${as}`, defined: [] };
    const name = this.engine.nextFunctionName();
    const members = made.columns.map((column, i) => `${sqlText(column)}, ${columns[i]!}`).join(', ');
    const call = (tuples: QueryValue): QueryValue => made.call(JSON.parse(tuples as string) as Tuple<Of>[]);
    const defined = [{ name, parameters: ['text' as const], returns: made.returns, call }];
    return { sql: `${name}(to_json(list(json_object(${members})))::VARCHAR)${as}`, defined };
  }
}

function tupleOf({ columns }: QueryResult, row: readonly QueryValue[]): Record<string, QueryValue> {
  return Object.fromEntries(columns.map(({ name }, index) => [name, row[index]!]));
}

/** @throws RangeError in words for the user. */
function sizeOf(bound: string | number): number {
  const size = typeof bound === 'number' ? bound : parseSize(bound);
  if (size === undefined) throw new RangeError(`"${String(bound)}" is no size such as 1GB.`);
  return size;
}

function binOf(bounds: BinBounds, column: string): { pieces: SqlPieces; functions: UserFunction[] } {
  const steps = bounds.map((bound): SqlPieces => [
    `CASE WHEN ${column} >= `,
    { value: sizeOf(bound) },
    ' THEN 1 ELSE 0 END',
  ]);
  const sum = steps.length === 0 ? ['0'] : joined(steps, ' + ');
  return { pieces: [`CASE WHEN ${column} IS NULL THEN NULL ELSE `, ...sum, ' END'], functions: [] };
}
