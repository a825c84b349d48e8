/** What a standby process imports ahead: the packages that the program imports, and no others. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packagesIn } from '../../src/dev/server/preload.ts';

test('packages of all sources, once; no types, no files, no modules of Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'preload-'));
  try {
    mkdirSync(join(folder, 'db'));
    writeFileSync(
      join(folder, 'main.ts'),
      `import { readFile } from 'node:fs';
import { a } from './db/a.ts';
import type { B } from 'only-types';
import express, {
  type Request,
} from 'express';
import * as pg from "pg";
export const text = \`import x from 'text'\`;
`,
    );
    writeFileSync(
      join(folder, 'db/a.ts'),
      "import { Knex } from 'knex';\nimport { c } from '@scope/name';\nimport express from 'express';\n",
    );
    writeFileSync(join(folder, 'notes.md'), "import x from 'notes'\n");
    expect(packagesIn(folder)).toEqual(['@scope/name', 'express', 'knex', 'pg']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('none of a folder that is gone, whose imports would end the process that is prepared', () => {
  expect(packagesIn(join(tmpdir(), 'preload-that-is-not-there'))).toEqual([]);
});
