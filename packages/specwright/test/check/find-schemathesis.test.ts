/** Where neither uvx nor pipx has schemathesis, it is installed once by the Python that is there, and again if that was not finished. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { findSchemathesis } from '../../src/fuzz/schemathesis.ts';
import type { Project } from '../../src/project-config.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'schemathesis-'));
  for (const folder of ['bin', '.config']) mkdirSync(join(root, folder));
  writeFileSync(join(root, '.config/fuzz-requirements.txt'), 'hypothesis==6.1.0\nschemathesis==4.32.5\n');
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  process.env['PATH'] = join(root, 'bin');
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(root, { recursive: true });
});

/** A program that writes down its arguments, and fails if one of them is `failing`. A virtual environment has it as its Python. */
function writePython(failing = 'none'): void {
  const script = `#!/bin/sh
case "$1" in -c) exit 0;; esac
echo "$@" >> '${root}/calls'
case " $* " in *' ${failing} '*) echo 'no network' >&2; exit 1;; esac
if [ "$2" = venv ]; then /bin/mkdir -p "$3/bin" && /bin/cp "$0" "$3/bin/python"; fi
`;
  writeFileSync(join(root, 'bin/python3'), script, { mode: 0o755 });
}
const calls = () => readFileSync(join(root, 'calls'), 'utf8').replaceAll(`${root}/`, '').trimEnd().split('\n');
const find = () => findSchemathesis({ root, config: '.config' } as Project);
const VENV = expect.stringMatching(/^-m venv \.cache\/schemathesis-4\.32\.5-[0-9a-f]{12}$/);
const INSTALL = '-m pip install --quiet --disable-pip-version-check --requirement .config/fuzz-requirements.txt';

test('is installed in a virtual environment, once', () => {
  writePython();
  const found = find();
  expect(found).toMatchObject({
    version: '4.32.5',
    command: expect.stringMatching(/\/\.cache\/schemathesis-4\.32\.5-\w+\/bin\/schemathesis$/),
  });
  expect(calls()).toEqual([VENV, INSTALL]);
  expect(find()).toEqual(found);
  expect(calls()).toHaveLength(2);
});

test('is installed again after an installation that failed', () => {
  writePython('install');
  expect(find).toThrow('cannot install it:\nno network');
  writePython();
  find();
  expect(calls()).toEqual([VENV, INSTALL, VENV, INSTALL]);
});

test('names what to install where there is no Python, and the line that pins it', () => {
  expect(find).toThrow(/schemathesis 4\.32\.5 needs Python 3\.11 or later, and none was found\.\nInstall uv/);
  writeFileSync(join(root, '.config/fuzz-requirements.txt'), 'hypothesis==6.1.0\n');
  expect(find).toThrow('.config/fuzz-requirements.txt does not pin schemathesis: add a line such as schemathesis==');
});
