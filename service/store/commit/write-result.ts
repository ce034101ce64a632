/** The result for one record of a group commit: `undefined` if it is stored, or the error of the database. */
export type WriteResult = Error | undefined;
