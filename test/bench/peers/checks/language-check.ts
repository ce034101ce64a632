/** What the tools of a language say of an SDK in a folder. */
export interface Verdict {
  /** Whether all of it compiles, or can be imported. */
  compiles: boolean;
  /** What its linters find; undefined for what does not compile. */
  warnings: number | undefined;
}

export interface LanguageCheck {
  /** Ids of our languages. */
  languages: readonly string[];
  /** The tools by name, as the table's text tells them. */
  tools: string;
  /**
   * Looks at an SDK, and may write into its folder. What it depends on comes of the language's registry.
   * @param cache for tools and dependencies, kept from run to run.
   * @throws Error when the toolchain is absent, or what the SDK depends on does not come
   */
  check(folder: string, cache: string): Verdict;
}
