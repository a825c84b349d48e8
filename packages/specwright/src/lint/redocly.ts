/** The problems that Redocly reports, with the rules of the project's redocly.yaml. */
import { resolve } from 'node:path';
import { lintFromString, loadConfig, NoFilesResolver, type Plugin } from '../libraries/redocly.ts';
import { nameKeyword, OPENAPI_TYPES, textWithPointers, type SourceDocument } from '@specwright/contract/document';
import { configFile, type ProjectConfig } from '../project-config.ts';
import type { LintProblem } from './lint-problem.ts';
import { isOfOthers, problemPath, redoclyRuleAdvice } from './redocly-rules.ts';

/** The schema of an item in OpenAPI 3.0 and 3.1 is one like `schema`: its references and examples count. */
const ITEM_SCHEMA: Plugin = {
  id: 'item-schema',
  typeExtension: {
    oas3: (types) => ({
      ...types,
      MediaType: { ...types['MediaType'], properties: { ...types['MediaType']?.properties, 'x-item-schema': 'Schema' } },
    }),
  },
};

/** Rules that call the method `hasOwnProperty` of a map, which ends the run where a name in the map is that. */
const RULES_OF_OWN_PROPERTIES = [
  'no-required-schema-properties-undefined',
  'no-illogical-composition-keywords',
  'scalar-property-missing-example',
];

export async function redocly(project: ProjectConfig, source: SourceDocument): Promise<LintProblem[]> {
  const config = await loadConfig({ configPath: configFile(project, 'redocly.yaml'), plugins: [OPENAPI_TYPES, ITEM_SCHEMA] });
  const text = textWithPointers(source);
  if (text.includes('hasOwnProperty')) config.skipRules(RULES_OF_OWN_PROPERTIES);
  const problems = await lintFromString({
    source: text,
    absoluteRef: resolve(source.file),
    config,
    externalRefResolver: new NoFilesResolver(),
  });
  return problems.flatMap(({ message, ruleId, location, suggest }) => {
    const path = problemPath(location[0]?.pointer ?? '', ruleId);
    if (isOfOthers(path, ruleId)) return [];
    const named = nameKeyword(message, path);
    return {
      ...source.locate(path),
      message: suggest.length > 0 ? `${named} Did you mean ${suggest.slice(0, 3).join(', ')}?` : named,
      reason: `Rule ${ruleId} of Redocly.`,
      fix: redoclyRuleAdvice(ruleId),
      tool: 'redocly',
      rule: ruleId,
    };
  });
}
