/** Spectral and its rules. 45 MB and 100 packages, of which 1 MB is run. */
export { default as spectralCore, type Ruleset, type RulesetDefinition } from '@stoplight/spectral-core';
// The types of this CommonJS package claim a default export; the import is the ruleset itself.
export { default as owasp } from '@stoplight/spectral-owasp-ruleset';
export { Resolver } from '@stoplight/spectral-ref-resolver';
export { oas } from '@stoplight/spectral-rulesets';
