import { engineFolders } from '../features/store/engine-folders.ts';
import type { Programs } from '../features/editor/programs.ts';
import { recordLaunch, recordProgram } from '../features/record/record-command.ts';
import { RecordingTasks } from '../features/record/recording-tasks.ts';

/** Of an extension host with Node: a desktop, or a machine that is reached from elsewhere. */
export const programs: Programs = {
  sessionFiles: (context) => {
    const folder = context.asAbsolutePath('dist');
    return { script: `${folder}/session-worker.js`, folder, engineFolders: engineFolders(context) };
  },
  recorder: (recordings, live, context) => {
    const place = { dist: context.asAbsolutePath('dist'), storage: context.globalStorageUri.fsPath };
    return new RecordingTasks(recordings, live, place);
  },
  recordProgram,
  recordLaunch,
  replayRecording: async (recording, dist) =>
    (await import('../features/replay/replay-command.ts')).replayRecording(recording, dist),
  archiveProblem: async () => (await import('../session/reading/otf2-archive.ts')).otf2Problem(),
  writeArchive: async (session, id, folder, dist) =>
    (await import('../session/reading/otf2-archive.ts')).exportOtf2(
      (file) => session.export.events(id, 'otf2-records', file),
      folder,
      { folder: dist },
    ),
  installSqlEngine: async (context) => (await import('../features/store/engine-command.ts')).installSqlEngine(context),
  ingest: async (folders, store, dist) =>
    (await import('../features/store/ingest-task.ts')).ingestFolders(folders, store, dist),
  tryFixes: async (trial, dist, hooks) =>
    (await import('../features/fixes/trial-process.ts')).tryInProcess(trial, dist, hooks),
  checkThisMachine: async (context) => (await import('../features/machine/doctor.ts')).checkThisMachine(context),
};
