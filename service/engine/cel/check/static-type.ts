/** The kinds that take no parameters. */
export type PlainKind =
  'any' | 'bool' | 'bytes' | 'double' | 'duration' | 'dyn' | 'int' | 'null' | 'string' | 'timestamp' | 'uint';

/**
 * A type of CEL as the checker knows it, before anything runs. `wrapper` is a scalar that may be null; `variable` stands for a
 * type that is not known yet (the elements of `[]`) and is bound by a `Unifier`.
 */
export type StaticType =
  | { kind: PlainKind }
  | { kind: 'list'; element: StaticType }
  | { kind: 'map'; key: StaticType; value: StaticType }
  | { kind: 'message'; typeName: string }
  | { kind: 'type'; of: StaticType }
  | { kind: 'variable'; id: number }
  | { kind: 'wrapper'; of: StaticType };

export const anyType: StaticType = { kind: 'any' };
export const boolType: StaticType = { kind: 'bool' };
export const bytesType: StaticType = { kind: 'bytes' };
export const doubleType: StaticType = { kind: 'double' };
export const durationType: StaticType = { kind: 'duration' };
export const dynType: StaticType = { kind: 'dyn' };
export const intType: StaticType = { kind: 'int' };
export const nullType: StaticType = { kind: 'null' };
export const stringType: StaticType = { kind: 'string' };
export const timestampType: StaticType = { kind: 'timestamp' };
export const uintType: StaticType = { kind: 'uint' };

export function listOf(element: StaticType): StaticType {
  return { kind: 'list', element };
}

export function mapOf(key: StaticType, value: StaticType): StaticType {
  return { kind: 'map', key, value };
}

export function typeOf(of: StaticType): StaticType {
  return { kind: 'type', of };
}

/** The types that a type is made of, in order. */
export function parametersOf(type: StaticType): readonly StaticType[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'type':
    case 'wrapper':
      return [type.of];
    default:
      return [];
  }
}

/** The same type with its parameters exchanged by `change`. */
export function mapParameters(type: StaticType, change: (type: StaticType) => StaticType): StaticType {
  switch (type.kind) {
    case 'list':
      return listOf(change(type.element));
    case 'map':
      return mapOf(change(type.key), change(type.value));
    case 'type':
      return typeOf(change(type.of));
    case 'wrapper':
      return { kind: 'wrapper', of: change(type.of) };
    default:
      return type;
  }
}

/** Whether two types are the same, unknown ones only with themselves. */
export function isSameType(a: StaticType, b: StaticType): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'variable') return b.kind === 'variable' && a.id === b.id;
  if (a.kind === 'message') return b.kind === 'message' && a.typeName === b.typeName;
  const others = parametersOf(b);
  return parametersOf(a).every((parameter, index) => isSameType(parameter, others[index] ?? dynType));
}

/** As cel-go names it in messages: `list(int)`, `wrapper(string)`, `acme.v1.Word`. Unknown types are `dyn`. */
export function describeType(type: StaticType): string {
  switch (type.kind) {
    case 'message':
      return type.typeName;
    case 'variable':
      return 'dyn';
    case 'type':
      // A type of types is not told apart further.
      return type.of.kind === 'type' && type.of.of.kind === 'dyn'
        ? 'type(type)'
        : `type(${describeType(type.of)})`;
    default: {
      const parameters = parametersOf(type);
      return parameters.length === 0 ? type.kind : `${type.kind}(${parameters.map(describeType).join(', ')})`;
    }
  }
}
