/** The type that is sent for a range is one of the range. */
import { expect, test } from '@jest/globals';
import { matchesType } from '@specwright/contract';
import { concreteType } from '@specwright/contract/document';

test.each([
  ['image/*', 'image/png'],
  ['Image/*; q=1', 'image/png'],
  ['audio/*', 'audio/mpeg'],
  ['model/*', 'model/octet-stream'],
  ['multipart/*', 'multipart/mixed'],
  ['text/*', 'text/plain'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
  ['application/pdf', 'application/pdf'],
])('%s is sent as %s', (declared, sent) => {
  expect(concreteType(declared)).toBe(sent);
  expect(matchesType(sent, declared)).toBe(true);
});
