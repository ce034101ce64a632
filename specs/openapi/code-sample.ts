/** An example program of an operation (`x-codeSamples`). */
export interface CodeSample {
  /** Display name of the language, which also selects syntax highlighting, for example `Python`. */
  lang: string;
  label: string;
  source: string;
}
