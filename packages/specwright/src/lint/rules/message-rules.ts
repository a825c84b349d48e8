/** Rules of what cannot be sent, or is ignored where it is declared. */
import {
  declaredDefault,
  isReadOnly,
  isWriteOnly,
  listOperations,
  operationKeys,
  pointerTo,
  propertiesOf,
  requiredOf,
  type Document,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import { directions } from '../../breaking/direction.ts';
import type { Node } from '../collect-nodes.ts';
import { flattenSchema } from './flat-schema.ts';
import { follow, type Rule } from './rule.ts';

/** OpenAPI 3.0.3, section 4.7.12.1. */
const IGNORED_PARAMETERS: Readonly<Record<string, string>> = {
  authorization: 'declare a security scheme',
  accept: 'declare the media types of the responses',
  'content-type': 'declare the media types of the request body',
};

/** The responses of all operations, those of components where they are defined. */
function* responsesOf(document: Document): Generator<Node<Response> & { readonly status: string }> {
  for (const { path, method, operation } of listOperations(document)) {
    for (const [status, reference] of Object.entries(operation.responses)) {
      const response = follow<Response>(document, reference, [...operationKeys({ path, method }), 'responses', status]);
      if (response !== undefined) yield { ...response, status };
    }
  }
}

export const MESSAGE_RULES: readonly Rule[] = [
  {
    name: 'ignored-header',
    reason: 'OpenAPI 3.0.3 (sections 4.7.12.1 and 4.7.17) ignores a header of this name: no handler receives it, nothing validates it.',
    fix: 'Remove the header; use a security scheme for Authorization, `content` for Accept and Content-Type.',
    *check({ document, parameters }) {
      for (const { value, path } of parameters) {
        const instead = value.in === 'header' ? IGNORED_PARAMETERS[value.name.toLowerCase()] : undefined;
        if (instead !== undefined) yield { path: [...path, 'name'], message: `the header parameter ${value.name} is ignored: ${instead}` };
      }
      for (const { value, path } of responsesOf(document)) {
        for (const name of Object.keys(value.headers ?? {})) {
          if (name.toLowerCase() === 'content-type')
            yield {
              path: [...path, 'headers', name],
              message: `the response header ${name} is ignored: declare the media types of the body`,
            };
        }
      }
    },
  },
  {
    name: 'status-without-body',
    reason: 'HTTP has no body in this response (RFC 9110, section 15): the contract promises what no server can send.',
    fix: 'Remove content, or declare another status, such as 200.',
    *check({ document }) {
      for (const { value, path, status } of responsesOf(document)) {
        if (/^(1..|204|205|304)$/.test(status) && Object.keys(value.content ?? {}).length > 0)
          yield { path: [...path, 'content'], message: `a response with status ${status} has no body` };
      }
    },
  },
  {
    name: 'read-or-write-only',
    reason: 'Requests must not have what is readOnly, responses not what is writeOnly: the property is in neither.',
    fix: 'Keep one of the two, or remove both.',
    *check({ schemas }) {
      for (const { value, path } of schemas) {
        if (isReadOnly(value) && isWriteOnly(value)) yield { path: [...path, 'writeOnly'], message: 'both readOnly and writeOnly' };
      }
    },
  },
  {
    name: 'required-read-only',
    reason: 'The server refuses a readOnly property in requests, whether it is required or not (OpenAPI 3.0.3, section 4.7.24.2).',
    fix: 'Remove the property from the schema; or remove readOnly, if clients send it.',
    *check({ document, schemas }) {
      // In a schema of responses too, `required` is about those.
      const { sent, received } = directions(document);
      for (const { value, path } of schemas) {
        const pointer = pointerTo(...path);
        if (requiredOf(value).length === 0 || !sent.has(pointer) || received.has(pointer)) continue;
        const { properties } = flattenSchema(document, value);
        for (const [i, name] of requiredOf(value).entries()) {
          if (isReadOnly(follow<Schema>(document, properties.get(name))?.value ?? {}))
            yield { path: [...path, 'required', i], message: `${name} is required and readOnly, in a schema that only requests have` };
        }
      }
    },
  },
  {
    name: 'required-default',
    reason: 'The default says that it may be absent: the server fills it in and never refuses its absence, though it is required.',
    fix: 'Remove it from required, or remove the default.',
    *check({ document, schemas, parameters }) {
      for (const { value, path } of parameters) {
        const schema = follow<Schema>(document, value.schema)?.value ?? {};
        if (value.required === true && declaredDefault(schema) !== undefined)
          yield { path: [...path, 'required'], message: `the parameter ${value.name} is required and has a default` };
      }
      for (const { value, path } of schemas) {
        for (const [i, name] of requiredOf(value).entries()) {
          const property = follow<Schema>(document, propertiesOf(value)[name])?.value ?? {};
          if (declaredDefault(property) !== undefined)
            yield { path: [...path, 'required', i], message: `${name} is required and has a default` };
        }
      }
    },
  },
];
