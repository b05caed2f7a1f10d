const SIZE = 8;

/** Stripes of a colour, as a fill for a canvas. */
export function hatched(colour: string, background: string): CanvasPattern {
  const tile = document.createElement('canvas');
  tile.width = SIZE;
  tile.height = SIZE;
  const context = tile.getContext('2d')!;
  context.fillStyle = background;
  context.fillRect(0, 0, SIZE, SIZE);
  context.strokeStyle = colour;
  context.lineWidth = 3;
  // Three lines, so that the stripes of neighbouring tiles meet.
  for (const shift of [-SIZE, 0, SIZE]) {
    context.beginPath();
    context.moveTo(shift, SIZE);
    context.lineTo(shift + SIZE, 0);
    context.stroke();
  }
  return context.createPattern(tile, 'repeat')!;
}
