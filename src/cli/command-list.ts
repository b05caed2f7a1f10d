import type { Command } from 'commander';

type AddCommand = (program: Command) => void;

/**
 * What makes each command, by its name, in the order of the help. The code of a command is loaded when it is asked for:
 * all of it is several megabytes, and of a small recording loading takes longer than reading.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  info: async () => (await import('./commands.ts')).addInfo,
  analyze: async () => (await import('./commands.ts')).addAnalyze,
  sites: async () => (await import('./commands.ts')).addSites,
  dfg: async () => (await import('./commands.ts')).addGraph,
  compare: async () => (await import('./compare.ts')).addCompare,
  layers: async () => (await import('./layers.ts')).addLayers,
  operations: async () => (await import('./operations.ts')).addOperations,
  stacks: async () => (await import('./stacks.ts')).addStacks,
  gaps: async () => (await import('./gaps.ts')).addGaps,
  timeline: async () => (await import('./timeline.ts')).addTimeline,
  patterns: async () => (await import('./patterns.ts')).addPatterns,
  causes: async () => (await import('./causes.ts')).addCauses,
  fixes: async () => (await import('./fix.ts')).addFixes,
  fix: async () => (await import('./fix.ts')).addFix,
  export: async () => (await import('./export.ts')).addExport,
  query: async () => (await import('./query.ts')).addQuery,
  replay: async () => (await import('./replay.ts')).addReplay,
  record: async () => (await import('./record/record.ts')).addRecord,
  merge: async () => (await import('./record/merge.ts')).addMerge,
  resolve: async () => (await import('./resolve.ts')).addResolve,
  dios: async () => (await import('./dios.ts')).addDios,
  collect: async () => (await import('./collect.ts')).addCollect,
  fleet: async () => (await import('./fleet/fleet.ts')).addFleet,
  mcp: async () => (await import('./mcp/command.ts')).addMcp,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  bundle: async () => (await import('./bundle.ts')).addBundle,
  workflow: async () => (await import('./workflow.ts')).addWorkflow,
};
