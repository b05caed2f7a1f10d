import type { Measure } from '../../src/drawing/graph/graph-shapes.ts';

/** As graph.css has them. */
const FONTS = { title: '600 12px', subtitle: '12px', number: '11px' } as const;

/** Measures text in the fonts of the nodes. */
export function textMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const { fontFamily } = getComputedStyle(document.body);
  return (text, kind) => {
    if (context === null) return text.length * 7;
    context.font = `${FONTS[kind]} ${fontFamily}`;
    return context.measureText(text).width;
  };
}
