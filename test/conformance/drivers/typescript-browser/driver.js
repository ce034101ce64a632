// The driver of the SDK for browsers, a module of a page: see test/conformance/README.md.
import { createDriver } from './respond.js';
import * as sdk from './src/index.ts';

/** Prints a value with all that it holds, what errors hide from JSON too. */
function show(value) {
  const seen = new Set();
  return JSON.stringify(value, (_, held) => {
    if (typeof held === 'bigint') return `${held}n`;
    if (typeof held !== 'object' || held === null) return held;
    if (seen.has(held)) return '[seen before]';
    seen.add(held);
    if (!(held instanceof Error)) return held;
    const { name, message, stack, cause } = held;
    return { ...held, name, message, stack, cause };
  });
}

// What the beacon sends is no part of the cases; it has suites of its own.
globalThis.respond = createDriver(sdk, show, { beacon: false });
