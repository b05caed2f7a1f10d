import type { Bins } from './buffered-bins.ts';
import { lengthOf, type Span } from './visible-span.ts';

/** Values of a lane, a bin each. */
export interface LaneValues {
  readonly over: Bins;
  readonly values: Float32Array | Uint32Array;
}

/** The largest value for each pixel, left to right: a peak shorter than a pixel is still seen. */
export function lanePixels({ over, values }: LaneValues, visible: Span, columns: number): Float32Array {
  const pixels = new Float32Array(columns);
  const binsPerPixel = lengthOf(visible) / columns / over.binNs;
  const firstBin = (visible.fromNs - over.fromNs) / over.binNs;
  for (let column = 0; column < columns; column++) {
    const left = firstBin + column * binsPerPixel;
    const from = Math.max(0, Math.floor(left + 1e-9));
    const to = Math.min(over.bins, Math.max(from + 1, Math.ceil(left + binsPerPixel - 1e-9)));
    let most = 0;
    for (let bin = from; bin < to && left + binsPerPixel > 0; bin++) if (values[bin]! > most) most = values[bin]!;
    pixels[column] = most;
  }
  return pixels;
}

export function largest(values: Float32Array): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) if (values[at]! > most) most = values[at]!;
  return most;
}

/** Corners of the stepped line over the columns, from the left end of the base to its right end; only where it changes. */
export function stepLine(pixels: Float32Array, top: number, height: number): (readonly [x: number, y: number])[] {
  const corners: (readonly [number, number])[] = [[0, height]];
  const yOf = (value: number): number => (top > 0 ? height - (value / top) * height : height);
  let last = height;
  for (let x = 0; x < pixels.length; x++) {
    const y = yOf(pixels[x]!);
    if (y === last) continue;
    corners.push([x, last], [x, y]);
    last = y;
  }
  corners.push([pixels.length, last], [pixels.length, height]);
  return corners;
}
