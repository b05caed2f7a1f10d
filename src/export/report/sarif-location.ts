import type { PhysicalLocation, ArtifactLocation, Location, Region } from 'sarif';
import type { FrameDocument } from '../analysis/documents.ts';
import type { SourceExcerpts } from './report-material.ts';

/** The name of the folder that relative locations start from, as GitHub and the SARIF viewers know it. */
export const SOURCE_ROOT = '%SRCROOT%';

/** What locations are written against. */
export interface LocationContext {
  /** Absolute path of the folder whose files are named relative to it, without a slash at its end. */
  readonly root: string;
  readonly excerpts: SourceExcerpts;
}

/** A place in a source file. */
interface SourcePlace {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Bytes from 1 on, as compilers count; 0 when unknown. */
  readonly column: number;
}

/**
 * Path of a file as a URI reference (RFC 3986): everything but unreserved characters is percent-encoded, the slashes
 * stay. Text that is no Unicode becomes the replacement character.
 */
function encodePath(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
}

export function fileUri(path: string): string {
  return `file://${encodePath(path)}`;
}

/** Relative below the root, else an absolute `file:` URI; a recorded relative path stays one, against nothing. */
export function artifactLocation(file: string, { root }: LocationContext): ArtifactLocation {
  const prefix = `${root}/`;
  if (file.startsWith(prefix)) return { uri: encodePath(file.slice(prefix.length)), uriBaseId: SOURCE_ROOT };
  return { uri: file.startsWith('/') ? fileUri(file) : encodePath(file) };
}

export function physicalLocation(place: SourcePlace, context: LocationContext): PhysicalLocation {
  return { artifactLocation: artifactLocation(place.file, context), region: region(place, context) };
}

function region({ file, line, column }: SourcePlace, { excerpts }: LocationContext): Region {
  const text = excerpts.get(file)?.get(line);
  if (text === undefined) return { startLine: line };
  const start = column > 0 ? utf16Column(text, column) : undefined;
  return { startLine: line, ...(start !== undefined && { startColumn: start }), snippet: { text } };
}

/**
 * SARIF counts columns in UTF-16 code units here, compilers in bytes.
 * @returns undefined when the line is shorter: it is not the line that was compiled.
 */
export function utf16Column(text: string, byteColumn: number): number | undefined {
  const bytes = new TextEncoder().encode(text);
  if (byteColumn > bytes.length) return undefined;
  return new TextDecoder().decode(bytes.subarray(0, byteColumn - 1)).length + 1;
}

/** A frame of a call stack; those without a source line have only their function's name. */
export function frameLocation(
  frame: FrameDocument,
  column: number,
  message: string,
  context: LocationContext,
): Location {
  const place = frame.line > 0 ? physicalLocation({ ...frame, column }, context) : undefined;
  return {
    ...(place !== undefined && { physicalLocation: place }),
    ...(frame.function !== '' && { logicalLocations: [functionLocation(frame.function, frame.module)] }),
    message: { text: message },
  };
}

export function functionLocation(name: string, module: string): NonNullable<Location['logicalLocations']>[number] {
  const library = module.slice(module.lastIndexOf('/') + 1);
  return { name, kind: 'function', ...(library !== '' && { fullyQualifiedName: `${library}!${name}` }) };
}
