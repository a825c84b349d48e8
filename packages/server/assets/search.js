/* Which operations match what a reader types. Plain JavaScript of a browser. */
import { listOperations, resolve } from './contract.js';

const SCHEMA = /^#\/components\/schemas\/([^/]+)$/;

/** The references in a part of the contract, without those in what they refer to. */
function referencesIn(part, found = new Set()) {
  if (part === null || typeof part !== 'object') return found;
  if (typeof part.$ref === 'string') found.add(part.$ref);
  for (const value of Object.values(part)) referencesIn(value, found);
  return found;
}

/** Names the schemas of an operation, and those that they use. */
function schemaNames(spec, operation, known) {
  const found = referencesIn(operation);
  // A set is extended while it is read.
  for (const reference of found) {
    if (!known.has(reference)) known.set(reference, referencesIn(resolve(spec, { $ref: reference })));
    for (const next of known.get(reference)) found.add(next);
  }
  return [...found].flatMap((reference) => SCHEMA.exec(reference)?.slice(1) ?? []);
}

/** The id that Swagger UI has of an operation, too. */
export const operationIdOf = ({ operation, method, path }) => operation.operationId ?? `${method} ${path}`;

/** Made once: each operation with its tags and the text in which is searched. */
export function createIndex(spec) {
  const known = new Map();
  return listOperations(spec).map((found) => {
    const { operation, method, path, item } = found;
    const id = operationIdOf(found);
    const { summary = '', description = '', tags = [] } = operation;
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    const names = parameters.map((parameter) => resolve(spec, parameter)?.name);
    const schemas = schemaNames(spec, [operation, item.parameters], known);
    const text = [summary, id, method, path, description, ...tags, ...names, ...schemas].join('\n').toLowerCase();
    return {
      id,
      method,
      path,
      summary: summary || path,
      isDeprecated: operation.deprecated === true,
      tags: tags.length > 0 ? tags : ['default'],
      text,
    };
  });
}

/** @returns a function that says whether an entry of the index has every word. */
export function matcher(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ text }) => words.every((word) => text.includes(word));
}
