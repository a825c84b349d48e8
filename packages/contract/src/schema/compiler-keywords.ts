/** The keywords that the schema compiler has beside those of Ajv, or in their place. */
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { CodeKeywordDefinition, Name } from 'ajv';
import { isLonger } from '../patterns/text-length.ts';
import { LATE_REFERENCE } from './schema-reference.ts';
import { STEPS, type ValidationRun } from './validation-run.ts';

type KeywordContext = Parameters<CodeKeywordDefinition['code']>[0];

/** Refuses a property in requests: it is removed, and the value validated without it. */
export const READ_ONLY = {
  keyword: 'readOnly',
  schemaType: 'boolean',
  error: { message: 'is read-only: leave it out' },
  code: (cxt) => {
    if (cxt.schema === true) cxt.fail();
  },
} satisfies CodeKeywordDefinition;

/** The keyword that every other one without a type comes after. */
const FIRST = '$ref';

/** Takes as many steps from the budget of a validation as a schema has schemas in it. */
export function stepsKeyword(run: ValidationRun): CodeKeywordDefinition {
  const { _ } = ajvModule();
  return {
    keyword: STEPS,
    schemaType: 'number',
    before: FIRST,
    code: ({ gen, schema }) => {
      const budget = gen.scopeValue('obj', { ref: run });
      gen.if(_`(${budget}.left -= ${schema as number}) < 0`, () => gen.code(_`${budget}.exceed()`));
    },
  };
}

/**
 * Upper bounds of sizes, in the place of Ajv's. They are tested before every other keyword, whatever that is about, so nothing whose cost
 * grows with the size is run for a value that is too large.
 */
export function sizeKeywords(): CodeKeywordDefinition[] {
  const { _, str } = ajvModule();
  const keyword = (name: string, unit: string, isLarger: (cxt: KeywordContext) => Parameters<KeywordContext['fail']>[0]) =>
    ({
      keyword: name,
      schemaType: 'number',
      before: FIRST,
      error: {
        message: ({ schemaCode }) => str`must NOT have more than ${schemaCode} ${unit}`,
        params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
      },
      code: (cxt) => cxt.fail(isLarger(cxt)),
    }) satisfies CodeKeywordDefinition;
  return [
    keyword('maxLength', 'characters', ({ gen, data, schemaCode }) => {
      const test = gen.scopeValue('func', { key: isLonger, ref: isLonger });
      return _`typeof ${data} == "string" && ${data}.length > ${schemaCode} && ${test}(${data}, ${schemaCode})`;
    }),
    keyword('maxItems', 'items', ({ data, schemaCode }) => _`Array.isArray(${data}) && ${data}.length > ${schemaCode}`),
    keyword(
      'maxProperties',
      'properties',
      ({ data, schemaCode }) =>
        _`${data} && typeof ${data} == "object" && !Array.isArray(${data}) && Object.keys(${data}).length > ${schemaCode}`,
    ),
  ];
}

/** Calls the function of a schema that is compiled by the time that values are validated, as Ajv does within a circle. */
export function lateReferenceKeyword(validatorOf: (name: string) => object): CodeKeywordDefinition {
  const { callRef } = createRequire(import.meta.url)('ajv/dist/vocabularies/core/ref.js') as { callRef: CallRef };
  const { _ } = ajvModule();
  return {
    keyword: LATE_REFERENCE,
    schemaType: 'string',
    code: (cxt) => callRef(cxt, _`${wrapperName(cxt, validatorOf(cxt.schema as string))}.validate`),
  };
}

const wrapperName = (cxt: KeywordContext, ref: object): Name => cxt.gen.scopeValue('wrapper', { ref });

type CallRef = (cxt: KeywordContext, validate: unknown) => void;

export const ajvModule = () => createRequire(import.meta.url)('ajv') as typeof AjvModule;
