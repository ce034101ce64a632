/** Kinds without type parameters. */
export type PlainKind =
  'any' | 'bool' | 'bytes' | 'double' | 'duration' | 'dyn' | 'int' | 'null' | 'string' | 'timestamp' | 'uint';

/**
 * A static type of CEL. `wrapper` is a nullable scalar. `variable` is a type that is not yet known, such as the element type of `[]`,
 * until a `Unifier` binds it.
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

/** Returns the type of lists with this type of elements. */
export function listOf(element: StaticType): StaticType {
  return { kind: 'list', element };
}

/** Returns the type of maps. Whether CEL allows the type of the keys is not checked. */
export function mapOf(key: StaticType, value: StaticType): StaticType {
  return { kind: 'map', key, value };
}

/** Returns the type of types: that of the CEL expression `type(x)` for an `x` of the type `of`. */
export function typeOf(of: StaticType): StaticType {
  return { kind: 'type', of };
}

/** Returns the type parameters in order. */
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

/** Returns the type with each parameter replaced by `change`. */
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

/** Reports whether two types are equal. A type variable equals only itself. */
export function isSameType(a: StaticType, b: StaticType): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'variable') return b.kind === 'variable' && a.id === b.id;
  if (a.kind === 'message') return b.kind === 'message' && a.typeName === b.typeName;
  const others = parametersOf(b);
  return parametersOf(a).every((parameter, index) => isSameType(parameter, others[index] ?? dynType));
}

/** Formats a type as cel-go does: `list(int)`, `wrapper(string)`, `acme.v1.Word`. Unknown types are `dyn`. */
export function describeType(type: StaticType): string {
  switch (type.kind) {
    case 'message':
      return type.typeName;
    case 'variable':
      return 'dyn';
    case 'type':
      // As in cel-go, the type of any type is `type(type)`.
      return type.of.kind === 'type' && type.of.of.kind === 'dyn'
        ? 'type(type)'
        : `type(${describeType(type.of)})`;
    default: {
      const parameters = parametersOf(type);
      return parameters.length === 0 ? type.kind : `${type.kind}(${parameters.map(describeType).join(', ')})`;
    }
  }
}
