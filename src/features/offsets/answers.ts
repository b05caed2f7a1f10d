import { extentOf, placeAccesses, type PlacedAccesses } from '../../analysis/offsets/access-axis.ts';
import { accessCategories, type AccessCategories } from '../../analysis/offsets/access-categories.ts';
import { accessGrid } from '../../analysis/offsets/access-grid.ts';
import { fileAccesses, type FileAccesses } from '../../analysis/offsets/file-accesses.ts';
import {
  fileFacts,
  fileRows,
  fileSums,
  findFile,
  stripeText,
  stripingsOf,
  type FileSums,
} from '../../analysis/offsets/file-facts.ts';
import { nearestAccess } from '../../analysis/offsets/nearest-access.ts';
import {
  MARK,
  type FileName,
  type OffsetChoices,
  type OffsetColour,
  type OffsetFileFacts,
  type OffsetFileRow,
  type OffsetFiles,
  type OffsetRequest,
  type OffsetWindow,
} from '../../analysis/offsets/offsets.ts';
import type { Selection } from '../../analysis/selection/selection.ts';
import { eventFacts } from '../../analysis/timeline/event-details.ts';
import { LAYERS } from '../../trace/calls.ts';
import type { OffsetAccess, OffsetMethods, OffsetPoint } from './methods.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { asTimelineRecording } from '../timeline/answers.ts';
import { RawLines } from '../../session/reading/raw-lines.ts';
import { selectedEvents } from '../../session/reading/selected-events.ts';

/** Files whose accesses are kept: the last ones that somebody looked at. */
const KEPT_FILES = 3;

/** A file in one layer as somebody looks at it. */
interface KeptFile {
  readonly files: ReadonlySet<number>;
  readonly accesses: FileAccesses;
  readonly categories: Map<OffsetColour, AccessCategories>;
}

/** What was worked out of a recording. */
interface Kept {
  readonly sums: ReadonlyMap<number, readonly FileSums[]>;
  readonly rows: readonly OffsetFileRow[];
  readonly withoutOffsets: number;
  /** By name and layer, the last used one at the end. */
  readonly opened: Map<string, KeptFile>;
}

/** Answers what is asked of open recordings. */
export class OffsetAnswers implements OffsetMethods {
  private readonly kept = new WeakMap<OpenedRecording, Kept>();
  private readonly rawLines = new RawLines();

  constructor(private readonly recordings: RecordingsById) {}

  // Not plain functions: what they throw is a rejection, as everywhere.
  async files(id: number, filter: string, most: number): Promise<OffsetFiles> {
    const { rows, withoutOffsets } = this.keptOf(this.recordings.of(id));
    const wanted = filter.toLowerCase();
    const matching = rows.filter(({ path }) => path.toLowerCase().includes(wanted));
    const answer = { files: matching.slice(0, most), matching: matching.length, total: rows.length, withoutOffsets };
    return Promise.resolve(answer);
  }

  async facts(id: number, file: FileName): Promise<OffsetFileFacts | undefined> {
    const recording = this.recordings.of(id);
    const { trace } = recording;
    const files = findFile(trace, file);
    const sums = [...files].flatMap((each) => this.keptOf(recording).sums.get(each) ?? []);
    if (sums.length === 0) return Promise.resolve(undefined);
    const { accesses } = this.open(recording, file, '');
    return Promise.resolve(fileFacts(trace, file, files, sums, accesses));
  }

  async window(id: number, request: OffsetRequest): Promise<OffsetWindow> {
    const recording = this.recordings.of(id);
    const { columns, rows, selection } = request;
    const { placed, categories } = this.place(recording, request.file, request.choices);
    const extent = extentOf(placed);
    const shown = selection.length === 0 ? placed : { ...placed, isSelected: isSelected(recording, placed, selection) };
    return Promise.resolve(accessGrid(shown, categories, { area: request.area ?? extent, extent, columns, rows }));
  }

  async accessAt(
    id: number,
    file: FileName,
    choices: OffsetChoices,
    at: OffsetPoint,
  ): Promise<OffsetAccess | undefined> {
    const recording = this.recordings.of(id);
    const { placed, files } = this.place(recording, file, choices);
    const reach = { position: at.reachPosition, bytes: at.reachBytes };
    const nearest = nearestAccess(placed, at.position, at.byte, reach);
    if (nearest === undefined) return undefined;
    const { access, others } = nearest;
    const { accesses } = placed;
    const from = placed.from(access);
    const facts = eventFacts(asTimelineRecording(recording), accesses.event[access]!);
    const raw = await this.rawLines.line(facts.recordingFile, facts.recordingLine, facts.call);
    const where = { recording: 0, row: 0, startNs: accesses.start[access]! };
    const event = { ...facts, ...where, rawText: raw.text, rawTextLack: raw.lack };
    return {
      event,
      others,
      bytesAgain: accesses.bytesAgain[access]!,
      writesOver: (accesses.marks[access]! & MARK.over) !== 0,
      stripe: stripeText(stripingsOf(recording.trace, files), accesses.offset[access]!),
      from,
      to: placed.to(access),
    };
  }

  private place(
    recording: OpenedRecording,
    file: FileName,
    choices: OffsetChoices,
  ): { placed: PlacedAccesses; categories: AccessCategories; files: ReadonlySet<number> } {
    const { accesses, categories: known, files } = this.open(recording, file, choices.layer);
    let categories = known.get(choices.colourBy);
    if (categories === undefined) {
      // Findings and what they are made of take time: they are worked out for their own colours only.
      const isOfFindings = choices.colourBy === 'insight';
      const insights = isOfFindings ? recording.insights : [];
      const metrics = isOfFindings ? recording.metrics : { fileOfCell: [] };
      const context = { trace: recording.trace, callSites: recording.callSites(), insights, metrics, files };
      categories = accessCategories(accesses, choices.colourBy, context);
      known.set(choices.colourBy, categories);
    }
    // A label that is no longer there shows all.
    const only = choices.only === '' ? -1 : categories.labels.indexOf(choices.only);
    return { placed: placeAccesses(accesses, choices, categories.of, only), categories, files };
  }

  /** @param layer '' for the lowest one. */
  private open(recording: OpenedRecording, file: FileName, layer: string): KeptFile {
    const { trace } = recording;
    const { sums, opened } = this.keptOf(recording);
    const files = findFile(trace, file);
    const layers = [...files].flatMap((each) => sums.get(each) ?? []).map((each) => each.layer);
    const wanted = LAYERS.findIndex((name) => name === layer);
    const chosen = layers.includes(wanted) ? wanted : Math.max(...layers, 0);
    const key = `${file.host}\0${file.path}\0${chosen}`;
    const found = opened.get(key) ?? { files, accesses: fileAccesses(trace, files, chosen), categories: new Map() };
    opened.delete(key);
    opened.set(key, found);
    if (opened.size > KEPT_FILES) opened.delete(opened.keys().next().value!);
    return found;
  }

  private keptOf(recording: OpenedRecording): Kept {
    let kept = this.kept.get(recording);
    if (kept === undefined) {
      const sums = fileSums(recording.trace);
      kept = { sums, ...fileRows(recording.trace, sums, recording.ignored), opened: new Map() };
      this.kept.set(recording, kept);
    }
    return kept;
  }
}

function isSelected(
  recording: OpenedRecording,
  { accesses }: PlacedAccesses,
  selection: Selection,
): (i: number) => boolean {
  const { mask } = selectedEvents(recording, selection);
  return (i) => mask.has(accesses.event[i]!);
}
