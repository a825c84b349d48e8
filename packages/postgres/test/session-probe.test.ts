/** What sessions at an address keep is asked of its first connection, and again where a name was not kept. */
import { expect, test } from '@jest/globals';
import { distrustNames, findSession, prepareSession, refusesSettings } from '../src/connection/session-probe.ts';
import { SET_TRACKED } from '../src/connection/session-settings.ts';
import { type Done, NOTHING, type Statement } from '../src/connection/statement.ts';

const BACKEND = 7;
/** Answers to the probe, of what the connection leads to. */
const POSTGRES = { pid: String(BACKEND), mark: 'on', renamed: 'false' };
const KEEPS_NAMES = { pid: '8', mark: null, renamed: 'true' };
const KEEPS_NOTHING = { pid: '8', mark: null, renamed: null };
const SHARES_NAMES = { pid: '8', mark: null, renamed: 'false' };

/** @returns what a new connection to the address has sent, and what is known of its sessions then. */
async function open(address: string, row: Readonly<Record<string, string | null>> | Error, usesNames = true) {
  const sent: string[] = [];
  const client = {
    address,
    backend: BACKEND,
    send({ text }: Statement, done: Done) {
      sent.push(text);
      done(null, NOTHING);
    },
    probe({ name }: Statement, done: Done) {
      sent.push(name === undefined ? 'probe' : 'probe with a name');
      done(row instanceof Error ? row : null, row instanceof Error ? NOTHING : { ...NOTHING, rows: [{ ...row }] });
    },
  };
  await new Promise<void>((resolve, reject) =>
    prepareSession(client, usesNames, (problem) => (problem === null ? resolve() : reject(problem))),
  );
  const { keepsNames, hasSettings } = findSession(address);
  return { sent, keepsNames, hasSettings };
}

test.each([
  ['PostgreSQL keeps names and settings', POSTGRES, [], { keepsNames: true, hasSettings: true }],
  ['a pooler that prepares under names of its own', KEEPS_NAMES, [SET_TRACKED], { keepsNames: true, hasSettings: false }],
  ['a pooler that knows no names', KEEPS_NOTHING, [SET_TRACKED], { keepsNames: false, hasSettings: false }],
  ["a pooler that prepares under its clients' names", SHARES_NAMES, [SET_TRACKED], { keepsNames: false, hasSettings: false }],
])('%s: asked once, and what is lacking is set on each connection', async (address, row, set, found) => {
  expect(await open(address, row)).toEqual({ sent: ['probe with a name', ...set], ...found });
  expect(await open(address, row)).toEqual({ sent: set, ...found });
});

test('a pooler that has not kept a name is asked again, and not believed; PostgreSQL is', async () => {
  for (const address of ['pooler', 'postgres']) {
    await open(address, address === 'pooler' ? KEEPS_NAMES : POSTGRES);
    distrustNames(address);
    expect(findSession(address).keepsNames).toBe(undefined);
  }
  expect(await open('pooler', KEEPS_NAMES)).toEqual({ sent: ['probe with a name', SET_TRACKED], keepsNames: false, hasSettings: false });
  expect(await open('postgres', POSTGRES)).toEqual({ sent: ['probe with a name'], keepsNames: true, hasSettings: true });
});

test('without names none is asked for, and settings are found out once', async () => {
  expect(await open('nameless', KEEPS_NAMES, false)).toEqual({ sent: ['probe', SET_TRACKED], keepsNames: undefined, hasSettings: false });
  expect(await open('nameless', KEEPS_NAMES, false)).toEqual({ sent: [SET_TRACKED], keepsNames: undefined, hasSettings: false });
});

test('a connection whose question has failed knows nothing, and the next one asks', async () => {
  expect(await open('failing', new Error('no'))).toEqual({ sent: ['probe with a name'], keepsNames: undefined, hasSettings: undefined });
  expect(await open('failing', POSTGRES)).toEqual({ sent: ['probe with a name'], keepsNames: true, hasSettings: true });
});

test('settings that a pooler refuses at the start are set on each connection, also where the question fails', async () => {
  const refused = Object.assign(new Error('unsupported startup parameter: options'), { code: '08P01' });
  expect(refusesSettings('strict', Object.assign(new Error('unsupported startup parameter'), { code: '28000' }))).toBe(false);
  expect(refusesSettings('strict', Object.assign(new Error('another one'), { code: '08P01' }))).toBe(false);
  expect(refusesSettings('strict', refused)).toBe(true);
  expect(findSession('strict')).toEqual({ refusesSettings: true, hasSettings: false });
  expect(await open('strict', new Error('no'))).toEqual({
    sent: ['probe with a name', SET_TRACKED],
    keepsNames: undefined,
    hasSettings: false,
  });
});
