/**
 * The rules of Spectral for spec/petstore.yaml, run by `npx specwright lint`: all of its own and of OWASP's but these. Each that is
 * off or narrowed says why.
 */
export default {
  rules: {
    // The contact is a page, not a person's mailbox.
    'contact-properties': 'off',
    // Examples and defaults are held against their schemas by our own valid-example and valid-default, with the server's compiler.
    'oas3-valid-media-example': 'off',
    'oas3-valid-schema-example': 'off',
    // Tags stand in the order in which one reads about them.
    'openapi-tags-alphabetical': 'off',
    // Ids are JSON integers by the description of the service. They open nothing: what belongs to another account
    // answers exactly as what does not exist, so that to guess one gains nothing.
    'owasp:api1:2023-no-numeric-ids': 'off',
    // It refuses a response that has both `RateLimit` and `X-RateLimit-Limit`. That each has them is asked for in redocly.yaml.
    'owasp:api4:2023-rate-limit': 'off',
    // No browser of another origin may call: keys are for servers. Without the header browsers refuse, as they should.
    'owasp:api8:2023-define-cors-origin': 'off',
  },
  overrides: [
    {
      // An account is created by someone who has no key yet. The only operations without security.
      files: ['**#/paths/~1accounts/post', '**#/paths/~1sign-ups/post', '**#/paths/~1sign-ups~1confirmations/post'],
      rules: { 'owasp:api2:2023-write-restricted': 'off', 'owasp:api8:2023-define-error-responses-401': 'off' },
    },
    {
      // These quote what the client sent, so no pattern describes them. They have a maxLength.
      files: [
        '**#/components/schemas/Error/properties/message',
        '**#/components/schemas/RequestProblem/properties/message',
        '**#/components/schemas/RequestProblem/properties/pointer',
      ],
      rules: { 'owasp:api4:2023-string-restricted': 'off' },
    },
  ],
};
