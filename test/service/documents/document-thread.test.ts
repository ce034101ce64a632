import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { createCodeSampler } from '../../../service/documents/code-samples.ts';
import { createDocumentThread, type DocumentThread } from '../../../service/documents/document-thread.ts';
import { type DocumentJob, makeDocument } from '../../../service/documents/make-document.ts';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import { packageSourceOf } from '../../bench/spec-bench.ts';
import { itSlow } from '../../support/fast-run.ts';

describe('the document thread', function () {
  this.timeout(180_000);
  let thread: DocumentThread;
  let job: DocumentJob;
  let schema: DocumentJob;

  before(async () => {
    const address = { baseUrl: 'https://svc.example.com', goModulePrefix: 'go.svc.internal' };
    job = { kind: 'package', source: await packageSourceOf(3), address };
    const descriptorSet = await compileProtos({ 'a.proto': 'syntax = "proto3"; package a; message M {}' });
    schema = { kind: 'node', source: { descriptorSet, input: 'a.M', output: null } };
  });
  afterEach(() => thread.close());

  const textOf = async (made: DocumentJob): Promise<string> => {
    const { bytes, sha256 } = await thread.make(made);
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
    return new TextDecoder().decode(bytes);
  };

  itSlow(
    'produces the same documents as the calling thread, as JSON and YAML, for concurrent callers',
    async () => {
      thread = createDocumentThread();
      const json = await makeDocument(job, createCodeSampler());
      assert.deepEqual(await Promise.all([textOf(job), textOf(schema), textOf(job)]), [
        json,
        await makeDocument(schema, createCodeSampler()),
        json,
      ]);
      const yaml: DocumentJob = { kind: 'yaml', json: new TextEncoder().encode(json) };
      assert.equal(await textOf(yaml), await makeDocument(yaml, createCodeSampler()));
    },
  );

  it('reports why a document failed, and continues with the next one', async () => {
    thread = createDocumentThread();
    const broken: DocumentJob = { kind: 'yaml', json: new TextEncoder().encode('{') };
    await assert.rejects(thread.make(broken), /the document could not be made: SyntaxError/);
    assert.match(await textOf(schema), /"input":\{/);
  });

  it('stops when idle, and restarts', async () => {
    const started: Worker[] = [];
    const keep = (worker: Worker): number => started.push(worker);
    process.on('worker', keep);
    try {
      thread = createDocumentThread({ idleMs: 1 });
      assert.match(await textOf(schema), /"input":\{/);
      await once(started[0]!, 'exit');
      assert.match(await textOf(schema), /"input":\{/);
      assert.equal(started.length, 2);
    } finally {
      process.off('worker', keep);
    }
  });

  it('stops when the caller aborts, and restarts for the next document', async () => {
    thread = createDocumentThread();
    const caller = new AbortController();
    const rejected = assert.rejects(thread.make(job, caller.signal), /given up/);
    caller.abort(new Error('given up'));
    await rejected;
    await assert.rejects(thread.make(job, caller.signal), /given up/);
    assert.match(await textOf(schema), /"input":\{/);
  });

  it('rejects pending and later documents on close', async () => {
    thread = createDocumentThread();
    const rejected = assert.rejects(thread.make(schema), /the thread ended before it answered/);
    await thread.close();
    await rejected;
    await assert.rejects(thread.make(schema), /are closed/);
  });
});
