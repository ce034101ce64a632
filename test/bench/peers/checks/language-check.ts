/** Findings of the tools of a language for an SDK in a folder. */
export interface Verdict {
  /** Whether the whole SDK compiles or can be imported. */
  compiles: boolean;
  /** Findings of the linters; undefined if the SDK does not compile. */
  warnings: number | undefined;
}

export interface LanguageCheck {
  /** Ids of our languages. */
  languages: readonly string[];
  /** Names of the tools, for the text of the table. */
  tools: string;
  /**
   * Checks an SDK, and may write into its folder. Dependencies come from the registry of the language.
   * @param cache for tools and dependencies, kept from run to run.
   * @throws Error if the toolchain is absent, or a dependency of the SDK cannot be fetched
   */
  check(folder: string, cache: string): Verdict;
}
