/** What `@jest/globals` is where modules are shared: each function is the one of the test file that runs now. */

let current = {};

/** @param globals the functions of a test file, from its start on. */
export function setGlobals(globals) {
  current = globals;
}

const ofCurrentFile = (name) =>
  new Proxy(function () {}, {
    apply: (_, self, args) => Reflect.apply(current[name], self, args),
    get: (_, property) => Reflect.get(current[name], property),
    set: (_, property, value) => Reflect.set(current[name], property, value),
  });

export const afterAll = ofCurrentFile('afterAll');
export const afterEach = ofCurrentFile('afterEach');
export const beforeAll = ofCurrentFile('beforeAll');
export const beforeEach = ofCurrentFile('beforeEach');
export const describe = ofCurrentFile('describe');
export const expect = ofCurrentFile('expect');
export const it = ofCurrentFile('it');
export const jest = ofCurrentFile('jest');
export const test = ofCurrentFile('test');
