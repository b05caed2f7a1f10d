import type { AccessMode, FileUse, WorkflowDocument, WorkflowStep } from '../../src/features/workflow/protocol.ts';

/** A step that used a file. */
export interface FileUser {
  readonly job: number;
  readonly step: number;
  readonly mode: AccessMode;
}

/** A user of a file with those that matter to it: who had written it before, who read it afterwards. */
interface UserHistory extends FileUser {
  readonly earlierWriters: readonly FileUser[];
  readonly laterReaders: readonly FileUser[];
}

const writes = ({ mode }: FileUser): boolean => mode !== 'read';
const reads = ({ mode }: FileUser): boolean => mode !== 'write';

/** @param users in the order of time, as a document has them. */
export function historyOf(users: readonly FileUser[]): UserHistory[] {
  return users.map((user, at) => ({
    ...user,
    earlierWriters: users.slice(0, at).filter(writes),
    laterReaders: users.slice(at + 1).filter(reads),
  }));
}

function stepOf({ jobs }: WorkflowDocument, { job, step }: Omit<FileUser, 'mode'>): WorkflowStep | undefined {
  return jobs[job]?.steps[step];
}

export function useOf(document: WorkflowDocument, user: FileUser, file: number): FileUse | undefined {
  return stepOf(document, user)?.files.find((use) => use.file === file);
}
