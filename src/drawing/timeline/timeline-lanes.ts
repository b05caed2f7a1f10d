import type { TimelineWindow } from '../../analysis/timeline/timeline.ts';
import { slotOf } from '../palette.ts';
import type { Bins } from './buffered-bins.ts';
import { colourOf, type Colour, type ColourTheme } from './category-colours.ts';
import type { PictureLane } from './timeline-svg.ts';

/** What lanes show of a window. */
export type LaneColumns = Pick<TimelineWindow, 'readRate' | 'writeRate' | 'concurrency' | 'storage'>;

/** The lanes above the rows, on the screen and in pictures, top to bottom. */
export function timelineLanes(columns: LaneColumns, over: Bins, theme: ColourTheme): PictureLane[] {
  const colour = (role: Parameters<typeof slotOf>[0]): Colour => colourOf(slotOf(role), theme);
  const traffic = (
    label: string,
    { readRate, writeRate }: Pick<LaneColumns, 'readRate' | 'writeRate'>,
  ): PictureLane => ({
    label,
    unit: 'bytes per second',
    series: [
      { label: 'read', colour: colour('read'), values: { over, values: readRate } },
      { label: 'write', colour: colour('write'), values: { over, values: writeRate } },
    ],
  });
  const { concurrency, storage } = columns;
  const lanes: PictureLane[] = [
    traffic('Bandwidth', columns),
    {
      label: 'Calls in flight',
      unit: 'calls',
      series: [{ label: 'calls', colour: colour('rest'), values: { over, values: concurrency } }],
    },
  ];
  // What lay below the program; other programs' traffic is in it. The name is short: beside it stand the values.
  if (storage !== undefined) lanes.push(traffic('Machine’s storage', storage));
  if (storage?.waiting !== undefined)
    lanes.push({
      label: 'Waits for storage',
      unit: 'percent',
      series: [{ label: 'someone waits', colour: colour('sync'), values: { over, values: storage.waiting } }],
    });
  return lanes;
}
