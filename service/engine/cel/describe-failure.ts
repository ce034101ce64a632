/** The evaluator's words where they would mislead, in those of the field. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^index (-?\d+) out of bounds \[0, -1\)$/, 'index out of range: $1'],
  [/^u?int divide by zero$/, 'division by zero'],
  [/^u?int modulus by zero$/, 'modulus by zero'],
  [/^field not found: (.*)$/s, 'no such key: $1'],
];

/** Why an evaluation failed, for people. */
export function describeFailure(message: string): string {
  const found = words.find(([pattern]) => pattern.test(message));
  return found === undefined ? message : message.replace(found[0], found[1]);
}
