import type { Contributions } from '../editor/contributions.ts';
import { recordingFor } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import type { FileRow } from '../files/file-tree.ts';
import { OffsetPanel } from './offset-panel.ts';

/** What shows offsets over time: rows of recordings and files, and a window that was loaded again. */
export class OffsetFeature {
  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.command('showOffsets', (row?: unknown) => {
      this.show(row);
    });
    contributions.command('showOperations', (row?: unknown) => this.show(row)?.showOperations());
    contributions.panel('iolens.offsets', (panel, state) => OffsetPanel.restore(panel, services, state));
  }

  /** @param row of a file; without one the user chooses in the view. */
  private show(row?: unknown): OffsetPanel | undefined {
    const recording = isFileRow(row) ? row.recording : recordingFor(row, this.services.recordings);
    if (recording === undefined) return undefined;
    const file = isFileRow(row) ? { host: '', path: row.file.path } : undefined;
    return OffsetPanel.show(this.services, recording, file);
  }

  /** What is on the screen now; for tests. */
  get shown(): (typeof OffsetPanel)['shown'] {
    return OffsetPanel.shown;
  }
}

function isFileRow(row: unknown): row is Extract<FileRow, { kind: 'file' }> {
  return typeof row === 'object' && row !== null && 'kind' in row && row.kind === 'file';
}
