/** A second run of `add-migration` writes nothing, with a table for each record of published documents. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { readDocument } from '@specwright/contract/document';
import { withDatabase } from 'specwright/testing';
import { mapOfRecords, planTwice } from '../create/support/second-migration.ts';
import { fileOf, type ListedDocument, readList } from './fetch-document.ts';

const TIMEOUT_MS = 5 * 60_000;
const database = withDatabase({ schema: 'empty' });
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listOf = (file: string) => readList(fileURLToPath(new URL(file, import.meta.url)), []);
// Applications of PyPI make theirs by themselves.
const documents = ['drawn.yaml', 'work/measured.yaml'].flatMap(listOf).filter(({ pypi }) => pypi === undefined);

test.each(documents.map((document): [string, ListedDocument] => [document.name, document]))(
  'of %s',
  async (_, document) => {
    const source = readDocument(await fileOf(document, process.env['DOCUMENTS'], folder));
    const map = mapOfRecords(source);
    const planned = await planTwice(database.db, source, map).catch((error: unknown) => (error as Error).message);
    // Names that no column can have are refused before anything is written.
    if (typeof planned === 'string') expect(planned).toMatch(/has no name of 1 to 63 bytes|would both be the column/);
    else expect({ actions: planned.second.actions, entries: planned.second.entries }).toEqual({ actions: [], entries: [] });
  },
  TIMEOUT_MS,
);
