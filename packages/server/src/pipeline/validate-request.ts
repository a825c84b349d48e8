/** Pipeline step: validates the request. The message lists every problem with its location. */
import type { IncomingMessage } from 'node:http';
import { type ContractOperation, type ErrorProblem, MAX_VALIDATION_ERRORS, type RequestValidation } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import type { Sets } from './exchange.ts';
import type { Step } from './step.ts';

/** Further problems are counted, not listed, and not even looked for beyond a number; contracts bound the length of messages. */
const MAX_PROBLEMS = 20;
const MAX_MESSAGE_LENGTH = 4000;
const MAX_POINTER_LENGTH = 1000;

/** The step throws AppError invalid_request. */
export function validateRequest(operation: ContractOperation): Step<'input'> {
  const accept = (exchange: Sets<'input'>, { input, problems }: RequestValidation): void => {
    if (problems.length > 0) throw invalidRequest(problems.map((problem) => countSent(problem, exchange.request)));
    const files = exchange.incoming?.files;
    exchange.input = files === undefined ? input : { ...input, files };
  };
  return (exchange) => {
    const { request, arrival, body, type } = exchange;
    const { found, search } = arrival;
    const validation = operation.validateRequest({
      path: found.pathParameters,
      encodedPath: found.encodedPath,
      search,
      headers: request.headers,
      body,
      type,
    });
    // Only the first request of an operation has to wait.
    return 'problems' in validation ? accept(exchange, validation) : validation.then((result) => accept(exchange, result));
  };
}

/** Fields of one name are joined with commas (RFC 9110, section 5.3): a client that sent two does not see that in the problem. */
function countSent<P extends { readonly location: string; readonly message: string }>(problem: P, request: IncomingMessage): P {
  const [, name = ''] = /^header\/([^/]+)$/.exec(problem.location) ?? [];
  const sent = name === '' ? 0 : request.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name.toLowerCase()).length;
  return sent > 1 ? { ...problem, message: `${problem.message}: it was sent ${sent} times` } : problem;
}

export function invalidRequest(problems: RequestValidation['problems']): Error {
  const listed = problems.slice(0, MAX_PROBLEMS).map(({ location, message }) => `${location} ${message}`);
  const rest = problems.length - MAX_PROBLEMS;
  const more = rest > 0 ? `; and ${problems.length >= MAX_VALIDATION_ERRORS ? 'at least ' : ''}${rest} more` : '';
  const message = `${listed.join('; ').slice(0, MAX_MESSAGE_LENGTH)}${more}`;
  return new FrameworkError('invalid_request', message, { problems: problems.slice(0, MAX_PROBLEMS).map(toProblem) });
}

function toProblem({ location: at, message, keyword }: RequestValidation['problems'][number]): ErrorProblem {
  const end = at.includes('/') ? at.indexOf('/') : at.length;
  const pointer = at.slice(end);
  return {
    location: at.slice(0, end),
    // The value that contains it, whose name may be as long as a body.
    pointer: pointer.length <= MAX_POINTER_LENGTH ? pointer : pointer.slice(0, pointer.lastIndexOf('/', MAX_POINTER_LENGTH)),
    code: keyword ?? codeOf(message),
    message: message.slice(0, MAX_MESSAGE_LENGTH),
  };
}

/** What could not be read has no keyword. */
function codeOf(message: string): string {
  if (message === 'is required') return 'required';
  if (message === 'is not declared') return 'additionalProperties';
  return /^must be (integer|number|boolean|object|array|null)\b/.test(message) ? 'type' : 'invalid';
}
