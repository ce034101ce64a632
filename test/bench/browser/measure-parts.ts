import { manyFlows } from '../../support/many-flows.ts';
import { pageModules } from '../../support/page-bundle.ts';
import { oneCall } from './measure-bundles.ts';

/** A part of the module of one call, with its minified size in bytes. */
export interface BundlePart {
  name: string;
  minified: number;
}

/** Parts of the runtime and their modules. Other modules belong to the client. */
const parts: readonly (readonly [name: string, modules: RegExp])[] = [
  ['attempts of a call, headers, log events', /runtime\/(connection|attempt|outgoing|idempotency-key)\./],
  ['codec of messages of strings, with paths of errors', /runtime\/codec\//],
  [
    'error classes, and errors of responses',
    /runtime\/(errors|error-code|error-from-response|invalid-response)\./,
  ],
  ['options: checks, defaults, header values', /runtime\/(check-options|checked-text|settings|platform)\./],
  [
    'run of a flow: request, result, loading the wait',
    /runtime\/(run-flow|flow-|call|response-object|execution-id)/,
  ],
  ['deadlines', /runtime\/deadline\./],
  ['retries: policy', /runtime\/retry-/],
  ['redaction', /runtime\/redact\./],
  ['credentials and token renewal', /runtime\/credential\./],
];

/** Measures the parts of the module of one call of the SDK for browsers. Returns them largest first. */
export async function measureParts(): Promise<BundlePart[]> {
  const sizes = new Map<string, number>();
  for (const [file, bytes] of await pageModules(manyFlows(20), oneCall)) {
    const [name] = parts.find(([, modules]) => modules.test(file)) ?? ['tables of the client'];
    sizes.set(name, (sizes.get(name) ?? 0) + bytes);
  }
  return Array.from(sizes, ([name, minified]) => ({ name, minified })).sort(
    (a, b) => b.minified - a.minified,
  );
}
