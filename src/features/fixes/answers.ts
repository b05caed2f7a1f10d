import type { FixFinder } from '../../analysis/fixes/find-fixes.ts';
import type { Fix, FixRequest, ParseRequest } from '../../analysis/fixes/fix.ts';
import { writtenFiles } from '../../analysis/trials/written-files.ts';
import type { FixesDocument } from '../../export/fixes/fixes-document.ts';
import { unpackedResource } from '../../session/reading/compression/packed-resource.ts';
import type { SourceFolders } from '../../session/sources/quoted-sources.ts';
import { RecentPrograms } from '../../session/sources/recent-programs.ts';
import type { OpenRecordings } from '../../session/reading/open-recordings.ts';
import { fixesOf } from '../answers/recording-fixes.ts';

/** What is asked about a line of an editor; the sources of its program are found here. */
export interface FixQuestion {
  /** `sources` are texts of the editor, that of the place among them: they win over those on disk. */
  readonly request: FixRequest;
  /** Other sources that the recording saw run. */
  readonly recorded: readonly string[];
  readonly folders: SourceFolders;
}

/** Milliseconds for which the sources of a program are taken as they were read. */
const SOURCES_KEPT = 2000;

/** Changes of sources; no recording need be open for those of a place. */
export class FixAnswers {
  private finder: Promise<FixFinder> | undefined;
  private readonly programs = new RecentPrograms(SOURCES_KEPT);

  constructor(private readonly recordings: Pick<OpenRecordings, 'resource' | 'of'>) {}

  /** All fixes for the findings of recordings, in sources whose text may be read. */
  async list(ids: readonly number[]): Promise<FixesDocument> {
    return fixesOf(
      ids.map((id) => this.recordings.of(id)),
      await this.loaded(),
    );
  }

  // Not a plain function: what it throws is a rejection, as everywhere.
  /** The files that a recorded program wrote, as recorded. */
  async written(id: number): Promise<string[]> {
    const { trace, metrics } = this.recordings.of(id);
    return Promise.resolve(writtenFiles(trace, metrics));
  }

  /** Whether one process of a recorded program had several threads that made calls. */
  async threaded(id: number): Promise<boolean> {
    const { streams } = this.recordings.of(id).trace;
    const processes = streams.map(({ host, processId, rank = '' }) => `${host} ${processId} ${rank}`);
    return Promise.resolve(new Set(processes).size < processes.length);
  }

  /** Changes of the source that repair a finding. */
  async find({ request, recorded, folders }: FixQuestion): Promise<Fix[]> {
    const { language, sources: edited } = request;
    const program = await this.programs.sourcesOf({ language, file: request.place.file, recorded, folders, edited });
    return (await this.loaded()).find({ ...request, ...program, sources: { ...program.sources, ...edited } });
  }

  /** Parses sources that will soon be asked about. */
  async prepare(request: ParseRequest): Promise<void> {
    await (await this.loaded()).prepare(request);
  }

  /** The parsers are loaded when the first fix is asked for: most commands ask for none. */
  private loaded(): Promise<FixFinder> {
    const load = async (name: string): Promise<Uint8Array> =>
      unpackedResource(await this.recordings.resource(`${name}.wasm`));
    this.finder ??= import('../../analysis/fixes/find-fixes.ts').then(({ FixFinder }) => new FixFinder({ load }));
    return this.finder;
  }
}
