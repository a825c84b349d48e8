/** The entry `@specwright/testing/values`: examples of a contract and generated values, without what starts servers and databases. */
export type { Json, SpecMedia } from './contract/document.ts';
export { NoValueError, type BuildOptions, type Sources } from './contract/values/build-options.ts';
export { buildValue } from './contract/values/build-value.ts';
export { schemaCheckOf, type SchemaCheck } from './contract/values/schema-check.ts';
export { viewSchema, type LocatedSchema, type Schemas, type SchemaView } from './contract/values/schema-view.ts';
export { seedOf } from './contract/values/seeded-values.ts';
export { textOf } from './contract/values/text-of.ts';
export { exampleValues } from './contract/values/values.ts';
