import type { ComparedFinding, ComparedInsight, ComparedLine } from '../../export/comparison/comparison-document.ts';

/** The recordings of both sides, or what stands for them. */
interface Sides<Recording> {
  readonly base: readonly Recording[];
  readonly new: readonly Recording[];
}

type Placed = NonNullable<ComparedFinding['place']>;

/** A place of one side in a source file of this machine, with the recording whose lines it is of. */
interface ShownPlace<Recording> {
  readonly place: Placed;
  readonly recording: Recording;
}

/** Where the source shows a line: as the new side has it; what is gone, where the base had it. */
export function shownPlace<Recording>(
  of: Sides<Recording>,
  line: Pick<ComparedLine, 'base' | 'new'>,
): ShownPlace<Recording> | undefined {
  return placesOf(of, line)[0];
}

/** Where the source shows a finding: as the new side has it, where it does. */
export function shownFinding<Recording>(
  of: Sides<Recording>,
  { base, new: changed }: ComparedInsight,
): ShownPlace<Recording> | undefined {
  const { place } = (changed ?? base)!;
  return isShown(place) ? { place, recording: (changed === null ? of.base : of.new)[0]! } : undefined;
}

/**
 * All places that show a line. The base's is one only in a file of its own, or where the new side has none: in the file
 * that both have, the line stands once.
 */
export function placesOf<Recording>(
  of: Sides<Recording>,
  { base, new: changed }: Pick<ComparedLine, 'base' | 'new'>,
): ShownPlace<Recording>[] {
  const places: ShownPlace<Recording>[] = [];
  if (isShown(changed)) places.push({ place: changed, recording: of.new[0]! });
  if (isShown(base) && (places.length === 0 || base.file !== changed?.file)) {
    // A line number of a file that was edited since would be that of another line.
    if (changed === null || base.isCurrent) places.push({ place: base, recording: of.base[0]! });
  }
  return places;
}

function isShown(place: Placed | null): place is Placed {
  return place !== null && place.isHere && place.line > 0;
}
