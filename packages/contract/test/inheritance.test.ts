/** Schemas that build on one with a discriminator are its alternatives: which of them a value is, in requests and responses. */
import { describe, expect, test } from '@jest/globals';
import { dump } from 'js-yaml';
import { isObject, type Document } from '../src/document/openapi.ts';
import { checkDocument } from '../src/reading/check-document.ts';
import { parseSource, type SourceDocument } from '../src/reading/source-document.ts';
import { requestValidator, responseValidator } from './support/contract.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, ...(required.length > 0 && { required }) });
const child = (parent: string, own: object, ...required: string[]) => ({ allOf: [ref(parent), object(own, ...required)] });
const string = { type: 'string' };
const integer = { type: 'integer' };

/** A document whose operation `op` receives and sends a schema. */
function sourceOf(schemas: object, schema: object = ref('Pet'), version = '3.0.3'): SourceDocument {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'ok', content } };
  return parseSource(
    'test.yaml',
    dump({
      openapi: version,
      info: { title: 'Test', version: '1' },
      paths: { '/things': { post: { operationId: 'op', requestBody: { required: true, content }, responses } } },
      components: { schemas },
    }),
  );
}

interface Verdicts {
  /** The problems of a request with this body, or the body. */
  readonly receive: (body: unknown) => Promise<unknown>;
  /** The problems of a response with this body, or what is sent. */
  readonly send: (body: unknown) => unknown;
}

async function verdictsOf(source: SourceDocument): Promise<Verdicts> {
  expect(await checkDocument(source)).toEqual([]);
  const validate = await requestValidator(source.document);
  const respond = responseValidator(source.document);
  return {
    receive: async (body) => {
      const found = await validate({ body, type: 'application/json' });
      return Array.isArray(found) ? found : found.body;
    },
    send: (body) => {
      const { body: sent, problems } = respond({ status: 200, headers: {}, body, type: 'application/json' });
      return problems.length > 0 ? problems : sent;
    },
  };
}

const PETS = {
  Pet: { ...object({ petType: string, name: string }, 'petType'), discriminator: { propertyName: 'petType', mapping: { dog: 'Dog' } } },
  Dog: child('Pet', { bark: { type: 'boolean' }, mother: ref('Pet') }, 'bark'),
  Cat: child('Pet', { lives: integer }),
};

describe('a value of a parent is validated against the child that it names', () => {
  const pets = () => verdictsOf(sourceOf(PETS));
  test.each([
    ['by a mapping', { petType: 'dog', bark: true, name: 'Rex' }],
    ['by its name, though it is mapped too', { petType: 'Dog', bark: true }],
    ['by its name', { petType: 'Cat', lives: 9, name: 'Tom' }],
    ['by the name of the parent', { petType: 'Pet', name: 'Egg' }],
    ['within itself', { petType: 'dog', bark: true, mother: { petType: 'Cat', lives: 7 } }],
  ])('%s, and nothing of it is stripped', async (_, value) => {
    const { receive, send } = await pets();
    expect(await receive(value)).toEqual(value);
    expect(Object.entries(send(value) as object)).toEqual(Object.entries(value));
  });

  test.each([
    ['a child that lacks what it requires', { petType: 'dog' }, 'body/bark is required'],
    ['a property of the wrong type', { petType: 'Cat', lives: 'nine' }, 'body/lives must be integer'],
    ['a value that no schema has', { petType: 'cow' }, 'body/petType must be equal to one of the allowed values: dog, Dog, Cat, Pet'],
    ['no value', { name: 'Rex' }, 'body/petType is required'],
    ['a wrong part', { petType: 'dog', bark: true, mother: { petType: 'Cat', lives: '' } }, 'body/mother/lives must be integer'],
  ])('refused: %s', async (_, value, problem) => {
    const { receive, send } = await pets();
    expect(await receive(value)).toEqual([problem]);
    expect(send(value)).toEqual([expect.stringMatching(/^response\/body/)]);
  });
});

test('a child that is used alone is itself', async () => {
  const { receive } = await verdictsOf(sourceOf(PETS, ref('Dog')));
  expect(await receive({ petType: 'dog', bark: true })).toEqual({ petType: 'dog', bark: true });
  expect(await receive({ petType: 'dog' })).toEqual(['body/bark is required']);
});

test('a schema that has the parent in an allOf of a property or a body is any of its children', async () => {
  for (const schema of [{ allOf: [ref('Pet')], nullable: true }, child('Pet', { owner: string })]) {
    const { receive, send } = await verdictsOf(sourceOf(PETS, object({ pet: schema })));
    expect(await receive({ pet: { petType: 'dog' } })).toContain('body/pet/bark is required');
    expect(send({ pet: { petType: 'dog', bark: true } })).toEqual({ pet: { petType: 'dog', bark: true } });
  }
});

test('a component that may be null is the parent, and no child', async () => {
  const schemas = { ...PETS, Maybe: { nullable: true, allOf: [ref('Pet')] } };
  const { receive } = await verdictsOf(sourceOf(schemas, object({ pet: ref('Maybe') })));
  expect(await receive({ pet: null })).toEqual({ pet: null });
  expect(await receive({ pet: { petType: 'Cat', lives: 1 } })).toEqual({ pet: { petType: 'Cat', lives: 1 } });
  expect(await receive({ pet: { petType: 'dog' } })).toContain('body/pet/bark is required');
});

describe('a parent that may be null', () => {
  test.each([
    ['3.0.3', { nullable: true }],
    ['3.1.0', { type: ['object', 'null'] }],
  ])('in OpenAPI %s', async (version, allowing) => {
    const schemas = { ...PETS, Pet: { ...PETS.Pet, ...allowing } };
    const { receive, send } = await verdictsOf(sourceOf(schemas, object({ pet: ref('Pet') }), version));
    expect(await receive({ pet: null })).toEqual({ pet: null });
    expect(send({ pet: { petType: 'dog', bark: true } })).toEqual({ pet: { petType: 'dog', bark: true } });
    expect(await receive({ pet: { petType: 'dog' } })).toContain('body/pet/bark is required');
  });
});

describe('chains', () => {
  const schemas = {
    ...PETS,
    Puppy: { allOf: [ref('Dog'), object({ weeks: integer }, 'weeks')] },
    Newborn: { allOf: [ref('Puppy'), object({ grams: integer }, 'grams')] },
  };
  const newborn = { petType: 'Newborn', bark: true, weeks: 1, grams: 300 };

  test.each(['Pet', 'Dog', 'Puppy', 'Newborn'])('a grandchild is one of %s', async (used) => {
    const { receive, send } = await verdictsOf(sourceOf(schemas, ref(used)));
    expect(await receive(newborn)).toEqual(newborn);
    expect(send(newborn)).toEqual(newborn);
    expect(await receive({ ...newborn, grams: 'x' })).toEqual(['body/grams must be integer']);
    expect(await receive({ ...newborn, bark: undefined })).toEqual(['body/bark is required']);
  });

  test('a schema between is itself, or one of its own children alone', async () => {
    const { receive } = await verdictsOf(sourceOf(schemas, ref('Dog')));
    expect(await receive({ petType: 'dog', bark: true })).toEqual({ petType: 'dog', bark: true });
    expect(await receive({ petType: 'Cat', bark: true })).toEqual([
      'body/petType must be equal to one of the allowed values: Puppy, Newborn, dog, Dog',
    ]);
  });

  test('a child with a discriminator of another property selects on', async () => {
    const dogs = {
      ...PETS,
      Dog: { ...child('Pet', { breed: string }, 'breed'), discriminator: { propertyName: 'breed', mapping: { poodle: 'Poodle' } } },
      Poodle: child('Dog', { curls: integer }, 'curls'),
    };
    const { receive, send } = await verdictsOf(sourceOf(dogs));
    const poodle = { petType: 'dog', breed: 'poodle', curls: 9 };
    expect(send(poodle)).toEqual(poodle);
    expect(await receive({ ...poodle, curls: 'x' })).toEqual(['body/curls must be integer']);
  });
});

test('two parents, each with its discriminator', async () => {
  const schemas = {
    Pet: { ...object({ kind: string }, 'kind'), discriminator: { propertyName: 'kind' } },
    Machine: {
      ...object({ model: string, watts: integer }, 'model', 'watts'),
      discriminator: { propertyName: 'model', mapping: { aibo: 'Robot' } },
    },
    Dog: child('Pet', { bark: string }, 'bark'),
    Robot: { allOf: [ref('Pet'), ref('Machine'), object({ battery: integer }, 'battery')] },
  };
  const robot = { kind: 'Robot', model: 'aibo', watts: 5, battery: 1 };
  for (const used of ['Pet', 'Machine', 'Robot']) {
    const { receive, send } = await verdictsOf(sourceOf(schemas, ref(used)));
    expect(send(robot)).toEqual(robot);
    expect(await receive({ ...robot, watts: 'x' })).toEqual(['body/watts must be integer']);
  }
});

describe('an object that no value selects', () => {
  const optional = { ...PETS, Pet: { ...PETS.Pet, required: ['name'] } };

  test('is the parent, if the property is missing and is not required', async () => {
    const { receive } = await verdictsOf(sourceOf(optional));
    expect(await receive({ name: 'Rex' })).toEqual({ name: 'Rex' });
    expect(await receive({})).toEqual(['body/name is required']);
    expect(await receive({ name: 'Rex', petType: 'cow' })).toEqual([
      'body/petType must be equal to one of the allowed values: dog, Dog, Cat, Pet',
    ]);
    expect(await receive({ name: 'Rex', petType: 'dog' })).toEqual(['body/bark is required']);
  });

  test('is the parent, for values that its property lists and no child has', async () => {
    const kinds = { type: 'string', enum: ['dog', 'fish'] };
    const { receive } = await verdictsOf(sourceOf({ ...PETS, Pet: { ...PETS.Pet, properties: { petType: kinds } } }));
    expect(await receive({ petType: 'fish' })).toEqual({ petType: 'fish' });
    expect(await receive({ petType: 'dog' })).toEqual(['body/bark is required']);
    // No value of the property names it.
    expect(await receive({ petType: 'Cat' })).toEqual(['body/petType must be equal to one of the allowed values: dog, fish']);
  });

  test.each(['Cat', '#/components/schemas/Cat'])('is of defaultMapping (3.2), %s', async (defaultMapping) => {
    const discriminator = { ...PETS.Pet.discriminator, defaultMapping };
    const { receive, send } = await verdictsOf(sourceOf({ ...optional, Pet: { ...optional.Pet, discriminator } }, ref('Pet'), '3.2.0'));
    for (const value of [
      { name: 'a', lives: 1 },
      { name: 'a', petType: 'lynx', lives: 2 },
      { name: 'a', petType: 'Cat' },
    ]) {
      expect(await receive(value)).toEqual(value);
      expect(send(value)).toEqual(value);
    }
    expect(await receive({ name: 'a', petType: 'lynx', lives: 'x' })).toEqual(['body/lives must be integer']);
    expect(await receive({ name: 'a', petType: 'dog' })).toEqual(['body/bark is required']);
  });
});

test('defaults are those of the child that the value names', async () => {
  const named = (name: string) => child('Pet', { [name]: { type: 'integer', default: 1 } });
  const schemas = { ...PETS, Pet: { ...PETS.Pet, required: ['name'] }, Cat: named('lives'), Fish: named('fins') };
  const { receive } = await verdictsOf(sourceOf(schemas));
  expect(await receive({ name: 'a', petType: 'Cat' })).toEqual({ name: 'a', petType: 'Cat', lives: 1 });
  expect(await receive({ name: 'a', petType: 'Pet' })).toEqual({ name: 'a', petType: 'Pet' });
  expect(await receive({ name: 'a' })).toEqual({ name: 'a' });
});

test('children that tell themselves by a constant need no mapping', async () => {
  const kind = (value: string) => ({ type: 'string', enum: [value] });
  const schemas = {
    Pet: { ...object({ kind: string }, 'kind'), discriminator: { propertyName: 'kind' } },
    Dog: child('Pet', { kind: kind('dog'), bark: string }, 'bark'),
    Cat: child('Pet', { kind: kind('cat') }),
  };
  const { receive, send } = await verdictsOf(sourceOf(schemas));
  expect(send({ kind: 'dog', bark: 'a' })).toEqual({ kind: 'dog', bark: 'a' });
  expect(await receive({ kind: 'dog' })).toEqual(['body/bark is required']);
  expect(await receive({ kind: 'Dog' })).toEqual(['body/kind must be equal to one of the allowed values: dog, cat, Pet']);
});

test('a schema that is mapped and does not build on the parent has the properties of both', async () => {
  const schemas = {
    ...PETS,
    Pet: { ...PETS.Pet, discriminator: { propertyName: 'petType', mapping: { fish: 'Fish' } } },
    Fish: object({ fins: integer }),
  };
  const { receive, send } = await verdictsOf(sourceOf(schemas));
  const fish = { petType: 'fish', name: 'Bob', fins: 2 };
  expect(send(fish)).toEqual(fish);
  expect(await receive({ ...fish, name: 1 })).toEqual(['body/name must be string']);
  expect(await receive({ ...fish, fins: 'x' })).toEqual(['body/fins must be integer']);
});

describe('a parent that lists its children, as springdoc writes it', () => {
  const boolean = {
    discriminator: { propertyName: 'operator', mapping: { isTrue: ref('IsTrue').$ref, isFalse: ref('IsFalse').$ref } },
    ...object({ operator: string, size: integer }, 'operator'),
    oneOf: [ref('IsTrue'), ref('IsFalse')],
  };
  const schemas = {
    Boolean: boolean,
    IsTrue: child('Boolean', { why: string }),
    IsFalse: object({ operator: string, how: string }, 'operator'),
  };

  test('is one of them', async () => {
    const { receive, send } = await verdictsOf(sourceOf(schemas, ref('Boolean'), '3.1.0'));
    for (const value of [
      { operator: 'isTrue', why: 'a', size: 1 },
      { operator: 'isFalse', how: 'a', size: 1 },
    ]) {
      expect(await receive(value)).toEqual(value);
      expect(send(value)).toEqual(value);
    }
    expect(await receive({ operator: 'isTrue', why: 1 })).toEqual(['body/why must be string']);
    expect(await receive({ operator: 'isFalse', size: 'x' })).toEqual(['body/size must be integer']);
    expect(await receive({ operator: 'is' })).toEqual([
      'body/operator must be equal to one of the allowed values: isTrue, IsTrue, isFalse, IsFalse',
    ]);
  });

  test('and a schema that builds on it without being listed is any of them, with what it adds', async () => {
    const { receive } = await verdictsOf(sourceOf({ ...schemas, More: child('Boolean', { note: integer }) }, ref('More'), '3.1.0'));
    expect(await receive({ operator: 'isTrue', why: 1 })).toContain('body/why must be string');
    expect(await receive({ operator: 'isTrue', why: '', note: 'x' })).toContain('body/note must be integer');
  });

  test('with two parents', async () => {
    const other = { ...boolean, oneOf: [ref('IsTrue')] };
    const two = { ...schemas, Other: other, IsTrue: { allOf: [ref('Boolean'), ref('Other')] } };
    for (const used of ['Boolean', 'Other', 'IsTrue']) {
      const { receive } = await verdictsOf(sourceOf(two, ref(used), '3.1.0'));
      expect(await receive({ operator: 'isTrue', size: 1 })).toEqual({ operator: 'isTrue', size: 1 });
      expect(await receive({ operator: 'isTrue', size: 'x' })).toContain('body/size must be integer');
    }
  });
});

describe('additionalProperties: false at each part, as NSwag writes it', () => {
  const closed = (schema: object) => ({ ...schema, additionalProperties: false });
  const schemas = {
    Pet: closed({ ...object({ kind: string, name: string }, 'kind'), discriminator: { propertyName: 'kind', mapping: { pet: 'Pet' } } }),
    Dog: { allOf: [ref('Pet'), closed(object({ bark: string }))] },
    Puppy: { allOf: [ref('Dog'), closed(object({ weeks: integer }))] },
    Cat: closed({ allOf: [ref('Pet')], type: 'object', properties: { lives: integer } }),
  };

  test.each(['3.0.3', '3.1.0'])('closes each child as a whole (%s)', async (version) => {
    for (const used of ['Pet', 'Dog', 'Puppy']) {
      const { receive, send } = await verdictsOf(sourceOf(schemas, ref(used), version));
      const puppy = { kind: 'Puppy', name: 'a', bark: 'b', weeks: 1 };
      expect(await receive(puppy)).toEqual(puppy);
      expect(send(puppy)).toEqual(puppy);
      expect(await receive({ ...puppy, lives: 1 })).toEqual(['body/lives is not declared']);
    }
    const { receive } = await verdictsOf(sourceOf(schemas, ref('Pet'), version));
    expect(await receive({ kind: 'Cat', lives: 1 })).toEqual({ kind: 'Cat', lives: 1 });
    expect(await receive({ kind: 'pet', bark: 'b' })).toEqual(['body/bark is not declared']);
    expect(await receive({ kind: 'Dog', weeks: 1 })).toEqual(['body/weeks is not declared']);
  });
});

describe('the model', () => {
  test('is the document itself where no schema has children', () => {
    const { Pet } = PETS;
    const source = sourceOf({ Pet: { ...Pet, discriminator: undefined }, Dog: PETS.Dog });
    expect(source.document).toBe(source.published);
  });

  test('says where the keywords of a parent are written', () => {
    const text = `openapi: 3.0.3
info: { title: T, version: '1' }
paths: {}
components:
  schemas:
    Pet:
      type: object
      required: [kind]
      properties:
        kind: { type: string }
      discriminator: { propertyName: kind }
    Dog:
      allOf:
        - $ref: '#/components/schemas/Pet'
`;
    const { locate } = parseSource('test.yaml', text);
    expect(locate(['components', 'schemas', 'Pet', '$defs', 'PetBase', 'properties', 'kind'])).toMatchObject({ line: 10 });
    expect(locate(['components', 'schemas', 'Dog', 'allOf', 0])).toMatchObject({ line: 14 });
  });

  test('keeps references into a parent', () => {
    const schemas = { ...PETS, Kind: ref('Pet/properties/name') };
    const { document } = sourceOf(schemas);
    const { components } = document as Document & { components: { schemas: Record<string, { $ref: string }> } };
    expect(isObject(components.schemas['Kind']) && decodeURIComponent(components.schemas['Kind'].$ref)).toBe(
      '#/components/schemas/Pet/$defs/PetBase/properties/name',
    );
  });

  test('a ring of parents is refused', () => {
    const ring = { Pet: { ...PETS.Pet, allOf: [ref('Dog')] }, Dog: PETS.Dog };
    expect(() => sourceOf(ring)).toThrow('Pet contains itself, so that no validation would end: Pet -> allOf -> Dog -> allOf -> Pet');
  });
});
