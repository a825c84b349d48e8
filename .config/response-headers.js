/** A rule of the linter: header fields of responses go through `HeaderFields`, which knows that names are the same in any case. */

const MESSAGE = 'Use HeaderFields (http/header-fields.ts): names of header fields are the same in any case.';

/** Writes to a response of Node, past the one value. */
const WRITES = '[callee.property.name=/^(setHeader|setHeaders|appendHeader|removeHeader|writeHead)$/]';

/** Where fields are looked up by one spelling. Those of requests are in lower case, as Node gives them. */
const BY_SPELLING = [
  'MemberExpression[computed=true][object.property.name="headers"][property.value=/[A-Z]/]',
  'BinaryExpression[operator="in"][right.property.name="headers"]',
  'CallExpression[callee.object.name="Object"][callee.property.name="hasOwn"][arguments.0.property.name="headers"]',
];

/** A list of names and values whose names may repeat. */
const MADE_OF_A_LIST = 'NewExpression[callee.name="HeaderFields"][arguments.length>0]';

const report = (context) => (node) => context.report({ node, message: MESSAGE });

export const responseHeaders = {
  rules: {
    'header-fields': {
      create: (context) =>
        Object.fromEntries([`CallExpression${WRITES}`, ...BY_SPELLING, MADE_OF_A_LIST].map((selector) => [selector, report(context)])),
    },
  },
};
