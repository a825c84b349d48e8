/**
 * `npm run ts -- conformance/report/report.ts [--check]`: writes docs/why/conformance.md, its picture, and the pages of results/, from the recorded results.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { readAdapter, type Adapter } from './adapter.ts';
import { CASES, GROUPS } from '../src/groups.ts';
import { VERDICTS } from '../src/summary.ts';
import { drawChart } from './chart.ts';
import { findDisputes, groupBy, reasonOf, type Reasons } from './disputes.ts';
import { failuresPage } from './failures-page.ts';
import { countsOf, readRecorded, type Recorded } from './recorded.ts';
import type { Speed } from './speed.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONFORMANCE = join(ROOT, 'conformance');
const PAGE = join(ROOT, 'docs/why/conformance.md');
const DETAILS = join(CONFORMANCE, 'results/README.md');
const PICTURE = join(ROOT, 'docs/images/conformance.svg');
const [BEGIN, END] = ['<!-- results -->', '<!-- end of results -->'];

const recorded = readRecorded(join(CONFORMANCE, 'results'));

interface Server {
  readonly name: string;
  readonly adapter: Adapter;
  readonly results: Recorded;
}

const servers: Server[] = [...recorded]
  .map(([name, results]) => ({ name, results, adapter: readAdapter(join(CONFORMANCE, 'adapters', name)) }))
  .sort((a, b) => order(a) - order(b));

/** Servers of the whole document first, by what they keep. */
function order({ adapter, results }: Server): number {
  return (adapter.kind === 'document' ? 0 : 1e6) - countsOf(results.groups).kept;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const absentOf = ({ results }: Server): number => CASES.size - results.groups.reduce((sum, { cases: sent }) => sum + sent, 0);

function keptTable(): string {
  const rows = servers.map((server) => {
    const { name, adapter, results } = server;
    const link = `[${adapter.title}](${adapter.documentation})${adapter.kind === 'models' ? ', models' : ''}`;
    const [kept, notServed] = [countsOf(results.groups).kept, absentOf(server)];
    return [link, adapter.language, String(kept), String(notServed), `[each](../../conformance/results/${name}.md)`];
  });
  return table(['Server', 'Language', 'kept', 'not served', 'Failures'], rows);
}

function countTable(): string {
  const rows = servers.map((server) => {
    const counts = countsOf(server.results.groups);
    return [server.name, ...VERDICTS.map((verdict) => String(counts[verdict])), String(absentOf(server))];
  });
  return table(['Server', ...VERDICTS, 'not served'], rows);
}

function groupTable(): string {
  const rows = GROUPS.map(({ name, cases: all }) => [
    `\`${name}\`, ${all.length}`,
    ...servers.map(({ results }) => {
      const group = results.groups.find((one) => one.group === name);
      return group === undefined || group.cases === 0 ? '–' : `${group.cases - group.failures.length}/${group.cases}`;
    }),
  ]);
  return table(['Group, cases', ...servers.map(({ name }) => name)], rows);
}

/** Cases by the reason for which this server fails them, or is not sent them. */
function ownFailures(): string {
  const own = servers.find(({ name }) => name === 'specwright');
  const failures = own?.results.groups.flatMap(({ failures }) => failures) ?? [];
  const byReason = groupBy(failures, ({ id }) => own?.adapter.deviates?.[id] ?? 'a defect');
  const failed = [...byReason].map(([reason, some]) => `- ${reason}: ${some.length} case${some.length === 1 ? '' : 's'}`);
  const absent = Object.entries(own?.adapter.excludes ?? {}).map(([operation, reason]) => `- ${reason}: the operations \`${operation}\``);
  return [...failed, ...absent].join('\n');
}

const disputes = findDisputes(servers, CASES);

function disputePage(): string {
  const reasons = parse(readFileSync(join(CONFORMANCE, 'report/disputes.yaml'), 'utf8')) as Reasons;
  const byReason = groupBy(disputes, ({ id }) => reasonOf(reasons, id));
  const open = byReason.get(undefined) ?? [];
  if (open.length > 0)
    throw new Error(`report/disputes.yaml has no reason for:\n${open.map(({ id, judges }) => `${id}: ${judges.join(', ')}`).join('\n')}`);
  const sections = [...byReason].map(
    ([reason, some]) => `## ${reason}\n\n${some.map(({ id, judges }) => `- \`${id}\`: ${judges.join(', ')}`).join('\n')}`,
  );
  return `# Cases that others see in another way\n\n${sections.join('\n\n')}\n`;
}

function speedTable(): string {
  const file = join(CONFORMANCE, 'report/speed.json');
  if (!existsSync(file)) return 'Not measured.';
  const { date, machine, servers: measured } = JSON.parse(readFileSync(file, 'utf8')) as Speed;
  const [first] = measured;
  const rows = measured.map(({ title, figures }) => [
    title,
    ...figures.map(({ microseconds }) => (microseconds === null ? '–' : String(microseconds))),
  ]);
  return `Of ${date}, ${machine}:\n\n${table(['Microseconds of CPU of the server a request', ...(first?.figures.map(({ what }) => what) ?? [])], rows)}`;
}

const judgeNames = servers
  .filter(({ adapter, name }) => adapter.kind === 'document' && !name.startsWith('specwright'))
  .map(({ name }) => name)
  .join(', ');
const elsewhere = [...CASES.values()].filter(({ source }) => source.from !== undefined).length;
const text = `
${CASES.size} cases in ${GROUPS.length} documents, ${elsewhere} of them from published suites, examples and tables. Results of ${servers
  .map(({ results }) => results.date)
  .sort()
  .at(-1)}:

![How many cases each server kept](../images/conformance.svg)

${keptTable()}

[By result and by group, and the cost of a request in each](../../conformance/results/README.md).

## Where this server fails

${ownFailures()}

[Each of these cases](../../conformance/results/specwright.md), with its request and answers.

## Cases that others see in another way

${judgeNames} serve documents, too. Where two or more of them answer as if the opposite were right, a case stays only with
[a reason](../../conformance/results/disputes.md): ${disputes.length} cases.
`;

const detailsPage = () => `# Results by server and group

${countTable()}

- **kept**: it conforms
- **refused**: it refused a valid request
- **let through**: its handler got an invalid request
- **altered**: its handler, or the client, got another value than was sent
- **outside**: it answered what the contract does not have, or with another status
- **crashed**: 5xx for a request, no answer within 5 s, or no HTTP
- **not served**: its documents cannot have the operation, or its models were not written

## By group

Cases that each server conforms to, of those that it was sent:

${groupTable()}

## Cost of a request

${speedTable()}
`;

const page = readFileSync(PAGE, 'utf8');
const [start, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
const config = await resolveConfig(PAGE);
const written: [file: string, text: string][] = [
  [PAGE, await format(`${page.slice(0, start)}\n${text}\n${page.slice(end)}`, { ...config, filepath: PAGE })],
  [
    PICTURE,
    drawChart(servers.map((server) => ({ label: server.name, counts: countsOf(server.results.groups), absent: absentOf(server) }))),
  ],
  [DETAILS, await format(detailsPage(), { ...config, filepath: DETAILS })],
  [join(CONFORMANCE, 'results/disputes.md'), disputePage()],
  ...servers.map(({ name, results }): [string, string] => [join(CONFORMANCE, 'results', `${name}.md`), failuresPage(results, CASES)]),
];
const isCheck = process.argv.includes('--check');
for (const [file, content] of written) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  if (!isCheck) writeFileSync(file, content);
  else {
    console.error(`${file.slice(ROOT.length)} is not what the results say: npm run ts -- conformance/report/report.ts`);
    process.exitCode = 1;
  }
}
