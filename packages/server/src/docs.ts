/** The entry `@specwright/server/docs`: what tools share with the page at /docs. */
export { formatRelease } from '../assets/changes.js';
export { findSwaggerUi, SWAGGER_UI_FILES } from './endpoints/docs-files.ts';
