import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { Said } from '../../../src/base/page-line.ts';
import type { TimelineLine, TimelineViewState } from '../../../src/features/timeline/protocol.ts';
import { idle } from '../../support/idle-page.ts';
import { openTimeline, type OpenedTimeline, type TimelineOptions } from './browser.ts';
import { MadeUpTimeline } from './made-up.ts';

/** Milliseconds that anything may take on a busy machine. */
const PATIENCE = 15_000;

export function eventually<Value>(look: () => Value | Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(look, { timeout: PATIENCE });
}

/** The page with the made-up run, as somebody looks at it who knows where things are. */
export class TimelinePage {
  private constructor(
    readonly view: OpenedTimeline,
    readonly answers: MadeUpTimeline,
  ) {}

  static async open(
    browser: Browser,
    options: Partial<TimelineOptions> = {},
    answers = new MadeUpTimeline(),
  ): Promise<TimelinePage> {
    const opened = new TimelinePage(await openTimeline(browser, { methods: answers, ...options }), answers);
    await eventually(() => opened.said('drawn').length).toBeGreaterThan(0);
    return opened;
  }

  said<Name extends keyof Said<TimelineLine>>(name: Name): Said<TimelineLine>[Name][] {
    return this.view.panel.said(name);
  }

  /** The rows' part of the page. */
  async rowsBox(): Promise<{ x: number; y: number; width: number; height: number }> {
    return (await this.view.page.locator('#rows').boundingBox())!;
  }

  /** Where a time lies on the screen while the whole run shows. */
  async at(row: number, ms: number): Promise<[x: number, y: number]> {
    const { x, y, width } = await this.rowsBox();
    const { height } = (await this.view.page.locator('#labels .row').first().boundingBox())!;
    return [x + (ms / 1000) * width, y + (row + 0.5) * height];
  }

  async state(): Promise<TimelineViewState> {
    // It is kept a moment after the last change.
    await idle(this.view.page);
    return this.view.page.evaluate('window.kept');
  }

  async visible(): Promise<{ fromNs: number; toNs: number }> {
    return (await this.state()).visible ?? { fromNs: 0, toNs: this.answers.durationNs };
  }

  /** Red, green and blue. */
  async pixel(row: number, ms: number): Promise<number[]> {
    const [x, y] = await this.at(row, ms);
    const box = await this.rowsBox();
    const place = `${Math.round(x - box.x)}, ${Math.round(y - box.y)}, 1, 1`;
    const read = `[...document.querySelector('#rows').getContext('2d').getImageData(${place}).data].slice(0, 3)`;
    return this.view.page.evaluate(read);
  }
}
