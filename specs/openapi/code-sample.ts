/** An example program of an operation (`x-codeSamples`). */
export interface CodeSample {
  /** Display name of the language, which also selects syntax highlighting, for example `Python`. */
  lang: string;
  label: string;
  source: string;
}

/** Returns the extension field of an operation; empty without samples. */
export function codeSampleField(samples: readonly CodeSample[]): { 'x-codeSamples'?: CodeSample[] } {
  return samples.length === 0 ? {} : { 'x-codeSamples': [...samples] };
}
