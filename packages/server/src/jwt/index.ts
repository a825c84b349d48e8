/** The public API of `@specwright/server/jwt`. It needs the package `jose`. */
import { loadWithPeer } from '../optional-peer.ts';

export const { jwt, openIdConnect } = await loadWithPeer('@specwright/server/jwt', 'jose', () => import('./jwt.ts'));
export type { JwtOptions, OpenIdConnectOptions } from './jwt.ts';
export type { Algorithm, IntrospectionOptions, TokenOptions } from './token-options.ts';
export { scopesOf, type Claims } from './claims.ts';
