import type { Measure } from '../../src/drawing/graph/graph-shapes.ts';
import { TextRuler } from '../kit/fitted-text.ts';

/** Measures text in the fonts of the nodes, as graph.css has them. */
export function textMeasure(): Measure {
  const { fontFamily } = getComputedStyle(document.body);
  const rulers = {
    title: new TextRuler(`600 12px ${fontFamily}`),
    subtitle: new TextRuler(`12px ${fontFamily}`),
    number: new TextRuler(`11px ${fontFamily}`),
  };
  return (text, kind) => rulers[kind].widthOf(text);
}
