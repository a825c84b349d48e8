/* Shows the request that Execute would send as code. Plain JavaScript of a browser. */
import { SAMPLES } from './samples.js';

const LANGUAGE = 'docs-language';
/** Where a reader puts a credential, if none was entered in the page. */
const CREDENTIAL = 'API_KEY';
/** Characters of a credential whose last four are shown. */
const MIN_SHOWN = 16;

const GROUPS = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' };

/** As Swagger UI keeps the credential of a scheme. */
const credentialOf = ({ type, scheme }, text) => {
  if (type === 'http' && scheme?.toLowerCase() === 'basic') return { value: { username: 'USER', password: text } };
  return type === 'oauth2' || type === 'openIdConnect' ? { token: { access_token: text } } : { value: text };
};

/** What a reader has entered as one text, else a placeholder. */
function enteredText({ authSelectors }, name) {
  const entered = authSelectors.authorized().get(name)?.toJS() ?? {};
  const text = entered.token?.access_token ?? entered.value;
  return typeof text === 'string' && text !== '' ? text : CREDENTIAL;
}

/** Its end tells keys apart, and is no use without the rest. */
const mask = (text) => (text === CREDENTIAL ? text : `••••${text.length >= MIN_SHOWN ? text.slice(-4) : ''}`);

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

/** @param show how a credential is written. @returns what the samples are made of; `undefined` while Swagger UI still resolves the operation. */
function readSample(system, spec, path, method, show) {
  const { fn, specSelectors } = system;
  const operation = specSelectors.specResolvedSubtree(['paths', path, method])?.toJS();
  if (operation === undefined) return undefined;
  const [alternative = {}] = operation.security ?? spec.security ?? [];
  const schemes = spec.components?.securitySchemes ?? {};
  const credentials = Object.fromEntries(Object.keys(alternative).map((name) => [name, show(enteredText(system, name))]));
  const authorized = Object.fromEntries(Object.entries(credentials).map(([name, text]) => [name, credentialOf(schemes[name] ?? {}, text)]));
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
  const call = {
    operationId: operation.operationId,
    base: spec.servers[0].url,
    credentials: Object.keys(credentials).length > 0 ? credentials : undefined,
    input: inputOf(operation, form),
  };
  return { request, call };
}

/** Copies, or selects what is shown where a page without TLS may not copy. */
async function copy(text, code) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else getSelection().selectAllChildren(code);
}

export const codePlugin = (spec) => (system) => {
  const { React } = system.getSystem();
  const element = React.createElement;
  const Sample = ({ path, method, language, onChoose }) => {
    const code = React.useRef(null);
    const [isCopied, setCopied] = React.useState(false);
    const read = (show) => readSample(system.getSystem(), spec, path, method, show);
    const sample = read(mask);
    if (sample === undefined) return null;
    const text = SAMPLES[language](sample);
    // It works where it is pasted.
    const onCopy = () => copy(SAMPLES[language](read((entered) => entered)), code.current).then(() => setCopied(true));
    const button = (name) =>
      element(
        'button',
        { key: name, type: 'button', className: 'docs-tab', 'aria-pressed': name === language, onClick: () => onChoose(name) },
        name,
      );
    return element(
      'div',
      { className: 'docs-samples' },
      element(
        'div',
        { className: 'docs-tabs', role: 'group', 'aria-label': 'Language' },
        ...Object.keys(SAMPLES).map(button),
        element(
          'button',
          { type: 'button', className: 'docs-tab docs-copy', onClick: onCopy, onBlur: () => setCopied(false) },
          isCopied ? 'Copied' : 'Copy',
        ),
      ),
      element(
        'pre',
        { className: 'docs-sample', tabIndex: 0, 'aria-label': `Request in ${language}` },
        element('code', { ref: code }, text),
      ),
    );
  };
  const Samples = ({ path, method }) => {
    const [language, setLanguage] = React.useState(sessionStorage.getItem(LANGUAGE) ?? 'curl');
    const onChoose = (name) => {
      sessionStorage.setItem(LANGUAGE, name);
      setLanguage(name);
    };
    return element(Sample, { path, method, language, onChoose });
  };
  // In two columns it is the second one.
  const responses = (Original) => (props) =>
    element(
      'div',
      { className: 'docs-right' },
      spec.paths[props.path]?.[props.method] && element(Samples, { path: props.path, method: props.method }),
      element(Original, props),
    );
  return { wrapComponents: { responses } };
};
