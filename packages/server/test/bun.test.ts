/** A server does not start in Bun, whose `node:http` is not that of Node. */
import { expect, test } from '@jest/globals';
import { createServer } from '@specwright/server';
import { createTestLog } from 'specwright/testing';
import { loadContractOf } from './support/serve.ts';

test('is refused, with what to do', async () => {
  const contract = await loadContractOf('paths: {}\n');
  const versions = Object.getOwnPropertyDescriptor(process, 'versions') as PropertyDescriptor;
  Object.defineProperty(process, 'versions', { ...versions, value: { ...process.versions, bun: '1.4.5' } });
  try {
    expect(() => createServer({ contract, handlers: {}, security: {}, log: createTestLog([]) })).toThrow(
      /^Bun 1\.4\.5 cannot serve this: .* Start the same program by `node`$/,
    );
  } finally {
    Object.defineProperty(process, 'versions', versions);
  }
});
