/** The gate of what a request costs: this tree beside the commit that it comes from, or beside the last release. */
import { createProgress, defineCommand } from '@specwright/server/command';
import { baseCommit, prepareTree } from './ratchet/base.ts';
import { compareInMemory, compareOverLoopback, type Ratios } from './ratchet/measure.ts';
import { formatVerdict, judge, MIN_PROCESSES, type Verdict } from './ratchet/verdict.ts';
import { positive } from './support/arguments.ts';
import { compile, compiled, SPEC } from './support/compile.ts';
import { createAccountWithPets, withDatabase } from './support/database.ts';

export const command = defineCommand({
  description:
    'Runs the pet store of this tree and of its base in one process, in turns: in memory, and with PostgreSQL over loopback. Processes are added until each difference is clear. 2 to 6 minutes.',
  options: {
    base: { type: 'string', value: 'COMMIT', description: 'where the branch left main; on main the last release, or the commit before' },
    limit: { type: 'string', value: 'PERCENT', description: 'what a request may cost more: 4 by default' },
    processes: { type: 'string', value: 'N', description: 'how many are added at most: 16 by default' },
  },
  examples: ['npm run bench -- ratchet', 'npm run bench -- ratchet --base v0.2.0 --limit 2 --processes 30'],
  failure: 'a request costs more than the limit allows',
  async run({ values }) {
    const limit = positive(values.limit, '--limit', 4) / 100;
    const processes = positive(values.processes, '--processes', 16);
    const commit = baseCommit(values.base);
    const base = await prepareTree(commit);
    await compile();
    const env = { SPEC, VARIANT: '{}' };
    const inMemory = await judgeProcesses('in memory', { limit, processes }, () =>
      compareInMemory({ module: compiled('petstore'), base: compiled('petstore', base), env }),
    );
    const overLoopback = await withDatabase({}, async ({ db, env: database }) => {
      const [subject] = await createAccountWithPets(db, 0, 1);
      if (subject === undefined) throw new Error('the database of the bench has no pet');
      const compared = {
        module: compiled('petstore-postgres'),
        base: compiled('petstore-postgres', base),
        env: { SPEC, VARIANT: '{"log":true}', ...(database as Record<string, string>) },
      };
      return judgeProcesses('with PostgreSQL', { limit, processes }, () => compareOverLoopback(compared, subject));
    });
    const verdicts = [...inMemory, ...overLoopback];
    console.log([`CPU of a request, beside ${commit.slice(0, 12)}:`, ...verdicts.map(formatVerdict)].join('\n'));
    if (verdicts.some(({ state }) => state === 'worse'))
      throw new Error(
        `A request costs over ${limit * 100} % more than in ${commit.slice(0, 12)}. Find out where: npm run bench -- requests --profile DIR`,
      );
  },
});

/** Measures in more processes until what each request costs is clear. */
export async function judgeProcesses(
  what: string,
  { limit, processes }: { readonly limit: number; readonly processes: number },
  measure: () => Promise<Ratios>,
): Promise<Verdict[]> {
  const measured = new Map<string, number[]>();
  const progress = createProgress();
  try {
    for (let n = 1; ; n++) {
      progress.show(`${what}: process ${n}`);
      for (const [title, ratio] of await measure()) measured.set(title, [...(measured.get(title) ?? []), ratio]);
      const verdicts = [...measured].map(([title, ratios]) => judge({ title, ratios }, limit, n >= processes));
      if (n >= Math.min(processes, MIN_PROCESSES) && verdicts.every(({ state }) => state !== 'unclear')) return verdicts;
    }
  } finally {
    progress.clear();
  }
}
