import type { CallMeasure } from '../../src/features/report/protocol.ts';
import { wayWords } from '../../src/drawing/call-tree/call-words.ts';
import { flameBlocks, type FlameBlock } from '../../src/drawing/call-tree/flame-blocks.ts';
import { flamePicture, LEAST_BLOCK } from '../../src/drawing/call-tree/flame-picture.ts';
import { matches } from '../../src/drawing/call-tree/shown-tree.ts';
import type { Way, Ways } from '../../src/drawing/call-tree/ways.ts';
import { button, make, made } from '../kit/dom.ts';

/** What is drawn, and what it is called. */
export interface FlameSubject {
  readonly ways: Ways;
  readonly root: Way;
  readonly measure: CallMeasure;
  /** What shares are of. */
  readonly whole: number;
  readonly isUpward: boolean;
  readonly search: string;
  readonly label: string;
}

/** What a place of the tree can be asked to do; `node` stands for it. */
export interface CallActs {
  /** Leads to the source and selects in all views. */
  readonly go: (node: number) => void;
  readonly around: (node: number) => void;
  readonly say: (words: string) => void;
}

/** A flame chart that pointer and keyboard walk; one of its blocks can be looked at alone. */
export class FlameView {
  readonly element = make('div', { class: 'flame-room' });
  private readonly path = make('div', { class: 'flame-path' });
  private readonly room = make('div', {});
  private subject: FlameSubject | undefined;
  private width = 0;
  private blocks: readonly FlameBlock[] = [];
  /** The ways from the root to what is looked at alone. */
  private zoomed: readonly Way[] = [];

  constructor(private readonly acts: CallActs) {
    this.element.append(this.path, this.room);
    new ResizeObserver(() => {
      if (this.room.clientWidth !== this.width) this.draw();
    }).observe(this.room);
    this.room.addEventListener('click', ({ target }) => this.with(target, (at) => this.choose(at)));
    this.room.addEventListener('dblclick', ({ target }) => this.with(target, (at) => this.zoom(at)));
    this.room.addEventListener('keydown', (event) => this.with(event.target, (at) => this.press(event, at)));
    for (const kind of ['pointerover', 'focusin'] as const)
      this.room.addEventListener(kind, ({ target }) => this.with(target, (at) => this.tell(at)));
  }

  show(subject: FlameSubject): void {
    this.subject = subject;
    this.zoomed = [];
    this.draw();
  }

  private get top(): Way | undefined {
    return this.zoomed.at(-1) ?? this.subject?.root;
  }

  private draw(): void {
    const { subject, top } = this;
    const width = this.room.clientWidth;
    if (subject === undefined || top === undefined || width === 0) return;
    this.width = width;
    const { ways, search } = subject;
    this.path.hidden = this.zoomed.length === 0;
    this.path.replaceChildren(
      ...[subject.root, ...this.zoomed].flatMap((way, at) => [
        at === 0 ? '' : ' › ',
        button(ways.tree.places[way.place]!.name, { class: 'link' }, () => this.zoomTo(this.zoomed.slice(0, at))),
      ]),
    );
    this.blocks = flameBlocks(top, LEAST_BLOCK / width);
    const isFound = (place: Parameters<typeof matches>[0]): boolean => matches(place, search);
    const picture = flamePicture(this.blocks, { ...subject, tree: ways.tree, width, isWalked: true, isFound });
    this.room.replaceChildren(
      this.blocks.length === 0 ? make('p', { class: 'soft' }, 'Nothing of it is here.') : made(picture),
    );
  }

  private with(target: EventTarget | null, act: (at: number) => void): void {
    const block = (target as Element | null)?.closest('[data-block]');
    if (block !== null && block !== undefined) act(Number(block.getAttribute('data-block')));
  }

  private tell(at: number): void {
    const { ways, measure, whole } = this.subject!;
    this.acts.say(wayWords(ways.tree, this.blocks[at]!.way, measure, whole));
  }

  private choose(at: number): void {
    this.focus(at);
    this.acts.go(this.blocks[at]!.way.node);
  }

  private zoom(at: number): void {
    const ways: Way[] = [];
    for (let on = at; on > 0; on = this.blocks[on]!.on) ways.unshift(this.blocks[on]!.way);
    this.zoomTo([...this.zoomed, ...ways]);
  }

  private zoomTo(ways: readonly Way[]): void {
    this.zoomed = ways;
    this.draw();
    this.focus(0);
  }

  private press(event: KeyboardEvent, at: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Readonly<Record<string, () => void>> = {
      Enter: () => this.choose(at),
      ' ': () => this.choose(at),
      z: () => this.zoom(at),
      c: () => this.acts.around(this.blocks[at]!.way.node),
      '0': () => this.zoomTo([]),
      Escape: () => this.zoomTo(this.zoomed.slice(0, -1)),
    };
    const act = acts[event.key];
    if (act === undefined) {
      const to = this.neighbour(event.key, at);
      if (to === undefined) return;
      this.focus(to);
    } else act();
    event.preventDefault();
  }

  private neighbour(key: string, at: number): number | undefined {
    const { blocks } = this;
    const { depth, on } = blocks[at]!;
    const [outer, inner] = this.subject!.isUpward ? ['ArrowDown', 'ArrowUp'] : ['ArrowUp', 'ArrowDown'];
    const row = [...blocks.keys()].filter((block) => blocks[block]!.depth === depth);
    switch (key) {
      case outer:
        return on < 0 ? at : on;
      case inner:
        return blocks.findIndex((block) => block.on === at) < 0 ? at : blocks.findIndex((block) => block.on === at);
      case 'ArrowLeft':
        return row[row.indexOf(at) - 1] ?? at;
      case 'ArrowRight':
        return row[row.indexOf(at) + 1] ?? at;
      case 'Home':
        return 0;
      default:
        return undefined;
    }
  }

  private focus(at: number): void {
    for (const [block, element] of this.room.querySelectorAll<SVGElement>('[data-block]').entries()) {
      element.setAttribute('tabindex', block === at ? '0' : '-1');
      if (block === at) element.focus();
    }
  }
}
