import type { FormatName, FormatTraits } from '../trace/format-traits.ts';
import { CAPTURE_TRAITS } from './capture/traits.ts';
import { DARSHAN_TEXT_TRAITS } from './darshan-text/traits.ts';
import { DARSHAN_TRAITS } from './darshan/traits.ts';
import { DFTRACER_TRAITS } from './dftracer/traits.ts';
import { HDF5_VOL_TRAITS } from './hdf5-vol/traits.ts';
import { OTF2_TRAITS } from './otf2/traits.ts';
import { RECORDER_TRAITS } from './recorder/traits.ts';
import { STRACE_TRAITS } from './strace/traits.ts';

/** Of every format, for those who hold a document or a name and no trace. */
export const FORMAT_TRAITS: Readonly<Record<FormatName, FormatTraits>> = {
  iolens: CAPTURE_TRAITS,
  darshan: DARSHAN_TRAITS,
  'darshan-parser text': DARSHAN_TEXT_TRAITS,
  dftracer: DFTRACER_TRAITS,
  'hdf5-vol': HDF5_VOL_TRAITS,
  strace: STRACE_TRAITS,
  otf2: OTF2_TRAITS,
  recorder: RECORDER_TRAITS,
};

const FORMAT_NAMES = Object.keys(FORMAT_TRAITS) as FormatName[];

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(FORMAT_TRAITS, name);
}

/** The format whose files are named so; undefined when names like this say nothing. */
export function formatNamed(fileName: string): FormatName | undefined {
  return FORMAT_NAMES.find((name) => FORMAT_TRAITS[name].endings.some((ending) => fileName.endsWith(ending)));
}
