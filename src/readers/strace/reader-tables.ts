import { ArgumentReader } from './arguments.ts';
import { ByteNames } from '../text/byte-names.ts';
import { CallNames } from './call-names.ts';
import { PathResolver } from './paths.ts';
import { ReturnReader } from './return-value.ts';
import { Scanner } from './scanner.ts';
import { StackBlocks } from './stack-blocks.ts';
import type { TraceBuilder } from './trace-builder.ts';

/** Bytes of text from which on the scanner pays: it takes a few milliseconds to start. */
const TEXT_WITHOUT_SCANNER = 1 << 18;

/**
 * What has been read of names, stacks and errors, for all files of a recording: a folder holds thousands of files, and all
 * of them name the same things.
 */
export class ReaderTables {
  readonly names = new ByteNames();
  readonly callNames: CallNames;
  readonly argumentReader = new ArgumentReader(this.names);
  readonly returnReader: ReturnReader;
  readonly stackBlocks: StackBlocks;
  /** null where it cannot be made. */
  private ownScanner: Scanner | null | undefined;
  private readonly resolvers = new Map<string, PathResolver>();

  /** @param textLeft bytes of text that are still read without the scanner. */
  constructor(
    private readonly builder: TraceBuilder,
    private textLeft = TEXT_WITHOUT_SCANNER,
  ) {
    this.callNames = new CallNames(builder.calls);
    this.returnReader = new ReturnReader(builder.errors, this.argumentReader);
    this.stackBlocks = new StackBlocks(builder.stacks);
  }

  /** Where in a text from `start` to `end` the scanner begins to pay: what stands before it is read without. */
  withoutScanner(start: number, end: number): number {
    const stop = Math.min(end, start + this.textLeft);
    this.textLeft -= stop - start;
    return stop;
  }

  /** The scanner, made when it is first asked for; undefined where WebAssembly or its SIMD is lacking. */
  scanner(): Scanner | undefined {
    if (this.ownScanner === undefined) {
      try {
        this.ownScanner = new Scanner(this.callNames, this.names);
      } catch {
        this.ownScanner = null;
      }
    }
    return this.ownScanner ?? undefined;
  }

  /** A path means another file on another host. */
  pathsOf(host: string): PathResolver {
    let resolver = this.resolvers.get(host);
    if (resolver === undefined) {
      resolver = new PathResolver(this.names, this.builder.files, host);
      this.resolvers.set(host, resolver);
    }
    return resolver;
  }
}
