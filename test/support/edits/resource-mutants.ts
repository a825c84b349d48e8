/** Mutants of the handlers and the store that `add-resource` writes: the contract walk has to report each of them. */

/** The properties of the noun that is mutated: one of each kind. */
export const NOUN = 'suppliers';
export const PROPERTIES = [
  'name:string',
  'note:string?',
  'status:active|closed',
  'active:boolean?',
  'since:date-time?',
  'category:categories',
];
/** Those of the noun, and the deletion of what it refers to. */
export const OPERATIONS = [
  ...['listSuppliers', 'createSupplier', 'getSupplier', 'replaceSupplier', 'updateSupplier', 'deleteSupplier'],
  'deleteCategory',
];

const HANDLERS = 'src/handlers/suppliers.ts';
const STORE = 'src/db/suppliers.ts';
const CONSTRAINTS = 'src/db/store.ts';

export interface ResourceMutant {
  readonly name: string;
  readonly file: typeof HANDLERS | typeof STORE | typeof CONSTRAINTS;
  /** What is replaced; each occurrence is. */
  readonly from: string | RegExp;
  readonly to: string;
  /** The test that has to fail, by a part of its title. */
  readonly caughtBy: string;
}

const FILTERED = 'returns only the records that a filter asks for';
const PAGED = 'returns each record once';
const UNCHANGED = 'changes nothing unless If-Match';
const STORED = 'returns what was written';
const UNKNOWN = 'rejects a reference';
const OWNED = 'of another account';
const IN_USE = 'deletes a record that others refer to';

export const MUTANTS: readonly ResourceMutant[] = [
  { name: 'a filter is ignored', file: STORE, from: 'status: filter.status', to: 'status: undefined', caughtBy: FILTERED },
  {
    name: 'only the first value of a filter is applied',
    file: STORE,
    from: 'filter.status,',
    to: 'filter.status?.slice(0, 1),',
    caughtBy: FILTERED,
  },
  {
    name: 'the filter by a reference is ignored',
    file: STORE,
    from: 'category_id: filter.categoryId',
    to: 'category_id: undefined',
    caughtBy: FILTERED,
  },
  {
    name: 'the link to the next page loses the filters',
    file: HANDLERS,
    from: /pageResponse\(('[^']*'), query, found\)/,
    to: 'pageResponse($1, { limit: query.limit }, found)',
    caughtBy: FILTERED,
  },
  {
    name: 'the limit is ignored',
    file: HANDLERS,
    from: /const found = await listSuppliers[^]*?pageResponse\(('[^']*'), query, found\)/,
    to: 'const page = { ...query, limit: 100 };\nconst found = await listSuppliers(db, caller.accountId, query, parsePage(page));\nreturn reply(200, pageResponse($1, page, found)',
    caughtBy: PAGED,
  },
  {
    name: 'a page has one record too many',
    file: HANDLERS,
    from: /pageResponse\(('[^']*'), query, found\)/,
    to: '{ ...pageResponse($1, query, found), body: found }',
    caughtBy: PAGED,
  },
  {
    name: 'the cursor is ignored',
    file: STORE,
    from: 'accountId, page, {',
    to: 'accountId, { ...page, after: 0 }, {',
    caughtBy: PAGED,
  },
  {
    name: 'a page begins one record too late',
    file: STORE,
    from: 'accountId, page, {',
    to: 'accountId, { ...page, after: page.after && page.after + 1 }, {',
    caughtBy: PAGED,
  },
  {
    name: 'no page has a link to the next one',
    file: HANDLERS,
    from: 'parsePage(query)',
    to: '{ ...parsePage(query), limit: query.limit }',
    caughtBy: PAGED,
  },
  {
    name: 'PUT keeps what is not given',
    file: STORE,
    from: 'toAllColumns(db, GIVEN, values)',
    to: 'toColumns(GIVEN, values)',
    caughtBy: 'removes an optional property',
  },
  {
    name: 'PATCH ignores a property',
    file: STORE,
    from: 'toColumns(GIVEN, changes)',
    to: 'toColumns(GIVEN, { ...changes, note: undefined })',
    caughtBy: STORED,
  },
  {
    name: 'a property is not stored on creation',
    file: STORE,
    from: 'accountId, toColumns(GIVEN, values)',
    to: 'accountId, toColumns(GIVEN, { ...values, note: undefined })',
    caughtBy: STORED,
  },
  {
    name: 'an unknown reference is answered with 500',
    file: STORE,
    from: 'accountId, toColumns(GIVEN, values))',
    to: "accountId, toColumns(GIVEN, values)).catch(() => { throw new Error('the row breaks a constraint'); })",
    caughtBy: UNKNOWN,
  },
  {
    name: 'an unknown reference is dropped without a word',
    file: STORE,
    from: 'toColumns(GIVEN, changes), precondition)',
    to: "toColumns(GIVEN, changes), precondition).catch((error) => { if (['not_found', 'precondition_failed'].includes(error.code)) throw error; return suppliers.get(db, accountId, id); })",
    caughtBy: UNKNOWN,
  },
  ...['replace', 'update', 'delete'].map((verb): ResourceMutant => ({
    name: `If-Match is ignored by ${verb}Supplier`,
    file: HANDLERS,
    from: new RegExp(`(await ${verb}Supplier\\(.*), precondition\\(headers\\)`),
    to: '$1',
    caughtBy: UNCHANGED,
  })),
  { name: 'a change does not change the ETag', file: STORE, from: "version: 'version'", to: "version: 'id'", caughtBy: UNCHANGED },
  {
    name: 'DELETE deletes nothing',
    file: STORE,
    from: 'suppliers.delete(db, accountId, id, precondition)',
    to: 'suppliers.update(db, accountId, id, {}, precondition).then(() => undefined)',
    caughtBy: 'answers 404 for a record that was deleted',
  },
  {
    name: 'DELETE deletes other records too',
    file: STORE,
    from: 'suppliers.delete(db, accountId, id, precondition)',
    to: "suppliers.delete(db, accountId, id, precondition).then(() => db('suppliers').where({ account_id: accountId }).delete())",
    caughtBy: 'answers 404 for a record that was deleted',
  },
  {
    name: 'a record of another account is read',
    file: STORE,
    from: 'suppliers.get(db, accountId, id)',
    to: "db('suppliers').where({ id }).first().then((row) => suppliers.get(db, row?.account_id ?? accountId, id))",
    caughtBy: OWNED,
  },
  {
    name: 'a record of another account is deleted',
    file: STORE,
    from: 'suppliers.delete(db, accountId, id, precondition)',
    to: "db('suppliers').where({ id }).first().then((row) => suppliers.delete(db, row?.account_id ?? accountId, id, precondition))",
    caughtBy: OWNED,
  },
  {
    name: 'records of all accounts are listed',
    file: STORE,
    from: /suppliers\.list\(db, accountId, (page, \{[^}]*\})\)/,
    to: "db('suppliers').distinct('account_id').then(async (owners) => (await Promise.all(owners.map((one) => suppliers.list(db, one.account_id, $1)))).flat())",
    caughtBy: OWNED,
  },
  {
    name: 'Location has another path',
    file: HANDLERS,
    from: '/suppliers/${',
    to: '/supplier/${',
    caughtBy: 'names the created record in Location',
  },
  {
    name: 'Location is that of another record',
    file: HANDLERS,
    from: '${created.record.id}`',
    to: '${created.record.id - 1}`',
    caughtBy: 'names the created record in Location',
  },
  {
    name: 'an unknown reference has no entry in onWrite',
    file: CONSTRAINTS,
    from: /suppliers_category: \[[^\]]*\],(?=[^]*onDelete)/,
    to: '',
    caughtBy: UNKNOWN,
  },
  {
    name: 'a reference in use has no entry in onDelete',
    file: CONSTRAINTS,
    from: /suppliers_category: \[[^\]]*\],(?![^]*onDelete)/,
    to: '',
    caughtBy: IN_USE,
  },
];
