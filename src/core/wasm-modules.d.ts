/** A compiled module that stands in the bundle itself, as Base64 (scripts/wasm.mjs, vitest.config.ts). */
declare module '*.wasm' {
  const base64: string;
  export default base64;
}
