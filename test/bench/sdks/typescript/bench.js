// Measures calls of the TypeScript SDK, and of fetch for comparison: see ../sdk-bench.ts.
import assert from 'node:assert/strict';
import { AcmeTextClient } from './src/index.ts';

const { BENCH_SECONDS: seconds, SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env;
const client = new AcmeTextClient();

async function bare() {
  const response = await fetch(`${baseUrl}/bare`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'idempotency-key': crypto.randomUUID(),
      'x-svc-client': 'acme-acme-text/1.1.0 (typescript; svc/0)',
    },
    body: JSON.stringify({ text: 'Two ships left the harbour.', limit: 10 }),
    signal: AbortSignal.timeout(60_000),
  });
  assert.ok(response.ok);
  const output = await response.json();
  assert.equal(output.total, '5');
}

async function sdk() {
  const output = await client.countWords({ text: 'Two ships left the harbour.', limit: 10 });
  assert.equal(output.total, 5n);
}

async function timed(call) {
  const start = process.hrtime.bigint();
  await call();
  return Number(process.hrtime.bigint() - start);
}

async function measure() {
  const times = { bare: [], sdk: [] };
  const end = performance.now() + 1000 * Number(seconds);
  while (performance.now() < end) {
    times.bare.push(await timed(bare));
    times.sdk.push(await timed(sdk));
  }
  return times;
}

await measure();
process.stdout.write(JSON.stringify(await measure()), () => process.exit());
