/** The nouns whose stores have the functions of a record table, one for each of their operations. */
import { readdirSync } from 'node:fs';
import { operations } from '../../../generated/operations.ts';
import type { Database } from '@specwright/postgres';

type StoreFunction = (db: Database, accountId: number, ...rest: unknown[]) => Promise<unknown>;

export interface RecordNoun {
  /** `categories` */
  readonly noun: string;
  readonly functions: Readonly<Record<Verb, { readonly name: string; readonly call: StoreFunction }>>;
}

const VERBS = ['list', 'create', 'get', 'update', 'replace', 'delete'] as const;
type Verb = (typeof VERBS)[number];

export async function findRecordNouns(): Promise<RecordNoun[]> {
  const nouns: RecordNoun[] = [];
  for (const file of readdirSync('src/db').filter((name) => name.endsWith('.ts'))) {
    const module = (await import(`../../../src/db/${file}`)) as Record<string, StoreFunction>;
    const entries = VERBS.flatMap((verb) => {
      const own = Object.keys(module).filter((name) => new RegExp(`^${verb}[A-Z]`).test(name) && Object.hasOwn(operations, name));
      const [name = ''] = own;
      const call = module[name];
      return own.length !== 1 || call === undefined ? [] : [[verb, { name, call }] as const];
    });
    if (entries.length < VERBS.length) continue;
    nouns.push({ noun: file.replace('.ts', ''), functions: Object.fromEntries(entries) as RecordNoun['functions'] });
  }
  return nouns;
}
