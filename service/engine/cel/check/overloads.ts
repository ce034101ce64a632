import type { CelEnv, CelFunc, CelType } from '@bufbuild/cel';
import { messageStaticType } from './field-type.ts';
import { boolType, dynType, intType, listOf, mapOf, nullType, stringType, typeOf } from './static-type.ts';
import type { PlainKind, StaticType } from './static-type.ts';
import type { Unifier } from './unifier.ts';

/** A signature of a function, or of a method if it has a `target`. */
export interface Overload {
  target?: StaticType;
  parameters: readonly StaticType[];
  result: StaticType;
}

/** Returns the overloads of a function, or undefined for an unknown name. */
export type OverloadTable = (name: string, unifier: Unifier) => readonly Overload[] | undefined;

/**
 * Creates the overload table of an environment. The evaluator declares some generic functions (`==`, `[]`, `in`, the conditional) with
 * `dyn`. They are declared here with type variables, fresh for each call.
 */
export function createOverloadTable(env: CelEnv): OverloadTable {
  return (name, unifier) => {
    const generic = generics.get(name);
    const declared = env.funcs.find(name);
    if (generic === undefined && declared === undefined) return undefined;
    const plain = declared === undefined || exclusive.has(name) ? [] : [...declared].filter(isNotGeneric);
    return [...(generic?.(unifier) ?? []), ...plain.map((func) => overloadOf(func))];
  };
}

const generics = new Map<string, (unifier: Unifier) => Overload[]>([
  ['_==_', sameTwo],
  ['_!=_', sameTwo],
  [
    '_?_:_',
    (unifier: Unifier) => {
      const one = unifier.fresh();
      return [{ parameters: [boolType, one, one], result: one }];
    },
  ],
  ['_[_]', indexing],
  ['@in', membership],
  [
    '_+_',
    (unifier: Unifier) => {
      const list = listOf(unifier.fresh());
      return [{ parameters: [list, list], result: list }];
    },
  ],
  ['dyn', (unifier: Unifier) => [{ parameters: [unifier.fresh()], result: dynType }]],
  [
    'type',
    (unifier: Unifier) => {
      const one = unifier.fresh();
      return [{ parameters: [one], result: typeOf(one) }];
    },
  ],
  [
    'size',
    (unifier: Unifier) =>
      [listOf(unifier.fresh()), mapOf(unifier.fresh(), unifier.fresh())].flatMap((sized) => [
        { parameters: [sized], result: intType },
        { target: sized, parameters: [], result: intType },
      ]),
  ],
  ['@not_strictly_false', () => [{ parameters: [boolType], result: boolType }]],
  [
    'split',
    () =>
      [[stringType], [stringType, intType]].map((parameters) => ({
        target: stringType,
        parameters,
        result: listOf(stringType),
      })),
  ],
  [
    'join',
    () =>
      [[], [stringType]].map((parameters) => ({
        target: listOf(stringType),
        parameters,
        result: stringType,
      })),
  ],
]);

/** Generic functions whose declarations here replace all overloads of the evaluator. */
const exclusive: ReadonlySet<string> = new Set(['_==_', '_!=_', '@in', 'dyn', 'type', 'split', 'join']);

function sameTwo(unifier: Unifier): Overload[] {
  const one = unifier.fresh();
  return [{ parameters: [one, one], result: boolType }];
}

function indexing(unifier: Unifier): Overload[] {
  const element = unifier.fresh();
  const key = unifier.fresh();
  const value = unifier.fresh();
  return [
    { parameters: [listOf(element), intType], result: element },
    { parameters: [mapOf(key, value), key], result: value },
  ];
}

function membership(unifier: Unifier): Overload[] {
  const element = unifier.fresh();
  const key = unifier.fresh();
  return [
    { parameters: [element, listOf(element)], result: boolType },
    { parameters: [key, mapOf(key, unifier.fresh())], result: boolType },
  ];
}

function isNotGeneric({ name, arguments: parameters, target }: CelFunc): boolean {
  if (name !== '_+_' && name !== 'size') return true;
  return [...parameters, ...(target === undefined ? [] : [target])].every(
    ({ kind }) => kind !== 'list' && kind !== 'map',
  );
}

function overloadOf({ target, arguments: parameters, result }: CelFunc): Overload {
  return {
    ...(target === undefined ? {} : { target: staticType(target) }),
    parameters: parameters.map(staticType),
    result: staticType(result),
  };
}

/** Converts a type of the evaluator to a type of the checker. */
function staticType(type: CelType): StaticType {
  switch (type.kind) {
    case 'list':
      return listOf(staticType(type.element));
    case 'map':
      return mapOf(staticType(type.key), staticType(type.value));
    case 'object':
      return messageStaticType(type.name);
    case 'scalar':
      if (type.name === 'null_type') return nullType;
      return type.name === 'type' ? typeOf(dynType) : { kind: type.name satisfies PlainKind };
  }
}
