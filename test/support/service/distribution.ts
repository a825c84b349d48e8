/** The statements of docs/citus.sql, which distribute the tables by account with Citus. */
import { readFileSync } from 'node:fs';

export const readDistribution = (): string => readFileSync('docs/citus.sql', 'utf8');
