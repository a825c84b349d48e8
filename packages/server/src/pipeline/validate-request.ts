/** Pipeline step: validates the request. The message lists every problem with its location. */
import type { RequestHandler } from 'express';
import type { ContractOperation } from '../contract/load-contract.ts';
import { FrameworkError } from '../errors.ts';

/** Further problems are counted, not listed; contracts bound the length of messages. */
const MAX_PROBLEMS = 20;
const MAX_MESSAGE_LENGTH = 4000;

export function validateRequest(operation: ContractOperation): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    const { input, problems } = await operation.validateRequest({
      path: exchange.pathParameters ?? {},
      query: exchange.query,
      headers: request.headers,
      body: exchange.body,
      type: exchange.type,
    });
    if (problems.length > 0) {
      const listed = problems.slice(0, MAX_PROBLEMS).map(({ location, message }) => `${location} ${message}`);
      const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more` : '';
      throw new FrameworkError('invalid_request', `${listed.join('; ').slice(0, MAX_MESSAGE_LENGTH)}${more}`);
    }
    exchange.input = input;
    next();
  };
}
