/** The entry `specwright`: what commands need of the project that they run in. It loads no generator. */
export { readCheck, type Limits } from './database/check-constraints.ts';
export { withMigratedDatabase } from './database/migrated-database.ts';
export { schemaFiles } from './database/schema-files.ts';
export { nodeArguments, siblingModule } from './node-arguments.ts';
export { describeListener, isPortFree } from './port.ts';
export { isOfAnother, recordsFile } from './project-config.ts';
export {
  configFile,
  displayPath,
  importFromProject,
  loadSchema,
  migrationsFolder,
  readProject,
  type Project,
  type ProjectConfig,
} from './project-config.ts';
export {
  CONTRACT_OPTION,
  CONTRACTS_OPTION,
  contractArgument,
  forEachContract,
  readProjectConfig,
  selectContract,
  selectContracts,
  type Selection,
} from './select-contracts.ts';
