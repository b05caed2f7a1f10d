/**
 * Numbers that stand for a row of one of the trace's tables. Any number may become one, so that loops and arithmetic need
 * no cast, but one of a table is none of another: a file in the place of a stream does not compile.
 */
declare const table: unique symbol;
export type Index<Table extends string> = number & { readonly [table]?: Table };

/** Index into `Trace.files`. */
export type FileIndex = Index<'file'>;
/** Index into `Trace.handles`. */
export type HandleIndex = Index<'handle'>;
/** Index into `Trace.streams`. */
export type StreamIndex = Index<'stream'>;
/** Index of a node in `Trace.stacks`. */
export type StackNode = Index<'node'>;
/** Index of a frame in `Trace.stacks`. */
export type FrameIndex = Index<'frame'>;

/** A typed array whose values are such numbers. */
export type Indices<Of extends number, Values = Int32Array> = Values & Record<number, Of>;
