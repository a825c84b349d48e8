/** Rules of the extensions that the server reads: their names and places, what they apply to, and the headers that they announce. */
import { listOperations, operationKeys, unmetOperationDefaults, type Response } from '@specwright/contract/document';
import { editDistance } from '@specwright/server/command';
import { type Keys, type Rule, type RuleContext, follow, requestBodiesOf } from './rule.ts';

type Place = 'the root' | 'an operation' | 'the media type of a request body';

/** Every extension that the server reads, and where. */
const EXTENSIONS: Readonly<Record<string, readonly Place[]>> = {
  'x-rate-limit-plans': ['the root'],
  'x-webhooks': ['the root'],
  'x-int64': ['the root'],
  'x-date-time': ['the root'],
  'x-operation-defaults': ['the root', 'an operation'],
  'x-rate-limit-cost': ['an operation'],
  'x-body-limit': ['the root', 'an operation'],
  'x-stream': ['the media type of a request body'],
  'x-mcp': ['an operation'],
  'x-stability': ['an operation'],
  'x-deprecated-since': ['an operation'],
  'x-deprecated-sunset': ['an operation'],
  'x-deprecated-successor': ['an operation'],
};

/** How many letters may differ: two, because exchanged letters are two; fewer in a short name, which is near to many. */
const MAX_DISTANCE = 2;

function* objectsWithExtensions({ document }: RuleContext): Generator<{ value: object; path: Keys; place?: Place }> {
  yield { value: document, path: [], place: 'the root' };
  for (const [name, item] of Object.entries(document.paths)) yield { value: item, path: ['paths', name] };
  for (const operation of listOperations(document))
    yield { value: operation.operation, path: operationKeys(operation), place: 'an operation' };
  for (const { value: body, path } of requestBodiesOf(document))
    for (const [type, value] of Object.entries(body.content))
      yield { value, path: [...path, 'content', type], place: 'the media type of a request body' };
}

/** The headers that the server writes for an operation, by the extension that asks for it. */
const ANNOUNCED = {
  'x-deprecated-since': 'Deprecation',
  'x-deprecated-sunset': 'Sunset',
  'x-deprecated-successor': 'Link',
  'x-stability': 'X-Stability',
} as const;

export const LIFECYCLE_RULES: readonly Rule[] = [
  {
    name: 'extension-name',
    reason: 'An unknown extension is ignored, so a misspelled or misplaced one has no effect and nobody says so.',
    fix: 'Write the name as it is suggested, where it is read.',
    *check(context) {
      for (const { path, method, operation } of listOperations(context.document)) {
        if (operation['x-body-limit'] !== undefined && operation.requestBody === undefined)
          yield {
            path: [...operationKeys({ path, method }), 'x-body-limit'],
            message: 'x-body-limit has no effect: the operation has no request body',
          };
      }
      for (const { value, path, place } of objectsWithExtensions(context)) {
        for (const key of Object.keys(value).filter((name) => /^x-/i.test(name))) {
          const places = EXTENSIONS[key];
          if (place !== undefined && places?.includes(place)) continue;
          const meant = Object.keys(EXTENSIONS).find(
            (name) => editDistance(key.toLowerCase(), name) <= Math.min(MAX_DISTANCE, name.length / 4),
          );
          if (places !== undefined) yield { path: [...path, key], message: `${key} is only read at ${places.join(' and at ')}` };
          else if (meant !== undefined) yield { path: [...path, key], message: `unknown extension ${key}: did you mean ${meant}?` };
        }
      }
    },
  },
  {
    name: 'operation-defaults',
    reason: 'It changes nothing, though readers take it for a part of the contract: it is misspelled, or left over.',
    fix: 'Correct it as it is suggested, or remove it.',
    check: ({ written, document }) => unmetOperationDefaults(written, document),
  },
  {
    name: 'lifecycle-headers',
    reason: 'Clients learn of deprecation and stability from headers of the responses, and which headers there are from the contract.',
    fix: 'Declare the header in the response, or in x-operation-defaults for all responses that have it.',
    *check({ document }) {
      for (const { path, method, operation } of listOperations(document)) {
        const at = operationKeys({ path, method });
        if (operation.deprecated === true && operation['x-deprecated-since'] === undefined)
          yield {
            path: [...at, 'deprecated'],
            message: 'deprecated without x-deprecated-since: no response says so',
            fix: "Add x-deprecated-since: 'YYYY-MM-DD', the day on which the deprecation is announced.",
          };
        for (const [status, reference] of Object.entries(operation.responses)) {
          if (!/^[23]/.test(status)) continue;
          const here = [...at, 'responses', status];
          const headers = Object.keys(follow<Response>(document, reference, here)?.value.headers ?? {}).map((name) => name.toLowerCase());
          for (const [extension, header] of Object.entries(ANNOUNCED)) {
            if (operation[extension as keyof typeof ANNOUNCED] !== undefined && !headers.includes(header.toLowerCase()))
              yield { path: here, message: `response ${status} does not declare ${header}, which ${extension} adds to it` };
          }
        }
      }
    },
  },
];
