import type { ComparedLine, ComparedPlace } from '../../export/comparison/comparison-document.ts';
import type { CurrentComparison } from './comparison.ts';
import type { OpenRecording } from '../recordings/recordings.ts';

/** A place of one side in a source file of this machine, with the recording whose lines it is of. */
interface ShownPlace {
  readonly place: ComparedPlace;
  readonly recording: OpenRecording;
}

/** Where the source shows a line: as the new side has it; what is gone, where the base had it. */
export function shownPlace(of: CurrentComparison, line: ComparedLine): ShownPlace | undefined {
  return placesOf(of, line)[0];
}

/**
 * All places that show a line. The base's is one only in a file of its own, or where the new side has none: in the file
 * that both have, the line stands once.
 */
export function placesOf(of: CurrentComparison, { base, new: changed }: ComparedLine): ShownPlace[] {
  const places: ShownPlace[] = [];
  if (isShown(changed)) places.push({ place: changed, recording: of.new[0]! });
  if (isShown(base) && (places.length === 0 || base.file !== changed?.file)) {
    // A line number of a file that was edited since would be that of another line.
    if (changed === null || base.isCurrent) places.push({ place: base, recording: of.base[0]! });
  }
  return places;
}

function isShown(place: ComparedPlace | null): place is ComparedPlace {
  return place !== null && place.isHere && place.line > 0;
}
