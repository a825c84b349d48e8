/** Pipeline steps: the last ones of requests that are no operation's: the methods of a path, and refusals. */
import { FrameworkError } from '../../errors.ts';
import type { Exchange, Step } from '../exchange.ts';
import { send } from '../send-response.ts';

/** Answers OPTIONS (RFC 9110, section 9.3.7). @param allow the methods of the path. */
export const sendAllow =
  (allow: string): Step =>
  (exchange) =>
    send(exchange, { status: 204, headers: exchange.headers.with({ Allow: allow }), type: undefined, body: undefined });

/** RFC 9110, section 15.5.6. @param allow the methods of the path. */
export const methodNotAllowed =
  (allow: string): Step =>
  (exchange) => {
    const message = `${shownPath(exchange)} has no ${exchange.request.method}, only ${allow}`;
    throw new FrameworkError('method_not_allowed', message, { headers: { Allow: allow } });
  };

/** For a path that is not served. @throws AppError not_found */
export const notFound: Step = (exchange) => {
  throw new FrameworkError('not_found', `there is no ${shownPath(exchange)}`);
};

export const invalidPath: Step = () => {
  throw new FrameworkError('invalid_request', 'path is not valid percent-encoding of UTF-8');
};

/** What a client sent, short enough to be read in a message. */
function shownPath({ base, path }: Exchange): string {
  const whole = base + path;
  return whole.length > 200 ? `${whole.slice(0, 200)}...` : whole;
}
