/**
 * What oasdiff reports as a break between versions of published documents is reported here too, or is of a class that is none, with its reason.
 * `OASDIFF` is its program, `OASDIFF_DOCUMENTS` a clone of github.com/Adyen/adyen-openapi (bare or not): the nightly job has both.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { compareSpecs } from 'openapi-compare';
import { removeFolder, scaleTimeout } from 'specwright/testing';
import { readDocument } from '@specwright/contract/document';
import { parse } from 'yaml';

const OASDIFF = process.env['OASDIFF'];
const DOCUMENTS = process.env['OASDIFF_DOCUMENTS'];
const COMMIT = 'aa014f0cbdb58ff5c44a2ff9d5fe734642210aff';
/** A document that changes often, of which consecutive revisions are compared beside the versions of all. */
const REVISED = 'json/CheckoutService-v71.json';
const REVISIONS = 31;
/** Findings of oasdiff that are breaks, and not warnings. */
const ERROR_LEVEL = 3;
const MAX_OUTPUT = 1e9;

if (process.env['CI'] === undefined && (OASDIFF === undefined || DOCUMENTS === undefined))
  process.stderr.write('SKIPPED: test/gates/spec/oasdiff.nightly.ts, because OASDIFF and OASDIFF_DOCUMENTS are not set\n');

interface Finding {
  readonly id: string;
  readonly level: number;
  readonly operation: string;
  readonly path: string;
  readonly text: string;
}
interface Class {
  readonly ids: readonly string[];
  readonly path?: string;
  readonly text?: string;
  readonly reason: string;
}
const { classes } = parse(readFileSync('test/gates/spec/oasdiff-classes.yaml', 'utf8')) as { readonly classes: readonly Class[] };

const folder = mkdtempSync(join(tmpdir(), 'oasdiff-'));
afterAll(() => removeFolder(folder));

const git = (...args: string[]) =>
  execFileSync('git', ['-C', DOCUMENTS ?? '', ...args], {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  });

/** A document as it was at a commit, in a file. */
function fileAt(commit: string, path: string): string {
  const file = join(folder, `${commit.slice(0, 12)}-${path.replaceAll('/', '-')}`);
  writeFileSync(file, git('show', `${commit}:${path}`));
  return file;
}

function* pairs(): Generator<readonly [string, string]> {
  const versions = new Map<string, number[]>();
  for (const path of git('ls-tree', '-r', '--name-only', COMMIT).split('\n')) {
    const [, name = '', version] = /^json\/(.+)-v(\d+)\.json$/.exec(path) ?? [];
    if (version !== undefined) versions.set(name, [...(versions.get(name) ?? []), Number(version)]);
  }
  const consecutive = <T>(items: readonly T[]) => items.slice(1).map((item, n) => [items[n] as T, item] as const);
  for (const [name, numbers] of versions)
    for (const [base, next] of consecutive(numbers.sort((a, b) => a - b)))
      yield [fileAt(COMMIT, `json/${name}-v${base}.json`), fileAt(COMMIT, `json/${name}-v${next}.json`)];
  const revisions = git('log', `-${REVISIONS}`, '--format=%H', COMMIT, '--', REVISED).trim().split('\n').reverse();
  for (const [base, next] of consecutive(revisions)) yield [fileAt(base, REVISED), fileAt(next, REVISED)];
}

function findingsOf(base: string, next: string): Finding[] {
  const output = execFileSync(OASDIFF ?? '', ['breaking', base, next, '--format', 'json'], { encoding: 'utf8', maxBuffer: MAX_OUTPUT });
  return (JSON.parse(output === '' ? '[]' : output) as Finding[]).filter(({ level }) => level === ERROR_LEVEL);
}

/** What a finding is about: the names in its text, but for those of types. */
const namesIn = (text: string) =>
  [...text.matchAll(/`([^`]+)`/g)]
    .flatMap(([, name = '']) => name.split('/'))
    .filter((name) => name !== '' && !/^(any|array|boolean|integer|items|null|number|object|string)$/.test(name));

const isOf = ({ id, path, text }: Finding, rule: Class) =>
  rule.ids.includes(id) && new RegExp(rule.path ?? '').test(path) && new RegExp(rule.text ?? '').test(text);

test(
  'every finding of oasdiff is reported, or of a class that is no break',
  async () => {
    let [compared, found] = [0, 0];
    const unexplained: string[] = [];
    const used = new Set<Class>();
    for (const [base, next] of pairs()) {
      compared += 1;
      const ours = await compareSpecs(readDocument(base), readDocument(next), new Date());
      for (const finding of findingsOf(base, next)) {
        found += 1;
        const operation = `${finding.operation} ${finding.path}`;
        const isReported = ours.some(
          ({ operations, rule, change, at }) =>
            (operations.length === 0 || operations.includes(operation)) &&
            (/^(operation|path)-removed$/.test(rule) || namesIn(finding.text).some((name) => `${change} ${at}`.includes(name))),
        );
        if (isReported) continue;
        const rule = classes.find((one) => isOf(finding, one));
        if (rule === undefined) unexplained.push(`${base} ${next}: ${operation}: ${finding.id}: ${finding.text}`);
        else used.add(rule);
      }
    }
    process.stdout.write(`${compared} pairs, ${found} findings of oasdiff, ${unexplained.length} unexplained\n`);
    expect(compared).toBeGreaterThanOrEqual(100);
    expect(found).toBeGreaterThan(400);
    expect(unexplained).toEqual([]);
    // A class that explains nothing any more goes.
    expect(classes.filter((one) => !used.has(one))).toEqual([]);
  },
  scaleTimeout(900_000),
);
