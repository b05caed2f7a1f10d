import type { Page } from 'playwright-core';

/**
 * What a person would find fault with in the layout of a page as it is, each with the text that is concerned:
 * - `cut`: text that is cut although there is room beside it, or whose whole nothing tells on hover;
 * - `over`: texts that lie over each other;
 * - `beyond`: what is wider than the page and cannot be scrolled to;
 * - `control`: a choice, or what a field is for, that is not wholly seen;
 * - `bar`: a row of controls that is higher than 40 pixels.
 */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(`(${measure.toString()})()`);
}

/* Runs in the page, whose types this project's tests do not have. */
function measure(): string[] {
  const page = globalThis as unknown as PageGlobals;
  const { document, innerWidth } = page;
  const faults: string[] = [];
  const styleOf = (element: PageElement): PageStyle => page.getComputedStyle(element);
  const said = (element: PageElement): string => element.textContent.trim().replace(/\s+/g, ' ').slice(0, 60);
  const isSeen = (element: PageElement): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const all = [...document.querySelectorAll('body *')].filter(isSeen);

  /** The part of a box that what lies around it lets through. */
  const clipped = (box: Box, from: PageElement): Box => {
    let { left, top, right, bottom } = box;
    for (let around: PageElement | null = from; around !== null; around = around.parentElement) {
      const { overflowX, overflowY } = styleOf(around);
      const edge = around.getBoundingClientRect();
      if (overflowX !== 'visible') [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom };
  };
  const texts: { element: PageElement; box: Box }[] = [];
  for (const element of all) {
    for (const node of element.childNodes) {
      if (node.nodeType !== 3 || node.textContent.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const seen = clipped(box, element);
        if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1) texts.push({ element, box: seen });
      }
    }
  }

  /** It floats above the page on purpose, or scrolls under what stays in place. */
  const floats = (element: PageElement | null): boolean =>
    element !== null && (['fixed', 'sticky'].includes(styleOf(element).position) || floats(element.parentElement));
  texts.sort((a, b) => a.box.top - b.box.top);
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length && texts[j]!.box.top < texts[i]!.box.bottom - 2; j++) {
      const [a, b] = [texts[i]!, texts[j]!];
      if (a.element === b.element || floats(a.element) !== floats(b.element)) continue;
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (width > 2 && height > 3) faults.push(`over: ${said(a.element)} | ${said(b.element)}`);
    }
  }

  for (const element of all) {
    const { overflowX } = styleOf(element);
    const lacking = element.scrollWidth - element.clientWidth;
    if (!['hidden', 'clip'].includes(overflowX) || lacking <= 1 || element.clientWidth === 0) continue;
    if (!texts.some((text) => element.contains(text.element))) continue;
    const around = element.parentElement!;
    const last = Math.max(...[...around.children].filter(isSeen).map((child) => child.getBoundingClientRect().right));
    const room = around.getBoundingClientRect().right - last;
    if (room > lacking + 8) faults.push(`cut with ${Math.round(room)} px beside it: ${said(element)}`);
    if (element.closest('[title], [aria-label]') === null && element.querySelector('[title]') === null)
      faults.push(`cut, and nothing tells the whole: ${said(element)}`);
  }

  // What stands in a control of its own accord: its choice, or what it is for.
  const pen = document.createElement('canvas').getContext('2d');
  for (const control of all) {
    const text = control.selectedOptions?.[0]?.label ?? (control.value === '' ? control.placeholder : undefined);
    if (text === undefined || text === '') continue;
    const style = styleOf(control);
    pen.font = style.font;
    const isSelect = control.selectedOptions !== undefined;
    // Beside a choice stands an arrow.
    const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const lacking = pen.measureText(text).width + (isSelect ? 14 : 0) - room;
    if (lacking > 1) faults.push(`control: ${Math.round(lacking)} px are lacking for ${text}`);
  }

  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push(`beyond: the page is ${wide} px wider than its window`);
  for (const { element, box } of texts) if (box.right > innerWidth + 1) faults.push(`beyond: ${said(element)}`);

  for (const bar of document.querySelectorAll('#toolbar, [role="toolbar"], .toolbar')) {
    const { height } = bar.getBoundingClientRect();
    if (isSeen(bar) && height > 40) faults.push(`bar: ${Math.round(height)} px high: ${said(bar)}`);
  }
  return [...new Set(faults)];
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface PageStyle {
  readonly overflowX: string;
  readonly overflowY: string;
  readonly position: string;
  readonly font: string;
  readonly paddingLeft: string;
  readonly paddingRight: string;
}

interface PageNode {
  readonly nodeType: number;
  readonly textContent: string;
}

interface PageElement extends PageNode {
  readonly parentElement: PageElement | null;
  readonly children: Iterable<PageElement>;
  readonly childNodes: Iterable<PageNode>;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly placeholder?: string;
  readonly value?: string;
  readonly selectedOptions?: readonly { readonly label: string }[];
  getBoundingClientRect(): Box & { readonly height: number };
  checkVisibility(options: object): boolean;
  contains(other: PageElement): boolean;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
}

interface PageGlobals {
  readonly innerWidth: number;
  getComputedStyle(element: PageElement): PageStyle;
  readonly document: {
    readonly documentElement: PageElement;
    querySelectorAll(selector: string): Iterable<PageElement>;
    createElement(name: 'canvas'): {
      getContext(kind: '2d'): { font: string; measureText(text: string): { readonly width: number } };
    };
    createRange(): { selectNodeContents(node: PageNode): void; getClientRects(): Iterable<Box> };
  };
}
