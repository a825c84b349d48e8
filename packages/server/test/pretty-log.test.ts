/** The log and the greeting in a terminal: lines for people there, JSON elsewhere. */
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { killProcesses, startProcess } from 'specwright/testing';
import { createBatchedOutput } from '../src/log/logger.ts';
import { formatGreeting } from '../src/process/greeting.ts';
import { loadPrettyFormat, showsColors } from '../src/log/pretty-log.ts';
import { ROOT, withProgram } from './support/program.ts';
import { hasTerminal, runInTerminal } from './support/terminal.ts';

afterEach(killProcesses);

const format = loadPrettyFormat(false) ?? (() => '');
const time = '2026-11-22T05:17:12.253Z';
const request = { level: 'info', time, requestId: 'r-1', method: 'GET', operation: 'listPets', path: '/pets', status: 200, ms: 12.34 };
const line = (fields: object) => `${JSON.stringify(fields)}\n`;

describe('a line for people', () => {
  test('of a request: method, path, status and time, then who and what', () => {
    expect(format(line({ ...request, accountId: 1, msg: 'answered' }))).toMatch(
      /^\[\d\d:\d\d:12\.253\] INFO: GET \/pets 200 12\.3 ms {"operation":"listPets","accountId":1}\n$/,
    );
  });

  test('of a request that nobody waited for says so', () => {
    expect(format(line({ ...request, status: undefined, msg: 'the client went away' }))).toContain(
      'GET /pets the client went away 12.3 ms',
    );
  });

  test('of anything else: its message and fields, and the stack of an error', () => {
    expect(format(line({ level: 'warn', time, reason: 'x', msg: 'not ready' }))).toMatch(/\] WARN: not ready {"reason":"x"}\n$/);
    expect(format(line({ level: 'warn', time, err: { message: 'boom', stack: 'Error: boom\n    at f' }, msg: 'lost' }))).toMatch(
      /\] WARN: lost {"reason":"boom"}\n$/,
    );
    const error = format(
      line({ level: 'error', time, requestId: 'r-1', err: { message: 'boom', stack: 'Error: boom\n    at f' }, msg: 'failed' }),
    );
    expect(error).toMatch(/\] ERROR: failed {"requestId":"r-1"}\n[^]*Error: boom\n *at f/);
  });

  test('sends the terminal no command that a client has chosen', () => {
    const path = '/\u001b[31mred\u009b31m\u0007';
    for (const colors of [false, true]) {
      const formatted = loadPrettyFormat(colors)?.(line({ ...request, path, msg: 'answered' })) ?? '';
      expect(stripVTControlCharacters(formatted)).not.toMatch(/[\u0007\u009b]/);
      expect(formatted).not.toContain('\u001b[31m');
    }
    expect(format(line({ level: 'info', time, msg: 'a\u001b[2Jb' }))).not.toContain('\u001b');
  });

  test('has no mark of direction and no line of its own that a client has chosen, in any field', () => {
    const evil = 'a\n::error::x\r\u2028\u202e\u009b31m\u001b[2J';
    const formatted = format(line({ ...request, method: evil, path: `/${evil}`, [evil]: evil, nested: { list: [evil] }, msg: evil }));
    expect(formatted.trimEnd().split('\n')).toHaveLength(1);
    const error = format(line({ level: 'error', time, err: { name: evil, message: evil, stack: `Error: ${evil}\n    at f` }, msg: evil }));
    expect(error).toContain('at f');
    for (const text of [formatted, error]) {
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
      expect(text).not.toMatch(/^\s*::/m);
    }
  });

  test('has colours, by the class of the status', () => {
    const colored = loadPrettyFormat(true) ?? (() => '');
    expect(colored(line({ ...request, msg: 'answered' }))).toContain('\u001b[32m200\u001b[39m');
    expect(colored(line({ ...request, status: 503, msg: 'answered' }))).toContain('\u001b[31m503\u001b[39m');
  });

  test('what is not JSON is left as it is', () => {
    expect(format('plain\n')).toBe('plain\n');
  });
});

test('JSON of the log has no control character of C1 and no mark of direction, and is of the same value', () => {
  const evil = 'a\u007f\u0085\u009b31m\u2028\u2029\u202e\u2066\u200f\u061c\u001b[2J';
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'log');
  const output = createBatchedOutput(openSync(file, 'w'), { isBatched: false });
  output.write(line({ msg: evil, [evil]: [evil] }));
  const written = readFileSync(file, 'utf8');
  expect(written).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(written)).toEqual({ msg: evil, [evil]: [evil] });
});

test('a greeting is one line, whatever the title of the contract is', () => {
  const greeting = { title: 'a\n::error::\u001b[31m', version: '1\r\u202e', port: 1 };
  const text = formatGreeting(greeting, { isTerminal: false, hasDocs: false });
  expect(text).toBe('a\\n::error::\\u001b[31m 1\\r\\u202e listens on http://localhost:1\n');
});

test('a stream that is no terminal shows colours if FORCE_COLOR says so', () => {
  expect(showsColors({}, {})).toBe(false);
  expect(showsColors({}, { FORCE_COLOR: '1' })).toBe(true);
  expect(showsColors({}, { FORCE_COLOR: '0' })).toBe(false);
});

test('the greeting is aligned in a terminal, with what to do next; elsewhere it has facts alone', () => {
  const greeting = { title: 'Pets', version: '1.0', port: 80, facts: [['API key', 'k']], hints: [['next', 'n']] } as const;
  expect(formatGreeting(greeting, { isTerminal: true, hasDocs: true })).toBe(
    '\nPets 1.0 listens on http://localhost:80\n\n  docs     http://localhost:80/docs\n  API key  k\n  next     n\n\n',
  );
  expect(formatGreeting(greeting, { isTerminal: false, hasDocs: true })).toBe('Pets 1.0 listens on http://localhost:80\nAPI key: k\n');
  expect(formatGreeting({ ...greeting, problem: 'x' }, { isTerminal: true, hasDocs: true })).toMatch(
    / {2}API key +k\n {2}not ready +x\n\n$/,
  );
  expect(formatGreeting(greeting, { isTerminal: true, hasDocs: false })).toContain('contract  http://localhost:80/openapi.yaml\n');
});

const program = withProgram('failing-service');

test('elsewhere than in a terminal the log is JSON, and the greeting comes after what was logged before it', async () => {
  const { exited, output } = startProcess({ program, args: ['greets'], cwd: ROOT });
  await exited;
  const [started = '', logged = '', greeting, ...rest] = output.stdout.split('\n');
  expect([started, (JSON.parse(logged) as { msg: string }).msg, greeting]).toEqual([
    'started',
    'ready',
    'Pets 1.0 listens on http://localhost:80',
  ]);
  expect(rest).toEqual(['']);
});

test('with LOG_FORMAT=json the greeting is a line of the log, so that each line is JSON', async () => {
  const { exited, output } = startProcess({ program, args: ['greets'], cwd: ROOT, env: { LOG_FORMAT: 'json' } });
  await exited;
  const [, ...lines] = output.stdout.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['ready', 'Pets 1.0 listens on http://localhost:80']);
});

(hasTerminal() ? describe : describe.skip)('in a terminal', () => {
  const run = (failure: string, env: Record<string, string> = {}) => runInTerminal([program, failure], { cwd: ROOT, env });

  test.each<[Record<string, string>, RegExp]>([
    [{}, /\] \u001b\[32mINFO\u001b\[39m: \u001b\[0mready/],
    [{ NO_COLOR: '1' }, /^\[[\d:.]+\] INFO: ready$/m],
  ])('%j: the log, then the greeting', async (env, logged) => {
    const { code, output } = await run('greets', env);
    expect(code).toBe(0);
    expect(output).toMatch(logged);
    expect(output).toMatch(/ready[^]*\n\nPets 1\.0 listens on http:\/\/localhost:80\n\n {2}contract {2}http\S+\n {2}API key {3}k\n\n$/);
  });

  test('a refused start is its reason, and nothing else', async () => {
    expect(await run('start')).toEqual({ code: 1, output: 'started\nnothing works\n' });
  });
});
