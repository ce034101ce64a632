import { stringLiteral } from './string-literal.ts';

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A property name in an interface: quoted when it is no identifier. */
export function propertyKey(name: string): string {
  return identifier.test(name) ? name : stringLiteral(name);
}

/** A property name in an object literal, where `__proto__` would set the prototype instead of a property. */
export function literalKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : propertyKey(name);
}
