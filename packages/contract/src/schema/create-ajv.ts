/** Loads and configures Ajv, which compiles the schemas of a contract. It gives verdicts: it stops at the first problem. */
import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { DocumentModules } from '../document-modules.ts';
import type { Document } from '../document/openapi.ts';
import { visitSchemas } from '../document/visit-schemas.ts';
import { lateReferenceKeyword, READ_ONLY, sizeKeywords, stepsKeyword } from './compiler-keywords.ts';
import { type Direction, propertiesOf, requiredOf } from './model.ts';
import { evaluatedNames } from './named-properties.ts';
import type { ValidationRun } from './validation-run.ts';

export interface AjvContext {
  readonly document: Document;
  readonly modules: DocumentModules;
  readonly direction: Direction;
  /** Whether integers that are `bigint` may be numbers too. */
  readonly takesNumbers: boolean;
  readonly run: ValidationRun;
  /** What has the function of a schema as `validate`, when values are validated. */
  readonly validatorOf: (name: string) => object;
}

/** Loaded for the first value that has to be validated, in steps: a start does not wait for it. */
export function* createAjv({ document, modules, direction, takesNumbers, run, validatorOf }: AjvContext): Generator<void, Ajv2020> {
  const require = createRequire(import.meta.url);
  // A part of it, each.
  for (const part of ['ajv/dist/compile/codegen/index.js', 'ajv/dist/core.js', 'ajv']) {
    require(part);
    yield;
  }
  const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
  yield;
  const { patterns, formats, bigIntegers, uniqueItems } = modules;
  const ajv = new Compiler({
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    addUsedSchema: false,
    meta: false,
    // A large schema within each that refers to it would be compiled as often.
    inlineRefs: 6,
    // Makes the code smaller, for a third of the time to compile it; what runs is the same to V8.
    code: { optimize: false, ...(patterns && { regExp: patterns.boundedExpression }) },
    ...(formats && { formats: formats.FORMATS }),
    logger: false,
  });
  const uses = usedFeatures(document);
  // Noting in each schema what is evaluated costs time, and only `unevaluatedProperties` and `unevaluatedItems` ask for it.
  ajv.opts.unevaluated = uses.unevaluated;
  // Every object inherits a `constructor`: it is not one that was sent.
  ajv.opts.ownProperties = uses.inheritedNames;
  formats?.addFormats(ajv);
  ajv.removeKeyword('readOnly');
  if (direction === 'request') ajv.addKeyword(READ_ONLY);
  const replaced = [
    ...sizeKeywords(),
    stepsKeyword(run),
    ...(uniqueItems ? [uniqueItems.uniqueItemsKeyword(() => run.ids)] : []),
    ...(bigIntegers ? [bigIntegers.multipleOfKeyword()] : []),
  ];
  for (const keyword of replaced) ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword);
  if (bigIntegers !== undefined) ajv.addKeyword(bigIntegers.bigIntegerKeyword(takesNumbers));
  ajv.addKeyword(lateReferenceKeyword(validatorOf));
  return ajv;
}

function usedFeatures(document: Document): { readonly unevaluated: boolean; readonly inheritedNames: boolean } {
  const uses = { unevaluated: false, inheritedNames: false };
  visitSchemas(document, (schema) => {
    const isNoted = 'unevaluatedProperties' in schema && evaluatedNames(document, schema) === undefined;
    uses.unevaluated ||= isNoted || 'unevaluatedItems' in schema;
    uses.inheritedNames ||= [...Object.keys(propertiesOf(schema)), ...requiredOf(schema)].some((name) => name in Object.prototype);
  });
  return uses;
}
