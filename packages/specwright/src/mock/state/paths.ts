/** Paths with their parameters: they tell the collections of a mock apart, as `/users/5/posts`. */
import type { MockRequest } from '@specwright/server';
import { textOf } from '../../testing/contract/values/text-of.ts';
import type { Json } from '../../testing/contract/document.ts';
import type { Collection } from './find-resources.ts';

export const concretePath = (template: string, parameters: Json): string =>
  template.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) =>
    parameters[name] === undefined ? whole : encodeURIComponent(idText(parameters[name])),
  );

/** An id as it is in paths. */
export const idText = (id: unknown): string => (typeof id === 'bigint' ? String(id) : textOf(id));

/** Where a record is read; `undefined` if no operation reads one. */
export function locationOf({ itemPath }: Collection, { input }: MockRequest, id: string): string | undefined {
  const name = /\{([^/{}]+)\}$/.exec(itemPath ?? '')?.[1];
  return itemPath === undefined || name === undefined ? undefined : concretePath(itemPath, { ...input.path, [name]: id });
}

/** The parameters of a path up to one of them. */
export function parametersUpTo(parameters: Json, last: string): Json {
  const entries = Object.entries(parameters);
  return Object.fromEntries(entries.slice(0, entries.findIndex(([name]) => name === last) + 1));
}
