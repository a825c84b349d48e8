/** Writes the operations of contracts. */
import type { Document } from './case.ts';

/** What every echo answers: the parts that its handler received. */
const ECHO = {
  '200': { description: 'What was understood.', content: { 'application/json': { schema: {} } } },
  default: { description: 'A refusal.' },
};

/** An operation whose handler echoes what it understood. */
export const echo = (name: string, rest: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  operationId: echoId(name),
  ...rest,
  responses: ECHO,
});

/** `path-simple-text` is `echoPathSimpleText`. */
export const echoId = (name: string): string => `echo${camelCased(name)}`;
export const answerId = (name: string): string => `answer${camelCased(name)}`;

const camelCased = (name: string): string => name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/gu, (_, first: string) => first.toUpperCase());

export const document = (version: '3.0.4' | '3.1.2' | '3.2.0', title: string, rest: Omit<Document, 'openapi' | 'info'>): Document => ({
  openapi: version,
  info: { title, version: '1' },
  ...rest,
});
