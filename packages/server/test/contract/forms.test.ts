/** Forms are decoded as docs/forms.md says, row by row. */
import { expect, test } from '@jest/globals';
import { operationDocument, requestValidator } from '../support/contract.ts';
import { readFormCases } from '../support/form-cases.ts';

const FORM = 'application/x-www-form-urlencoded';

test.each(readFormCases().map((row) => [row.title, row] as const))('%s', async (_title, { schema, encoding, body, value, problem }) => {
  const media = { schema, ...(encoding && { encoding }) };
  const validate = await requestValidator(operationDocument({ requestBody: { content: { [FORM]: media } } }));
  const result = await validate({ body, type: FORM });
  if (problem === undefined) return expect(result).toEqual(expect.objectContaining({ body: value }));
  // A message may say more: what to send instead.
  const problems = result as readonly string[];
  expect(problems.map((text) => text.slice(0, problem.length))).toEqual([problem]);
});
