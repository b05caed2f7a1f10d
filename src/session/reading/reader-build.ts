/** Hash of the code that reads recordings, put in by scripts/build.mjs. */
declare const IOLENS_READER: string | undefined;

/**
 * Which build of the readers this is: what one build read another may not take for its own. Undefined when the sources
 * run without having been built; nothing is cached then.
 */
export const READER_BUILD: string | undefined = typeof IOLENS_READER === 'undefined' ? undefined : IOLENS_READER;
