/** What package-lock.json says of DuckDB's native part, put in by scripts/build.mjs. */
interface EnginePackages {
  /** Of DuckDB's packages: the client that is bundled and the native part belong together. */
  readonly version: string;
  /** By name of the package: its SHA-512, as npm writes it. */
  readonly integrity: Readonly<Record<string, string>>;
}

declare const IOLENS_ENGINE: EnginePackages | undefined;

/** Of sources that run without having been built, the engine is the one among their modules. */
export const ENGINE_PACKAGES: EnginePackages =
  typeof IOLENS_ENGINE === 'undefined' ? { version: '', integrity: {} } : IOLENS_ENGINE;
