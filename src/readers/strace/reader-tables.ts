import { ArgumentReader } from './arguments.ts';
import { ByteNames } from '../text/byte-names.ts';
import { CallNames } from './call-names.ts';
import { PathResolver } from './paths.ts';
import { ReturnReader } from './return-value.ts';
import { StackBlocks } from './stack-blocks.ts';
import type { TraceBuilder } from './trace-builder.ts';

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
  private readonly resolvers = new Map<string, PathResolver>();

  constructor(private readonly builder: TraceBuilder) {
    this.callNames = new CallNames(builder.calls);
    this.returnReader = new ReturnReader(builder.errors, this.argumentReader);
    this.stackBlocks = new StackBlocks(builder.stacks);
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
