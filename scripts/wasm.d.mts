/** What a module says that it was made by and from. */
interface Made {
  readonly rustc: string;
  readonly cargo: string;
  readonly linker: string;
  /** SHA-256 of the sources, and of the module without this. */
  readonly sources: string;
  readonly code: string;
}

export declare function moduleFolders(): string[];
export declare function moduleFile(folder: string): string;
export declare function madeFrom(bytes: Uint8Array): Made | undefined;
export declare function problemOf(folder: string): string | undefined;
export declare function missingTools(): string[];
export declare function compilerVersions(): Pick<Made, 'rustc' | 'cargo' | 'linker'>;
export declare function compileModule(folder: string): Uint8Array;
