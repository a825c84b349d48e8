/** What makes an operation answer a status: a scenario of its own, or else the generic ones. */
import type { Call, Scenario, SpecOperation } from 'specwright/testing';
import { GENERIC, type GenericScenario } from './generic.ts';
import { SCENARIOS } from './scenarios.ts';
import { spec } from './spec.ts';
import type { World } from './world.ts';

/** @returns `undefined` if nothing is known to make the operation answer the status. */
export function scenarioFor(operation: SpecOperation, status: number | string): Scenario<World> | undefined {
  const own = ownScenario(operation.id, status);
  const generic = (GENERIC as Record<string, GenericScenario | undefined>)[status];
  if (own !== undefined || generic === undefined) return own;
  return (world) =>
    generic(operation, {
      world,
      document: spec.document,
      success: () => success(operation, world),
      send: (call: Call) => world.send(operation.id, call),
    });
}

/** A call that succeeds: the first of the operation's scenarios. */
async function success({ id, statuses }: SpecOperation, world: World): Promise<Call> {
  const scenario = statuses.filter((status) => status.startsWith('2')).flatMap((status) => ownScenario(id, status) ?? [])[0];
  const [call] = (await scenario?.(world)) ?? [];
  if (call === undefined) throw new Error(`no scenario makes ${id} succeed: add it to test/contract/scenarios.ts`);
  return call;
}

function ownScenario(id: string, status: number | string): Scenario<World> | undefined {
  return (SCENARIOS as Record<string, Record<string, Scenario<World> | undefined> | undefined>)[id]?.[status];
}
