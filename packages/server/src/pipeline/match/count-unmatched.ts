/** Pipeline step: counts a request without an operation, for the account whose key it has, else for its address. */
import type { ContractOperation, RequiredScheme } from '@specwright/contract';
import { isAppError } from '../../errors.ts';
import { authenticate, type AuthenticateOptions } from '../authentication/authenticate.ts';
import type { Exchange, Step } from '../exchange.ts';

/**
 * What is 404, 405 or OPTIONS counts as any other request of the same client does. Credentials that are missing or not valid are
 * no error here.
 *
 * A request that has an operation, and failed before it was counted, is counted without looking at its credentials again.
 *
 * @param count counts for the caller, or for the address if there is none.
 */
export function countUnmatched(operations: readonly ContractOperation[], options: AuthenticateOptions, count: Step): Step {
  const identify = authenticate([...distinctAlternatives(operations), []], options);
  return async (exchange) => {
    if (exchange.operation === undefined && exchange.caller === undefined && identify !== undefined) await tryStep(identify, exchange);
    await count(exchange);
  };
}

/** @throws AppError rate_limited. What else fails, as a database that does not answer, leaves the caller unknown. */
async function tryStep(identify: Step, exchange: Exchange): Promise<void> {
  try {
    await identify(exchange);
  } catch (error) {
    if (isAppError(error) && error.code === 'rate_limited') throw error;
  }
}

/** The ways to authenticate that the operations have, each once and without scopes. */
export function distinctAlternatives(operations: readonly ContractOperation[]): RequiredScheme[][] {
  const byNames = new Map<string, RequiredScheme[]>();
  for (const schemes of operations.flatMap(({ requirements }) => requirements)) {
    const names = schemes.map(({ name }) => name).join(' ');
    if (schemes.length > 0)
      byNames.set(
        names,
        schemes.map((scheme) => ({ ...scheme, scopes: [] })),
      );
  }
  return [...byNames.values()];
}
