/* Prepares a contract for the page: what is sent unasked, and what every response has. Plain JavaScript of a browser. */
import { resolve } from './references.js';
import { constraintsOf, expand, sampleOf, variantsOf } from './schemas.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** In the order of the contract. */
export const listOperations = (spec) =>
  Object.entries(spec.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => METHODS.includes(method))
      .map((method) => ({ path, method, item, operation: item[method] })),
  );

/** Removes examples from a schema and the schemas in it, so that Swagger UI sends none. */
function withoutExamples(spec, schema, within = []) {
  const resolved = resolve(spec, schema);
  if (resolved === null || typeof resolved !== 'object' || within.includes(resolved)) return resolved;
  const again = (part) => withoutExamples(spec, part, [...within, resolved]);
  const { example: _, examples: __, ...rest } = resolved;
  for (const key of ['allOf', 'anyOf', 'oneOf']) if (Array.isArray(rest[key])) rest[key] = rest[key].map(again);
  if (rest.items !== undefined) rest.items = again(rest.items);
  if (rest.properties !== undefined)
    rest.properties = Object.fromEntries(Object.entries(rest.properties).map(([name, part]) => [name, again(part)]));
  return rest;
}

/** The example that the parameter, its content or its schema has. */
function exampleOf(spec, { example, examples, schema, content }) {
  if (example !== undefined) return example;
  const [named] = Object.values(examples ?? {});
  if (named !== undefined) return resolve(spec, named).value;
  const [media] = Object.values(content ?? {});
  if (media !== undefined) return exampleOf(spec, media);
  let found = resolve(spec, schema);
  while (found?.example === undefined && found?.allOf?.length === 1) found = resolve(spec, found.allOf[0]);
  return found?.example ?? found?.examples?.[0];
}

/** As Markdown: a line in small letters. */
function formatConstraints(spec, schema, example) {
  const code = (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
  const parts = [...constraintsOf(expand(spec, schema ?? {})), ...(example === undefined ? [] : [['for example ', { code: example }]])];
  const line = parts.map((part) => part.map((text) => (typeof text === 'string' ? text : code(text.code))).join('')).join(' · ');
  return line === '' ? '' : `<small>${line}</small>`;
}

/** Says in the description what a parameter may be. @param isPrefilled whether its example remains one, which Swagger UI sends. */
function asDescription(spec, parameter, isPrefilled) {
  const value = exampleOf(spec, parameter);
  const { example: _, examples: __, ...rest } = parameter;
  const { description = '' } = rest;
  const text = typeof value === 'object' ? JSON.stringify(value) : value;
  const line = formatConstraints(spec, rest.schema, text === undefined ? undefined : String(text));
  if (line !== '') rest.description = `${description}\n\n${line}`.trim();
  if (isPrefilled) return { ...parameter, description: rest.description };
  if (rest.schema !== undefined) rest.schema = withoutExamples(spec, rest.schema);
  if (rest.content !== undefined)
    rest.content = Object.fromEntries(
      Object.entries(rest.content).map(([type, media]) => [type, { schema: withoutExamples(spec, media.schema) }]),
    );
  return rest;
}

/**
 * Leaves the examples of required parameters alone: Swagger UI would send a cursor, or an If-Match, that nobody has asked for. What is to be
 * deleted is never an example: that may be the key with which it is asked for.
 */
export function sendOnlyRequired(spec) {
  for (const { item, method, operation } of listOperations(spec)) {
    const own = (operation.parameters ?? []).map((parameter) => resolve(spec, parameter));
    const isOwn = (parameter) => own.some(({ name, in: where }) => name === parameter.name && where === parameter.in);
    const shared = (item.parameters ?? []).map((parameter) => resolve(spec, parameter)).filter((parameter) => !isOwn(parameter));
    operation.parameters = [...shared, ...own].map((parameter) => {
      const isPrefilled = parameter.required && !(method === 'delete' && parameter.in === 'path');
      return asDescription(spec, parameter, isPrefilled);
    });
  }
  for (const item of Object.values(spec.paths ?? {})) delete item.parameters;
}

/** Takes the headers that every response of the contract has out of its responses, to be said once. @returns them by name. */
export function takeCommonHeaders(spec) {
  const responses = listOperations(spec)
    .flatMap(({ operation }) => Object.values(operation.responses ?? {}))
    .map((response) => resolve(spec, response));
  if (responses.length < 2) return [];
  const common = Object.entries(responses[0].headers ?? {}).filter(([name, header]) => {
    const text = JSON.stringify(resolve(spec, header));
    return responses.every(({ headers = {} }) => JSON.stringify(resolve(spec, headers[name])) === text);
  });
  for (const response of responses) {
    if (response.headers !== undefined) response.headers = { ...response.headers };
    for (const [name] of common) delete response.headers?.[name];
  }
  return common.map(([name, header]) => [name, resolve(spec, header)]);
}

/** Headers of which a shared response says that only some operations send them. @returns whether this one does. */
const CONDITIONAL_HEADERS = {
  deprecation: ({ deprecated }) => deprecated === true,
  sunset: ({ deprecated }) => deprecated === true,
  'x-stability': (operation) => operation['x-stability'] !== undefined,
};

/** Takes headers about deprecation and stability out of the responses of operations that are neither deprecated nor unstable. */
export function removeUnsentHeaders(spec) {
  for (const { operation } of listOperations(spec)) {
    const isSent = ([name]) => CONDITIONAL_HEADERS[name.toLowerCase()]?.(operation) ?? true;
    for (const [status, reference] of Object.entries(operation.responses ?? {})) {
      const { headers, ...response } = resolve(spec, reference);
      if (headers === undefined || Object.entries(headers).every(isSent)) continue;
      const sent = Object.entries(headers).filter(isSent);
      operation.responses[status] = { ...response, ...(sent.length > 0 && { headers: Object.fromEntries(sent) }) };
    }
  }
}

/** The first success: what readers look for. */
export function mainStatus(operation) {
  const statuses = Object.keys(operation?.responses ?? {});
  return statuses.find((status) => status.startsWith('2')) ?? statuses[0];
}

/** Swagger UI would ask for JSON where there is none: it asks for the first of `produces`, which OpenAPI 2 had. */
export function setAcceptedTypes(spec) {
  for (const { operation } of listOperations(spec)) {
    const types = Object.keys(resolve(spec, operation.responses?.[mainStatus(operation)])?.content ?? {});
    if (types.length > 0) operation.produces = types;
  }
}

/** The text of an item: the lines of a server-sent event, else a line of JSON. */
function formatItem(type, item) {
  if (!type.startsWith('text/event-stream')) return JSON.stringify(item);
  const fields = typeof item === 'object' && item !== null && ('data' in item || 'event' in item) ? item : { data: item };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}\n`)
    .join('');
}

/** Gives a stream the schema of its items, and an example of each kind, which Swagger UI shows as those of the response. */
export function showItems(spec) {
  for (const { operation } of listOperations(spec))
    for (const reference of Object.values(operation.responses ?? {}))
      for (const [type, media] of Object.entries(resolve(spec, reference)?.content ?? {})) {
        const items = media.itemSchema ?? media['x-item-schema'];
        if (items === undefined || media.schema !== undefined) continue;
        const variants = variantsOf(spec, items);
        const kinds = variants.length > 0 ? variants.map(({ schema }) => schema) : [items];
        media.schema = items;
        if (media.example === undefined && media.examples === undefined)
          media.example = kinds.map((kind) => formatItem(type, sampleOf(spec, kind))).join('\n');
      }
}
