import type { FormatTraits } from '../../trace/format-traits.ts';
import { DARSHAN_TRAITS } from '../darshan/traits.ts';

/** What Darshan's parsers print of a log: the same recording, under any name. */
export const DARSHAN_TEXT_TRAITS: FormatTraits = { ...DARSHAN_TRAITS, endings: [], knowledgeOfTime: 4 };
