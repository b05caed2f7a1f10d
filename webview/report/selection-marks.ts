import type { ReportMarks } from '../../src/features/report/protocol.ts';
import type { SelectionPart } from '../../src/features/selection/protocol.ts';
import { branch, type Branch } from '../../src/drawing/markup/tree.ts';
import { showBreadcrumb } from '../kit/breadcrumb.ts';

/** What can be selected carries what it is: rows come and go with the pages of a table. */
const PART = 'data-select';

/** A button that selects in all views. @param name of what it selects. */
export function selectButton(text: string, part: SelectionPart, name: string): Branch {
  const isFile = part.kind === 'file';
  return branch(
    'button',
    {
      type: 'button',
      class: `link select${isFile ? ' path' : ''}`,
      title: isFile ? name : 'Select its calls in all views',
      'aria-label': `Select the calls ${isFile ? 'on' : 'of'} ${name}`,
      [PART]: JSON.stringify(part),
    },
    text,
  );
}

/** Marks what takes part in the selection of all views, and lets the user select. */
export class SelectionMarks {
  private selection: ReportMarks | undefined;

  constructor(
    private readonly root: HTMLElement,
    choose: (part: SelectionPart) => void,
  ) {
    root.addEventListener('click', ({ target }) => {
      const chosen = (target as Element).closest<HTMLElement>(`[${PART}]`);
      if (chosen !== null) choose(partOf(chosen));
    });
    new MutationObserver(() => this.mark()).observe(root, { childList: true, subtree: true });
  }

  show(selection: ReportMarks): void {
    this.selection = selection;
    showBreadcrumb(this.root, selection.labels, selection.isMarked);
    this.mark();
  }

  private mark(): void {
    const { selection } = this;
    if (selection === undefined) return;
    for (const chosen of this.root.querySelectorAll<HTMLElement>(`[${PART}]`)) {
      const takesPart = selection.isMarked && isIn(selection, partOf(chosen));
      const row = chosen.closest<HTMLElement>('.finding, tr');
      row?.classList.toggle('is-selected', takesPart);
      row?.classList.toggle('not-selected', selection.isMarked && !takesPart);
      chosen.setAttribute('aria-pressed', String(takesPart));
    }
  }
}

/** The attribute was written by this view. */
function partOf(chosen: HTMLElement): SelectionPart {
  return JSON.parse(chosen.getAttribute(PART)!) as SelectionPart;
}

function isIn({ findings, files, filesAreCut, ranks }: ReportMarks, part: SelectionPart): boolean {
  switch (part.kind) {
    case 'insight':
      return findings.includes(part.code);
    case 'file':
      return filesAreCut || files.includes(part.path);
    case 'rank':
      return ranks.includes(part.rank);
    default:
      return true;
  }
}
