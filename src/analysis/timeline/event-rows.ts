import { LAYERS } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import { fileRows, layerName, layerRows, siteRows, streamRows } from './event-row-names.ts';
import { handleRows } from './handle-rows.ts';
import { RowTree } from './row-tree.ts';
import { ROLE, type ShownBlock, type ShownEvents } from './shown-events.ts';
import { allocateSpans, SPANS_OF_BLOCK, type SpanBlock, type SpanSource } from './span-source.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** How the events of a recording are told apart: each has one subject, and a subject has one row (for each layer). */
export interface RowsOfRecording {
  readonly subjects: number;
  /** Subject of an event, 0 to `subjects` - 1. */
  subjectOf(chunk: EventChunk, i: number): number;
  /** The node of a subject below a parent; called once for each (and layer). */
  nodeOf(tree: RowTree, parent: number, subject: number): number;
  /** Parts of calls stand in the rows too: those of the files that they touch. */
  readonly withParts: boolean;
}

type EventGrouping = 'stream' | 'file' | 'layer' | 'site' | 'handle';

const MAKERS: Readonly<Record<EventGrouping, (recording: TimelineRecording) => RowsOfRecording>> = {
  stream: streamRows,
  file: fileRows,
  layer: layerRows,
  site: siteRows,
  handle: handleRows,
};

/**
 * Puts each event into one row. On top stand the recordings where there are several, below them (with facets) the layers,
 * highest first, then what the grouping makes.
 */
export function eventRowSource(events: ShownEvents, grouping: EventGrouping, facets: boolean): SpanSource {
  return new EventRows(events, MAKERS[grouping], facets && grouping !== 'layer');
}

class EventRows implements SpanSource {
  readonly tree = new RowTree();
  readonly notes: readonly string[] = [];
  private readonly makers: readonly RowsOfRecording[];
  /** By recording: leaf of each subject (and layer), NONE as long as there is none. */
  private readonly leaves: readonly Int32Array[];
  private readonly spans = allocateSpans();

  constructor(
    private readonly events: ShownEvents,
    make: (recording: TimelineRecording) => RowsOfRecording,
    private readonly facets: boolean,
  ) {
    this.makers = events.recordings.map(make);
    const layers = facets ? LAYERS.length : 1;
    this.leaves = this.makers.map(({ subjects }) => new Int32Array(subjects * layers).fill(NONE));
  }

  forEachBlock(visit: (block: SpanBlock) => void): void {
    this.events.forEachBlock((block) => {
      this.fill(block);
      if (this.spans.length > 0) visit(this.spans);
    });
  }

  private fill({ recording, chunk, rows, firstEvent, start, duration, role }: ShownBlock): void {
    const { spans, facets } = this;
    const maker = this.makers[recording]!;
    const leaves = this.leaves[recording]!;
    const hidden = maker.withParts ? 0 : ROLE.part;
    let count = 0;
    for (let i = 0; i < rows && i < SPANS_OF_BLOCK; i++) {
      if (role[i] === 0) continue;
      const subject = maker.subjectOf(chunk, i);
      const layer = chunk.layer[i]!;
      const slot = facets ? subject * LAYERS.length + layer : subject;
      let leaf = leaves[slot]!;
      if (leaf === NONE) {
        leaf = this.makeLeaf(recording, subject, layer);
        leaves[slot] = leaf;
      }
      spans.row[count] = leaf;
      spans.start[count] = start[i]!;
      spans.duration[count] = duration[i]!;
      spans.event[count] = firstEvent + i;
      spans.role[count] = role[i]! & hidden ? role[i]! & ~ROLE.shown : role[i]!;
      spans.time[count] = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
      spans.bytes[count] = chunk.bytes[i]!;
      spans.kind[count] = chunk.call[i]!;
      count++;
    }
    spans.length = count;
  }

  private makeLeaf(recording: number, subject: number, layer: number): number {
    const { tree, facets } = this;
    const parent = this.parentOf(recording, facets ? layer : NONE);
    return tree.leaf(this.makers[recording]!.nodeOf(tree, parent, subject));
  }

  /** What stands above the rows of a recording, of one layer where there are facets. */
  private parentOf(recording: number, layer: number): number {
    const { tree, events } = this;
    let parent = NONE;
    if (events.recordings.length > 1) {
      const { name } = events.recordings[recording]!;
      const key = `recording ${recording}`;
      parent = tree.node(NONE, { key, label: name, description: `recording ${name}`, place: recording, isFixed: true });
    }
    if (layer === NONE) return parent;
    return tree.node(parent, layerName(layer));
  }
}
