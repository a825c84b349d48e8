/** Temporary folders of test files. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { removeFolder } from 'specwright/testing';

export interface TestFolder {
  /** Where it is, without links. */
  readonly path: string;
  /** Writes a file, and the folders that lead to it. @param name from the folder. @returns its path. */
  readonly write: (name: string, text: string | Uint8Array) => string;
}

/** A folder for each test of the file or `describe`, or one for all of them; it is removed with what is in it. */
export function withFolder(of: 'each test' | 'all tests' = 'each test'): TestFolder {
  let path = '';
  const [before, after] = of === 'each test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(() => {
    path = realpathSync(mkdtempSync(join(tmpdir(), 'test-')));
  });
  after(() => removeFolder(path));
  return {
    get path() {
      if (path === '') throw new Error('the folder is made before the tests: use it in tests and hooks only');
      return path;
    },
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}
