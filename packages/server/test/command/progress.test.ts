/** Progress: a line in a terminal, nothing elsewhere and in CI. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createProgress } from '@specwright/server/command';

let written: string;
beforeEach(() => {
  written = '';
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());
const streamOf = (isTTY: boolean) =>
  ({ isTTY, columns: 20, write: (text: string) => void (written += text) }) as unknown as NodeJS.WriteStream;

test('what takes long is shown in a terminal, in one line of its width, and taken away', () => {
  const progress = createProgress(streamOf(true), {});
  progress.show('first');
  expect(written).toBe('');
  jest.advanceTimersByTime(1000);
  expect(written).toMatch(/^(\r\u001b\[2Kfirst \(1 s\)){2}$/);
  progress.show('a text that is longer than a line');
  expect(written.endsWith('\r\u001b[2Ka text that is long')).toBe(true);
  progress.clear();
  expect(written.endsWith('\r\u001b[2K')).toBe(true);
  const length = written.length;
  jest.advanceTimersByTime(5000);
  expect(written).toHaveLength(length);
});

test('what is done at once leaves nothing', () => {
  const progress = createProgress(streamOf(true), {});
  progress.show('first');
  progress.clear();
  expect(written).toBe('');
});

test.each<[boolean, NodeJS.ProcessEnv]>([
  [false, {}],
  [true, { CI: 'true' }],
])('nothing is shown with isTTY %s and %j', (isTTY, environment) => {
  const progress = createProgress(streamOf(isTTY), environment);
  progress.show('first');
  jest.advanceTimersByTime(5000);
  progress.clear();
  expect(written).toBe('');
});
