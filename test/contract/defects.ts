/** Responses of handlers that break the contract, and a service whose handlers return them. */
import type { AppOptions } from '../support/service/app.ts';
import { operations } from '../../generated/operations.ts';
import { HandlerResponse, AppError } from '@specwright/server';
import type { Handlers, OperationId } from '../../generated/contract.ts';
import type { Database } from '@specwright/postgres';
import { startApp, type TestApp } from '../support/service/app.ts';

export interface Defect {
  readonly name: string;
  readonly operation: OperationId;
  readonly answer: () => unknown;
  /** What the log has to say beside the operation. */
  readonly problem: string;
  /** Why the response that is sent keeps the contract even without validation. */
  readonly corrected?: string;
  /** Why Prism does not see it. */
  readonly notSeenByPrism?: string;
}

const { reply } = HandlerResponse;
const ETag = '"1"';
const headers = { ETag };
const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };
const ada = { id: 1, email: 'ada@example.com', plan: 'free', createdAt: '2026-11-21T09:00:00.000Z' };

const pet = (body: unknown) => () => reply(200, { headers, body });
const order = (change: object) => () => reply(200, { headers, body: { id: 1, complete: false, ...change } });
const fails = (error: AppError) => () => {
  throw error;
};
const without = (name: keyof typeof rex) => Object.fromEntries(Object.entries(rex).filter(([key]) => key !== name));

const CUT = 'what the schema does not declare is cut off';
const NO_BODY = 'where no body is declared none is sent';

/** [name, operation, what its handler does, problem] */
const BROKEN: readonly (readonly [string, OperationId, () => unknown, string, (Partial<Defect> | undefined)?])[] = [
  ['a required property is missing', 'getStorePet', pet(without('name')), "response/body must have required property 'name'"],
  ['a required property is undefined', 'getStorePet', pet({ ...rex, name: undefined }), "must have required property 'name'"],
  ['a property has another type', 'getStorePet', pet({ ...rex, id: '1' }), 'response/body/id must be integer'],
  ['an integer has a fraction', 'getStorePet', pet({ ...rex, id: 1.5 }), 'response/body/id must be integer'],
  ['a number is not a number', 'getOrder', order({ quantity: NaN }), 'response/body/quantity must be integer'],
  [
    'a property is not declared',
    'getStorePet',
    pet({ ...rex, owner: 'Ada' }),
    'response/body must NOT have additional properties (owner)',
    { corrected: CUT },
  ],
  ['a value is not in the enum', 'getStorePet', pet({ ...rex, status: 'lost' }), 'response/body/status must be equal to one of'],
  ['a string is too long', 'getStorePet', pet({ ...rex, name: 'x'.repeat(101) }), 'response/body/name must NOT have more than 100'],
  ['a string is too short', 'getStorePet', pet({ ...rex, name: '' }), 'response/body/name must NOT have fewer than 1'],
  ['a string does not match its pattern', 'getStorePet', pet({ ...rex, name: 'Re\nx' }), 'response/body/name must match pattern'],
  ['a value is null that must not be', 'getOrder', order({ shipDate: null }), 'response/body/shipDate must be string'],
  [
    'a date does not exist',
    'getOrder',
    order({ shipDate: '2021-02-30T00:00:00Z' }),
    'response/body/shipDate must match format "date-time"',
  ],
  [
    'a date is a Date',
    'getOrder',
    order({ shipDate: new Date(0) }),
    'response/body/shipDate must be string',
    { corrected: 'JSON makes it the string' },
  ],
  [
    'an email address is none',
    'getAccount',
    () => reply(200, { headers, body: { ...ada, email: 'ada' } }),
    'response/body/email must match format',
  ],
  ['a number is too large', 'getOrder', order({ quantity: 1_000_001 }), 'response/body/quantity must be <= 1000000'],
  ['a number is too small', 'getInventory', pet({ petId: 1, quantity: -1, status: 'sold' }), 'response/body/quantity must be >= 0'],
  ['an array is too long', 'listPets', () => reply(200, { body: Array(101).fill(rex) }), 'response/body must NOT have more than 100 items'],
  ['an array is an object', 'listPets', () => reply(200, { body: { pets: [] } }), 'response/body must be array', {}],
  [
    'something within the body is wrong',
    'listPets',
    () => reply(200, { body: [rex, { ...rex, id: 0 }] }),
    'response/body/1/id must be >= 1',
  ],
  ['the body is missing', 'getStorePet', () => reply(200, { headers }), 'response/body is required'],
  ['there is a body with 204', 'deletePet', () => reply(204, { body: rex }), 'response/body is not declared', { corrected: NO_BODY }],
  [
    'there is a body with 304',
    'getStorePet',
    () => reply(304, { headers, body: rex }),
    'response/body is not declared',
    { corrected: NO_BODY },
  ],
  [
    'the media type is not declared',
    'getStorePet',
    () => reply(200, { headers, body: 'Rex', type: 'text/csv' }),
    'media type text/csv is not declared',
  ],
  ['the status is not declared', 'getStorePet', () => reply(202, { headers, body: rex }), 'response status 202 is not declared'],
  ['a required header is missing', 'getStorePet', () => reply(200, { body: rex }), 'response/header/ETag is required'],
  [
    'a required header is undefined',
    'getStorePet',
    () => reply(200, { headers: { ETag: undefined }, body: rex }),
    'response/header/ETag is required',
  ],
  [
    'a header is not valid',
    'getStorePet',
    () => reply(200, { headers: { ETag: '1' }, body: rex }),
    'response/header/ETag must match pattern',
  ],
  [
    'a header is not declared',
    'getStorePet',
    () => reply(200, { headers: { ETag, 'X-Debug': '1' }, body: rex }),
    'response/header/x-debug is not declared',
    { notSeenByPrism: 'Prism looks at declared headers only' },
  ],
  ['a deprecated operation answers wrongly', 'getPet', pet(without('id')), "must have required property 'id'"],
  ['an error has another body', 'getStorePet', () => reply(500, { body: { error: 'oops' } }), "must have required property 'code'"],
  [
    'an error has a code of its own',
    'getStorePet',
    () => reply(404, { body: { code: 'oops', message: 'x', status: 404 } }),
    'response/body/code',
  ],
  [
    'an error is thrown whose status is not declared',
    'listPets',
    fails(new AppError('not_found', 'x')),
    'response status 404 is not declared',
  ],
  [
    'an error is thrown without its header',
    'listPets',
    fails(new AppError('rate_limited', 'x')),
    'response/header/Retry-After is required',
  ],
  [
    'an error is thrown without a message',
    'getStorePet',
    fails(new AppError('not_found', '')),
    'response/body/message must NOT have fewer',
  ],
];

export const DEFECTS: readonly Defect[] = BROKEN.map(([name, operation, answer, problem, rest]) => ({
  name,
  operation,
  answer,
  problem,
  ...rest,
}));

export interface Defective {
  readonly app: TestApp;
  /** Sets what every handler does. */
  inject(answer: () => unknown): void;
}

export async function startDefective(db: Database, responseValidation: NonNullable<AppOptions['responseValidation']>): Promise<Defective> {
  let current: () => unknown = () => undefined;
  const handlers = Object.fromEntries(Object.keys(operations).map((id) => [id, () => current()])) as unknown as Handlers;
  return { app: await startApp(db, { handlers, responseValidation }), inject: (answer) => void (current = answer) };
}
