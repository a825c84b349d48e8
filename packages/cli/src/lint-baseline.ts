/** `npm run lint:baseline`: switches off each lint rule that the spec breaks today, with the count, to be turned on one by one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SPEC_FILE } from './spec-file.ts';
import { lintSpec, type Finding } from './lint-spec.ts';
import { runScript } from './run.ts';
import { count } from './words.ts';

/** After the line that has this, each tool's file names the rules that are off. */
const MARK = 'Off because the spec breaks them today';

/** How each tool's file says it. */
const FILES: Readonly<Record<string, readonly [file: string, line: (rule: string, count: string) => string]>> = {
  redocly: ['.config/redocly.yaml', (rule, count) => `  ${rule}: off # ${count}`],
  spectral: ['.config/spectral.ts', (rule, count) => `    '${rule}': 'off', // ${count}`],
  project: ['.config/contract-rules.yaml', (rule, count) => `  ${rule}: off # ${count}`],
};

/**
 * Switches the rules off.
 *
 * @returns how many rules, by file. @throws Error for a finding of a rule that cannot be off: the spec cannot be served.
 */
export function switchOff(findings: readonly Finding[]): Map<string, number> {
  const blocking = findings.find(({ tool }) => FILES[tool] === undefined);
  if (blocking !== undefined)
    throw new Error(`${SPEC_FILE}:${blocking.line}:${blocking.column} ${blocking.message}: this cannot be switched off`);
  const changed = new Map<string, number>();
  for (const [tool, [file, line]] of Object.entries(FILES)) {
    const counts = new Map<string, number>();
    for (const finding of findings) if (finding.tool === tool) counts.set(finding.rule, (counts.get(finding.rule) ?? 0) + 1);
    if (counts.size === 0) continue;
    const today = new Date().toISOString().slice(0, 10);
    const lines = [...counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([rule, times]) => line(rule, `${count(times, 'finding')} on ${today}`));
    const text = readFileSync(file, 'utf8');
    const mark = text.split('\n').find((one) => one.includes(MARK));
    if (mark === undefined) throw new Error(`${file} has no line with "${MARK}": the rules to switch off are\n${lines.join('\n')}`);
    writeFileSync(
      file,
      text.replace('\n  {}\n', '\n').replace(mark, () => [mark, ...lines].join('\n')),
    );
    changed.set(file, counts.size);
  }
  return changed;
}

async function main(): Promise<void> {
  parseArgs({ options: {} });
  const findings = await lintSpec(SPEC_FILE, readFileSync(SPEC_FILE, 'utf8'), { all: true });
  for (const [file, count] of switchOff(findings)) console.log(`${file}: ${count} rules are off`);
  if (findings.length === 0) console.log(`${SPEC_FILE}: nothing to find problem with`);
}

await runScript(import.meta.url, 'usage: npm run lint:baseline', main);
