import { CounterTable, isIdentifier } from '../../trace/counters.ts';

/** Where the rows of one module go. Names of counters are indices into the reader's table of names. */
export interface ModuleRows {
  begin(recordId: bigint, rank: number, file: number, fileName: string): void;
  /** The counter that the next row most likely holds, or -1. */
  expected(): number;
  /**
   * Takes a row with a number.
   * @returns false when the record under way has this counter already, so that another one begins with this row.
   */
  addNumber(counter: number, value: number): boolean;
  /** Told the digits of a number that is rounded, in front of the row itself. */
  addDigits?(counter: number, digits: string): void;
  /** Takes a row whose value is no number. Returns whether such a value was to be expected. */
  addText(counter: number, value: string): boolean;
  /**
   * Ends the record.
   * @param isLast the text ends behind it, or was cut there.
   * @returns how many counters it lacks.
   */
  finish(isLast: boolean): number;
}

/** A counter that is known before it is met. */
export interface KnownCounter {
  readonly counter: number;
  /** What stands for it when the text lacks it: -1 ("not measured") in most places. */
  readonly absent: number;
  /** Every release prints it for logs like this one. */
  readonly isPrinted: boolean;
}

/** What the head of the output says about a module. */
export interface ModuleHead {
  readonly version: number;
  readonly incomplete: boolean;
}

/** Rows of a module whose records are numbers by name. */
export class RecordRows implements ModuleRows {
  table: CounterTable | undefined;
  /** Counters in the order of the table; behind them those that no finished record had. */
  private readonly counters: number[];
  /** Place of a counter in `counters`. */
  private readonly columns: number[] = [];
  /** What stands in a column that a record lacks. */
  private readonly absent: readonly number[];
  /** Column of the last counter that every record has; -1 when that is not known. */
  private readonly end: number;
  private values = new Float64Array(128);
  private filled = new Uint8Array(128);
  /** Columns of identifiers, and of the record under way those that a number cannot hold. */
  private readonly identifiers: number[] = [];
  private readonly digits = new Map<number, string>();
  private next = 0;
  private count = 0;
  private most = 0;
  private recordId = 0n;
  private rank = 0;
  private file = 0;

  /**
   * @param known counters of the module as the newest Darshan knows them, in its order.
   * @param nameOf the text of a counter's name.
   * @param head asked when the first record is complete.
   */
  constructor(
    private readonly module: string,
    known: readonly KnownCounter[],
    private readonly nameOf: (counter: number) => string,
    private readonly head: () => ModuleHead,
  ) {
    this.counters = [];
    for (const { counter } of known) this.addColumn(counter);
    this.absent = known.map(({ absent }) => absent);
    this.end = known.findLastIndex(({ isPrinted }) => isPrinted);
  }

  begin(recordId: bigint, rank: number, file: number): void {
    [this.recordId, this.rank, this.file] = [recordId, rank, file];
    [this.next, this.count] = [0, 0];
    this.digits.clear();
    this.filled.fill(0);
    // What only some records of a module have (the first of APMPI is another kind) was not printed for the others.
    this.values.fill(NaN);
    this.values.set(this.absent);
  }

  expected(): number {
    return this.counters[this.next] ?? -1;
  }

  addNumber(counter: number, value: number): boolean {
    let column = this.columns[counter];
    if (column === undefined) {
      if (isName(this.nameOf(counter))) return true;
      column = this.addColumn(counter);
    }
    if (this.filled[column] === 1) return false;
    this.filled[column] = 1;
    this.values[column] = value;
    this.next = column + 1;
    this.count++;
    return true;
  }

  addDigits(counter: number, digits: string): void {
    this.digits.set(counter, digits);
  }

  addText(counter: number): boolean {
    return isName(this.nameOf(counter));
  }

  finish(isLast: boolean): number {
    if (this.count === 0) return 0;
    const cutOff = isLast && this.end >= 0 && this.filled[this.end] === 0 ? this.end + 1 - this.next : 0;
    if (this.table?.counters.length !== this.counters.length) this.table = this.widened();
    this.table.add(this.recordId, this.rank, this.file, this.values);
    for (const column of this.identifiers) this.addIdentifier(this.table, column);
    const missing = Math.max(0, cutOff, this.most - this.count);
    this.most = Math.max(this.most, this.count);
    this.count = 0;
    return missing;
  }

  private addIdentifier(table: CounterTable, column: number): void {
    const value = this.values[column]!;
    if (!Number.isInteger(value) || value === 0) return;
    const id = BigInt(this.digits.get(this.counters[column]!) ?? value);
    table.addIdentifier(table.counters[column]!, BigInt.asUintN(64, id));
  }

  private addColumn(counter: number): number {
    const column = this.counters.push(counter) - 1;
    this.columns[counter] = column;
    if (isIdentifier(this.nameOf(counter))) this.identifiers.push(column);
    if (column === this.values.length) {
      const values = new Float64Array(column * 2).fill(NaN);
      values.set(this.values);
      const filled = new Uint8Array(column * 2);
      filled.set(this.filled);
      [this.values, this.filled] = [values, filled];
    }
    return column;
  }

  /** The records so far in a table that has room for all counters seen; the first record makes the table. */
  private widened(): CounterTable {
    const { version, incomplete } = this.head();
    const names = this.counters.map((counter) => this.nameOf(counter));
    const wider = new CounterTable(this.module, version, names, incomplete);
    const { table } = this;
    if (table === undefined) return wider;
    const values = new Float64Array(names.length).fill(NaN);
    for (let record = 0; record < table.length; record++) {
      for (let column = 0; column < table.counters.length; column++) values[column] = table.value(record, column);
      wider.add(table.recordId(record), table.rank(record), table.file(record), values);
    }
    for (const counter of table.counters)
      for (const id of table.identifiersIn(counter)) wider.addIdentifier(counter, id);
    return wider;
  }
}

/** Rows that name a storage pool, an object or a node instead of counting something. */
function isName(counter: string): boolean {
  return /(?:_UUID|_OID_(?:HI|LO)|_NAME)$/.test(counter);
}
