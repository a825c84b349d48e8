/** What was found wrong, and the requests that led to it. */
import type { Event, Observed } from './linearize.ts';
import { contentOf, type State } from './state.ts';

export class Violation extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'Violation';
  }
}

const lineOf = ({ request, invoked, returned, answer }: Event): string => {
  const { operation, id, petId, body, query, ifMatch, ifNoneMatch, idempotencyKey } = request;
  const sent = JSON.stringify({ id, petId, body, query, ifMatch, ifNoneMatch, idempotencyKey });
  return `  ${invoked} to ${returned}: ${operation} ${sent} -> ${answer === undefined ? 'no answer' : JSON.stringify(answer)}`;
};

interface Search {
  readonly longest: readonly Event[];
  readonly difference: { readonly expected: object; readonly actual: object } | undefined;
}

/** A history without an order: what was sent from when to when, what is stored, and how far the best order came. */
export function describeHistory(
  initial: State,
  history: readonly Event[],
  { state, touched, events, longest, difference }: Observed & Search,
): string {
  return [
    'no order of these requests has these answers and leaves what is stored:',
    ...history.map(lineOf),
    `before: ${JSON.stringify(contentOf(initial))}`,
    `after:  ${JSON.stringify(contentOf(state))}`,
    `changed versions: ${touched.join(', ')}; events: ${JSON.stringify(events)}`,
    `the longest order: ${longest.map(({ request, invoked }) => `${invoked} ${request.operation}`).join(', ') || 'none'}`,
    ...(difference === undefined ? [] : [`last difference: ${JSON.stringify(difference)}`]),
  ].join('\n');
}
