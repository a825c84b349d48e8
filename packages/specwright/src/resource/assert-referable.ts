/** Whether other records may refer to those of a noun: one that is referred to cannot be deleted, and its clients have to be told so. */
import { isObject, type Document, type OperationObject } from '@specwright/contract/document';
import type { ErrorCodes } from './code/registrations.ts';
import type { Resource, ResourceNames } from './resource.ts';

/** @throws Error with what the nouns that are referred to lack: a code for it, and a status of their `DELETE`. */
export function assertReferable(document: Document, { names, properties }: Resource, codes: ErrorCodes, errorsFile: string): void {
  const referred = new Map(properties.flatMap(({ reference }) => (reference ? [[reference.names.noun, reference.names] as const] : [])));
  const lacking = [...referred.values()].flatMap((one) => missing(document, one, codes, errorsFile));
  if (lacking.length === 0) return;
  const nouns = [...referred.values()].map(({ words }) => words).join(' and ');
  throw new Error(
    [
      `${names.noun} cannot be added, nothing was changed: ${names.words} refer to ${nouns}, which cannot be deleted as long as they do. Add first:`,
      ...lacking.map((line) => `  ${line}`),
    ].join('\n'),
  );
}

function missing(document: Document, { noun, one, words }: ResourceNames, codes: ErrorCodes, errorsFile: string): string[] {
  const [path, item] = Object.entries(document.paths).find(([each]) => each.startsWith(`/${noun}/{`) && each.split('/').length === 3) ?? [];
  const operation = item?.delete;
  // A noun that cannot be deleted needs no response for one in use.
  if (path === undefined || !isObject(operation)) return [];
  const { responses } = operation as OperationObject;
  const lines: string[] = [];
  if (!['409', '4XX', 'default'].some((status) => status in responses))
    lines.push(`a response 409 to DELETE ${path} in the spec, and a call in the scenarios that gets it`);
  if (codes.inUse(one) === undefined)
    lines.push(`${one}_in_use: 409 in ${errorsFile}, and ${one}_in_use in the codes of the spec's errors, for ${words} in use`);
  return lines;
}
