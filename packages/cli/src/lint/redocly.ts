/** The findings of Redocly, with the rules of .config/redocly.yaml. */
import { resolve } from 'node:path';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import type { SourceDocument } from '@specwright/server';
import type { Finding } from './finding.ts';
import { aboutRedocly, placeOf } from './places.ts';

const CONFIG = resolve('.config/redocly.yaml');

export async function redocly({ file, source, locate }: SourceDocument): Promise<Finding[]> {
  const config = await loadConfig({ configPath: CONFIG });
  const problems = await lintFromString({ source, absoluteRef: resolve(file), config });
  return problems.map(({ message, ruleId, location, suggest }) => ({
    ...locate(placeOf(location[0]?.pointer ?? '', ruleId)),
    message: suggest.length > 0 ? `${message} Did you mean ${suggest.slice(0, 3).join(', ')}?` : message,
    why: `Rule ${ruleId} of Redocly.`,
    mend: aboutRedocly(ruleId),
    tool: 'redocly',
    rule: ruleId,
  }));
}
