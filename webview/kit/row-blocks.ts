/** A stretch of a long table, and how long the whole is. */
export interface RowStretch<Column, Value> {
  readonly total: number;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

/** @throws Error in words for the user. */
export type AskRows<Column, Value> = (first: number, count: number) => Promise<RowStretch<Column, Value>>;

/** Rows that are asked for at once: some screens. */
const BLOCK_ROWS = 200;
/** Blocks that are kept: a user who scrolls to and fro finds them again, and memory does not grow with the table. */
const MOST_BLOCKS = 50;

/** Rows of a long table as far as they were asked for. One question at a time, always for what is in sight now. */
export class RowBlocks<Column, Value> {
  private readonly blocks = new Map<number, RowStretch<Column, Value>['rows']>();
  private wanted: { from: number; to: number } = { from: 0, to: 1 };
  private isAsking = false;
  private isLeft = false;
  total: number | undefined;
  columns: readonly Column[] = [];

  constructor(
    private readonly ask: AskRows<Column, Value>,
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  row(index: number): readonly Value[] | undefined {
    return this.blocks.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS];
  }

  /** Says which rows are in sight: what is missing of them is asked for. */
  want(from: number, to: number): void {
    this.wanted = { from, to };
    void this.fetch();
  }

  /** Answers that are under way are no longer of use. */
  leave(): void {
    this.isLeft = true;
  }

  private isGone(): boolean {
    return this.isLeft;
  }

  private async fetch(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      for (let block = this.missing(); block !== undefined && !this.isGone(); block = this.missing()) {
        const stretch = await this.ask(block * BLOCK_ROWS, BLOCK_ROWS);
        if (this.isGone()) return;
        this.keep(block, stretch);
        this.changed();
      }
    } catch (error) {
      if (!this.isGone()) this.failed(error);
    } finally {
      this.isAsking = false;
    }
  }

  private missing(): number | undefined {
    const end = Math.min(this.wanted.to, this.total ?? 1);
    for (let block = Math.floor(this.wanted.from / BLOCK_ROWS); block * BLOCK_ROWS < end; block++)
      if (!this.blocks.has(block)) return block;
    return undefined;
  }

  private keep(block: number, { total, columns, rows }: RowStretch<Column, Value>): void {
    this.total = total;
    this.columns = columns;
    this.blocks.set(block, rows);
    if (this.blocks.size > MOST_BLOCKS) this.blocks.delete(this.blocks.keys().next().value!);
  }
}
