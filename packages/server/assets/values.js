/* Keeps what a reader types while the tab is open: a reload has it again. Files and secrets are not kept. Plain JavaScript of a browser. */
import { listOperations } from './contract.js';
import { resolve } from './references.js';

function hasSecret(spec, schema, seen = new Set()) {
  const found = resolve(spec, schema);
  if (found === null || typeof found !== 'object' || seen.has(found)) return false;
  seen.add(found);
  if (found.format === 'password' || found.writeOnly === true) return true;
  return Object.values(found).some((part) => hasSecret(spec, part, seen));
}

/** By `method path`: the parameters and whether the body may be kept. */
export function findKept(spec) {
  const keys = Object.values(spec.components?.securitySchemes ?? {}).filter(({ type }) => type === 'apiKey');
  const isCredential = ({ name, in: location }) => keys.some((key) => key.name === name && key.in === location);
  return new Map(
    listOperations(spec).map(({ operation, method, path }) => {
      const parameters = (operation.parameters ?? []).filter((one) => !isCredential(one) && !hasSecret(spec, one.schema));
      const media = Object.values(resolve(spec, operation.requestBody)?.content ?? {});
      const hasBody = media.length > 0 && !media.some(({ schema }) => hasSecret(spec, schema));
      return [`${method} ${path}`, { path, method, names: parameters.map(({ name, in: location }) => `${location}.${name}`), hasBody }];
    }),
  );
}

const readStored = (key) => {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
};

const withoutFiles = (fields) => Object.fromEntries(Object.entries(fields).filter(([, field]) => !(field?.value instanceof Blob)));

/** @param root where forms are. @param base of the contract, whose values these are. */
export function valuesPlugin(spec, root, base) {
  const key = `docs-values${base}`;
  const kept = findKept(spec);
  const stored = readStored(key);
  /** Operations whose forms a reader has changed. Before that, Swagger UI fills in examples. */
  const changed = new Set(Object.keys(stored));
  root.addEventListener(
    'input',
    ({ target }) => {
      const block = target.closest('.opblock');
      const path = block?.querySelector('.opblock-summary-path, .opblock-summary-path__deprecated')?.dataset.path;
      const method = block?.querySelector('.opblock-summary-method')?.textContent.toLowerCase();
      changed.add(`${method} ${path}`);
    },
    { capture: true },
  );

  return ({ getSystem }) => {
    const save = ([path, method]) => {
      const name = `${method} ${path}`;
      const operation = kept.get(name);
      if (operation === undefined || !changed.has(name)) return;
      const { specSelectors, oas3Selectors } = getSystem();
      const values = Object.entries(specSelectors.parameterValues([path, method]).toJS());
      const body = operation.hasBody ? oas3Selectors.requestBodyValue(path, method) : undefined;
      const parameters = Object.fromEntries(values.filter(([parameter]) => operation.names.includes(parameter)));
      stored[name] = { parameters, ...(body?.toJS ? { fields: withoutFiles(body.toJS()) } : { body }) };
      sessionStorage.setItem(key, JSON.stringify(stored));
    };
    const saveAfter =
      (original, pathMethodOf) =>
      (...args) => {
        const result = original(...args);
        save(pathMethodOf(...args));
        return result;
      };
    const ofParameter = (original) => saveAfter(original, (pathMethod) => pathMethod);
    return {
      statePlugins: {
        spec: { wrapActions: { changeParam: ofParameter, changeParamByIdentity: ofParameter } },
        oas3: { wrapActions: { setRequestBodyValue: (original) => saveAfter(original, ({ pathMethod }) => pathMethod) } },
      },
    };
  };
}

/** Fills the forms before they are drawn. */
export function restoreValues(spec, base, { specActions, oas3Actions, Im }) {
  const stored = readStored(`docs-values${base}`);
  for (const [name, { path, method, names, hasBody }] of findKept(spec)) {
    const { parameters = {}, fields, body } = stored[name] ?? {};
    for (const parameter of names.filter((one) => parameters[one] !== undefined)) {
      const [location] = parameter.split('.', 1);
      specActions.changeParam([path, method], parameter.slice(location.length + 1), location, parameters[parameter], false);
    }
    const value = fields === undefined ? body : Im.fromJS(fields);
    if (!hasBody || value === undefined) continue;
    // Otherwise Swagger UI replaces it by the example when it draws the form.
    oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod: [path, method] });
    oas3Actions.setRequestBodyValue({ value, pathMethod: [path, method] });
  }
}
