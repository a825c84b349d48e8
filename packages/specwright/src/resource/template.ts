/** The templates of `add-resource`, in the package's folder `template-resource`: `<One>` in them is a name of the resource. */
import { readFileSync } from 'node:fs';

export const readTemplate = (name: string): string => readFileSync(new URL(`../../template-resource/${name}`, import.meta.url), 'utf8');

/** Names without a value stay as they are: they are types of TypeScript. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/<(\w+)>/g, (all, name: string) => values[name] ?? all);
