/** Steps that a service adds: before the contract's, before the handler, and after the response. */
import { beforeEach, expect, test } from '@jest/globals';
import { AppError, bearer, FRAMEWORK_ERRORS, HandlerResponse, type ServiceExchange } from '@specwright/server';
import { withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const YAML = `paths:
  /things/{id}:
    get:
      operationId: getThing
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ok }, '403': { description: no }, default: { description: error } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;

type Seen = ServiceExchange<string>;
let seen: unknown[];
let handled: number;
beforeEach(() => {
  seen = [];
  handled = 0;
});
const audit = ({ id, operation, caller, response }: Seen) => void seen.push([id, operation?.id, caller, response.statusCode]);
const app = withApp(() =>
  serve(YAML, {
    handlers: {
      getThing: () => {
        handled++;
        return HandlerResponse.reply(200);
      },
    },
    security: { key: bearer(async (token) => token) },
    errors: { statuses: { ...FRAMEWORK_ERRORS, forbidden: 403 } },
    steps: {
      before: [({ headers, operation }: Seen) => headers.set('X-Operation', operation?.id ?? 'none')],
      beforeHandler: [
        // A query builder: it runs, and may fail, when it is waited for.
        ({ caller }: Seen) => ({
          then: (resolve: () => void, reject: (error: Error) => void) =>
            caller === 'eve' ? reject(new AppError('forbidden', 'eve is banned')) : resolve(),
        }),
        async ({ caller, input }: Seen) => {
          if (caller === 'bob') throw new AppError('forbidden', `bob may not read ${String(input?.path['id'])}`);
        },
      ],
      after: [
        audit,
        () => {
          throw new Error('the audit log is full');
        },
      ],
    } as never,
  }),
);
const get = (path: string, caller?: string) =>
  fetch(app.url + path, {
    headers: { 'X-Request-Id': `of-${caller}`, ...(caller === undefined ? {} : { Authorization: `Bearer ${caller}` }) },
  });

test('a step before all others adds an undeclared header to every response, refusals too', async () => {
  const responses = await Promise.all([get('/things/1', 'ada'), get('/things/1'), get('/things/x', 'ada'), get('/none'), get('/livez')]);
  expect(responses.map(({ status, headers }) => [status, headers.get('x-operation')])).toEqual([
    [200, 'getThing'],
    [401, 'getThing'],
    [400, 'getThing'],
    [404, 'none'],
    [200, 'none'],
  ]);
});

test('a step before the handler knows the caller and the valid input, and may refuse', async () => {
  const refused = await get('/things/7', 'bob');
  expect([refused.status, handled]).toEqual([403, 0]);
  expect(seen).toEqual([['of-bob', 'getThing', 'bob', 403]]);
});

test('a step may return what is not a promise: a thenable is waited for, and any other value is ignored', async () => {
  const refused = await get('/things/7', 'eve');
  expect([refused.status, handled]).toEqual([403, 0]);
  expect([(await get('/things/7', 'ada')).status, handled]).toEqual([200, 1]);
});

test('a step after the response sees each with its status once; what it throws is logged', async () => {
  await get('/things/7', 'ada');
  await get('/things/x', 'ada');
  await get('/nothing');
  expect(seen).toEqual([
    ['of-ada', 'getThing', 'ada', 200],
    ['of-ada', 'getThing', 'ada', 400],
    ['of-undefined', undefined, undefined, 404],
  ]);
  expect(app.log).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'a step after the response failed', operation: 'getThing' }),
  );
});
