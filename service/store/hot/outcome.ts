/** What became of one record of a group commit: the error that refused it, or `undefined` when it is stored. */
export type Outcome = Error | undefined;
