/** Fastify with @fastify/jwt, as its documentation has it: `cache` is its option for verified tokens. */
import Fastify from 'fastify';
import jwt from '@fastify/jwt';

export async function createServer({ issuer, audience, publicKey, cache }) {
  const fastify = Fastify({ logger: false });
  const verify = { algorithms: ['ES256'], allowedIss: issuer, allowedAud: audience, ...(cache && { cache: true }) };
  fastify.register(jwt, { secret: { public: publicKey }, verify });
  fastify.get('/caller', { onRequest: async (request) => request.jwtVerify() }, async ({ user }) => ({ id: user.sub }));
  await fastify.ready();
  return fastify.server;
}
