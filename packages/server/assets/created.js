/* Remembers what this page has created, and fills the paths of later operations with it. Plain JavaScript of a browser. */
import { listOperations } from './contract.js';

const NAMES = /\{([^}]+)\}/g;
const namesOf = (path) => [...path.matchAll(NAMES)].map(([, name]) => name);
const literals = (path) => path.split('/').filter((part) => !part.includes('{')).length;

/** The parameters of a path in a URL; `undefined` if it is another one's. */
function readPath(path, pathname) {
  const pattern = path
    .split(NAMES)
    .map((part, index) => (index % 2 === 1 ? '([^/]+)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  const values = new RegExp(`^${pattern}$`).exec(pathname)?.slice(1);
  return values && Object.fromEntries(namesOf(path).map((name, index) => [name, decodeURIComponent(values[index])]));
}

/** @param base the URL before the paths of the contract. */
export function createdPlugin(spec, base) {
  const operations = listOperations(spec).filter(({ path }) => path.includes('{'));
  const templates = [...new Set(operations.map(({ path }) => path))].sort((a, b) => literals(b) - literals(a));
  /** Newest first: the parameters in the path of a thing, of which the last one is its own. */
  let created = [];

  const pathIn = (url) => {
    const prefix = new URL(base).pathname.replace(/\/$/, '');
    const { origin, pathname } = new URL(url, base);
    return origin === new URL(base).origin && pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '';
  };
  const ofThing = (name) => created.find((thing) => Object.keys(thing).at(-1) === name);
  const fill = (specActions) => {
    for (const { path, method } of operations) {
      const names = namesOf(path);
      const thing = ofThing(names.at(-1));
      for (const name of names) specActions.changeParam([path, method], name, 'path', thing?.[name] ?? ofThing(name)?.[name], false);
    }
  };
  const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  return () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          setResponse: (original, system) => (path, method, response) => {
            const result = original(path, method, response);
            if (!response.ok) return result;
            const made = response.headers?.location;
            if (method === 'post' && made !== undefined) {
              const where = pathIn(new URL(made, response.url));
              const thing = templates.map((template) => readPath(template, where)).find(Boolean);
              if (thing === undefined) return result;
              created = [thing, ...created.filter((other) => !isSame(other, thing))];
            } else if (method === 'delete') {
              const gone = readPath(path, pathIn(response.url));
              if (!created.some((thing) => isSame(thing, gone))) return result;
              created = created.filter((thing) => !isSame(thing, gone));
            } else return result;
            fill(system.specActions);
            return result;
          },
        },
      },
    },
  });
}
