/**
 * Questions about who touches which bytes of a file when, and their answers. The view never gets events: it asks for a
 * part of the plane of time and offset in columns and rows (pixels), and gets cells of that number back.
 */

import type { Selection } from '../selection/selection.ts';

/** A file of a recording: the path as recorded, and the host whose file system it belongs to ('' for all, or unknown). */
export interface FileName {
  readonly host: string;
  readonly path: string;
}

/** What the colour of a cell says. */
export type OffsetColour = 'direction' | 'process' | 'repeats' | 'size' | 'call' | 'site' | 'insight';

/** Which accesses are shown, and how they are told apart; plain data. */
export interface OffsetChoices {
  /** A layer of the I/O software; '' for the one that reaches the file. */
  readonly layer: string;
  readonly directions: 'both' | 'read' | 'write';
  /** `order`: the accesses one after the other, whatever the time between them. */
  readonly axis: 'time' | 'order';
  readonly colourBy: OffsetColour;
  /** Label of the only category that is shown; '' for all. */
  readonly only: string;
}

/** A part of the plane. Positions are nanoseconds from the trace's origin, or accesses from the first one. */
export interface OffsetArea {
  readonly from: number;
  /** Behind the last. */
  readonly to: number;
  readonly fromByte: number;
  readonly toByte: number;
}

export interface OffsetRequest {
  readonly file: FileName;
  readonly choices: OffsetChoices;
  /** null: as much as there is. */
  readonly area: OffsetArea | null;
  readonly columns: number;
  readonly rows: number;
  /** Cells say whether something that touches them is selected; empty where nothing is. */
  readonly selection: Selection;
}

/** Most cells of an answer, and the most in one direction. */
export const MOST_CELLS = 1 << 20;
export const MOST_IN_A_LINE = 8192;

/** Bits of the column `marks` of a cell. */
export const MARK = {
  read: 1,
  write: 2,
  /** Read again by the process that had read it, or written again by the one that had written it. */
  again: 4,
  /** Written over what another process had written. */
  over: 8,
  /** Of cells only: something that touches it is selected. */
  selected: 16,
} as const;

/** "Nobody touches it" in the column `category`. */
export const NOT_TOUCHED = 0xff;

export interface OffsetCategory {
  readonly label: string;
  /** Of the area. */
  readonly accesses: number;
  readonly bytes: number;
}

/** A part of the file, for those who read rather than look. */
export interface OffsetRegion {
  readonly fromByte: number;
  readonly toByte: number;
  readonly accesses: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly processes: number;
  /** Of all bytes: read or written again by the same process. */
  readonly bytesAgain: number;
  /** Accesses that write over what another process had written. */
  readonly writtenOver: number;
  /** Position of the first and the end of the last access. */
  readonly from: number;
  readonly to: number;
}

export interface OffsetWindow {
  readonly area: OffsetArea;
  /** All accesses that the choices leave, whatever the area. */
  readonly extent: OffsetArea;
  readonly columns: number;
  readonly rows: number;
  /** Cells row by row, the lowest offsets first: which category touches it most, or NOT_TOUCHED. */
  readonly category: Uint8Array;
  /** Bits of MARK. */
  readonly marks: Uint8Array;
  /** How many accesses touch the cell; 65,535 for as many or more. */
  readonly touches: Uint16Array;
  /** Bytes of the area by column, and by row. An access moves its bytes evenly, as far as anybody knows. */
  readonly readOverTime: Float64Array;
  readonly writtenOverTime: Float64Array;
  readonly readOverFile: Float64Array;
  readonly writtenOverFile: Float64Array;
  readonly categories: readonly OffsetCategory[];
  /** Accesses that touch the area. */
  readonly accesses: number;
  /** Of these are selected; null where nothing is selected. */
  readonly selected: number | null;
  /** The area in a few parts of the file, from the front to the back. */
  readonly regions: readonly OffsetRegion[];
}

/** A component of how the file lies on storage targets. */
export interface Striping {
  /** Bytes. */
  readonly stripeSize: number;
  readonly stripeCount: number;
  readonly fromByte: number;
  /** null: to the end of the file. */
  readonly toByte: number | null;
  /** Numbers of the object storage targets in the order of the stripes; empty when the log holds none. */
  readonly targets: readonly number[];
}

/** What is known of a file besides its accesses. */
export interface OffsetFileFacts {
  readonly file: FileName;
  /** Layers that touch it, highest first; the one that reaches the file is the last. */
  readonly layers: readonly string[];
  readonly processes: number;
  readonly stripings: readonly Striping[];
  /** Bytes of a block of the file system; null when nobody knows. */
  readonly blockBytes: number | null;
  /** False where the recording has no times: then only their order is known. */
  readonly hasTimes: boolean;
  /** What cannot be shown, and why; in words for the user. */
  readonly notes: readonly string[];
}

/** A file to choose. */
export interface OffsetFileRow extends FileName {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly accesses: number;
  readonly processes: number;
  /** Of the system, the loader or a library: no finding counts it. */
  readonly ignored: boolean;
}

export interface OffsetFiles {
  readonly files: readonly OffsetFileRow[];
  /** Files that the filter leaves, and all that can be shown. */
  readonly matching: number;
  readonly total: number;
  /** Files that are read or written at places that nobody knows: pipes, terminals. */
  readonly withoutOffsets: number;
}
