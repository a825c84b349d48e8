/** The caller's rate limits: what the request line has found out, in the contract's words. */
import type { Plan } from '@specwright/accounts';
import type { RateLimitWindow } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../security.ts';

const window = ({ limit, remaining, ends }: RateLimitWindow) => ({ limit, remaining, resetsAt: new Date(ends).toISOString() });

export const limitHandlers = {
  getRateLimit: (_input, reply, { caller, limits: { windows, ban, now, isExact } }) => {
    // What one server may admit alone is not what the account has left.
    if (!isExact) throw new AppError('service_unavailable', 'the limits are not known at the moment', { headers: { 'Retry-After': '1' } });
    const until = ban && { until: new Date(ban.until).toISOString(), retryAfter: Math.max(1, Math.ceil((ban.until - now) / 1000)) };
    const body = { plan: caller.plan as Plan, minute: window(windows.minute), day: window(windows.day) };
    return reply(200, { body: until === undefined ? body : { ...body, ban: until } });
  },
} satisfies Partial<Handlers<Caller>>;
