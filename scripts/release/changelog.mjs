/** The changelogs of the packages, in the form of Keep a Changelog 1.1.0: read, dated, and put together as the notes of a release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION_HEADING = /^## \[(Unreleased|\d+\.\d+\.\d+)\]( - \d{4}-\d\d-\d\d)?$/;
const GROUP_HEADING = /^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/;
const UNRELEASED = '## [Unreleased]';

export const changelogOf = ({ path }) => join(path, 'CHANGELOG.md');

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

/** Makes what is unreleased a version. A package without changes says so, because all packages have one version. */
export function dateUnreleased(text, version, date) {
  const changes = sectionOf(text, 'Unreleased');
  const section = changes === '' ? '### Changed\n\n- Nothing: all packages are released together, with one version.' : changes;
  const [before, after] = [text.slice(0, text.indexOf(UNRELEASED)), text.slice(text.indexOf(UNRELEASED) + UNRELEASED.length)];
  const older = after.slice(/^## /m.exec(after)?.index ?? after.length);
  const day = date.toISOString().slice(0, 10);
  return `${`${before}${UNRELEASED}\n\n## [${version}] - ${day}\n\n${section}\n\n${older}`.trimEnd()}\n`;
}

/**
 * What the changelogs say of a version, package by package.
 *
 * @throws Error that lists the packages with another version, without a section, or with headings of another form
 */
export function formatNotes(packages, version) {
  const problems = [];
  const notes = packages.map((one) => {
    const text = readFileSync(changelogOf(one), 'utf8');
    const section = sectionOf(text, version);
    if (one.version !== version) problems.push(`${one.folder}/package.json has version ${one.version}`);
    if (section === '') problems.push(`${one.folder}/CHANGELOG.md has no text below ## [${version}]`);
    problems.push(...changelogProblems(text).map((problem) => `${one.folder}/CHANGELOG.md ${problem}`));
    return `## ${one.name}\n\n${section}`;
  });
  if (problems.length > 0)
    throw new Error(
      `there are no notes of ${version}:\n  ${problems.join('\n  ')}\nRun node scripts/release.mjs version ${version}, and commit it`,
    );
  return notes.join('\n\n');
}
