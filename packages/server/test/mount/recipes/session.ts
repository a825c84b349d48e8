import type { Application, Request, RequestHandler } from 'express';
import session from 'express-session';
import { AppError, createServer, FRAMEWORK_ERRORS } from '@specwright/server';
import { options } from '../options.ts';

interface User {
  readonly plan: 'one' | 'many';
}

declare module 'express-session' {
  interface SessionData {
    user: User;
  }
}

/** The origins whose pages may change something in the name of a user who is logged in. */
const ORIGINS = [process.env['SITE_ORIGIN'] ?? 'https://app.example.com'];
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** A browser sends the cookie with what the pages of other sites send here, too: `Origin` says whose page it was (CSRF). */
const checkOrigin: RequestHandler = ({ method, headers }, _response, next) => {
  if (READS.includes(method) || ORIGINS.includes(headers.origin ?? '')) return next();
  next(new AppError('forbidden', 'the request must come from a page of this site'));
};

const sessions = session({
  // `__Host-` and `secure`: of this host alone, and over TLS alone. `proxy`: TLS ends at a proxy, which says so in X-Forwarded-Proto.
  name: '__Host-session',
  cookie: { httpOnly: true, secure: true, sameSite: 'lax', path: '/', maxAge: 8 * 3_600_000 },
  proxy: true,
  secret: process.env['SESSION_KEY'] ?? 'of tests',
  resave: false,
  saveUninitialized: false,
});

/** Beside the contract: it starts a session of another id, so that one that was planted before is worth nothing. */
function addLogIn(app: Application): void {
  app.post('/login', (request, response, next) => {
    request.session.regenerate((error) => {
      if (error !== undefined && error !== null) return next(error);
      request.session.user = { plan: 'many' };
      response.status(204).end();
    });
  });
}

export const server = createServer({
  ...options,
  errors: { statuses: { ...FRAMEWORK_ERRORS, forbidden: 403 } },
  use: [checkOrigin, sessions],
  routes: addLogIn,
  // In the contract: { type: apiKey, in: cookie, name: __Host-session }. Without a user it answers 401.
  security: { token: (request: Request) => request.session.user },
});
