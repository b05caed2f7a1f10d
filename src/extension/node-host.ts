import { engineFolders } from './engine-folders.ts';
import type { Host } from './host.ts';
import { recordLaunch, recordProgram } from './record-command.ts';
import { RecordingTasks } from './recording-tasks.ts';

/** An extension host with Node: a desktop, or a machine that is reached from elsewhere. */
export const host: Host = {
  hasMachine: true,
  dialogsPickBoth: process.platform === 'darwin',
  environment: process.env,
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
  replayRecording: async (recording, dist) => (await import('./replay-command.ts')).replayRecording(recording, dist),
  archiveProblem: async () => (await import('../session/otf2-archive.ts')).otf2Problem(),
  writeArchive: async (session, id, folder, dist) =>
    (await import('../session/otf2-archive.ts')).exportOtf2(session, id, folder, { folder: dist }),
  installSqlEngine: async (context) => (await import('./engine-command.ts')).installSqlEngine(context),
  ingest: async (folders, store, dist) => (await import('./ingest-task.ts')).ingestFolders(folders, store, dist),
  checkThisMachine: async (context) => (await import('./doctor.ts')).checkThisMachine(context),
};
