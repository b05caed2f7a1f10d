import { ProgramReader, type ProgramSources } from './program-sources.ts';

type Reader = Pick<ProgramReader, 'sourcesOf'>;

/**
 * The sources of programs as they were a moment ago: an editor asks many times in a row. The moment begins when they have
 * been read; however long that takes, who asks meanwhile waits for it and does not begin it anew.
 */
export class RecentPrograms {
  private reader: Reader;
  /** When the first program of the reader had been read, in milliseconds; undefined before. */
  private readAt: number | undefined;

  /** @param kept milliseconds for which what was read is taken for what there is. */
  constructor(
    private readonly kept: number,
    private readonly newReader: () => Reader = () => new ProgramReader(),
  ) {
    this.reader = newReader();
  }

  /** @throws as ProgramReader does. */
  async sourcesOf(question: Parameters<Reader['sourcesOf']>[0]): Promise<ProgramSources> {
    if (this.readAt !== undefined && performance.now() - this.readAt > this.kept) {
      this.reader = this.newReader();
      this.readAt = undefined;
    }
    const { reader } = this;
    try {
      return await reader.sourcesOf(question);
    } finally {
      if (this.reader === reader) this.readAt ??= performance.now();
    }
  }
}
