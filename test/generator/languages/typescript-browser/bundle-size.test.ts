import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SdkMember } from '../../../../generator/model/sdk-model.ts';
import { manyFlows } from '../../../support/many-flows.ts';
import { pageBundle, pageScript } from '../../../support/page-bundle.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

/** Returns the size of a module as a page loads it, minified and compressed, in bytes (docs/decisions/0060-*). */
const CORE_BUDGET = 5_620;
const STREAM_BUDGET = 5_980;
const CALL_BUDGET = 6_000;

suiteNeeds('processes', 'the bundle of a page', function () {
  this.timeout(180_000);

  it('fits the core budget with retries, errors, tokens and the beacon', async () => {
    const { gzip } = await pageBundle(manyFlows(20), 'export { connect, Beacon } from "./index.ts";');
    assert.ok(gzip <= CORE_BUDGET, `${gzip} bytes, ${CORE_BUDGET} were allowed`);
  });

  it('fits the stream budget, with the reader loaded on demand', async () => {
    const entry = `
      export { connect, Beacon, StreamInterruptedError } from "./index.ts";
      export { frameStream } from "./runtime/frame-stream.ts";`;
    const { gzip } = await pageBundle(manyFlows(20), entry);
    assert.ok(gzip <= STREAM_BUDGET, `${gzip} bytes, ${STREAM_BUDGET} were allowed`);
  });

  it('does not grow with unused streams', async () => {
    const one = 'export { connect, flow7 } from "./index.ts";';
    const model = manyFlows(20);
    const members = model.members.map((member): SdkMember =>
      member.alias === 'flow-7' ? member : { ...member, mode: 'pipeline' },
    );
    const without = await pageBundle(model, one);
    const beside = await pageBundle({ ...model, members }, one);
    assert.equal(beside.minified, without.minified);
  });

  for (const id of ['typescript-browser', 'typescript'] as const)
    for (const members of [20, 200])
      it(`fits the call budget for one of ${members} calls of ${id}, including its codec`, async () => {
        const one = 'export { connect, flow7 } from "./index.ts";';
        const { gzip } = await pageBundle(manyFlows(members), one, id);
        assert.ok(gzip <= CALL_BUDGET, `${gzip} bytes, ${CALL_BUDGET} were allowed`);
      });

  it('rejects a call with SvcError when the module that waits for runs cannot be loaded', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-page-'));
    try {
      const file = path.join(folder, 'page.mjs');
      await writeFile(file, await pageScript(manyFlows(20), 'export { connect, flow7 } from "./index.ts";'));
      const { connect, flow7 } = (await import(pathToFileURL(file).href)) as Page;
      const executionId = '0'.repeat(32);
      const body = JSON.stringify({ execution_id: executionId });
      const connection = connect({
        apiKey: 'k-1',
        baseUrl: 'http://localhost',
        fetch: () => Promise.resolve(new Response(body, { status: 202 })),
      });
      await assert.rejects(async () => flow7(connection, { text: 'a' }), {
        // A call after a lost connection would run the flow again.
        name: 'SvcError',
        executionId,
        attempts: 1,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('does not grow with unused calls', async () => {
    const one = 'export { connect, flow7 } from "./index.ts";';
    const few = await pageBundle(manyFlows(20), one);
    const many = await pageBundle(manyFlows(200), one);
    assert.equal(many.minified, few.minified);
  });

  it('grows with used calls, as a control for unused calls', async () => {
    const all = 'export * from "./index.ts";';
    const few = await pageBundle(manyFlows(20), all);
    const many = await pageBundle(manyFlows(200), all);
    assert.ok(many.gzip > few.gzip + 1_000, `${few.gzip} bytes with 20 members, ${many.gzip} with 200`);
  });
});

/** The exports that a page uses. */
interface Page {
  connect: (options: object) => object;
  flow7: (connection: object, input: object) => PromiseLike<unknown>;
}
