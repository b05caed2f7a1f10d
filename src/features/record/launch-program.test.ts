import { describe, expect, test } from 'vitest';
import { isRecordable, readLaunch, type LaunchConfiguration } from './launch-program.ts';
import { resolveVariables, splitCommand } from '../editor/variables.ts';

const KNOWN: Readonly<Record<string, string>> = {
  workspaceFolder: '/project',
  'env:CASE': 'big',
  'command:cmake.target': '/b/app',
};
const lookup = (name: string): Promise<string | undefined> => Promise.resolve(KNOWN[name]);
const read = (configuration: LaunchConfiguration) => readLaunch(configuration, '/project', lookup);

describe('a launch configuration', () => {
  test('of cppdbg: program, list of arguments, folder, list of environment', async () => {
    const { program, problems, notes } = await read({
      type: 'cppdbg',
      request: 'launch',
      program: '${workspaceFolder}/app',
      args: ['--case', '${env:CASE}', 'a b'],
      cwd: '${workspaceFolder}/run',
      environment: [{ name: 'OMP_NUM_THREADS', value: '2' }],
      preLaunchTask: 'build',
    });
    expect(program).toEqual({
      program: '/project/app',
      args: ['--case', 'big', 'a b'],
      cwd: '/project/run',
      env: { OMP_NUM_THREADS: '2' },
    });
    expect(problems).toEqual([]);
    expect(notes).toEqual(['its preLaunchTask is not run: build first']);
  });

  test('of lldb: arguments as one text, environment as an object', async () => {
    const { program } = await read({ type: 'lldb', program: './app', args: `-n 3 "two words"`, env: { A: 1 } });
    expect(program).toEqual({ program: './app', args: ['-n', '3', 'two words'], cwd: '/project', env: { A: '1' } });
  });

  test('of gdb (Native Debug): target and arguments', async () => {
    const { program } = await read({ type: 'gdb', target: '${command:cmake.target}', arguments: '-v in.nml' });
    expect(program).toMatchObject({ program: '/b/app', args: ['-v', 'in.nml'] });
  });

  test('what cannot be resolved is said, each part of it', async () => {
    const { program, problems } = await read({
      program: '${input:which}/app',
      args: ['<', 'in'],
      cwd: '${fileDirname}',
    });
    expect(program).toBeUndefined();
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('"program" has ${input:which}');
    expect(problems[1]).toContain('needs a shell');
    expect(problems[2]).toContain('"cwd" has ${fileDirname}');
    expect((await read({ type: 'cppdbg' })).problems).toEqual(['it names no program ("program" is missing)']);
  });

  test('only those that start a compiled program count', () => {
    expect(isRecordable({ type: 'cppdbg', request: 'launch' })).toBe(true);
    expect(isRecordable({ type: 'cppdbg', request: 'attach' })).toBe(false);
    expect(isRecordable({ type: 'node', request: 'launch' })).toBe(false);
    expect(isRecordable({})).toBe(false);
  });
});

test('variables that are not known stay as they were written', async () => {
  expect(await resolveVariables('${workspaceFolder}/${x}/${x}/$HOME', lookup)).toEqual({
    text: '/project/${x}/${x}/$HOME',
    unresolved: ['${x}'],
  });
  // What a variable stands for is not looked at again.
  expect((await resolveVariables('${a}', () => Promise.resolve('${a}'))).text).toBe('${a}');
});

test.each([
  ['./app --steps 100', ['./app', '--steps', '100']],
  [`a "b c" 'd "e' f\\ g`, ['a', 'b c', 'd "e', 'f g']],
  [`x="1 2" "q\\"q"`, ['x=1 2', 'q"q']],
  ['   ', []],
])('the command line %s is split', (text, words) => expect(splitCommand(text)).toEqual(words));
