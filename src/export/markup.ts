/** Text of recordings in HTML and SVG, for whoever writes documents. */
export { element, escapeMarkup } from '../drawing/markup.ts';
