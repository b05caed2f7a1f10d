import type { Contributions } from '../editor/contributions.ts';
import type { Recorder } from '../editor/programs.ts';
import type { Services } from '../editor/services.ts';

/** Recording programs: tasks of the editor, and what asks for a program. */
export class RecordFeature {
  readonly recorder: Recorder;

  constructor({ programs, recordings, live, context, state }: Services, contributions: Contributions) {
    const recorder = programs.recorder(recordings, live, context);
    this.recorder = recorder;
    contributions.own(recorder);
    contributions.tasks('iolens.record', {
      provideTasks: () => recorder.provideTasks(),
      resolveTask: (task) => recorder.resolveTask(task),
    });
    contributions.command('recordProgram', () => programs.recordProgram(recorder, state));
    contributions.command('recordLaunch', (name?: unknown) => programs.recordLaunch(recorder, state, name));
  }
}
