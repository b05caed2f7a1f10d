/** The pictures of patterns across layers, for whoever writes documents. */
export { pictureSvg } from '../drawing/pattern-picture.ts';
