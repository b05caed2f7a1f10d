import { button, make } from './dom.ts';

/** A control of a bar, and how much it is wanted: what is wanted least goes into the menu first. */
interface BarItem {
  readonly element: HTMLElement;
  readonly worth: number;
}

/** Pixels of the menu's button, as in one-row.css. */
const MORE_WIDTH = 32;

/** A bar of one row, however narrow: what has no room stands in a menu at its end. */
export class OneRow {
  private readonly menu = make('div', { class: 'bar-menu', role: 'group', 'aria-label': 'More controls', hidden: '' });
  private readonly more: HTMLButtonElement;
  /** Widths of the items where they stood in the bar last. */
  private widths: readonly number[] = [];

  /** @param items in their order, which stays that of the keyboard in bar and menu. */
  constructor(
    private readonly bar: HTMLElement,
    private readonly items: readonly BarItem[],
  ) {
    const about = { class: 'toggle bar-more', title: 'More controls', 'aria-label': 'More controls' };
    this.more = button('⋯', { ...about, 'aria-expanded': 'false' }, () => this.open(!this.isOpen));
    bar.classList.add('one-row');
    bar.replaceChildren(...items.map(({ element }) => element), this.more, this.menu);
    bar.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.isOpen) return;
      event.stopPropagation();
      this.open(false);
      this.more.focus();
    });
    new ResizeObserver(() => this.place()).observe(bar);
    // Texts change, controls come and go, and the editor's elements are drawn a moment later.
    const changes = new ResizeObserver(() => {
      if (items.some(({ element }, at) => element.parentElement === bar && isOther(element, this.widths[at]!)))
        this.measure();
    });
    for (const { element } of items) changes.observe(element);
    this.measure();
  }

  /** A control is about to get the focus: where it stands in the menu, that opens. */
  reveal(control: HTMLElement): void {
    if (this.menu.contains(control)) this.open(true);
  }

  private get isOpen(): boolean {
    return this.menu.hidden === false;
  }

  private readonly onPointer = (event: PointerEvent): void => {
    if (!event.composedPath().includes(this.bar)) this.open(false);
  };

  private open(isOpen: boolean): void {
    this.menu.hidden = !isOpen;
    if (isOpen) document.addEventListener('pointerdown', this.onPointer);
    else document.removeEventListener('pointerdown', this.onPointer);
    this.more.setAttribute('aria-expanded', String(isOpen));
  }

  /** Contents changed: all stand in the bar for a moment, as wide as they like. */
  private measure(): void {
    const wasOpen = this.isOpen;
    this.arrange(new Set());
    this.widths = this.items.map(({ element }) => element.getBoundingClientRect().width);
    this.place();
    if (wasOpen && !this.more.hidden) this.open(true);
  }

  /** As many as there is room for, the most wanted first. */
  private place(): void {
    const { bar, items, widths } = this;
    if (bar.clientWidth === 0) return;
    if (widths.every((width) => width === 0)) {
      this.measure();
      return;
    }
    const style = getComputedStyle(bar);
    const gap = parseFloat(style.columnGap) || 0;
    const whole = bar.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const taken = (at: number): number => {
      const width = widths[at] ?? 0;
      return width === 0 ? 0 : width + gap;
    };
    const all = widths.reduce((sum, _, at) => sum + taken(at), 0);
    const inMenu = new Set<number>();
    let room = whole - MORE_WIDTH - gap;
    if (all - gap > whole) {
      const order = [...items.keys()].sort((a, b) => items[b]!.worth - items[a]!.worth || a - b);
      // Whatever is wanted less than what found no room stands with it: nothing jumps ahead because it is small.
      let isFull = false;
      for (const at of order) {
        isFull ||= taken(at) > room;
        if (isFull) inMenu.add(at);
        else room -= taken(at);
      }
    }
    this.arrange(inMenu);
  }

  private arrange(inMenu: ReadonlySet<number>): void {
    const { items, menu, more } = this;
    const focused = document.activeElement;
    items.forEach(({ element }, at) => {
      const parent = inMenu.has(at) ? menu : this.bar;
      if (element.parentElement === parent) return;
      // Behind the one before it that stands in the same place.
      const before = items.slice(0, at).findLast((other) => other.element.parentElement === parent);
      if (before !== undefined) before.element.after(element);
      else parent.prepend(element);
    });
    more.hidden = inMenu.size === 0;
    if (inMenu.size === 0) this.open(false);
    if (focused instanceof HTMLElement && focused !== document.activeElement && this.bar.contains(focused)) {
      this.reveal(focused);
      focused.focus();
    }
  }
}

function isOther(element: HTMLElement, width: number): boolean {
  return Math.abs(element.getBoundingClientRect().width - width) > 0.5;
}
