/** Redocly with the project's configuration. `@specwright/contract` has a copy without that. */
export { lintFromString, loadConfig, type Plugin } from '@redocly/openapi-core';
