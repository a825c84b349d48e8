/** The entry for tools, `@specwright/contract/proofs`: what is proved of schemas before a value is there. */

export { createProver, formatContradiction, type Contradiction, type Prove } from './contradiction.ts';
export { findAttack, type Attack } from './exponential-pattern.ts';
export { canonicalPointer, type Side } from './schema-ways.ts';
export { ValueSets } from './value-sets.ts';
