/** Which schemas apply to a value for what it is: `then` or `else`, and those that a property brings with it. */
import { conditionOf, dependentSchemasOf } from '@specwright/contract/document';
import { inside, type BuildOptions } from './build-options.ts';
import { locate, type Schemas } from './schema-parts.ts';
import type { SchemaView } from './schema-view.ts';

export function appliedSchemas({ isValid }: Pick<BuildOptions, 'isValid'>, { parts }: SchemaView, value: unknown): Schemas {
  return parts.flatMap(({ value: schema, pointer }) => {
    const dependent = Object.entries(dependentSchemasOf(schema)).flatMap(([name, one]) =>
      inside(value, name) === undefined ? [] : [locate(one, pointer, 'dependentSchemas', name)],
    );
    const condition = conditionOf(schema);
    if (condition === undefined) return dependent;
    const branch = isValid([locate(condition.if, pointer, 'if')], value) ? 'then' : 'else';
    const applied = condition[branch];
    return applied === undefined ? dependent : [...dependent, locate(applied, pointer, branch)];
  });
}
