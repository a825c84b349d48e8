/** All handlers together: the compiler names an operation that has none, and a handler that has no operation. */
import type { Database } from '@specwright/postgres';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';
import { thingHandlers } from './things.ts';

export const handlers: Handlers<Caller, Database> = {
  ...thingHandlers,
};
