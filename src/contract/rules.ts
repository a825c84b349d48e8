/** What makes a contract say less, or something else, than it seems to, though it can be served: for the spec lint. */
import type { SourceDocument } from './document.ts';
import { at, type Fault } from './faults.ts';
import { isKnownFormat } from './formats.ts';
import { places } from './openapi.ts';
import { walkSchemas } from './walk.ts';

const BOUNDS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Finds every place of a document that breaks a rule of this project's own. The document has passed `checkDocument`. */
export function lintRules(source: SourceDocument): Fault[] {
  const { document } = source;
  const faults: Fault[] = [];
  for (const { path, method, operation } of places(document)) {
    if ((method === 'get' || method === 'head') && operation.requestBody !== undefined) {
      const message = `a ${method.toUpperCase()} request has no body (RFC 9110, section 9.3.1): remove requestBody`;
      faults.push(at(source, ['paths', path, method, 'requestBody'], message));
    }
  }
  walkSchemas(document, (schema, path) => {
    if (typeof schema.format === 'string' && schema.type !== undefined && !isKnownFormat(schema.format)) {
      const message = `format ${schema.format} is not known, so it would not be checked: use a known format, or a pattern`;
      faults.push(at(source, [...path, 'format'], message));
    }
    for (const [low, high] of BOUNDS) {
      if (typeof schema[low] === 'number' && typeof schema[high] === 'number' && schema[low] > schema[high])
        faults.push(at(source, [...path, low], `${low} ${schema[low]} is greater than ${high} ${schema[high]}: no value can be valid`));
    }
    if (typeof schema['pattern'] === 'string') {
      try {
        new RegExp(schema['pattern'], 'u');
      } catch (error) {
        faults.push(at(source, [...path, 'pattern'], `is not a pattern of ECMAScript with Unicode: ${(error as Error).message}`));
      }
    }
  });
  return faults;
}
