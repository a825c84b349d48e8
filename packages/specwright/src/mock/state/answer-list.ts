/** Answers with a page of records: as a list, or in the envelope that the contract declares. */
import type { MockRequest, MockResponse } from '@specwright/server';
import { parametersOf, type Document } from '@specwright/contract/document';
import { seedOf } from '../../testing/contract/values/seeded-values.ts';
import type { ContractAnswers } from '../answer-from-contract.ts';
import type { MockValues } from '../mock-values.ts';
import { isPlainObject } from '../plain-object.ts';
import { pageParameters, readPage, type RecordPage } from './list-page.ts';
import { concretePath } from './paths.ts';
import { bodySchema, type RecordPlace } from './record-schema.ts';
import type { StoredRecord } from './record-store.ts';

export interface ListParts {
  readonly document: Document;
  readonly values: MockValues;
  readonly answers: ContractAnswers;
  readonly place: RecordPlace;
  /** The records of the collection. */
  readonly records: readonly StoredRecord[];
}

const TOTAL = /^(total|count|total_?(count|items))$/i;
const HAS_MORE = /^has_?(more|next)$/i;
const NEXT = /^(next|next_?cursor|cursor|next_?(page_?)?token)$/i;

/** @throws CursorError */
export function answerList(request: MockRequest, parts: ListParts): MockResponse {
  const { document, values, answers, place, records } = parts;
  const { path, query } = request.input;
  const properties = [...values.view(place.schemas).properties.keys()];
  const page = readPage(records, pageParameters(parametersOf(document, answers.operation), properties), query);
  const [schema] = place.schemas;
  const items = page.records.map(({ id, record }) =>
    schema === undefined ? record : values.valueOf(schema, { seed: seedOf(id), given: record }),
  );
  const url = concretePath(request.operation.path, path);
  const next = page.next && `${url}?${page.next.query}`;
  const headers = new Map([
    ['x-total-count', String(page.total)],
    ['link', next === undefined ? '' : `<${next}>; rel="next"`],
  ]);
  const given = place.within === undefined ? items : { ...envelope(request, parts, page, next), [place.within]: items };
  const response = answers.answer(request, { headers, given });
  // The last page has no `Link`.
  const fields = Object.entries(response.headers ?? {}).filter(([name, value]) => name.toLowerCase() !== 'link' || value !== '');
  return { ...response, headers: Object.fromEntries(fields) };
}

/** What is beside the records. */
function envelope(request: MockRequest, { values, answers }: ListParts, page: RecordPage, next: string | undefined): object {
  const { body } = answers.answer({ ...request, headers: {} });
  const fields: Record<string, unknown> = isPlainObject(body) ? { ...body } : {};
  const schema = bodySchema(answers);
  const said = new Map<string, unknown>();
  for (const name of schema === undefined ? [] : values.view(schema).properties.keys()) {
    if (TOTAL.test(name)) said.set(name, page.total);
    else if (HAS_MORE.test(name)) said.set(name, page.next !== undefined);
    else if (NEXT.test(name)) said.set(name, /^next$/i.test(name) ? next : page.next?.cursor);
  }
  const all = Object.entries({ ...fields, ...Object.fromEntries(said) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}
