/** The entry `@specwright/server/express`: handlers that are written for Express. */
export { express } from './express-handler.ts';
export type { ExpressHandler, ExpressNext, ExpressRequest, ExpressResponse } from '../types/express-types.ts';
