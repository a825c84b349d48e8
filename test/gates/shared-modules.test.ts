/** Test files of one worker share its modules and its process: what a file changes of the process is put back after it. */
import { expect, jest, test } from '@jest/globals';

const { saveGlobals, saveProcess } = (await import(new URL('../support/runner/process-state.mjs', import.meta.url).href)) as Record<
  'saveGlobals' | 'saveProcess',
  () => () => void
>;

test('puts back the environment, the folder, the console and process.exit', () => {
  const [cwd, { console }, exit] = [process.cwd(), globalThis, Object.getOwnPropertyDescriptor(process, 'exit')];
  process.env['KEPT'] = 'before';
  const restore = saveProcess();
  Object.assign(process.env, { KEPT: 'after', ADDED: '1' });
  delete process.env['PATH'];
  process.chdir('test');
  process.exit = () => undefined as never;
  globalThis.console = { ...console };
  restore();
  expect([process.env['KEPT'], process.env['ADDED'], process.env['PATH']]).toEqual(['before', undefined, expect.any(String)]);
  expect(process.cwd()).toBe(cwd);
  expect(Object.getOwnPropertyDescriptor(process, 'exit')).toEqual(exit);
  expect(globalThis.console).toBe(console);
  delete process.env['KEPT'];
});

test('puts back global variables, and removes new ones and listeners of the process', () => {
  const state = () => ({ fetch: Object.getOwnPropertyDescriptor(globalThis, 'fetch'), listeners: process.listenerCount('SIGTERM') });
  const before = state();
  const restore = saveGlobals();
  Object.assign(globalThis, { fetch: () => undefined, leaked: true });
  process.on('SIGTERM', () => undefined);
  restore();
  expect(state()).toEqual(before);
  expect('leaked' in globalThis).toBe(false);
});

test('refuses what needs modules that are loaded for one file, and says how to get them', () => {
  expect(() => jest.resetModules()).toThrow('begin the file with /** @jest-environment node */');
});
