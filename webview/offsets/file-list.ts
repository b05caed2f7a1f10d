import type { OffsetFiles } from '../../src/features/offsets/protocol.ts';
import { formatBytes, formatCount } from '../../src/base/quantities.ts';
import { button, make, table } from '../kit/dom.ts';

/** Milliseconds after the last key before the list is asked for. */
const TYPING = 150;

/** The files that can be chosen, most bytes first. */
export class FileList {
  readonly element = make('details', { class: 'files' });
  private readonly rows = make('div', { class: 'wide' });
  private readonly filter = make('input', {
    type: 'search',
    placeholder: 'Filter by path',
    'aria-label': 'Filter files by path',
  });
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private shown: OffsetFiles | undefined;

  constructor(
    private readonly ask: (filter: string) => void,
    private readonly choose: (index: number) => void,
  ) {
    this.element.append(make('summary', {}, 'Files of the recording, most bytes first'), this.filter, this.rows);
    this.filter.addEventListener('input', () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.ask(this.filter.value), TYPING);
    });
    this.element.addEventListener('toggle', () => {
      if (this.element.open && this.shown === undefined) this.ask(this.filter.value);
    });
  }

  /** Another recording: what was listed is of no use. */
  forget(): void {
    this.shown = undefined;
    if (this.element.open) this.ask(this.filter.value);
  }

  open(isOpen: boolean): void {
    this.element.open = isOpen;
  }

  show(files: OffsetFiles): void {
    this.shown = files;
    const rows = files.files.map((file, index) => [
      button(file.path, { class: file.ignored ? 'link soft' : 'link' }, () => this.choose(index)),
      formatBytes(file.bytesRead),
      formatBytes(file.bytesWritten),
      formatCount(file.accesses),
      formatCount(file.processes),
    ]);
    const number = { isNumber: true };
    const columns = [
      { title: 'File' },
      { title: 'Read', ...number },
      { title: 'Written', ...number },
      { title: 'Accesses', ...number },
      { title: 'Processes', ...number },
    ];
    this.rows.replaceChildren(
      ...(rows.length > 0 ? [table(columns, rows)] : []),
      make('p', { class: 'soft' }, restText(files)),
    );
  }
}

function restText({ files, matching, total, withoutOffsets }: OffsetFiles): string {
  const all =
    matching === total ? `${formatCount(total)} files` : `${formatCount(matching)} of ${formatCount(total)} files`;
  const cut = files.length < matching ? `, the first ${formatCount(files.length)} are shown` : '';
  const without =
    withoutOffsets === 0
      ? ''
      : ` ${formatCount(withoutOffsets)} more are not listed: pipes, terminals and the like have no offsets.`;
  return `${all}${cut}.${without}`;
}
