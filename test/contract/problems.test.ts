/** Each problem of a request, as clients show them beside the fields of a form. */
import { expect, test } from '@jest/globals';
import { withApp, withDatabase } from 'specwright/testing';
import { problemsByField } from '../../generated/client.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { petStore } from '../support/service/client.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db));

async function refusedPet(body: object) {
  const { key } = await newAccount(database.db);
  const reply = await petStore(app.url, key).createPet({ body: body as never });
  if (reply.status !== 400) throw new Error(`answered ${String(reply.status)}`);
  return reply.body;
}

test('lists what the contract does not allow, by field', async () => {
  const { errors } = await refusedPet({ name: '', categoryId: 'x', colour: 'red' });
  expect(problemsByField(errors)).toEqual({
    colour: ['is not declared'],
    name: ['must NOT have fewer than 1 characters'],
    categoryId: ['must be integer'],
  });
});

test('lists what only the database knows in the same form', async () => {
  expect(await refusedPet({ name: 'Rex', categoryId: 9007199254740991 })).toEqual({
    code: 'invalid_reference',
    message: 'body/categoryId refers to a category that does not exist',
    status: 400,
    errors: [{ location: 'body', pointer: '/categoryId', code: 'reference', message: 'refers to a category that does not exist' }],
  });
});

test('leaves out the list of an error that is not about a value', async () => {
  const { key } = await newAccount(database.db);
  const reply = await petStore(app.url, key).getStorePet({ path: { petId: 9007199254740991 } });
  expect(reply.body).toEqual({ code: 'not_found', message: expect.any(String), status: 404 });
});

test('reads pointers as fragments, escaped names, and problems of the whole body', () => {
  const problems = [
    { pointer: '#/lines/0/a~1b%20c', message: 'one' },
    { location: 'body', pointer: '', message: 'two' },
    { location: 'query', pointer: '/limit', message: 'not of the body' },
  ];
  expect(problemsByField(problems)).toEqual({ 'lines.0.a/b c': ['one'], '': ['two'] });
});
