/** The findings of Spectral, with the rules of .config/spectral.ts: its own and those of OWASP. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import spectralCore from '@stoplight/spectral-core';
import { ruleset } from '../../.config/spectral.ts';
import type { SourceDocument } from '../../src/contract/load.ts';
import type { Finding } from './finding.ts';

const CONFIG = fileURLToPath(new URL('../../.config', import.meta.url));

export async function spectral({ file, document, locate }: SourceDocument): Promise<Finding[]> {
  const linter = new spectralCore.Spectral();
  const rules = ruleset(CONFIG);
  linter.setRuleset(rules);
  // As read by our own reader, so that what is linted is what is served; places are ours too.
  const parsed = {
    parsed: { data: document, diagnostics: [], ast: {}, lineMap: [] },
    getLocationForJsonPath: () => undefined,
    source: resolve(file),
  };
  const results = await linter.run(parsed);
  return results.map(({ path, message, code }) => {
    const rule = String(code);
    const { description, documentationUrl } = rules.rules[rule] ?? {};
    const source = rule.startsWith('owasp:') ? 'the OWASP API Security rules' : 'Spectral';
    return {
      ...locate(path),
      message,
      why: description ?? `Rule ${rule} of ${source}.`,
      mend: `What it asks for: ${documentationUrl ?? `rule ${rule} of ${source}`}`,
      tool: 'spectral',
      rule,
    };
  });
}
