/** The page of a server: each case that it did not keep, with its request, its answer and the sentence of the standard. */
import type { Case, Outcome } from '../src/case.ts';
import type { Recorded } from './recorded.ts';

const MAX_REQUEST = 400;

export function failuresPage({ title, groups }: Recorded, cases: ReadonlyMap<string, Case>): string {
  const sections = groups.flatMap(({ group, failures, notServed }) => [
    ...(notServed === undefined ? [] : [`## ${group}: not served\n\n${block(notServed)}`]),
    ...(failures.length === 0 ? [] : [`## ${group}`]),
    ...failures.flatMap((failure) => {
      const tried = cases.get(failure.id);
      return tried === undefined ? [] : [failureOf(tried, failure.verdict, failure.reason)];
    }),
  ]);
  return `# ${title}: cases that were not kept\n\n${sections.length === 0 ? 'None.' : sections.join('\n\n')}\n`;
}

function failureOf({ id, request, accepts, source }: Case, verdict: string, reason: string): string {
  const sentence = `${source.standard}, ${source.section}: ${source.sentence}${source.from === undefined ? '' : ` (from: ${source.from})`}`;
  return `### ${id}\n\n${verdict}. ${escaped(sentence)}\n\n${block(
    [`sent      ${printable(request)}`, `answered  ${printable(reason)}`, `expected  ${accepts.map(outcomeText).join(' or ')}`].join('\n'),
  )}`;
}

function outcomeText(outcome: Outcome): string {
  if (outcome.kind === 'received') return `the handler receives ${JSON.stringify(outcome.received)}`.slice(0, MAX_REQUEST);
  const headers = 'headers' in outcome ? ` with ${JSON.stringify(outcome.headers)}` : '';
  const body = outcome.kind === 'answered' && outcome.body !== undefined ? ` ${JSON.stringify(outcome.body)}` : '';
  return `${outcome.statuses.join(' or ')}${headers}${body}`.slice(0, MAX_REQUEST);
}

const printable = (text: string): string =>
  JSON.stringify(text.length > MAX_REQUEST ? `${text.slice(0, MAX_REQUEST)}...` : text).slice(1, -1);
const escaped = (text: string): string => text.replace(/[<*_`[\]]/gu, '\\$&');
const block = (text: string): string => `\`\`\`\`text\n${text}\n\`\`\`\``;
