import { celEnv } from '@bufbuild/cel';
import type { CelEnv } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import type { Registry } from '@bufbuild/protobuf';
import { WorkMeter } from '../work/work-meter.ts';
import { createOverloadTable } from './check/overloads.ts';
import type { OverloadTable } from './check/overloads.ts';
import type { CelWork } from './cel-work.ts';
import { callCost } from './cost/call-cost.ts';
import { boundedConversions } from './functions/conversion-functions.ts';
import { listFunctions } from './functions/list-functions.ts';
import { matchesFunction } from './functions/matches-function.ts';
import { timeFunctions } from './functions/time-functions.ts';
import { textFunctions } from './functions/text-functions.ts';

/** CEL over the types of one registry: functions, overloads, and the meter that they draw on. */
export interface CelEnvironment {
  env: CelEnv;
  overloads: OverloadTable;
  work: CelWork;
}

/**
 * Creates an environment with the standard functions and the strings extension, all metered. It copies the registry, so callers
 * should cache the environment.
 *
 * @param container package prefix that type names may omit, for the conformance suite
 */
export function createCelEnvironment(registry: Registry, container = ''): CelEnvironment {
  const work: CelWork = { meter: new WorkMeter() };
  const standard = celEnv({ registry, namespace: container, funcs: strings });
  const env = celEnv({
    registry,
    namespace: container,
    funcs: [
      ...strings,
      ...timeFunctions(),
      ...textFunctions(work),
      ...boundedConversions(standard.funcs),
      ...listFunctions(),
      matchesFunction(work),
    ],
  });
  return { env: meteredEnv(env, work), overloads: createOverloadTable(env), work };
}

/** Wraps an environment so that every call is charged before it runs. The evaluator looks functions up by name only. */
function meteredEnv(env: CelEnv, work: CelWork): CelEnv {
  const find: CelEnv['funcs']['find'] = (name) => {
    const group = env.funcs.find(name);
    if (group === undefined) return undefined;
    const call: typeof group.call = (id, target, args) => {
      const { meter } = work;
      meter.spend(callCost(name, target === undefined ? args : [target, ...args], meter.left));
      return group.call(id, target, args);
    };
    return Object.create(group, { call: { value: call } }) as typeof group;
  };
  const funcs = Object.create(env.funcs, { find: { value: find } }) as CelEnv['funcs'];
  return Object.create(env, { funcs: { value: funcs } }) as CelEnv;
}
