import assert from 'node:assert/strict';
import type { MediaTypeObject, OpenAPIObject, OperationObject, RequestBodyObject } from 'openapi3-ts/oas30';
import { openEvents } from '../support/event-stream.ts';
import { itSlow } from '../support/fast-run.ts';
import { openApiValidator } from '../support/openapi-validator.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';

eachService('the documents of pipeline nodes and flows', (start) => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;

  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        if (text === 'torn') throw new Error('the tape is torn');
        yield { text };
      }
    });
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  /** The frames of a call, as the operation of a document describes it. */
  async function framesOf(path: string, type: string, body: string): Promise<object[]> {
    const headers = { authorization: `Bearer ${acme.key}`, 'content-type': type };
    const stream = await openEvents(service.url + path, { method: 'POST', headers, body });
    assert.equal(stream.status, 200, stream.text);
    return stream.rest();
  }

  itSlow('describe the frames of a node and both bodies that it accepts', async () => {
    const { body } = await acme.get('/api/packages/acme/streams@1.0.0/openapi.json');
    const document = body as OpenAPIObject;
    const path = '/invocations/v1/nodes/acme/streams/1.0.0/Flow';
    const { post } = document.paths[path] as { post: OperationObject };
    const { content } = post.requestBody as RequestBodyObject;
    assert.deepEqual(Object.keys(content), ['application/json', 'application/x-ndjson']);
    const isFrame = frameValidator(document, post);
    const example = JSON.stringify(content['application/json']?.example);
    const line = `${JSON.stringify(content['application/x-ndjson']?.example)}\n`;
    for (const frames of [
      await framesOf(path, 'application/json', example),
      await framesOf(path, 'application/x-ndjson', line + line),
      await framesOf(path, 'application/json', '{"text":"torn"}'),
    ]) {
      assert.ok(frames.length > 0);
      for (const frame of frames) assert.ok(isFrame(frame), JSON.stringify(frame) + isFrame.problems());
    }
    for (const frame of [{}, { execution_id: 'x', frame_index: 0, is_final: false }]) {
      assert.ok(!isFrame(frame));
    }
  });

  it('describe the frames of a flow', async () => {
    const node = { id: 'a', package: 'acme/streams', node_name: 'Flow' };
    const flow = { name: 'Words', mode: 'pipeline', nodes: [node], edges: [], entry: 'a', terminal: 'a' };
    const { status, body: compiled } = await acme.post('/api/v1/graphs/compile', flow);
    assert.equal(status, 201, JSON.stringify(compiled));
    const { body } = await acme.get(`/api/graphs/${compiled.graph_id}/openapi.json`);
    const document = body as OpenAPIObject;
    const path = '/invocations/v1/flows/invoke/stream';
    const { post } = document.paths[path] as { post: OperationObject };
    const isFrame = frameValidator(document, post);
    const { example } = (post.requestBody as RequestBodyObject).content['application/json']!;
    for (const input of [(example as { input: object }).input, { text: 'torn' }]) {
      const request = { ...(example as object), input };
      const frames = await framesOf(path, 'application/json', JSON.stringify(request));
      assert.ok(frames.length > 0);
      for (const frame of frames) assert.ok(isFrame(frame), JSON.stringify(frame) + isFrame.problems());
    }
  });
});

/** Checks a frame by the schema of an operation's stream, and the operation's own example. */
function frameValidator(document: OpenAPIObject, { responses }: OperationObject) {
  const { content } = responses['200'] as { content: Record<string, MediaTypeObject> };
  const { schema, example } = content['text/event-stream'] ?? assert.fail('no stream is described');
  const isFrame = openApiValidator(document, schema as object);
  assert.ok(isFrame(example), JSON.stringify(example));
  return isFrame;
}
