/* The codes of errors that a contract has, and what a client is to do about each. Plain JavaScript of a browser. */
import { ADVICE } from './advice.js';
import { listOperations } from './contract.js';
import { resolve } from './references.js';

const asArray = (value) => (Array.isArray(value) ? value : []);

/** The codes in the examples of a response of JSON. */
const exampleCodes = (spec, media) =>
  [media.example, ...Object.values(media.examples ?? {}).map((example) => resolve(spec, example).value)].map((example) => example?.code);

/** The codes of errors in the examples of an operation. */
export const codesOf = (spec, operation) =>
  Object.entries(operation.responses ?? {})
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([, response]) => Object.values(resolve(spec, response)?.content ?? {}))
    .flatMap((media) => exampleCodes(spec, media))
    .filter((code) => typeof code === 'string');

/**
 * The codes in the examples of error responses, and in enums of their property `code`. `x-enumDescriptions` at such an enum says what to do;
 * otherwise the framework's advice counts, or the description of the first response that has the code.
 */
export function listErrors(spec) {
  const found = new Map();
  const add = (code, status, description, advice) => {
    if (typeof code !== 'string') return;
    const entry = found.get(code) ?? { code, statuses: new Set(), advice: advice ?? ADVICE[code] ?? description };
    if (status !== undefined) entry.statuses.add(Number(status));
    found.set(code, entry);
  };
  const schemas = new Set();
  for (const { operation } of listOperations(spec))
    for (const [status, reference] of Object.entries(operation.responses ?? {})) {
      if (!/^[45]\d\d$/.test(status)) continue;
      const response = resolve(spec, reference);
      for (const media of Object.values(response.content ?? {})) {
        const schema = resolve(spec, media.schema);
        const codes = resolve(spec, schema?.properties?.code);
        if (codes !== undefined) schemas.add(codes);
        const advice = codes?.['x-enumDescriptions'] ?? {};
        for (const code of exampleCodes(spec, media)) add(code, status, response.description, advice[code]);
      }
    }
  for (const schema of schemas) {
    const advice = schema['x-enumDescriptions'] ?? {};
    for (const code of asArray(schema.enum)) if (advice[code] ?? ADVICE[code]) add(code, undefined, '', advice[code]);
  }
  return [...found.values()]
    .map((entry) => ({ ...entry, statuses: [...entry.statuses].sort() }))
    .sort((a, b) => (a.statuses[0] ?? 600) - (b.statuses[0] ?? 600) || a.code.localeCompare(b.code));
}
