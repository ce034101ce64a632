import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { FEATURES } from './conformance-case.ts';
import type { PlacedCase } from './read-cases.ts';

const matrixSchema = z.strictObject({
  /** By language, or by `<language> <flavour>`. */
  lacking: z.record(z.string(), z.array(z.enum(FEATURES))),
});
type FeatureMatrix = z.infer<typeof matrixSchema>;

/** The features that languages lack, from `features.yaml`. */
export function readMatrix(): FeatureMatrix {
  return matrixSchema.parse(parse(readFileSync(path.join(import.meta.dirname, 'features.yaml'), 'utf8')));
}

/** The cases whose features a flavour of a language has. */
export function casesOf(
  cases: readonly PlacedCase[],
  { lacking }: FeatureMatrix,
  language: string,
  flavour: string | undefined,
): PlacedCase[] {
  const own = flavour === undefined ? undefined : lacking[`${language} ${flavour}`];
  const lacked = new Set([...(lacking[language] ?? []), ...(own ?? [])]);
  return cases
    .map((each) => (lacked.has('nodes') ? (each.withoutNodes ?? each) : each))
    .filter(({ needs }) => needs.every((feature) => !lacked.has(feature)));
}
