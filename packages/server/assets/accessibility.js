/* Repairs what Swagger UI leaves to people who see and point: names of fields, and links inside buttons. Plain JavaScript of a browser. */

/** Where a field is, and the name that it has there; the first that fits. */
const NAMES = [
  ['.servers', () => 'Server'],
  ['[data-property-name]', ({ dataset }) => dataset.propertyName],
  ['[data-param-name]', ({ dataset }) => dataset.paramName],
  ['.opblock-section-request-body', () => 'Request body'],
];

function nameOf(field) {
  for (const [selector, name] of NAMES) {
    const place = field.closest(selector);
    if (place !== null) return name(place);
  }
  return undefined;
}

/** Whether a label of it says something: that of the servers has nothing in it but the field. */
const isLabelled = (field) =>
  [...field.labels].some((label) => [...label.childNodes].some((node) => !node.contains(field) && node.textContent.trim() !== ''));

/** What is set already is not set again: that would be another change. A field may be another parameter's when it is drawn again. */
function setName(control, name) {
  if (name !== undefined && control.getAttribute('aria-label') !== name) control.setAttribute('aria-label', name);
}

/** Parts of the page that are not in a landmark, with the names that they get. */
const REGIONS = { '.information-container': 'About the API', '.scheme-container': 'Server and authorization' };

/** Headings of Swagger UI that skip a level, with those that they have here. */
const LEVELS = {
  '.opblock-tag, .webhooks h3, .dialog-ux h3': 2,
  '.opblock-body h4, .dialog-ux h4': 3,
  '.opblock-body h5, .dialog-ux h6': 4,
};

const operationName = (part) => {
  const block = part.closest('.opblock');
  return ['.opblock-summary-method', '.opblock-summary-path'].map((selector) => block?.querySelector(selector)?.textContent).join(' ');
};

function repairStructure(root) {
  for (const [selector, name] of Object.entries(REGIONS))
    for (const part of root.querySelectorAll(selector)) {
      part.role = 'region';
      setName(part, name);
    }
  for (const [selector, level] of Object.entries(LEVELS)) for (const heading of root.querySelectorAll(selector)) heading.ariaLevel = level;
  // What scrolls is scrolled by keys, too.
  for (const code of root.querySelectorAll('pre'))
    if (code.scrollHeight > code.clientHeight || code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  for (const table of root.querySelectorAll('.responses-table')) setName(table, `Responses of ${operationName(table)}`);
}

function repair(root) {
  repairStructure(root);
  for (const field of root.querySelectorAll('input:not([type=checkbox], [type=radio]), select, textarea'))
    if (!isLabelled(field)) setName(field, nameOf(field));
  for (const button of root.querySelectorAll('button')) {
    const text = button.textContent.trim();
    const name = button.getAttribute('aria-label');
    if (button.matches('.close-modal')) setName(button, 'Close');
    // People who speak to their browser say what they read (WCAG 2.2, 2.5.3).
    else if (name !== null && !name.includes(text)) setName(button, `${text}: ${name}`);
  }
}

/** Names fields and buttons, each time that Swagger UI has drawn. */
export const repairNames = (root) => new MutationObserver(() => repair(root)).observe(root, { childList: true, subtree: true });

/** An operation is opened by a button, which must not have a link in it (HTML, section 4.10.6): the address of the page names it once it is open. */
export function withoutLink(Original, React) {
  const Text = ({ text }) => React.createElement('span', null, text);
  return (props) => {
    const getComponent = (name, ...rest) => (name === 'DeepLink' ? Text : props.getComponent(name, ...rest));
    return React.createElement(Original, { ...props, getComponent });
  };
}
