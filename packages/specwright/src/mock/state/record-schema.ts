/** Where records are in the responses of a contract: the body itself, a list, or a property of an envelope. */
import type { LocatedSchema, Schemas } from '../../testing/contract/values/schema-parts.ts';
import { bodyKind } from '@specwright/contract/document';
import type { ContractAnswers } from '../answer-from-contract.ts';
import { responseFor, successStatus } from '../declared-responses.ts';
import type { MockValues } from '../mock-values.ts';

export interface RecordPlace {
  /** The property of the body; `undefined` if it is the body. */
  readonly within: string | undefined;
  readonly schemas: Schemas;
}

/** The schema of the JSON body of a success. */
export function bodySchema({ responses }: ContractAnswers): LocatedSchema | undefined {
  const response = responseFor(responses, successStatus(responses));
  return response?.content.find(({ type, schema }) => schema !== undefined && bodyKind(type) === 'json')?.schema;
}

/** The one list of objects in a response, with the schema of its items. */
export function listPlace(values: MockValues, answers: ContractAnswers): RecordPlace | undefined {
  const schema = bodySchema(answers);
  if (schema === undefined) return undefined;
  const body = values.view(schema);
  const lists = body.items === undefined ? [...body.properties] : [[undefined, [schema]] as const];
  const found = lists.flatMap(([within, parts]) => {
    const { type, items } = values.view(parts);
    return type === 'array' && items !== undefined && isRecord(values, items) ? [{ within, schemas: items }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The record in a response: the body, unless that is an envelope of one object that has no id. */
export function recordPlace(values: MockValues, answers: ContractAnswers): RecordPlace | undefined {
  const schema = bodySchema(answers);
  if (schema === undefined || !isRecord(values, [schema])) return undefined;
  const { properties } = values.view(schema);
  const inner = [...properties].filter(([, parts]) => values.view(parts).type === 'object');
  const [only] = inner;
  const isEnvelope = only !== undefined && inner.length === 1 && properties.size <= 2 && /^(data|item|result|record)$/i.test(only[0]);
  return isEnvelope ? { within: only[0], schemas: only[1] } : { within: undefined, schemas: [schema] };
}

function isRecord(values: MockValues, schemas: Schemas): boolean {
  const { type, types, unions, properties } = values.view(schemas);
  return type === 'object' || properties.size > 0 || (type === undefined && types.length === 0 && unions.length > 0);
}

/** Where a schema is defined: the same for all that refer to it. */
export const identityOf = (values: MockValues, { schemas }: RecordPlace): string => values.view(schemas).parts[0]?.pointer ?? '';
