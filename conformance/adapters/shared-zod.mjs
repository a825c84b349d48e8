/** The bodies that adapters with Zod have: the path of each operation, and a schema that says what its document says. */
export function bodySchemas(z) {
  const text = z.string();
  return [
    ['/json/any', z.any()],
    ['/bodies/free', z.any()],
    ['/bodies/object', z.strictObject({ name: text, count: z.int().optional() })],
    ['/bodies/open-object', z.looseObject({ id: z.int().optional() })],
    ['/bodies/simple-model', z.looseObject({ name: text, address: z.looseObject({}).optional(), age: z.int32().min(0).optional() })],
    ['/bodies/map', z.record(text, text)],
    ['/bodies/required', z.looseObject({})],
    ['/bodies/json-only', z.looseObject({})],
    ['/bodies/integer', z.int()],
    ['/bodies/number', z.number()],
    ['/bodies/cents', z.number().multipleOf(0.01)],
    ['/bodies/bounded', z.int().min(-9007199254740991).max(9007199254740991)],
    ['/bodies/enum-of-numbers', z.union([z.literal(1), z.literal(2.5)])],
    ['/bodies/string', text],
    ['/bodies/one-character', text.min(1).max(1)],
    ['/bodies/pattern', text.regex(/^[a-z]+$/)],
    ['/bodies/pattern-digits', text.regex(/^\d+$/)],
    ['/bodies/date-time', z.iso.datetime({ offset: true })],
    ['/bodies/nullable', z.looseObject({ a: text.min(2).nullish() })],
    ['/bodies/nullable-enum', z.enum(['a', 'b']).nullable()],
    ['/bodies/nullable-object', z.looseObject({ a: z.int() }).nullable()],
    ['/bodies/default', z.looseObject({ size: z.int().max(9).default(5) })],
  ];
}
