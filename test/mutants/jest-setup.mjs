/** Jest's global set-up and teardown for one mutant: nothing, because PostgreSQL and its template database are made once for all mutants. */
export default () => undefined;
