/** Parses the JSON of bodies and of their items. */
import { type JsonPath, parseStrictJson, TOO_DEEP } from '@specwright/contract';
import { FrameworkError } from '../../errors.ts';

/**
 * @param isBigInteger whether integers at a place are `bigint`. @param location of the value: `body`, or that of an item.
 * @throws AppError invalid_json; invalid_request for a number that would be altered.
 */
export function parseJson(text: string, isBigInteger: (path: JsonPath) => boolean = () => false, location = 'body'): unknown {
  const json = parseStrictJson(text, isBigInteger);
  switch (json.problem) {
    case undefined:
      return json.value;
    case 'syntax':
      throw new FrameworkError('invalid_json', `${location} is not JSON: ${json.cause.message.slice(0, 300)}`, { cause: json.cause });
    case 'depth':
      throw new FrameworkError('invalid_request', `${location} ${TOO_DEEP}`);
    case 'surrogate':
      throw new FrameworkError('invalid_json', `${location} has an unpaired surrogate`);
    case 'duplicate':
      throw new FrameworkError('invalid_json', `${locationOf(location, json.path)} is given twice`);
    case 'number':
      throw new FrameworkError('invalid_request', `${locationOf(location, json.path)} ${json.message}`);
  }
}

const MAX_LOCATION_LENGTH = 500;

const locationOf = (location: string, path: JsonPath): string => [location, ...path].join('/').slice(0, MAX_LOCATION_LENGTH);
