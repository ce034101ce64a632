import { importedTypes } from './imports.ts';
import { javaLangTypes, keywords } from './java-words.ts';

/** Methods of every object; a component of a record cannot be called like most of them. */
const objectMethods = [
  ...['clone', 'equals', 'finalize', 'getClass', 'hashCode', 'notify', 'notifyAll', 'toString', 'wait'],
];

/**
 * Types that generated sources and programs of READMEs name: a message of the same name would hide them. `Main` is the program of
 * a README, `Builder` stands in every message.
 */
export const reservedForTypes: ReadonlySet<string> = new Set([
  ...javaLangTypes,
  ...importedTypes,
  ...['ExecutionRecord', 'HttpClient', 'RateLimitedException'],
  ...['Builder', 'ClientTest', 'Main'],
]);

/** What every message has beside its fields. */
export const reservedForFields: ReadonlySet<string> = new Set([
  ...keywords,
  ...objectMethods,
  ...['build', 'builder', 'describe', 'fromJson', 'toBuilder', 'toJson'],
]);

/** What every enum has beside its constants. */
export const reservedForConstants: ReadonlySet<string> = new Set(['CODEC', 'INITIAL', 'TABLE']);

/** Methods of every client, and those that may come, so that their coming renames no call. */
export const reservedForMethods: ReadonlySet<string> = new Set([
  ...keywords,
  ...objectMethods,
  ...['async', 'close', 'connection', 'create', 'warm'],
]);
