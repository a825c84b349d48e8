/**
 * The proofs of the stores' types: a property of the contract that the database cannot hold does not compile.
 *
 * `npm run typecheck` fails if a line under `@ts-expect-error` compiles. Nothing here is ever run.
 */
import { toAllColumns, toColumns, type ColumnMap, type Database, type RecordOf, type RowOf } from '@specwright/postgres';

interface BookTable {
  base: { id: number; title: string; sub_title: string | null; kind: 'novel' | 'essay'; printed_at: string | null };
  insert: { title: string; sub_title?: string | null; kind?: 'novel' | 'essay'; printed_at?: string | Date | null };
  update: { title?: string; sub_title?: string | null; kind?: 'novel' | 'essay'; printed_at?: string | Date | null };
  upsert: object;
}

interface NewBook {
  title: string;
  subTitle?: string;
  kind: 'novel' | 'essay';
}

declare const db: Database;
declare const book: NewBook;
declare const withNickname: NewBook & { nickname?: string };

// ---- The map -----------------------------------------------------------------------------------------------------

const BOOK = { title: 'title', subTitle: 'sub_title', kind: 'kind' } as const satisfies ColumnMap<BookTable, NewBook>;

// @ts-expect-error the property `kind` has no column
export const incomplete = { title: 'title', subTitle: 'sub_title' } as const satisfies ColumnMap<BookTable, NewBook>;

// @ts-expect-error the optional property `nickname` has no column
export const withoutNickname = { ...BOOK } as const satisfies ColumnMap<BookTable, typeof withNickname>;

// @ts-expect-error a property of one of two bodies has no column
export const ofTwoBodies = { ...BOOK } as const satisfies ColumnMap<BookTable, NewBook | { printedAt?: string | null }>;

// @ts-expect-error the table has no column `nickname`
export const noSuchColumn = { ...BOOK, nickname: 'nickname' } as const satisfies ColumnMap<BookTable, NewBook>;

// @ts-expect-error `id` is a number, `title` is text
export const wrongType = { title: 'id', subTitle: 'sub_title', kind: 'kind' } as const satisfies ColumnMap<BookTable, NewBook>;

// @ts-expect-error `kind` takes two values, the property has three
export const widerEnum = { kind: 'kind' } as const satisfies ColumnMap<BookTable, { kind: 'novel' | 'essay' | 'poem' }>;

// @ts-expect-error `title` is NOT NULL, and the property can be null
export const nullInNotNull = { title: 'title' } as const satisfies ColumnMap<BookTable, { title: string | null }>;

// ---- What is written ---------------------------------------------------------------------------------------------

const books = db<BookTable>('books');

void books.insert(toColumns(BOOK, book));
void books.where({ id: 1 }).update(toColumns(BOOK, { subTitle: null }));
void toAllColumns(db, BOOK, book);

// @ts-expect-error `nickname` has no column
void books.insert(toColumns(BOOK, withNickname));

// @ts-expect-error `title` has no default, and is not given
void books.insert(toColumns(BOOK, { kind: 'novel' as const }));

// @ts-expect-error `title` cannot be a number
void books.insert(toColumns(BOOK, { title: 7 }));

// ---- What is read ------------------------------------------------------------------------------------------------

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const proven = <T extends true>(value?: T) => value;

type Row = RowOf<BookTable, typeof BOOK>;
proven<Equal<Row, { title: string; subTitle: string | null; kind: 'novel' | 'essay' }>>();
proven<Equal<RecordOf<Row>['subTitle'], string | undefined>>();
proven<Equal<RecordOf<Row>['title'], string>>();
