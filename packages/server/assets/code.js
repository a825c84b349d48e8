/* Shows the request that Execute would send as code. Plain JavaScript of a browser. */
import { SAMPLES } from './samples.js';

const LANGUAGE = 'docs-language';
/** Where a reader puts a credential. What was entered in the page is not shown. */
const CREDENTIAL = 'API_KEY';

const GROUPS = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' };

/** As Swagger UI keeps the credential of a scheme. */
const placeholderOf = ({ type, scheme }) => {
  if (type === 'http' && scheme?.toLowerCase() === 'basic') return { value: { username: 'USER', password: CREDENTIAL } };
  return type === 'oauth2' || type === 'openIdConnect' ? { token: { access_token: CREDENTIAL } } : { value: CREDENTIAL };
};

/** The value of a field as its schema wants it. */
function typedValue(value, { type } = {}) {
  const types = [type].flat();
  if (typeof value !== 'string') return value;
  if (types.includes('integer') || types.includes('number'))
    return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

const parseOrText = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The values in the form: parameters by `in.name`, and the body as text or as fields. */
function readForm({ specSelectors, oas3Selectors }, operation, path, method) {
  const values = specSelectors.parameterValues([path, method]).toJS();
  // A required one that is empty is named.
  for (const { name, in: location, required } of operation.parameters ?? [])
    if (required) values[`${location}.${name}`] ??= name.replace(/[a-z](?=[A-Z])/g, '$&_').toUpperCase();
  const given = oas3Selectors.requestBodyValue(path, method);
  const isEmpty = (value) => value === undefined || value === '' || value?.length === 0;
  const body = given?.toJS
    ? Object.fromEntries(
        Object.entries(given.toJS())
          .map(([name, field]) => [name, field?.value])
          .filter(([, value]) => !isEmpty(value)),
      )
    : given;
  return { values, body };
}

/** What the client takes. */
function inputOf(operation, { values, body }) {
  const input = {};
  for (const { name, in: location, schema } of operation.parameters ?? []) {
    const value = typedValue(values[`${location}.${name}`], schema);
    if (value !== undefined && value !== '') (input[GROUPS[location]] ??= {})[name] = value;
  }
  if (body !== undefined && operation.requestBody !== undefined) input.body = typeof body === 'string' ? parseOrText(body) : body;
  return Object.keys(input).length > 0 ? input : undefined;
}

/** @returns what the samples are made of; `undefined` while Swagger UI still resolves the operation. */
function readSample(system, spec, path, method) {
  const { fn, specSelectors } = system;
  const operation = specSelectors.specResolvedSubtree(['paths', path, method])?.toJS();
  if (operation === undefined) return undefined;
  const [alternative = {}] = operation.security ?? spec.security ?? [];
  const schemes = spec.components?.securitySchemes ?? {};
  const authorized = Object.fromEntries(Object.keys(alternative).map((name) => [name, placeholderOf(schemes[name] ?? {})]));
  const form = readForm(system, operation, path, method);
  const { requestContentType, responseContentType } = specSelectors.contentTypeValues([path, method]).toJS();
  const request = fn.buildRequest({
    spec: {
      openapi: spec.openapi,
      servers: spec.servers,
      security: spec.security,
      components: { securitySchemes: schemes },
      paths: { [path]: { [method]: operation } },
    },
    operationId: operation.operationId,
    parameters: form.values,
    requestBody: form.body,
    requestContentType,
    responseContentType,
    securities: { authorized },
  });
  const credentials = Object.fromEntries(Object.keys(alternative).map((name) => [name, CREDENTIAL]));
  const call = {
    operationId: operation.operationId,
    base: spec.servers[0].url,
    credentials: Object.keys(credentials).length > 0 ? credentials : undefined,
    input: inputOf(operation, form),
  };
  return { request, call };
}

/** Copies, or selects where a page without TLS may not copy. */
async function copy(text, code) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else getSelection().selectAllChildren(code);
}

export const codePlugin = (spec) => (system) => {
  const { React } = system.getSystem();
  const element = React.createElement;
  const Sample = ({ path, method, language }) => {
    const code = React.useRef(null);
    const [isCopied, setCopied] = React.useState(false);
    const sample = readSample(system.getSystem(), spec, path, method);
    if (sample === undefined) return null;
    const text = SAMPLES[language](sample);
    const onCopy = () => copy(text, code.current).then(() => setCopied(true));
    return element(
      React.Fragment,
      null,
      element(
        'button',
        { type: 'button', className: 'docs-copy', onClick: onCopy, onBlur: () => setCopied(false) },
        isCopied ? 'Copied' : 'Copy',
      ),
      element('pre', { tabIndex: 0, 'aria-label': `Request in ${language}` }, element('code', { ref: code }, text)),
    );
  };
  const Samples = ({ path, method }) => {
    const [language, setLanguage] = React.useState(sessionStorage.getItem(LANGUAGE) ?? 'curl');
    const [isOpen, setOpen] = React.useState(false);
    const choose = (name) => {
      sessionStorage.setItem(LANGUAGE, name);
      setLanguage(name);
    };
    const button = (name) =>
      element('button', { key: name, type: 'button', 'aria-pressed': name === language, onClick: () => choose(name) }, name);
    return element(
      'details',
      { className: 'docs-samples', onToggle: ({ target }) => setOpen(target.open) },
      element('summary', null, 'Code'),
      isOpen && element('div', { role: 'group', 'aria-label': 'Language' }, ...Object.keys(SAMPLES).map(button)),
      isOpen && element(Sample, { path, method, language }),
    );
  };
  const responses = (Original) => (props) =>
    element(
      React.Fragment,
      null,
      spec.paths[props.path]?.[props.method] && element(Samples, { path: props.path, method: props.method }),
      element(Original, props),
    );
  return { wrapComponents: { responses } };
};
