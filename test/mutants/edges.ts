/** Mutants at the edges of bodies, streams, headers, tokens and backups: the limit itself, what is not closed, what is not compared. */
import type { MutatedFile } from './mutant.ts';

const PIPELINE = 'packages/server/src/pipeline';
const TESTS = 'packages/server/test/pipeline';

const FILE_RULES: MutatedFile = {
  file: `${PIPELINE}/body/multipart/file-rules.ts`,
  tests: [`${TESTS}/multipart.test.ts`],
  mutants: [
    ['a file of exactly x-max-bytes is too large', 'if (this.bytes > maxBytes)', 'if (this.bytes >= maxBytes)'],
    ['a file of exactly its least bytes is too small', 'if (this.bytes < minBytes)', 'if (this.bytes <= minBytes)'],
    ['only one chunk of the fields is counted', 'this.#bytes += bytes;', 'this.#bytes = bytes;'],
    ['fields of exactly the bound are too large', 'if (this.#bytes > this.#maxBytes)', 'if (this.#bytes >= this.#maxBytes)'],
    ['only one chunk of a file is counted', 'this.bytes += bytes;', 'this.bytes = bytes;'],
    ['the last file that may be there is one too many', 'if (count > rule.maxCount)', 'if (count >= rule.maxCount)'],
  ],
};

const PART_READER: MutatedFile = {
  file: `${PIPELINE}/body/multipart/part-reader.ts`,
  tests: [`${TESTS}/part-reader.test.ts`, `${TESTS}/multipart.test.ts`],
  mutants: [['the 1000th part is one too many', '++this.#count > MAX_PARTS', '++this.#count >= MAX_PARTS']],
};

const PART_HEADERS: MutatedFile = {
  file: `${PIPELINE}/body/multipart/part-headers.ts`,
  tests: [`${TESTS}/part-headers.test.ts`, `${TESTS}/multipart.test.ts`],
  mutants: [
    ['the name of a part may have control characters', 'MAX_NAME_LENGTH || CONTROLS.test(name))', 'MAX_NAME_LENGTH)'],
    ['the filename of a part may have control characters', 'MAX_FILENAME_LENGTH || CONTROLS.test(base))', 'MAX_FILENAME_LENGTH)'],
    ['a name of exactly its bound is too long', 'name.length > MAX_NAME_LENGTH', 'name.length >= MAX_NAME_LENGTH'],
    ['the last header field of a part is one too many', 'lines.length > MAX_PART_HEADERS', 'lines.length >= MAX_PART_HEADERS'],
  ],
};

const TEMPORARY_FILE: MutatedFile = {
  file: `${PIPELINE}/body/multipart/temporary-file.ts`,
  tests: [`${TESTS}/spooled-files.test.ts`],
  mutants: [['others can read a temporary file', '0o600', '0o644']],
};

const ITEM_BODY: MutatedFile = {
  file: `${PIPELINE}/body/item-body.ts`,
  tests: [`${TESTS}/item-bodies.test.ts`],
  mutants: [['an item of exactly its size is too large', 'this.#pendingBytes > this.#maxBytes', 'this.#pendingBytes >= this.#maxBytes']],
};

const UNREAD_BODY: MutatedFile = {
  file: `${PIPELINE}/body/unread-body.ts`,
  tests: ['test/security/refused-bodies.test.ts', `${TESTS}/upload-streams.test.ts`, 'packages/server/test/mount/equal-bytes.test.ts'],
  mutants: [
    ['a body is read though its client waits for 100', 'isShort && request.awaitsContinue !== true', 'isShort'],
    ['a body of exactly what is read is not', '<= MAX_DISCARDED_BYTES', '< MAX_DISCARDED_BYTES'],
  ],
};

const ITEMS: MutatedFile = {
  file: `${PIPELINE}/streams/send-items.ts`,
  tests: [`${TESTS}/items.test.ts`],
  mutants: [
    ['a CR in the name or id of an event begins a field', '/[\\r\\n\\0]/.test(text)', '/[\\n\\0]/.test(text)'],
    ['an LF in the name or id of an event begins a field', '/[\\r\\n\\0]/.test(text)', '/[\\r\\0]/.test(text)'],
  ],
};

const STREAM_VALIDATOR: MutatedFile = {
  file: 'packages/contract/src/responses/stream-validator.ts',
  tests: [`${TESTS}/items.test.ts`],
  mutants: [
    ['a CR in the data of an event begins a field', "value.includes('\\r') ? value.replaceAll(/\\r\\n?/g, '\\n') : value", 'value'],
  ],
};

const DOWNLOADS: MutatedFile = {
  file: `${PIPELINE}/streams/send-streamed.ts`,
  tests: [`${TESTS}/downloads.test.ts`],
  mutants: [
    ['HEAD has a range', "range === undefined || request.method === 'HEAD' ||", 'range === undefined ||'],
    ['the bytes of a HEAD are not closed', '    closeUnopened(stream);\n    begin();', '    begin();'],
    ['the bytes of a 304 are not closed', '    closeUnopened(stream);\n    return { status, headers', '    return { status, headers'],
    ['the bytes of a refused download are not closed', 'if (isByteStream(streamed)) closeUnopened(streamed.stream);', ''],
    ['a source stays open when its client goes before the head', "response.once('close', close);", ''],
  ],
};

const COMPRESSION: MutatedFile = {
  file: `${PIPELINE}/compression.ts`,
  tests: [`${TESTS}/compression.test.ts`, `${TESTS}/coded-etag.test.ts`],
  mutants: [
    ['what must not be transformed is compressed', '/\\bno-(store|transform)\\b/i', '/\\bno-(store)\\b/i'],
    ['what must not be stored is compressed', '/\\bno-(store|transform)\\b/i', '/\\bno-(transform)\\b/i'],
    [
      'a request without Accept-Encoding has the coding of the one before',
      'if (accept !== lastAccept)',
      'if (accept !== undefined && accept !== lastAccept)',
    ],
    ['the coding of the first request is that of all', 'if (accept !== lastAccept)', 'if (lastAccept === undefined)'],
  ],
};

const BELOW_BASE: MutatedFile = {
  file: 'packages/server/src/http/below-base.ts',
  tests: [`${TESTS}/below-base.test.ts`],
  mutants: [
    ['another host in Location is put below the base', "['Location', /^()\\/(?!\\/)/]", "['Location', /^()\\//]"],
    ['another host in Content-Location is put below the base', "['Content-Location', /^()\\/(?!\\/)/]", "['Content-Location', /^()\\//]"],
    ['another host in Link is put below the base', '/(<)\\/(?!\\/)/g', '/(<)\\//g'],
    ['only the first Link is put below the base', '/(<)\\/(?!\\/)/g', '/(<)\\/(?!\\/)/'],
  ],
};

const TOOLS: MutatedFile = {
  file: 'packages/server/src/mcp/tool-arguments.ts',
  tests: ['packages/server/test/mcp/http.test.ts'],
  mutants: [
    [
      'an object of a query is written without brackets',
      "content === undefined ? style : 'json'",
      "content === undefined ? undefined : 'json'",
    ],
    ['a parameter in JSON is written otherwise', "content === undefined ? style : 'json'", 'style'],
    ['explode is ignored', ', explode });', ' });'],
    ['an argument that nothing declares is ignored', 'if (unknown.length > 0)', 'if (unknown.length > 9)'],
  ],
};

const ENCODE: MutatedFile = {
  file: 'packages/contract/src/codec/encode.ts',
  tests: ['packages/contract/test/codec.test.ts', 'packages/server/test/mcp/http.test.ts'],
  mutants: [
    ['a header may have a line break', '/^\\s|\\s$|[^\\t -~\\x80-\\xff]/', '/^\\s|\\s$/'],
    [
      'a segment of a path may be . or ..',
      "if (location === 'path' && /^\\.{0,2}$/.test(text))",
      "if (location === 'path' && text === '')",
    ],
    ['an object has no brackets', "if (style === 'deepObject') return bracketed(name, value);", ''],
  ],
};

const TOKENS: MutatedFile = {
  file: 'packages/server/src/jwt/token-verification.ts',
  tests: [
    'packages/server/test/jwt/attacks.test.ts',
    'packages/server/test/jwt/keys.test.ts',
    'packages/server/test/jwt/introspection.test.ts',
  ],
  mutants: [
    ['a cached token is valid at its expiry', 'known.expiresAt > now()', 'known.expiresAt >= now()'],
    ['a cached token is valid for ever', 'known.expiresAt > now() && ', ''],
    ['a cached token outlives its key', ' && known.generation === keys.generation()', ''],
    ['a token is cached for longer than it is valid', 'Math.min(claims.exp * 1000, now() + cacheMs)', 'now() + cacheMs'],
    ['a token is cached for as long as it is valid', 'Math.min(claims.exp * 1000, now() + cacheMs)', 'claims.exp * 1000'],
    ['a token of exactly its bound is too long', 'token.length > maxTokenBytes', 'token.length >= maxTokenBytes'],
  ],
};

const BACKUP_TESTS = ['packages/postgres/test/backup.test.ts'];

const RESTORE: MutatedFile = {
  file: 'packages/postgres/src/backup/restore-backup.ts',
  tests: BACKUP_TESTS,
  mutants: [
    ['restored rows are only counted', 'read.rows !== written.rows || read.digest !== written.digest', 'read.rows !== written.rows'],
    ['columns that are new in the database are ignored', '[...saved.keys(), ...current.keys()]', '[...saved.keys()]'],
    ['columns that the database lacks are ignored', '[...saved.keys(), ...current.keys()]', '[...current.keys()]'],
  ],
};

const READ_DUMP: MutatedFile = {
  file: 'packages/postgres/src/backup/read-dump.ts',
  tests: BACKUP_TESTS,
  mutants: [
    [
      'data after the end marker is ignored',
      "if ((await lines.next()) !== undefined) throw damaged(file, 'more follows after its end');",
      '',
    ],
    ['the rows of a dump are only counted', ' || note.digest !== sum', ''],
    ['the rows of a dump are not counted', ' || note.rows !== rows', ''],
  ],
};

export const EDGES: readonly MutatedFile[] = [
  ...[FILE_RULES, PART_READER, PART_HEADERS, TEMPORARY_FILE, ITEM_BODY, UNREAD_BODY, ITEMS, STREAM_VALIDATOR, DOWNLOADS, COMPRESSION],
  ...[BELOW_BASE, TOOLS, ENCODE, TOKENS, RESTORE, READ_DUMP],
];
