/** What all messages of views are looked at with: webview content is not trusted blindly. */

/** Longer texts are no names of anything. */
const MOST_TEXT = 4_096;
/** A drawing of more is no drawing of a screen. */
const MOST_PICTURE_BYTES = 64 * 1024 * 1024;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_TEXT;
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether a file begins as its name will say: what is saved is a picture, and nothing else. */
export function isPicture(format: unknown, content: unknown): boolean {
  if (format === 'svg')
    return typeof content === 'string' && content.startsWith('<svg ') && content.length <= MOST_PICTURE_BYTES;
  return (
    format === 'png' &&
    content instanceof Uint8Array &&
    content.length <= MOST_PICTURE_BYTES &&
    PNG_SIGNATURE.every((byte, at) => content[at] === byte)
  );
}
