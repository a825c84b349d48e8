export default {
  api: {
    input: { target: process.env.CONTRACT },
    output: {
      mode: 'split',
      client: 'hono',
      target: '.generated/api.ts',
      clean: true,
      override: {
        hono: { handlers: '.generated/handlers' },
        // Parameters come as texts: without it, a parameter that is not a text is always refused.
        zod: { coerce: { param: true, query: true, header: true } },
      },
    },
  },
};
