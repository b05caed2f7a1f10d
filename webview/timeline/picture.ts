import { timelineSvg, type TimelinePicture } from '../../src/drawing/timeline/timeline-svg.ts';
import { lanesOf } from './head-canvas.ts';
import { categoryShares } from './legend.ts';
import type { TimelineModel } from './model.ts';

/** Pixels of a PNG for one of the drawing: it is to be printed. */
const SHARPNESS = 2;

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

/** The bytes of a PNG of a drawing. */
export async function pngOf(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * SHARPNESS;
    canvas.height = image.naturalHeight * SHARPNESS;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The picture is too large.');
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(address);
  }
}
