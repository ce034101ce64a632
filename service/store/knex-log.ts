/**
 * Knex prints what goes wrong to the console, stdout included, before it throws it. The error is enough: whoever catches it
 * knows where it is to be told.
 */
export const silentKnexLog = {
  warn: nothing,
  error: nothing,
  deprecate: nothing,
  debug: nothing,
};

function nothing(): void {
  // See above.
}
