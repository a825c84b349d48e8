/** A contract of OpenAPI 3.1 may have no paths: its server starts, and says that it answers nothing. */
import { expect, test } from '@jest/globals';
import { serve } from '../support/serve.ts';

test('a contract without operations is served, with a warning', async () => {
  const { url, close, log } = await serve('paths: {}\n');
  try {
    expect((await fetch(`${url}/things`)).status).toBe(404);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(log).toContainEqual({
      level: 'warn',
      message: 'the contract has no operations, so every request is answered 404: add them to its paths',
    });
  } finally {
    await close();
  }
});
