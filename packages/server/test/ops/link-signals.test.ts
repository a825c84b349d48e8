/** One signal for several reasons to stop: the first of them counts, and none is listened to afterwards. */
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { linkSignals } from '@specwright/server';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('is aborted with the first source, for its reason', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = linkSignals([first.signal, second.signal], 60_000);
  expect(signal.aborted).toBe(false);
  second.abort('enough');
  first.abort('late');
  expect(signal.reason).toBe('enough');
});

test('is aborted from the start if a source is', () => {
  const { signal, release } = linkSignals([new AbortController().signal, AbortSignal.abort('before')]);
  expect(signal.reason).toBe('before');
  release();
});

test('is aborted after its time, with a TimeoutError', async () => {
  const { signal } = linkSignals([], 20);
  await sleep(200);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'no end within 20 ms' });
});

test('a source that many follow causes no warning', async () => {
  const warned: Error[] = [];
  const listen = (warning: Error) => void warned.push(warning);
  process.on('warning', listen);
  const source = new AbortController();
  for (let i = 0; i < 50; i++) linkSignals([source.signal]);
  await sleep(20);
  process.off('warning', listen);
  expect(warned).toEqual([]);
});

test('once released it has no timer, and its sources have no listener', async () => {
  const source = new AbortController();
  const { signal, release } = linkSignals([source.signal], 20);
  expect(listeners(source.signal)).toBe(1);
  release();
  expect(listeners(source.signal)).toBe(0);
  source.abort();
  await sleep(100);
  expect(signal.aborted).toBe(false);
});
