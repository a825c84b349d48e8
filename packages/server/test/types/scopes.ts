/** Type proofs of scopes: where operations require some, callers have them; other schemes are as before. */
import type * as server from '@specwright/server';
import {
  ALL_SCOPES,
  basic,
  bearer,
  createServer,
  unimplementedScheme,
  type Authenticator,
  type Contract,
  type Log,
} from '@specwright/server';
import type * as scopes from './scopes/generated/contract.ts';

interface Singer {
  readonly name: string;
}
interface ScopedSinger extends Singer {
  readonly scopes: readonly string[];
}

declare const log: Log;
declare const contract: Contract<scopes.ContractTypes>;
declare const singer: Authenticator<Singer>;
declare const scoped: Authenticator<ScopedSinger>;
declare const either: Authenticator<Singer & server.Scoped>;

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const prove = <T extends true>(value?: T) => value;

prove<Equal<server.Scope<scopes.ContractTypes>, 'songs:read' | 'songs:write' | 'admin' | 'reader'>>();
prove<Equal<server.ScopedScheme<scopes.ContractTypes>, 'oauth' | 'key'>>();

export const all: scopes.Security<ScopedSinger> = { oauth: scoped, key: scoped, login: scoped };
// A scheme without scopes needs none of its callers.
export const some: scopes.Security<Singer> = { oauth: scoped, key: either, login: singer };
export const inline: scopes.Security<Singer> = {
  oauth: bearer(async (token) => ({ name: token, scopes: ['songs:read'] })),
  key: bearer((token) => ({ name: token, scopes: ALL_SCOPES })),
  login: basic((name) => ({ name })),
};
export const later: scopes.Security<Singer> = { oauth: unimplementedScheme, key: unimplementedScheme, login: unimplementedScheme };

// @ts-expect-error callers of oauth have no scopes
export const none: scopes.Security<Singer> = { oauth: singer, key: scoped, login: singer };
export const inlineNone: scopes.Security<Singer> = {
  oauth: scoped,
  // @ts-expect-error operations require roles of key (OpenAPI 3.1)
  key: bearer((token) => ({ name: token })),
  login: singer,
};
// @ts-expect-error a text is no list: "admin songs" would contain "admin song"
export const text: scopes.Security<Singer> = { oauth: bearer((name) => ({ name, scopes: 'songs:read' })), key: scoped, login: singer };

declare const handlers: scopes.Handlers<Singer>;
declare const security: scopes.Security<Singer>;
createServer({ contract, handlers, security, log, logCaller: ({ name }) => ({ name }) });

createServer({ services: [{ contract, handlers, security }], log });
// @ts-expect-error callers of oauth have no scopes
createServer({ contract, handlers, security: { oauth: singer, key: scoped, login: scoped }, log });
