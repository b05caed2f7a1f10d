// The tests of unpacking once more, with what a browser has in place of Node's zlib.
import { expect, test, vi } from 'vitest';
import { machine } from '../../src/session/machine/browser/browser-machine.ts';
import { machine as used } from '#machine';
import '../../src/session/reading/compression/decompress.test.ts';
import '../../src/session/reading/compression/unpack.test.ts';

vi.mock('#machine', () => import('../../src/session/machine/browser/browser-machine.ts'));

test('they run on the machine of a browser', () => expect(used).toBe(machine));
