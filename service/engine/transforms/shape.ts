import type { DescEnum, DescMessage } from '@bufbuild/protobuf';
import type { ScalarKind } from './value.ts';

/**
 * The static type of a value. `number` is a number whose kind is known only at runtime, `dyn` is any value, and `null` is the
 * absence of a value.
 */
export type Shape =
  | { kind: ScalarKind | 'dyn' | 'null' | 'number' }
  | { kind: 'enum'; type: DescEnum }
  | { kind: 'list'; element: Shape }
  | { kind: 'map'; key: Shape; value: Shape }
  | { kind: 'message'; type: DescMessage };

export const dynShape: Shape = { kind: 'dyn' };
export const textShape: Shape = { kind: 'string' };

const numbers: ReadonlySet<Shape['kind']> = new Set([
  'double',
  'float',
  'int32',
  'int64',
  'number',
  'uint32',
  'uint64',
]);

/** Reports whether every value of the kind is a number. Those of an enum and of `dyn` are not. */
export function isNumeric({ kind }: { kind: Shape['kind'] | 'absent' }): boolean {
  return numbers.has(kind as Shape['kind']);
}

/** Describes a shape for error texts: `string`, `repeated int32`, `map<string, acme.v1.Word>`, `message "acme.v1.Word"`. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case 'enum':
      return `enum "${shape.type.typeName}"`;
    case 'message':
      return `message "${shape.type.typeName}"`;
    case 'list':
      return `repeated ${describeShape(shape.element)}`;
    case 'map':
      return `map<${describeShape(shape.key)}, ${describeShape(shape.value)}>`;
    case 'dyn':
      return 'a value of unknown type';
    default:
      return shape.kind;
  }
}
