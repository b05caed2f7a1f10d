/** The pictures of patterns across layers, for whoever writes documents. */
export { pictureSvg } from '../../drawing/patterns/pattern-picture.ts';
