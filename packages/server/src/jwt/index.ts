/** The public API of `@specwright/server/jwt`. */
export { jwt, openIdConnect, type JwtOptions, type OpenIdConnectOptions, type TokenOptions } from './jwt.ts';
export { scopesOf, type Claims } from './claims.ts';
export { TOKEN_VARIABLES } from './variables.ts';
export type { Algorithm } from './verifier.ts';
export type { IntrospectionOptions } from './introspection.ts';
