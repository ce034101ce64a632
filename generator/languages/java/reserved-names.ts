import { importedTypes } from './imports.ts';
import { javaLangTypes, keywords } from './java-words.ts';

/** Methods of every object; most of their names are invalid for components of a record. */
const objectMethods = [
  ...['clone', 'equals', 'finalize', 'getClass', 'hashCode', 'notify', 'notifyAll', 'toString', 'wait'],
];

/**
 * Types that generated sources and README programs use: a message with the same name would hide them. `Main` is the program of a
 * README, `Builder` is in every message, `Known` in every enum.
 */
export const reservedForTypes: ReadonlySet<string> = new Set([
  ...javaLangTypes,
  ...importedTypes,
  ...[
    'EventStream',
    'ExecutionEvent',
    'ExecutionRecord',
    'ExecutionStatus',
    'FixedResponse',
    'Fork',
    'HttpClient',
    'PauseDecision',
    'PauseStatus',
    'RateLimitedException',
    'ResumedPause',
    'SplitUpload',
    'Transport',
  ],
  ...['Builder', 'ClientTest', 'Known', 'Main', 'WithRawResponse'],
]);

/** Members of every message in addition to its fields. */
export const reservedForFields: ReadonlySet<string> = new Set([
  ...keywords,
  ...objectMethods,
  ...['build', 'builder', 'describe', 'fromJson', 'fromStrictJson', 'toBuilder', 'toJson'],
]);

/** Members of every enum in addition to its constants. */
export const reservedForConstants: ReadonlySet<string> = new Set([
  'CODEC',
  'INITIAL',
  'TABLE',
  'UNRECOGNIZED',
]);

/** Methods of every client, and methods that may be added later, so that adding them renames no call. */
export const reservedForMethods: ReadonlySet<string> = new Set([
  ...keywords,
  ...objectMethods,
  ...['async', 'close', 'connection', 'create', 'execution', 'listPauses', 'listPausesAsync', 'warm'],
  'withRawResponse',
]);
