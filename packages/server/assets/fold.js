/* What is folded so that an operation fits on a screen: responses but one, headers, links, and the rest of long prose. Plain JavaScript of a browser. */
import { mainStatus } from './contract.js';

/** In characters. */
const LONG_PROSE = 300;

/** @returns the first paragraph and the rest, if the text is long. */
function splitProse(source = '') {
  const [first, ...rest] = source.split(/\n\s*\n/);
  return source.length <= LONG_PROSE || rest.length === 0 || first.includes('```') ? [source] : [first, rest.join('\n\n')];
}

export const foldPlugin =
  (spec) =>
  ({ React }) => {
    const element = React.createElement;
    const details = (summary, ...children) =>
      element('details', { className: 'docs-details' }, element('summary', null, summary), ...children);
    const response = (Original) =>
      function Response(props) {
        const [isOpen, setOpen] = React.useState(false);
        const { code, response: declared, path, method } = props;
        if (code === mainStatus(spec.paths[path]?.[method])) return element(Original, props);
        const text = (declared.get('description') || 'No description').replaceAll('`', '');
        const button = element('button', { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) }, text);
        const line = element(
          'tr',
          { className: `docs-response ${props.className}` },
          element('td', { className: 'response-col_status' }, code),
          element('td', { colSpan: 2 }, button),
        );
        return element(React.Fragment, null, line, isOpen && element(Original, { ...props, className: 'docs-response-details' }));
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
    return { wrapComponents: { response, headers, operationLink, Markdown } };
  };
