import { fileName } from '../../base/path-names.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from './call-sites.ts';
import { TRAIT } from './stack-traits.ts';

const INTERPRETER = /^python[\d.]*$/;
/** What every interpreter of Python imports first, whatever it is embedded in. */
const FIRST_IMPORT = /\/encodings\/(__init__\.py|__pycache__\/__init__\.[^/]*\.pyc)$/;

/**
 * A recorder of system calls saw a program of Python: whatever lines and functions it knows are the interpreter's. Stacks
 * tell, and where there are none the program's name or what it imports.
 */
export function hidesPython(trace: Trace, { traitsOfNode }: CallSites): boolean {
  if (!trace.form.tracerStopsProgram) return false;
  if (traitsOfNode?.some((traits) => (traits & TRAIT.python) !== 0) === true) return true;
  const programs = [trace.program, ...trace.parts.map(({ program }) => program ?? '')];
  if (programs.some((program) => INTERPRETER.test(fileName(program.split(' ', 1)[0]!)))) return true;
  return trace.files.files.some(({ path }) => FIRST_IMPORT.test(path));
}
