/** Forms are decoded as docs/how-to/forms.md says, row by row, and contract tests send them so. */
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { createOperationClient, createWitness, listenOnFreePort, withApp } from 'specwright/testing';
import { operationDocument, requestValidator } from './support/contract.ts';
import { readFormCases } from './support/form-cases.ts';

const FORM = 'application/x-www-form-urlencoded';
const cases = readFormCases();
const documentOf = (media: object) => operationDocument({ method: 'post', requestBody: { content: { [FORM]: media } } });

test.each(cases.map((row) => [row.title, row] as const))('%s', async (_title, { media, body, value, problem }) => {
  const result = await (await requestValidator(documentOf(media)))({ body, type: FORM });
  if (problem === undefined) return expect(result).toEqual(expect.objectContaining({ body: value }));
  // A message may say more: what to send instead.
  const problems = result as readonly string[];
  expect(problems.map((text) => text.slice(0, problem.length))).toEqual([problem]);
});

const app = withApp(() => listenOnFreePort(createServer((request, response) => void request.resume().on('end', () => response.end()))));
// Null and integers of 64 bits are no values of samples.
const sent = cases.filter(({ title, value }) => value !== undefined && !/: null|\dn /.test(title));

test.each(sent.map((row) => [row.title, row] as const))('contract tests send %s', async (_title, { media, value }) => {
  const document = documentOf(media);
  const client = createOperationClient({ spec: createWitness(document), servers: { live: app.url } });
  const { request } = await client.send('op', { body: value });
  const input = await (await requestValidator(document))({ body: String(request?.body), type: FORM });
  expect(input).toMatchObject({ body: value });
});
