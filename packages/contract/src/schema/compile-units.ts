/** Compiles schemas to functions that give verdicts: leaves first, in steps of one schema each. */
import type { ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { type DocumentModules, moduleOf } from '../document-modules.ts';
import type { Document } from '../document/openapi.ts';
import { createAjv } from './create-ajv.ts';
import type { Direction } from './model.ts';
import { createSchemaSet, type NormalizedSchema } from './normalize-schema.ts';
import { deferReference, REFERENCE_PREFIX } from './schema-reference.ts';
import { STEPS, type ValidationRun } from './validation-run.ts';
import type { CachedVerdicts, ValidationContext } from './verdict-cache.ts';

/** A schema of the set, and its function. */
export interface Unit extends NormalizedSchema {
  readonly name: string;
  /** Gives the verdict. Compiles the schema first, until it is. */
  validate: ValidateFunction;
  isCompiled: boolean;
  cost?: number | undefined;
  isRepeated?: boolean | undefined;
  /** Gives the verdict, and keeps it during a validation. */
  cached?: CachedVerdicts;
}

/**
 * A schema is compiled when something first refers to it, after those that it refers to: the compiler never runs within itself, whatever
 * the depth of a contract. Where schemas refer to each other in a circle, one reference of it is resolved when values are validated; so is
 * one to a schema whose verdicts are kept.
 */
export function createUnits(document: Document, modules: DocumentModules, direction: Direction, takesNumbers: boolean, run: ValidationRun) {
  const set = createSchemaSet(document, modules, direction);
  const units = new Map<string, Unit>();
  let ajv: Ajv2020 | undefined;

  const compileUnit = (ajv: Ajv2020, unit: Unit): void => {
    for (const reference of unit.references) {
      const { isCompiled, isRepeated } = unitOf(reference.name);
      if (!isCompiled || isRepeated === true) deferReference(reference);
    }
    // One without parts costs as much as the call.
    if (unit.weight > 1 && !('$ref' in unit.schema)) unit.schema[STEPS] = unit.weight;
    for (const [format, { test, expression = test }] of set.patterns) if (!(format in ajv.formats)) ajv.addFormat(format, expression);
    const key = REFERENCE_PREFIX + unit.name;
    ajv.addSchema(unit.schema, key);
    unit.validate = ajv.getSchema(key) as ValidateFunction;
    unit.isCompiled = true;
  };
  const validatorOf = (name: string): Unit | CachedVerdicts => {
    const unit = unitOf(name);
    return unit.isRepeated === true ? (unit.cached ??= moduleOf(modules, 'verdicts').createCachedVerdicts(unit, run)) : unit;
  };

  function* compileWithParts(root: Unit): Generator<void, ValidateFunction> {
    if (root.isCompiled) return root.validate;
    const created = ajv ?? (yield* createAjv({ document, modules, direction, takesNumbers, run, validatorOf }));
    const compiler = (ajv ??= created);
    modules.repeated?.findRepeated(root, unitOf);
    // Depth first without recursion: a chain of references may be longer than the stack is deep.
    const path = [{ unit: root, next: 0 }];
    const visited = new Set([root]);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { unit } = last;
      const reference = unit.references[last.next++];
      if (reference !== undefined) {
        const part = unitOf(reference.name);
        if (part.isCompiled || visited.has(part)) continue;
        visited.add(part);
        path.push({ unit: part, next: 0 });
        continue;
      }
      path.pop();
      if (unit.isCompiled) continue;
      compileUnit(compiler, unit);
      yield;
    }
    return root.validate;
  }
  const unitOf = (name: string): Unit => {
    let unit = units.get(name);
    if (unit !== undefined) return unit;
    const validate = ((value: unknown, context?: ValidationContext) =>
      runToEnd(compileWithParts(unit as Unit))(value, context)) as ValidateFunction;
    units.set(name, (unit = { name, ...set.named(name), validate, isCompiled: false }));
    return unit;
  };
  return {
    unitOf,
    unitAt: (pointer: string): Unit => unitOf(set.nameOf(pointer)),
    compile: compileWithParts,
    formatOf: (name: string) => set.patterns.get(name)?.test ?? ajv?.formats[name],
  };
}

export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
