import type { TableDefinition } from '../../schema/table.ts';
import { TABLES, TABLE_NAMES, type TableName } from '../../schema/tables.ts';
import type { QueryEngine, UserFunction } from '../query-engine.ts';
import { sqlName } from '../sql-text.ts';
import type { Columns, ColumnsOf } from './columns.ts';
import { Relation, type OperatorEngine } from './relation.ts';
import type { SqlPieces } from './sql-pieces.ts';

/** Tables whose `log` is the recording that a row is of. */
const OF_RECORDINGS: readonly TableName[] = ['job', 'file', 'segment_summary', 'site', 'insight'];

/** IOMiner's interface to a store (its section II.A): tables by name, operators on their tuples. */
export class Miner {
  private from: number | undefined;
  private to: number | undefined;
  private readonly engine: OperatorEngine;

  constructor(engine: QueryEngine) {
    this.engine = new DefiningEngine(engine);
  }

  /**
   * Only what happened in a range of dates is loaded from now on: from the first date, up to and without the second
   * (UTC). The store's tables were made when the logs were taken in, once; partitions of other months are not read.
   * @throws RangeError in words for the user: no dates, or in the wrong order.
   */
  initStores(from: string | Date, to: string | Date): void {
    const [first, last] = [secondsOf(from), secondsOf(to)];
    if (!(first < last)) throw new RangeError(`initStores: ${String(from)} is not before ${String(to)}.`);
    this.from = first;
    this.to = last;
  }

  /** All tuples of a table in the range of dates. @throws RangeError in words for the user: no such table. */
  load<Name extends TableName>(table: Name): Relation<ColumnsOf<Name>, Name> {
    if (!TABLE_NAMES.includes(table))
      throw new RangeError(`load: there is no table ${table}; there are ${TABLE_NAMES.join(', ')}.`);
    const definition: TableDefinition = TABLES[table];
    const columns: Columns = Object.fromEntries(
      Object.entries(definition.columns).map(([name, { type }]) => [name, type]),
    );
    const names = Object.keys(columns).map(sqlName).join(', ');
    return new Relation(this.engine, {
      name: table,
      columns: columns as unknown as ColumnsOf<Name>,
      pieces: [`SELECT ${names} FROM ${sqlName(table)}`, ...this.inRange(definition.monthOf)],
      isOfRecordings: OF_RECORDINGS.includes(table),
      functions: [],
    });
  }

  private inRange(column: string): SqlPieces {
    if (this.from === undefined || this.to === undefined) return [];
    const moment = (seconds: number): SqlPieces => [
      `make_timestamp(`,
      { value: Math.round(seconds * 1e6) },
      '::BIGINT)',
    ];
    const month = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 7);
    return [
      ` WHERE ${column} >= `,
      ...moment(this.from),
      ` AND ${column} < `,
      ...moment(this.to),
      ' AND month BETWEEN ',
      { value: month(this.from) },
      ' AND ',
      { value: month(this.to) },
    ];
  }
}

/** Functions of the user's are made known to the engine once. */
class DefiningEngine implements OperatorEngine {
  private readonly defined = new Set<UserFunction>();
  private readonly prefix = `miner_${++miners}_function_`;
  private functions = 0;

  constructor(private readonly engine: QueryEngine) {}

  query: QueryEngine['query'] = (sql, options) => this.engine.query(sql, options);
  stream: QueryEngine['stream'] = (sql, options) => this.engine.stream(sql, options);

  async define(userFunction: UserFunction): Promise<void> {
    if (this.defined.has(userFunction)) return;
    await this.engine.define(userFunction);
    this.defined.add(userFunction);
  }

  nextFunctionName(): string {
    return `${this.prefix}${++this.functions}`;
  }
}

/** Several may ask one engine. */
let miners = 0;

/** @throws RangeError in words for the user. */
function secondsOf(date: string | Date): number {
  const seconds = new Date(date).getTime() / 1000;
  if (Number.isNaN(seconds)) throw new RangeError(`initStores: "${String(date)}" is no date such as 2018-01-31.`);
  return seconds;
}
