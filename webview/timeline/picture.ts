import { timelineSvg, type TimelinePicture } from '../../src/drawing/timeline/timeline-svg.ts';
import { lanesOf } from './head-canvas.ts';
import { categoryShares } from './legend.ts';
import type { TimelineModel } from './model.ts';

/** What is on the screen, as a drawing: the same cells, the same colours. */
export function pictureOf(model: TimelineModel): string {
  const { layout, scrollTop, plotHeight, rowHeight, rows, appearance } = model;
  const shares = categoryShares(model);
  const picture: TimelinePicture = {
    title: model.recordings.names.join(', '),
    width: model.plotWidth,
    labelWidth: model.labelWidth,
    rowHeight,
    visible: model.visible,
    axis: model.axis,
    rows: [...layout.within(scrollTop, plotHeight, rowHeight)].map((index) => {
      const { key, label, depth, isGroup } = model.row(index);
      const held = model.cells.get(key);
      // Cells of other colours would lie.
      return { label, depth, isGroup, ...(held?.token === rows?.token && held && { cells: held.cells }) };
    }),
    lanes: lanesOf(model),
    categories: (rows?.categories ?? []).map(({ label }, index) => ({
      label,
      colour: model.colours[index]!,
      share: shares[index]!,
    })),
    theme: appearance.theme,
    text: appearance.textColour,
    ...(model.range && { range: model.range }),
  };
  return timelineSvg(picture);
}
