/** A program that makes a call, as documentation pages show it (`x-codeSamples`). */
export interface CodeSample {
  /** Language for people and highlighters: `Python`. */
  lang: string;
  label: string;
  source: string;
}

/** The extension field of an operation; absent when there is nothing to show. */
export function codeSampleField(samples: readonly CodeSample[]): { 'x-codeSamples'?: CodeSample[] } {
  return samples.length === 0 ? {} : { 'x-codeSamples': [...samples] };
}
