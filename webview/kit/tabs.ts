import { make } from './dom.ts';

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Said behind the title; '' for nothing. */
  readonly badge: string;
  /** Fills the panel when it is first shown. */
  readonly fill: (panel: HTMLElement) => void;
}

/** Tabs as the ARIA practices want them: one stop of the tab key, arrows between them. */
export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly panels = new Map<string, HTMLElement>();
  private readonly filled = new Set<string>();
  private current = '';

  constructor(
    private readonly tabs: readonly Tab[],
    label: string,
    private readonly chosen: (id: string) => void,
  ) {
    const list = make('div', { role: 'tablist', 'aria-label': label });
    this.element = make('div', { class: 'tabs' }, list);
    for (const { id, title, badge } of tabs) {
      const button = make(
        'button',
        { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}` },
        title,
        badge === '' ? null : make('span', { class: 'badge' }, badge),
      );
      button.addEventListener('click', () => {
        this.show(id);
        this.chosen(id);
      });
      button.addEventListener('keydown', (event) => this.move(event, id));
      const panel = make('section', {
        role: 'tabpanel',
        id: `panel-${id}`,
        'aria-labelledby': `tab-${id}`,
        tabindex: '0',
      });
      this.buttons.set(id, button);
      this.panels.set(id, panel);
      list.append(button);
      this.element.append(panel);
    }
  }

  /** Shows a tab, the first one when there is none of that name. */
  show(wanted: string): void {
    const tab = this.tabs.find(({ id }) => id === wanted) ?? this.tabs[0];
    if (tab === undefined) return;
    this.current = tab.id;
    for (const [id, button] of this.buttons) {
      const isShown = id === tab.id;
      button.setAttribute('aria-selected', String(isShown));
      button.tabIndex = isShown ? 0 : -1;
      this.panels.get(id)!.hidden = !isShown;
    }
    if (this.filled.has(tab.id)) return;
    this.filled.add(tab.id);
    tab.fill(this.panels.get(tab.id)!);
  }

  get shown(): string {
    return this.current;
  }

  /** For paper, on which nobody can click. */
  fillAll(): void {
    for (const { id, fill } of this.tabs) {
      if (this.filled.has(id)) continue;
      this.filled.add(id);
      fill(this.panels.get(id)!);
    }
  }

  private move(event: KeyboardEvent, from: string): void {
    const ids = this.tabs.map(({ id }) => id);
    const at = ids.indexOf(from);
    const to = {
      ArrowRight: (at + 1) % ids.length,
      ArrowLeft: (at - 1 + ids.length) % ids.length,
      Home: 0,
      End: ids.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.show(ids[to]!);
    this.chosen(ids[to]!);
    this.buttons.get(ids[to]!)!.focus();
  }
}
