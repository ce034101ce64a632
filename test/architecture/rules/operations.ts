import type { Operation } from '../../../specs/operations/operation.ts';

/** Every operation is bound exactly once, every route is one of the operations, and no two share an id or an address. */
export function operationsBound(operations: readonly Operation[], bound: readonly Operation[]): string[] {
  return [
    ...operations
      .filter((operation) => !bound.includes(operation))
      .map((operation) => `${operation.id} is bound to no handler`),
    ...bound
      .filter((operation) => !operations.includes(operation))
      .map((operation) => `${operation.id} is bound, but specs/operations does not export it`),
    ...repeated(bound, (operation) => operation.id).map((id) => `${id} is bound more than once`),
    ...repeated(operations, (operation) => operation.id).map((id) => `${id} names more than one operation`),
    ...repeated(operations, address).map((where) => `${where} is the address of more than one operation`),
  ];
}

/** Method and path, parameters nameless: two that differ only in a parameter's name answer the same requests. */
function address({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}

function repeated(operations: readonly Operation[], key: (operation: Operation) => string): string[] {
  const keys = operations.map(key);
  return [...new Set(keys.filter((each, index) => keys.indexOf(each) !== index))];
}
