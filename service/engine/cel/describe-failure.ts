/** Replacements for misleading error texts of the evaluator. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/^index (-?\d+) out of bounds \[0, -1\)$/, 'index out of range: $1'],
  [/^u?int divide by zero$/, 'division by zero'],
  [/^u?int modulus by zero$/, 'modulus by zero'],
  [/^field not found: (.*)$/s, 'no such key: $1'],
];

/** Returns a readable reason for a failed evaluation. */
export function describeFailure(message: string): string {
  const found = replacements.find(([pattern]) => pattern.test(message));
  return found === undefined ? message : message.replace(found[0], found[1]);
}
