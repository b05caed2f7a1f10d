// Stands for @duckdb/node-bindings in the bundles: the native part is found by src/session/fleet/engine-binding.ts.
module.exports = globalThis.iolensDuckDb;
