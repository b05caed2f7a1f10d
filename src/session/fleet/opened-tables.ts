import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { emptyViews, recordedViews } from '../../export/tables/recorded-views.ts';
import type { RecordedTableName } from '../../export/tables/recorded-tables.ts';
import type { QueryEngine } from '../../fleet/query/query-engine.ts';
import { DuckDbEngine } from './duckdb-engine.ts';

/** The tables of one recording, open for questions in SQL; they stand in a folder of their own until they are closed. */
export class OpenedTables {
  /** Also at the end of the process, wherever that comes: a reader that has seen enough ends it in between. */
  private readonly remove = (): void => rmSync(this.folder, { recursive: true, force: true });

  private constructor(
    private readonly folder: string,
    private readonly duckdb: DuckDbEngine,
  ) {
    process.once('exit', this.remove);
  }

  /** Tables without rows. @throws EngineMissingError in words for the user: no SQL engine. */
  static async open(engineFolders: readonly string[] = []): Promise<OpenedTables> {
    // Only its owner may look into it: Node makes it so.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-query-'));
    try {
      return new OpenedTables(folder, await DuckDbEngine.open(folder, emptyViews(), engineFolders));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get engine(): QueryEngine {
    return this.duckdb;
  }

  /** @throws QueryError in words for the user when a query names what is not there, or would not only read. */
  check(sql: string): Promise<void> {
    return this.duckdb.check(sql);
  }

  /** @param write puts the tables into the folder and says which file holds which. */
  async fill(write: (folder: string) => Promise<Readonly<Record<RecordedTableName, string>>>): Promise<void> {
    await this.duckdb.setUp(recordedViews(await write(this.folder)));
  }

  close(): void {
    this.duckdb.close();
    this.remove();
    process.off('exit', this.remove);
  }
}
