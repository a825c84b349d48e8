/** Loads the libraries of YAML when a document is read or written: a built server starts on its generated document and does neither. */
import { createRequire } from 'node:module';
import type * as FastYaml from 'js-yaml';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

/** Knows the line of everything. */
export const loadYaml = (): typeof Yaml => require('yaml') as typeof Yaml;

/** Knows no lines, and takes a quarter of the time. */
export const loadFastYaml = (): typeof FastYaml => require('js-yaml') as typeof FastYaml;
