/** The caller's rate limits, by an Express handler, which lives among the others: what it sends is validated as a reply is. */
import type { Plan } from '@specwright/accounts';
import type { RateLimitWindow } from '@specwright/server';
import { express } from '@specwright/server/express';
import type { Handlers } from '../../generated/contract.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../security.ts';

const window = ({ limit, remaining, ends }: RateLimitWindow) => ({ limit, remaining, resetsAt: new Date(ends).toISOString() });

export const limitHandlers = {
  getRateLimit: express((req, res, next) => {
    const { caller, limits } = req.context;
    const { windows, ban, now, isExact } = limits;
    // What one server may admit alone is not what the account has left.
    if (!isExact)
      return next(new AppError('service_unavailable', 'the limits are not known at the moment', { headers: { 'Retry-After': '1' } }));
    const until = ban && { until: new Date(ban.until).toISOString(), retryAfter: Math.max(1, Math.ceil((ban.until - now) / 1000)) };
    const body = { plan: caller.plan as Plan, minute: window(windows.minute), day: window(windows.day) };
    res.json(until === undefined ? body : { ...body, ban: until });
  }),
} satisfies Partial<Handlers<Caller>>;
