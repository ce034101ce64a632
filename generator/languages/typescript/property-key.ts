import { stringLiteral } from './string-literal.ts';

/** Keys that prettier leaves without quotes: identifiers of the basic plane. */
const identifier =
  /^(?:(?![\u{10000}-\u{10ffff}])[\p{ID_Start}$_])(?:(?![\u{10000}-\u{10ffff}])[\p{ID_Continue}$])*$/u;

/** Returns a property name in an interface, quoted if it is not an identifier. */
export function propertyKey(name: string): string {
  return identifier.test(name) ? name : stringLiteral(name);
}

/** Returns a property name in an object literal, where `__proto__` would set the prototype instead of a property. */
export function literalKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : propertyKey(name);
}
