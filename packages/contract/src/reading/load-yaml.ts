/** Loads the libraries of YAML when a document is read or written: a built server starts on its generated document and does neither. */
import { createRequire } from 'node:module';
import type * as FastYaml from 'js-yaml';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

/** Knows the line of everything. */
export const loadYaml = (): typeof Yaml => require('yaml') as typeof Yaml;

/** Knows no lines, and takes a quarter of the time. */
export const loadFastYaml = (): typeof FastYaml => require('js-yaml') as typeof FastYaml;

/**
 * Writes a value as YAML that readers of YAML 1.1 understand too: what is text to one and a boolean to the other (`no`, `on`) is quoted.
 *
 * @throws RangeError if the value contains itself.
 */
export const formatYaml = (value: unknown): string =>
  loadYaml().stringify(value, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' });
