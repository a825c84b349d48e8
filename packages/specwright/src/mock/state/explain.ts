/** What each operation of a mock with a memory does, as a table for the screen. */
import { parametersOf, sentMethod, type Document } from '@specwright/contract/document';
import type { ContractAnswers } from '../answer-from-contract.ts';
import { successStatus } from '../declared-responses.ts';
import type { MockValues } from '../mock-values.ts';
import type { Resource } from './find-resources.ts';
import { pageParameters } from './list-page.ts';

type Row = readonly [operation: string, does: string];

export function explainResources(
  answers: readonly ContractAnswers[],
  resources: ReadonlyMap<string, Resource>,
  document: Document,
  values: MockValues,
): Row[] {
  return answers.map((answer): Row => {
    const { operation } = answer;
    const resource = resources.get(operation.id);
    const name = `${sentMethod(operation.method)} ${operation.path}`;
    if (resource === undefined) return [name, `answers ${successStatus(answer.responses)}, remembers nothing`];
    const { role, collection } = resource;
    const { path, isSingle, hasCreate } = collection;
    const id = isSingle ? '' : ` by ${collection.idName ?? 'id'}`;
    if (role === 'list' && resource.place !== undefined) {
      const properties = [...values.view(resource.place.schemas).properties.keys()];
      const { filters, ...paging } = pageParameters(parametersOf(document, operation), properties);
      const pages = Object.values(paging).filter((one) => one !== undefined);
      const said = [pages.length > 0 && `pages: ${pages.join(', ')}`, filters.size > 0 && `filters: ${[...filters.values()].join(', ')}`];
      return [name, [`lists ${path}`, ...said.filter((one) => one !== false)].join('; ')];
    }
    const texts = {
      list: `lists ${path}`,
      create: `adds to ${path}`,
      read: isSingle ? `reads what is remembered` : `reads from ${path}${id}`,
      replace: isSingle || hasCreate ? `replaces in ${path}${id}` : `replaces in ${path}${id}, or adds to it`,
      merge: `merges into ${path}${id}`,
      delete: `deletes from ${path}${id}`,
    };
    return [name, texts[role]];
  });
}
