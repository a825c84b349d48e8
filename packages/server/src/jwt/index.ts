/** The public API of `@specwright/server/jwt`. It needs the package `jose`. */
import { loadWithPeer } from '../optional-peer.ts';

export const { jwt, openIdConnect } = await loadWithPeer('@specwright/server/jwt', 'jose', () => import('./jwt.ts'));
export type { JwtOptions, OpenIdConnectOptions, TokenOptions } from './jwt.ts';
export { scopesOf, type Claims } from './claims.ts';
export type { Algorithm } from './verifier.ts';
export type { IntrospectionOptions } from './introspection.ts';
