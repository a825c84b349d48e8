/** Type proofs of two contracts in one program: each server takes its own handlers, and an operationId of both has two types. */
import type * as server from '@specwright/server';
import { createRequestHandler, createServer, type Contract, type Log, type RateLimitOptions } from '@specwright/server';
import type * as library from './library/generated/contract.ts';
import type * as weather from './weather/generated/contract.ts';

interface Reader {
  readonly readerId: number;
}

declare const log: Log;
declare const libraryContract: Contract<library.ContractTypes>;
declare const weatherContract: Contract<weather.ContractTypes>;
declare const libraryHandlers: library.Handlers<Reader>;
declare const weatherHandlers: weather.Handlers;
declare const security: library.Security<Reader>;
declare const rateLimit: RateLimitOptions<Reader>;

createServer({ contract: libraryContract, handlers: libraryHandlers, security, rateLimit, log });
createServer({ contract: weatherContract, handlers: weatherHandlers, security: {}, log });

// @ts-expect-error the handlers of the other contract
createServer({ contract: weatherContract, handlers: libraryHandlers, security: {}, log });

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const prove = <T extends true>(value?: T) => value;

prove<Equal<library.Input<'getBook'>['path'], { bookId: number }>>();
prove<Equal<weather.Input<'getBook'>['path'], { isbn: string }>>();
// A contract without x-rate-limit-plans has no limits, one without security no caller.
prove<Equal<weather.Context<'getForecast', Reader>['limits'], undefined>>();
prove<Equal<weather.Context<'getForecast', Reader>['caller'], undefined>>();

// Codes of errors: those whose status some operation declares.
prove<Equal<server.DeclaredCode<weather.ContractTypes, { teapot: 418; fine: 200 }>, 'fine'>>();
prove<Equal<server.DeclaredCode<weather.ContractTypes, { teapot: 418; gone: 410; fine: 200 }, 'gone'>, 'gone' | 'fine'>>();
// It has a default response.
prove<Equal<server.DeclaredCode<library.ContractTypes, { teapot: 418; fine: 200 }>, 'teapot' | 'fine'>>();

// @ts-expect-error getForecast is an operation of the other contract
export type Foreign = library.Input<'getForecast'>;

declare const weatherReply: weather.Reply<'getForecast'>;
// @ts-expect-error a reply of the other contract
export const foreignReply: library.Handler<'deleteBook'> = () => weatherReply(200, { body: { celsius: 20 } });

// Both in one server, each with its own types.
createServer({
  services: [
    { base: '/library', contract: libraryContract, handlers: libraryHandlers, security },
    { base: '/weather', contract: weatherContract, handlers: weatherHandlers, security: {} },
  ],
  rateLimit,
  log,
});
createServer({
  services: [
    { base: '/library', contract: libraryContract, handlers: libraryHandlers, security },
    // @ts-expect-error the handlers of the other contract
    { base: '/weather', contract: weatherContract, handlers: libraryHandlers, security: {} },
  ],
  log,
});

// Steps of a service know its caller; middleware its operations.
createServer({
  contract: libraryContract,
  handlers: libraryHandlers,
  security,
  log,
  steps: {
    beforeHandler: [({ caller }) => void prove<Equal<typeof caller, Reader | undefined>>(caller === undefined || true)],
  },
  use: [(_req, _res, next) => next(), { operations: ['getBook'], use: (_req, _res, next) => next() }],
});
createServer({
  contract: libraryContract,
  handlers: libraryHandlers,
  security,
  log,
  // @ts-expect-error getForecast is an operation of the other contract
  use: [{ operations: ['getForecast'], use: (_req, _res, next) => next() }],
});
createRequestHandler({ contract: libraryContract, handlers: libraryHandlers, security, log, unmatched: 'next', errors: 'next' });
