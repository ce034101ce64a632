/**
 * Silences knex, which prints errors to the console, including stdout, before it throws them. The caller logs them.
 */
export const silentKnexLog = {
  warn: nothing,
  error: nothing,
  deprecate: nothing,
  debug: nothing,
};

function nothing(): void {
  // Silent.
}
