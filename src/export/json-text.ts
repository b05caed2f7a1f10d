/** Marks that turn the direction of writing: a terminal shows what holds them in another order than it has. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Such marks as escapes, as JSON and most languages write them. */
export function withoutDirection(text: string): string {
  return text.replace(DIRECTION, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A document as JSON for people and programs: indented, with a line's end, and in the order that its names have. */
export function jsonText(value: unknown): string {
  return `${withoutDirection(JSON.stringify(value, null, 2))}\n`;
}
