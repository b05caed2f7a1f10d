import type { WorkflowDocument } from '../../src/features/workflow/protocol.ts';
import { button, make, visibleText } from '../kit/dom.ts';
import { historyOf, useOf, type FileUser } from './file-history.ts';
import { jobLink, links, MOST_ROWS, stepLink, titledTable, type InfoActions } from './info.ts';
import { bytesText, dateText, MODE_NAMES } from './words.ts';

export function fileLink({ files }: WorkflowDocument, file: number, { chooseFile }: InfoActions): HTMLElement {
  return button(files[file]?.path ?? '?', { class: 'link path' }, () => chooseFile(file));
}

/** All files, and of the chosen one everybody who used it. */
export class FilesTab {
  private readonly filter = make('input', {
    type: 'search',
    placeholder: 'Part of a path',
    'aria-label': 'Filter files',
    spellcheck: 'false',
    maxlength: '500',
  });
  private readonly chosen = make('div', {});
  private readonly list = make('div', {});
  private subject: { document: WorkflowDocument; actions: InfoActions } | undefined;

  constructor() {
    this.filter.addEventListener('input', () => this.fillList());
  }

  fill(panel: HTMLElement, document: WorkflowDocument, file: number | undefined, actions: InfoActions): void {
    this.subject = { document, actions };
    if (this.list.parentElement !== panel) panel.replaceChildren(this.chosen, this.filter, this.list);
    this.chosen.replaceChildren(...fileParts(document, file, actions));
    this.fillList();
  }

  private fillList(): void {
    if (this.subject === undefined) return;
    const { document, actions } = this.subject;
    const wanted = this.filter.value.toLowerCase();
    const found = document.files.flatMap(({ path }, file) =>
      visibleText(path).toLowerCase().includes(wanted) ? [file] : [],
    );
    const columns = [
      { title: 'File' },
      { title: 'Written by' },
      { title: 'Read by' },
      { title: 'Written', isNumber: true },
      { title: 'Read', isNumber: true },
    ];
    const rows = found.slice(0, MOST_ROWS).map((file) => {
      const users = document.files[file]!.users;
      const jobs = (by: (user: FileUser) => boolean): HTMLElement =>
        links([...new Set(users.filter(by).map(({ job }) => job))].map((job) => jobLink(document, job, actions)));
      return [
        fileLink(document, file, actions),
        jobs(({ mode }) => mode !== 'read'),
        jobs(({ mode }) => mode !== 'write'),
        bytesText(sum(document, file, users, 'bytesWritten')),
        bytesText(sum(document, file, users, 'bytesRead')),
      ];
    });
    const count = make('p', { class: 'soft', role: 'status' }, `${found.length} of ${document.files.length} files`);
    this.list.replaceChildren(count, titledTable('All files', columns, rows));
  }
}

function sum(
  document: WorkflowDocument,
  file: number,
  users: readonly FileUser[],
  direction: 'bytesRead' | 'bytesWritten',
): number | null {
  const known = users.map((user) => useOf(document, user, file)?.[direction] ?? null).filter((bytes) => bytes !== null);
  return known.length === 0 ? null : known.reduce((total, bytes) => total + bytes, 0);
}

/** Who used a file in the order of time, who had written it before, and who reads it later. */
function fileParts(document: WorkflowDocument, file: number | undefined, actions: InfoActions): HTMLElement[] {
  const found = file === undefined ? undefined : document.files[file];
  if (file === undefined || found === undefined) return [make('h2', { class: 'unseen' }, 'Files')];
  const linked = (users: readonly FileUser[]): HTMLElement =>
    links(users.map((user) => stepLink(document, user.job, user.step, actions)));
  const columns = [
    { title: 'Step' },
    { title: 'Job' },
    { title: 'Access' },
    { title: 'By' },
    { title: 'First' },
    { title: 'Last' },
    { title: 'Read', isNumber: true },
    { title: 'Written', isNumber: true },
    { title: 'Written before by' },
    { title: 'Read later by' },
  ];
  const rows = historyOf(found.users).flatMap((user) => {
    if (document.jobs[user.job]?.steps[user.step] === undefined) return [];
    const use = useOf(document, user, file);
    return [
      [
        stepLink(document, user.job, user.step, actions),
        jobLink(document, user.job, actions),
        MODE_NAMES[user.mode],
        use?.paradigms.join(', ') ?? '',
        dateText(use?.from ?? null),
        dateText(use?.to ?? null),
        bytesText(use?.bytesRead ?? null),
        bytesText(use?.bytesWritten ?? null),
        linked(user.earlierWriters),
        linked(user.laterReaders),
      ],
    ];
  });
  const parent = found.parent === null || document.files[found.parent] === undefined ? null : found.parent;
  return [
    make('h2', { class: 'path' }, found.path),
    ...(parent === null ? [] : [make('p', { class: 'soft' }, 'Part of ', fileLink(document, parent, actions))]),
    titledTable('Users of the file, in the order of time', columns, rows),
  ];
}
