/** `specwright gates` */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand, plural, UsageError } from '@specwright/server/command';
import { configFile, readProject } from '../project-config.ts';

const FOLDER = '.cache/gates';
const DEFAULT_PARALLEL = 2;

export const command = defineCommand({
  description:
    'Runs every gate of .config/gates.yaml, also after one has failed, and reports them together. A test file that failed is run\nagain alone: if it passes then, that is a warning. Gates that take a fifth more processor time than recorded fail.\nLogs, reports and summary.md are in .cache/gates. In GitHub Actions it annotates the lines of problems, and adds the\nsummary to that of the job.',
  options: {
    group: { type: 'string', value: 'NAME', description: 'the gates of this group only; `all`: every gate' },
    parallel: { type: 'string', value: 'N', description: `how many gates run side by side (default: ${DEFAULT_PARALLEL})` },
  },
  examples: ['specwright gates --parallel 4', 'specwright gates --group slow'],
  failure: 'a gate failed',
  async run({ values }) {
    const { readDocument } = await import('@specwright/contract/document');
    const { processorTimeProblem, readGates } = await import('../gates/gates-file.ts');
    const { runGates } = await import('../gates/run-gates.ts');
    const { coverageOf } = await import('../gates/jest-results.ts');
    const { formatAnnotations, formatMarkdown, formatTerminal, howToRun } = await import('../gates/report.ts');
    const parallel = Number(values.parallel ?? DEFAULT_PARALLEL);
    if (!Number.isSafeInteger(parallel) || parallel < 1) throw new UsageError('--parallel must be a whole number from 1');
    const project = readProject();
    const { root } = project;
    const run = await runGates(readGates(configFile(project, 'gates.yaml')), {
      root,
      group: values.group,
      folder: join(root, FOLDER),
      parallel,
      onResult: ({ gate, code, output }) => {
        console.log(`::: ${gate.name}\n${output.trimEnd()}`);
        if (code !== 0) console.log(`FAILED: ${gate.name} (${gate.run}), exit code ${String(code)}`);
      },
      onSkip: ({ name, otherwise = '' }) => console.log(`::: SKIPPED: ${name} (${otherwise})`),
      onLeave: (gate) => console.log(`::: NOT RUN: ${gate.name} (${howToRun(gate)})`),
    });

    const tests = run.results.flatMap(({ tests = [] }) => tests);
    const coverage = (tests.length === 0 ? [] : project.contracts).map((contract) =>
      coverageOf(contract, readDocument(join(root, contract.spec)).document, tests),
    );
    const markdown = `${formatMarkdown(run, root, coverage)}\n`;
    writeFileSync(join(run.folder, 'summary.md'), markdown);
    const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
    if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, markdown);
    console.log('::: summary');
    const { out, err } = formatTerminal(run, root);
    if (GITHUB_ACTIONS) for (const line of formatAnnotations(run, root)) console.log(line);
    for (const line of err) console.error(line);
    for (const line of out) console.log(line);
    const failed = run.results.filter(({ passed }) => !passed);
    const slow = processorTimeProblem(run.processorTime);
    if (failed.length > 0) throw new Error(`${plural(failed.length, 'gate')} failed: ${failed.map(({ gate }) => gate.name).join('; ')}`);
    if (slow !== undefined) throw new Error(slow);
  },
});
