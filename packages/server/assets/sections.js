/* What the page says after the operations: plans, errors, what every response has, and changes. Plain JavaScript of a browser. */
import { formatRelease } from './changes.js';
import { listErrors } from './errors.js';

/**
 * Takes the description of a contract apart: its first paragraph is below the title, the rest is divided at its headings.
 *
 * @returns the rest.
 */
export function takeProse(spec) {
  const [first = '', ...rest] = (spec.info?.description ?? '').split(/\n\s*\n/);
  if (rest.length === 0) return '';
  spec.info = { ...spec.info, description: first };
  return rest.join('\n\n');
}

/** The sections that there are: id and title, in their order. */
export const listSections = (spec, { commonHeaders, releases }) => ({
  ...(listPlans(spec).length > 0 && { 'docs-plans': 'Plans' }),
  ...(listErrors(spec).length > 0 && { 'docs-errors': 'Errors' }),
  ...(commonHeaders.length > 0 && { 'docs-headers': 'Headers of every response' }),
  ...(releases.length > 0 && { 'docs-changes': 'Changes' }),
});

function listPlans(spec) {
  const { plans = {}, address } = spec['x-rate-limit-plans'] ?? {};
  const number = (value, custom) => `${value === undefined ? '' : value.toLocaleString('en')}${custom ? ', or as agreed' : ''}`;
  const rows = Object.entries(plans).map(([name, { minute, day, custom }]) => [name, number(minute, custom), number(day, custom)]);
  if (address) rows.push(['without a valid key, by IP address', number(address.minute), number(address.day)]);
  return rows;
}

/** @param commonHeaders those of every response, by name. @param releases newest first. */
export const sectionsPlugin =
  (spec, { commonHeaders, releases }) =>
  ({ React }) => {
    const element = React.createElement;
    const Section = ({ id, title, text, columns, rows }) =>
      rows.length === 0
        ? null
        : element(
            'section',
            { id, className: `docs-section ${id}` },
            element('h2', null, title),
            text && element('p', null, text),
            element(
              'div',
              // What is wider than a phone scrolls by itself, by keys too.
              { className: 'docs-table', tabIndex: 0, role: 'region', 'aria-label': title },
              element(
                'table',
                null,
                element('thead', null, element('tr', null, ...columns.map((name) => element('th', { key: name, scope: 'col' }, name)))),
                element(
                  'tbody',
                  null,
                  ...rows.map(([first, ...cells]) =>
                    element(
                      'tr',
                      { key: first },
                      element('th', { scope: 'row' }, first),
                      ...cells.map((cell, index) => element('td', { key: index }, cell)),
                    ),
                  ),
                ),
              ),
            ),
          );
    const Sections = ({ getComponent }) => {
      const Markdown = getComponent('Markdown', true);
      const markdown = (source) => element(Markdown, { source, isWhole: true });
      return element(
        React.Fragment,
        null,
        element(Section, {
          id: 'docs-plans',
          title: 'Plans',
          columns: ['Plan', 'Requests a minute', 'Requests a day'],
          rows: listPlans(spec),
        }),
        element(Section, {
          id: 'docs-errors',
          title: 'Errors',
          columns: ['Code', 'Status', 'What to do'],
          rows: listErrors(spec).map(({ code, statuses, advice }) => [
            element('code', { id: `docs-errors/${code}` }, code),
            statuses.join(', '),
            markdown(advice),
          ]),
        }),
        element(Section, {
          id: 'docs-headers',
          title: 'Headers of every response',
          text: 'The responses above do not repeat them.',
          columns: ['Header', 'Meaning'],
          rows: commonHeaders.map(([name, { description = '' }]) => [element('code', null, name), markdown(description)]),
        }),
        releases.length > 0 &&
          element(
            'section',
            { id: 'docs-changes', className: 'docs-section docs-changes' },
            element('h2', null, 'Changes'),
            // The newest is open: older ones are long, and seldom read.
            ...releases.map((release, index) =>
              element(
                'details',
                { key: release.version, open: index === 0 },
                element('summary', null, `${release.version}, ${release.date}`),
                markdown(formatRelease(release)),
              ),
            ),
          ),
      );
    };
    return {
      wrapComponents: {
        operations: (Original) => (props) =>
          element(React.Fragment, null, element(Original, props), element(Sections, { getComponent: props.getComponent })),
      },
    };
  };
