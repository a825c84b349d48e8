/** The checks of Redocly. 14 MB and 17 packages, of which 1 MB is run. */
export { createConfig, lintFromString } from '@redocly/openapi-core';
