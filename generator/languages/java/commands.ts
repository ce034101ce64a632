/** Shell commands that MANIFEST.json and the README name, run in the folder of the archive in this order. */
export const manifestCommands = {
  // A single test is enough for Maven to download everything that further tests need.
  setup: 'mvn --quiet --batch-mode test -Dtest=ClientTest#showsNoKey',
  test: 'mvn --quiet --batch-mode --offline test',
} as const;
