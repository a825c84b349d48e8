/** The entry `@specwright/postgres/backup`: copies of a database, which no server makes. */
export { assertNoServers } from './backup/assert-empty.ts';
export type { Backup, BackupContents, BackupTable, OnProgress } from './backup/backup.ts';
export { checkDump, readDump } from './backup/read-dump.ts';
export { openBackup } from './backup/read-database.ts';
export { restoreBackup, type Restored, type RestoreOptions } from './backup/restore-backup.ts';
export { assertFree, writeDump } from './backup/write-dump.ts';
