/** The changelog of all packages, in the form of Keep a Changelog 1.1.0: read, dated, and the notes of a release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION_HEADING = /^## \[(Unreleased|\d+\.\d+\.\d+)\]( - \d{4}-\d\d-\d\d)?$/;
const GROUP_HEADING = /^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/;
const UNRELEASED = '## [Unreleased]';

export const changelogOf = (root) => join(root, 'CHANGELOG.md');

/** What is not in the form: `## [Unreleased]`, `## [0.1.0] - 2026-11-21`, and groups such as `### Added`. @returns {string[]} */
export function changelogProblems(text) {
  const problems = text.split('\n').flatMap((line, i) => {
    if (!line.startsWith('##')) return [];
    const [, version, date] = VERSION_HEADING.exec(line) ?? [];
    if (version === undefined ? GROUP_HEADING.test(line) : (version === 'Unreleased') === (date === undefined)) return [];
    return [`line ${i + 1}: ${line}: write ${UNRELEASED}, ## [1.2.3] - YYYY-MM-DD, or a group such as ### Added`];
  });
  const [first] = text.match(/^## .*$/m) ?? [];
  return first === UNRELEASED ? problems : [...problems, `the first section is not ${UNRELEASED}: add it`];
}

/** The text below the heading of a version. @returns {string} empty if there is none */
export function sectionOf(text, version) {
  const sections = text.split(/^(?=## )/m);
  const section = sections.find((one) => one.startsWith(`## [${version}]`)) ?? '';
  return section.slice(section.indexOf('\n') + 1).trim();
}

/** Makes what is unreleased a version. @throws Error if nothing is unreleased */
export function dateUnreleased(text, version, date) {
  const section = sectionOf(text, 'Unreleased');
  if (section === '') throw new Error(`CHANGELOG.md has no text below ${UNRELEASED}`);
  const [before, after] = [text.slice(0, text.indexOf(UNRELEASED)), text.slice(text.indexOf(UNRELEASED) + UNRELEASED.length)];
  const older = after.slice(/^## /m.exec(after)?.index ?? after.length);
  const day = date.toISOString().slice(0, 10);
  return `${`${before}${UNRELEASED}\n\n## [${version}] - ${day}\n\n${section}\n\n${older}`.trimEnd()}\n`;
}

/**
 * What the changelog says of a version.
 *
 * @throws Error that lists packages with another version, a missing section, and headings of another form
 */
export function formatNotes(root, packages, version) {
  const text = readFileSync(changelogOf(root), 'utf8');
  const section = sectionOf(text, version);
  const problems = [
    ...packages.filter((one) => one.version !== version).map((one) => `${one.folder}/package.json has version ${one.version}`),
    ...(section === '' ? [`CHANGELOG.md has no text below ## [${version}]`] : []),
    ...changelogProblems(text).map((problem) => `CHANGELOG.md ${problem}`),
  ];
  if (problems.length > 0)
    throw new Error(
      `there are no notes of ${version}:\n  ${problems.join('\n  ')}\nRun node scripts/release.mjs version ${version}, and commit it`,
    );
  return section;
}
