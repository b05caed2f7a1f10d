/** Of what the messages of pages are made: texts, lists and pictures have bounds, numbers are finite. */
import * as v from 'valibot';

/** Longer texts are no names of anything. */
const MOST_TEXT = 4_096;
/** A drawing of more is no drawing of a screen. */
const MOST_PICTURE = 64 * 1024 * 1024;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** What is said by its name alone. */
export const NOTHING = v.undefined();
export const TEXT = text(MOST_TEXT);
export const NAME = v.pipe(TEXT, v.nonEmpty());
export const NUMBER = v.pipe(v.number(), v.finite());
export const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const DIRECTION = v.picklist(['read', 'write']);

export function text(most: number): v.GenericSchema<string> {
  return v.pipe(v.string(), v.maxLength(most));
}

export function list<Item>(item: v.GenericSchema<Item>, most = Infinity): v.GenericSchema<readonly Item[]> {
  return v.pipe(v.array(item), v.maxLength(most));
}

/** Files and folders of a recording: what is opened again after a reload of the window. */
export const PATHS = v.pipe(list(TEXT), v.nonEmpty());

/** A picture begins as the name of its file will say: what is saved is a picture, and nothing else. */
export const PICTURE = v.variant('format', [
  v.object({ format: v.literal('svg'), content: v.pipe(text(MOST_PICTURE), v.startsWith('<svg ')) }),
  v.object({
    format: v.literal('png'),
    content: v.pipe(
      v.instance(Uint8Array),
      v.maxLength(MOST_PICTURE),
      v.check((content) => PNG_SIGNATURE.every((byte, at) => content[at] === byte)),
    ),
  }),
]);

export type Picture = v.InferOutput<typeof PICTURE>;
