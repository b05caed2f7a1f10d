import { textOn, type Colour } from '../timeline/category-colours.ts';

/** Degrees that spread any number of hues evenly: the golden angle. */
const GOLDEN_ANGLE = 137.507_764;

/** A background of its own for each job; neighbours in the list look different. */
export function jobColour(job: number, isDark: boolean): Colour {
  const hue = (210 + job * GOLDEN_ANGLE) % 360;
  // Three lightnesses, so that hues that come close again differ otherwise.
  const step = (Math.floor(job / 9) % 3) * 0.05;
  return isDark ? fromHsl(hue, 0.34, 0.24 + step) : fromHsl(hue, 0.55, 0.87 - step);
}

export function textOnJob(job: number, isDark: boolean): string {
  return textOn(jobColour(job, isDark));
}

function fromHsl(hue: number, saturation: number, lightness: number): Colour {
  const part = (shift: number): number => {
    const k = (shift + hue / 30) % 12;
    const amount = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - amount * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}
