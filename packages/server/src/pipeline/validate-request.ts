/** Step 7: holds the request against the contract. A message names every fault with its place. */
import type { RequestHandler } from 'express';
import type { ContractOperation } from '../contract/load-contract.ts';
import { AppError } from '../errors.ts';

/** More faults than a person would read at once are counted, not listed, and the message stays within the contract's bound. */
const MOST_FAULTS = 20;
const MOST_CHARACTERS = 4000;

export function validate(operation: ContractOperation): RequestHandler {
  return async (request, _response, next) => {
    const { exchange } = request;
    const { input, faults } = await operation.validate({
      path: exchange.pathParameters ?? {},
      query: exchange.query,
      headers: request.headers,
      body: exchange.body,
      type: exchange.type,
    });
    if (faults.length > 0) {
      const listed = faults.slice(0, MOST_FAULTS).map(({ place, message }) => `${place} ${message}`);
      const more = faults.length > MOST_FAULTS ? `; and ${faults.length - MOST_FAULTS} more` : '';
      throw new AppError('invalid_request', `${listed.join('; ').slice(0, MOST_CHARACTERS)}${more}`);
    }
    exchange.input = input;
    next();
  };
}
