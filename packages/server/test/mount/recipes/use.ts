import compression from 'compression';
import cookieSession from 'cookie-session';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import passport from 'passport';
import { createServer } from '@specwright/server';
import { options } from '../options.ts';
import { strategy } from './strategy.ts';

interface User {
  readonly plan: 'one' | 'many';
}

passport.use(strategy);

export const server = createServer({
  ...options,
  use: [
    helmet(),
    compression(),
    cookieSession({ name: 'session', keys: [process.env['SESSION_KEY'] ?? 'of tests'] }),
    // For some operations: the compiler knows their names.
    { operations: ['getNote', 'deleteNote'], use: passport.authenticate('header', { session: false }) as RequestHandler },
  ],
  // The security scheme of the contract trusts what passport has found; without a user it answers 401.
  security: { token: (request: Request) => request.user as User | undefined },
});
