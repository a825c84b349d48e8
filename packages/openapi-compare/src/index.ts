/** The public API of `openapi-compare`: what changed between two documents for clients, and what of it breaks them. */
export {
  compareContracts,
  type ContractDifference,
  differenceToJson,
  formatDifference,
  type NamedSpec,
} from './breaking/between-contracts.ts';
export { type BaseText, type BreakingChange, type ChangeLocation, compareSpecs, compareWithBase } from './breaking/compare-specs.ts';
export { FORMATS, listChange, type ListedChange } from './breaking/formats.ts';
export { type BreakingRecord, type MatchedRecords, matchRecords, prune, readRecords } from './breaking/records.ts';
export { formatMarkdown, formatReport, unrecorded } from './breaking/report.ts';
export { type CompareOptions, type FileComparison, compareFiles } from './compare-files.ts';
export { createChangelog, firstChangelog, inMarkdown, type PublishedChange } from './changelog/changelog.ts';
