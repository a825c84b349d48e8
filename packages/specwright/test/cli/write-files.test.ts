/** Files are replaced whole; links and places outside of the folder that a command may write in are refused, with where they lead. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { appendToFile, makeFolder, removeFile, removeFolder, rootOfArgument, touchFile, writeFile } from '../../src/files/write-files.ts';

let base: string;
let root: string;
let outside: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'write-files-'));
  root = join(base, 'project');
  outside = join(base, 'home');
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(join(outside, '.bashrc'), 'mine');
});
afterEach(() => {
  expect(readFileSync(join(outside, '.bashrc'), 'utf8')).toBe('mine');
  expect(readdirSync(outside)).toEqual(['.bashrc']);
  rmSync(base, { recursive: true });
});

test('writes a file with its folders, and leaves no temporary file', () => {
  writeFile(root, 'a/b/c.txt', 'one');
  writeFile(root, join(root, 'a/b/c.txt'), 'two');
  expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('two');
  expect(readdirSync(join(root, 'a/b'))).toEqual(['c.txt']);
});

test('replaces a file at once: an open one keeps its text, and the new one its mode', () => {
  writeFile(root, 'run', 'one', { mode: 0o755 });
  const before = statSync(join(root, 'run'));
  writeFile(root, 'run', 'two');
  const after = statSync(join(root, 'run'));
  expect(after.ino).not.toBe(before.ino);
  expect(after.mode).toBe(before.mode);
});

test('leaves a file and no other as it was if it cannot be written', () => {
  writeFile(root, 'a.txt', 'one');
  expect(() => writeFile(root, 'a.txt', { length: -1 } as unknown as Uint8Array)).toThrow();
  expect(readdirSync(root)).toEqual(['a.txt']);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
  expect(() => writeFile(root, 'b.txt', { length: -1 } as unknown as Uint8Array, { isNew: true })).toThrow();
  expect(readdirSync(root)).toEqual(['a.txt']);
});

test('does not replace a file that is to be new', () => {
  writeFile(root, 'a.txt', 'one', { isNew: true });
  expect(() => writeFile(root, 'a.txt', 'two', { isNew: true })).toThrow('EEXIST');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
});

const LINKS: Readonly<Record<string, () => string>> = {
  'a link to a file outside': () => (symlinkSync(join(outside, '.bashrc'), join(root, 'link')), 'link'),
  'a link to a file inside': () => (writeFileSync(join(root, 'own'), ''), symlinkSync('own', join(root, 'link')), 'link'),
  'a link to nothing': () => (symlinkSync(join(outside, 'none'), join(root, 'link')), 'link'),
  'a folder that is a link': () => (symlinkSync(outside, join(root, 'link')), 'link/.bashrc'),
  'a folder that is a link to nothing': () => (symlinkSync(join(outside, 'none'), join(root, 'link')), 'link/x'),
  'a link below a link inside': () => {
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'link'));
    symlinkSync(outside, join(root, 'real/out'));
    return 'link/out/.bashrc';
  },
  'a link that climbs': () => (mkdirSync(join(root, 'a')), symlinkSync('../../home', join(root, 'a/link')), 'a/link/.bashrc'),
  'a path with ..': () => '../home/.bashrc',
  'a path with .. behind a folder': () => 'a/../../home/.bashrc',
  'an absolute path': () => join(outside, '.bashrc'),
  'the folder beside with the same beginning': () => '../project-2/x',
  'a folder': () => (mkdirSync(join(root, 'folder')), 'folder'),
  'the root itself': () => '.',
  'the repository of git': () => (mkdirSync(join(root, '.git')), '.git/hooks/pre-commit'),
  'the repository of git by a link': () => {
    mkdirSync(join(root, '.git'));
    symlinkSync('.git', join(root, 'link'));
    return 'link/config';
  },
};

test.each(Object.entries(LINKS))('refuses %s', (_, make) => {
  const path = make();
  expect(() => writeFile(root, path, 'text')).toThrow(/not written|nothing was written/);
  expect(() => appendToFile(root, path, 'text')).toThrow(/not written|nothing was written/);
  expect(() => touchFile(root, path)).toThrow(/not written|nothing was written/);
  expect(existsSync(join(base, 'project-2'))).toBe(false);
});

test('says which path it is, where it leads, and what to do', () => {
  symlinkSync(join(outside, '.bashrc'), join(root, 'document.json'));
  symlinkSync(outside, join(root, 'generated'));
  expect(() => writeFile(root, 'document.json', '')).toThrow(
    `document.json is a symbolic link to ${join(outside, '.bashrc')}: nothing was written. Remove the link, or name the path that it leads to`,
  );
  expect(() => writeFile(root, 'generated/document.json', '')).toThrow(
    `generated is a symbolic link to ${outside}, outside of ${root}: generated/document.json was not written. Remove the link, or choose another folder`,
  );
  expect(() => writeFile(root, '../x', '')).toThrow(`../x is ${join(base, 'x')}, outside of ${root}: nothing was written.`);
});

test('follows a folder that is a link inside, and a root that is reached by a link', () => {
  mkdirSync(join(root, 'real'));
  symlinkSync('real', join(root, 'link'));
  writeFile(root, 'link/a.txt', 'one');
  expect(readFileSync(join(root, 'real/a.txt'), 'utf8')).toBe('one');
  symlinkSync(root, join(base, 'alias'));
  writeFile(join(base, 'alias'), 'link/b.txt', 'two');
  expect(readFileSync(join(root, 'real/b.txt'), 'utf8')).toBe('two');
});

test('removes nothing outside, and of a link the link', () => {
  symlinkSync(outside, join(root, 'out'));
  expect(() => removeFile(root, 'out/.bashrc')).toThrow('was not written');
  expect(() => removeFile(root, '../home/.bashrc')).toThrow('outside');
  expect(() => makeFolder(root, 'out/new')).toThrow('was not written');
  removeFile(root, 'out');
  expect(lstatSync(join(root, 'out'), { throwIfNoEntry: false })).toBeUndefined();
  removeFile(root, 'missing');
});

test('empties a folder but for its repository, or removes it', () => {
  writeFile(root, 'a/b', '');
  mkdirSync(join(root, '.git'));
  removeFolder(root, true);
  expect(readdirSync(root)).toEqual(['.git']);
  removeFolder(root, false);
  removeFolder(root, false);
  expect(existsSync(root)).toBe(false);
});

test('an argument may name a place outside, but no link', () => {
  expect(rootOfArgument('a/b.yaml', 'file', root)).toBe(root);
  expect(rootOfArgument('../sdk/b.yaml', 'file', root)).toBe(join(base, 'sdk'));
  expect(rootOfArgument('../sdk', 'folder', root)).toBe(join(base, 'sdk'));
  symlinkSync(outside, join(root, 'link'));
  symlinkSync(outside, join(base, 'sdk'));
  expect(() => rootOfArgument('link', 'folder', root)).toThrow('link is a symbolic link');
  expect(() => rootOfArgument('link/a.yaml', 'file', root)).toThrow('link is a symbolic link');
  expect(() => rootOfArgument('../sdk', 'folder', root)).toThrow('../sdk is a symbolic link');
});
