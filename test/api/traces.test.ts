import assert from 'node:assert/strict';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from '../support/otlp-collector.ts';
import { startService } from '../support/running-service.ts';
import { runInProcess } from '../support/run-svc.ts';
import { startServeProcess } from '../support/serve-process.ts';
import { step, stepPackage, twoSteps } from '../support/step-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;

describe('traces of executions', () => {
  let collector: OtlpCollector;
  beforeEach(async () => {
    collector = await startOtlpCollector();
  });
  afterEach(() => collector.close());

  describe('in this process', () => {
    let flows: FlowService;
    beforeEach(async () => {
      flows = await startFlowService(() => startService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));
    });
    afterEach(() => flows.stop());

    /** Stops the service, which flushes its spans. */
    const traceOf = async (executionId: string): Promise<CollectedSpan[]> => {
      await flows.service.app.drain(30_000);
      return collector.spans.filter(({ traceId }) => traceId === executionId);
    };

    it('have a root span for the run and one span per step, which is passed to its container', async () => {
      const graph = await flows.compile(twoSteps());
      const answer = await flows.invoke(graph, {}, { traceparent });
      const executionId = answer.body.execution_id as string;
      const spans = await traceOf(executionId);
      const [root] = spans.filter(({ parentSpanId }) => parentSpanId === '');
      assert.equal(root?.name, 'flow Two steps');
      assert.deepEqual(root.links, [caller]);
      assert.equal(root.error, undefined);
      const { attributes } = root;
      assert.equal(attributes['svc.tenant'], 'acme');
      assert.equal(attributes['svc.graph.id'], graph);
      assert.equal(attributes['svc.execution.status'], 'COMPLETED');
      const steps = spans.filter((span) => span !== root);
      assert.deepEqual(
        steps.map(({ name, parentSpanId }) => [name, parentSpanId]),
        [
          ['step a', root.spanId],
          ['step b', root.spanId],
        ],
      );
      for (const span of steps) {
        assert.equal(span.attributes['svc.package.name'], 'acme/steps');
        assert.equal(span.attributes['svc.package.version'], '1.0.0');
        assert.equal(span.attributes['svc.node.name'], 'Step');
        assert.ok(root.startedAt <= span.startedAt && span.endedAt <= root.endedAt);
      }
      assert.deepEqual(
        steps.map(({ spanId }) => `00-${executionId}-${spanId}-01`),
        flows.container.requests.map(({ context }) => context?.traceparent),
      );
    });

    it('record each attempt, mocked steps and failure reasons', async () => {
      flows.behaviours.set('a', (given, answer, attempt) => {
        if (attempt > 2) return given;
        answer.say({ case: 'error', value: { message: `attempt ${attempt} broke`, retryable: true } });
        answer.end();
        return undefined;
      });
      const retry = { max_attempts: 3, initial_ms: 1, factor: 1, max_ms: 1 };
      const nodes = [step('a', { retry }), step('b', { mock: { error: 'as drawn' } })];
      const answer = await flows.invoke(await flows.compile(twoSteps({ nodes })));
      const spans = await traceOf(answer.body.execution_id as string);
      assert.deepEqual(
        spans.map(({ name, error, attributes }) => [
          name,
          error,
          attributes['svc.attempt'],
          attributes['svc.mocked'],
        ]),
        [
          ['step a', 'attempt 1 broke', 1, false],
          ['step a', 'attempt 2 broke', 2, false],
          ['step a', undefined, 3, false],
          ['step b', 'as drawn', 1, true],
          ['flow Two steps', 'as drawn', undefined, undefined],
        ],
      );
      assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, 5);
    });

    it('have a single root span for a direct call', async () => {
      const answer = await flows.acme.post(
        '/invocations/v1/nodes/acme/steps/1.0.0/Step',
        {},
        { traceparent },
      );
      const executionId = answer.headers.get('x-execution-id') ?? '';
      const [span, ...others] = await traceOf(executionId);
      assert.equal(others.length, 0);
      assert.equal(span?.name, 'node acme/steps/1.0.0/Step');
      assert.equal(span.parentSpanId, '');
      assert.deepEqual(span.links, [caller]);
      assert.equal(span.attributes['svc.execution.status'], 'COMPLETED');
      assert.deepEqual(
        flows.container.requests.map(({ context }) => context?.traceparent),
        [`00-${executionId}-${span.spanId}-01`],
      );
    });

    it("have no link if the caller's traceparent is invalid", async () => {
      const answer = await flows.invoke(await flows.compile(twoSteps()), {}, { traceparent: '00-nothing' });
      assert.equal(answer.status, 202);
      const spans = await traceOf(answer.body.execution_id as string);
      assert.deepEqual(
        spans.flatMap(({ links }) => links),
        [],
      );
    });
  });

  suiteNeeds('processes', 'in a separate process', () => {
    it('are exported before the process exits on SIGTERM, with the configured name and headers', async () => {
      const folder = await temporaryFolder({});
      const env = { SVC_DATA_DIR: folder.path, SVC_SYNC: 'off' };
      await runInProcess(['tenant', 'create', 'acme'], env);
      const key = (await runInProcess(['key', 'create', '--tenant', 'acme'], env)).stdout.trim();
      const service = await startServeProcess({
        ...env,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=svc',
        OTEL_SERVICE_NAME: 'svc-of-test',
      });
      try {
        const post = async (path: string, body: object): Promise<Record<string, string>> => {
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
          const response = await fetch(service.url + path, {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          });
          return (await response.json()) as Record<string, string>;
        };
        await post('/api/v1/packages', stepPackage());
        const mock = { output: { text: 'as drawn' } };
        const nodes = [step('a', { mock }), step('b', { mock })];
        const { graph_id } = await post('/api/v1/graphs/compile', twoSteps({ nodes }));
        const { execution_id } = await post('/invocations/v1/flows/invoke', {
          graph_id,
          input: {},
          wait: true,
        });
        assert.deepEqual(collector.spans, []);
        assert.equal(await service.stop(), 0);
        await until(() => collector.spans.length > 0);
        assert.deepEqual(
          collector.spans.map(({ service, traceId, name }) => [service, traceId, name]),
          ['step a', 'step b', 'flow Two steps'].map((name) => ['svc-of-test', execution_id, name]),
        );
        assert.ok(collector.headers.every((headers) => headers['x-team'] === 'svc'));
      } finally {
        await service.kill();
        await folder.remove();
      }
    });
  });
});
