/* What is folded so that an operation fits on a screen: a tab for each status, headers, links, and the rest of long prose. Plain JavaScript of a browser. */
import { mainStatus } from './contract.js';

/** In characters. */
const LONG_PROSE = 300;

/** @returns the first paragraph and the rest, if the text is long. Constraints, at its end, stay with the first paragraph. */
function splitProse(source = '') {
  const paragraphs = source.split(/\n\s*\n/);
  const constraints = paragraphs.at(-1).startsWith('<small>') ? paragraphs.pop() : '';
  const [first = '', ...rest] = paragraphs;
  if (source.length <= LONG_PROSE || rest.length === 0 || first.includes('```')) return [source];
  return [`${first}\n\n${constraints}`, rest.join('\n\n')];
}

export const foldPlugin =
  (spec) =>
  ({ React }) => {
    const element = React.createElement;
    const details = (summary, ...children) =>
      element('details', { className: 'docs-details' }, element('summary', null, summary), ...children);
    /** The status that is shown of an operation, and those that there are. */
    const Chosen = React.createContext();
    const responses = (Original) =>
      function Responses(props) {
        const codes = [...(props.responses?.keys() ?? [])].filter((code) => !code.startsWith('x-'));
        const [chosen, choose] = React.useState(mainStatus(spec.paths[props.path]?.[props.method]) ?? codes[0]);
        return element(Chosen.Provider, { value: { codes, chosen, choose } }, element(Original, props));
      };
    const tabs = ({ codes, chosen, choose }) =>
      element(
        'tr',
        { className: 'docs-statuses' },
        element(
          'td',
          { colSpan: 3 },
          element(
            'div',
            { className: 'docs-tabs', role: 'group', 'aria-label': 'Status' },
            ...codes.map((code) =>
              element(
                'button',
                {
                  key: code,
                  type: 'button',
                  className: `docs-tab docs-status-${code[0]}`,
                  'aria-pressed': code === chosen,
                  onClick: () => choose(code),
                },
                code,
              ),
            ),
          ),
        ),
      );
    const response = (Original) =>
      function Response(props) {
        const statuses = React.useContext(Chosen);
        return element(
          React.Fragment,
          null,
          props.code === statuses.codes[0] && tabs(statuses),
          props.code === statuses.chosen && element(Original, props),
        );
      };
    const headers = (Original) => (props) => {
      const names = [...(props.headers?.keys() ?? [])];
      return names.length > 0 && details(`Headers: ${names.join(', ')}`, element(Original, props));
    };
    const operationLink = (Original) => (props) => details(`Link: ${props.name}`, element(Original, props));
    const Markdown = (Original) => (props) => {
      const [source, rest] = props.isWhole ? [props.source] : splitProse(props.source);
      const text = element(Original, { ...props, source });
      return rest === undefined
        ? text
        : element(React.Fragment, null, text, details('More', element(Original, { ...props, source: rest })));
    };
    return { wrapComponents: { responses, response, headers, operationLink, Markdown } };
  };
