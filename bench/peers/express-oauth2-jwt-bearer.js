/** Express with express-oauth2-jwt-bearer, as its documentation has it. It verifies each token again. */
import express from 'express';
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer';

export async function createServer({ issuer, audience, jwksUri }) {
  const app = express();
  app.use(auth({ issuer, audience, jwksUri, tokenSigningAlg: 'ES256' }));
  app.get('/caller', requiredScopes('callers:read'), (req, res) => res.json({ id: req.auth.payload.sub }));
  return (await import('node:http')).createServer(app);
}
