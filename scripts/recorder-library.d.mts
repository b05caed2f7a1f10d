/** What the built libraries say that they were made by and from. */
interface Made {
  /** SHA-256 of the sources. */
  readonly sources: string;
  /** By processor: compiler and linker. */
  readonly compilers: Readonly<Record<string, string>>;
  /** By processor: SHA-256 of the library. */
  readonly libraries: Readonly<Record<string, string>>;
}

export declare const PROCESSORS: readonly string[];
export declare function builtFile(processor: string, folder?: string): string;
export declare function madeFrom(folder?: string): Made;
export declare function problemOf(folder?: string): string | undefined;
export declare function missingCompilers(): string[];
export declare function compilerVersions(): Made['compilers'];
export declare function compileLibrary(processor: string): Promise<Uint8Array>;
