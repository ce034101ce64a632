import assert from 'node:assert/strict';
import { create, toBinary } from '@bufbuild/protobuf';
import { pino } from 'pino';
import { systemClock } from '../../../../service/clock.ts';
import type { CompiledNode } from '../../../../service/engine/graph/compiled-graph.ts';
import { callStep } from '../../../../service/engine/run/call-step.ts';
import type { StepOutcome } from '../../../../service/engine/run/step-failure.ts';
import { createIds } from '../../../../service/ids.ts';
import { createMessageWorkers } from '../../../../service/messages/convert/message-workers.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import { type DirectAnswer, DirectCalls } from '../../../../service/nodes/call/direct-call.ts';
import { NodeCalls } from '../../../../service/nodes/call/node-calls.ts';
import { NodeTargets } from '../../../../service/nodes/call/target.ts';
import type { NodeCallContext } from '../../../../service/nodes/container/call-context.ts';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import { PublishedNodes } from '../../../../service/nodes/published-nodes.ts';
import { createTypeRegistries } from '../../../../service/nodes/type-registries.ts';
import type { CallJournalRow } from '../../../../service/store/commit/call-write.ts';
import type { Execution } from '../../../../service/store/executions.ts';
import type { Tenant } from '../../../../service/store/tenants.ts';
import { type CallScene, callScene, type ScenePackage } from '../../../support/call-scene.ts';
import { noTokens } from '../../../support/no-secrets.ts';
import { FairQueue } from '../../../../service/work/fair-queue.ts';

interface SentCall {
  endpoint: string;
  context: NodeCallContext;
}

const executionId = '0123456789abcdef0123456789abcdef';
const tokens: Record<string, Record<string, string>> = {};
const unarmed = new Set<string>();

describe('direct calls and steps of runs', () => {
  let scene: CallScene;
  let sent: SentCall[];
  let observed: [string, string][];
  let seconds: number[];
  /** Milliseconds that the clock moves during a call. */
  let clockMoves: number;
  let recorded: Execution[];
  let rows: CallJournalRow[];
  let outcome: InvokeOutcome;
  let calls: NodeCalls;
  let direct: DirectCalls;
  let input: Uint8Array;

  beforeEach(async () => {
    scene = await callScene();
    [sent, observed, seconds, recorded, rows] = [[], [], [], [], []];
    clockMoves = 5;
    const { db, clock, owner, stranger, standard } = scene;
    tokens[owner.id] = { TOKEN: 'owner-token', OTHER: 'unused' };
    tokens[stranger.id] = { TOKEN: 'stranger-token' };
    const type = createRegistry(standard.version.descriptorSet).getMessage('acme.In');
    assert.ok(type);
    input = toBinary(type, create(type, { text: 'hi' }));
    outcome = { kind: 'output', bytes: input };
    calls = new NodeCalls({
      targets: new NodeTargets({ db, clock, tokens: noTokens }),
      containers: {
        invoke: (endpoint, { context }) => {
          sent.push({ endpoint, context });
          clock.advance(clockMoves);
          return Promise.resolve(outcome);
        },
        stream: () => Promise.reject(new Error('no test of this suite streams')),
      },
      metrics: {
        observeNodeCall: (name, kind, took) => {
          observed.push([name, kind]);
          seconds.push(took);
        },
      },
      secrets: {
        unarmed: (_tenantId, names) => Promise.resolve(names.filter((name) => unarmed.has(name))),
        values: (tenantId, names) =>
          Promise.resolve(
            Object.fromEntries(
              Object.entries(tokens[tenantId] ?? {}).filter(([name]) => names.includes(name)),
            ),
          ),
      },
    });
    direct = new DirectCalls({
      calls,
      published: new PublishedNodes(db, createTypeRegistries()),
      messages: createMessageWorkers({ queue: new FairQueue({ clock: systemClock }) }),
      executions: {
        write: (execution) => Promise.resolve(void recorded.push(execution)),
        append: (row) => Promise.resolve(void rows.push(row)),
      },
      admit: () => Promise.resolve(),
      logger: pino({ level: 'silent' }),
      clock,
      ids: createIds(systemClock),
      streamMs: 30_000,
      timeoutMs: 30_000,
    });
  });
  afterEach(() => scene.close());

  const callDirectly = async (tenant: Tenant, { node }: ScenePackage): Promise<DirectAnswer<'json'>> =>
    direct.invoke({
      tenant,
      found: await direct.find(tenant.id, { ulid: node.id }),
      input: { form: 'json', text: '{"text": "hi"}' },
      signal: new AbortController().signal,
    });

  const callAsStep = (
    tenant: Tenant,
    { node, callable }: ScenePackage,
    development = false,
  ): Promise<StepOutcome> => {
    const { generic, ...identity } = callable;
    const placement: CompiledNode = {
      ...identity,
      id: 'placed',
      version: '1.0.0',
      inputMessage: 'acme.In',
      outputMessage: 'acme.Out',
      mode: 'unary',
      config: { language: 'en' },
      timeoutMs: 5_000,
      requiredSecrets: node.requiredSecrets,
      ...(generic && { generic: { tenantId: '', versionId: '', ...generic } }),
    };
    return callStep(
      { calls, clock: scene.clock },
      {
        tenantId: tenant.id,
        executionId,
        node: placement,
        step: 3,
        attempt: 2,
        input,
        config: { language: 'de' },
        resumed: undefined,
        development,
        isPublic: false,
        signal: new AbortController().signal,
        listener: {},
      },
    );
  };

  /** The parts of a call that do not depend on who makes it. */
  const common = ({ endpoint, context }: SentCall) => ({
    endpoint,
    node: context.node,
    tenantId: context.tenantId,
    secrets: context.secrets,
    binding: context.binding,
  });

  for (const name of ['standard', 'instance'] as const) {
    it(`reach the same target with the same secrets and binding (${name} node)`, async () => {
      for (const tenant of [scene.owner, scene.stranger]) {
        sent = [];
        await callDirectly(tenant, scene[name]);
        await callAsStep(tenant, scene[name]);
        const [first, second] = sent.map(common);
        assert.ok(first);
        assert.deepEqual(first, second);
        assert.equal(first.binding !== undefined, name === 'instance');
        assert.deepEqual(first.secrets, name === 'standard' ? { TOKEN: tokens[tenant.id]?.TOKEN } : {});
      }
    });
  }

  it('both fail when the package is hidden or the version is undeployed', async () => {
    const { standard, stranger, owner, clock } = scene;
    const { nodeName, packageName } = standard.callable;
    const notDeployed = `node not found or not yet deployed: "placed" (${nodeName} of ${packageName}@1.0.0)`;
    const refused = async (tenant: Tenant): Promise<void> => {
      // Runs accept a deployment that is up to a second old.
      clock.advance(1_000);
      await assert.rejects(callDirectly(tenant, standard), { status: 404 });
      assert.deepEqual(await callAsStep(tenant, standard), {
        kind: 'unreachable',
        cause: 'connect',
        message: notDeployed,
      });
    };
    await callDirectly(stranger, standard);
    await callAsStep(stranger, standard);
    await standard.setVisibility('private');
    await refused(stranger);
    await standard.setEndpoint(null);
    await refused(owner);
    assert.equal(sent.length, 2, 'no refused call reaches a container');
  });

  it('both fail without a declared secret', async () => {
    const { standard, owner } = scene;
    tokens[owner.id] = {};
    const message =
      'node "Tokenize" needs the secret "TOKEN", which is not configured: the operator sets it with svc secret set';
    await assert.rejects(callDirectly(owner, standard), { status: 400, body: { error_message: message } });
    const failure = await callAsStep(owner, standard);
    assert.deepEqual(failure, {
      kind: 'refused',
      message: message.replace('Tokenize', 'placed'),
    });
    assert.deepEqual([sent, recorded], [[], []]);
  });

  it('require armed secrets only in development runs', async () => {
    const { standard, owner } = scene;
    unarmed.add('TOKEN');
    try {
      const refused = {
        kind: 'refused',
        message:
          'dev_not_armed: node "placed" needs the secret "TOKEN", which is not armed for development runs: the operator arms it with svc secret arm',
      };
      assert.deepEqual(await callAsStep(owner, standard, true), refused);
      assert.deepEqual(sent, []);
      await callAsStep(owner, standard);
      await callDirectly(owner, standard);
      assert.equal(sent.length, 2);
    } finally {
      unarmed.clear();
    }
    await callAsStep(owner, standard, true);
    assert.equal(sent.length, 3);
  });

  it('identify themselves by execution, step and attempt', async () => {
    const { standard, owner, clock } = scene;
    const startedAt = clock.now();
    const answer = await callDirectly(owner, standard);
    const [first] = sent.splice(0);
    assert.equal(first?.context.executionId, answer.executionId);
    assert.deepEqual(
      [first.context.idempotencyId, first.context.attempt, first.context.deadlineMs],
      [`${answer.executionId}:0`, 1, startedAt + 30_000],
    );
    assert.deepEqual([first.context.placementId, first.context.configJson], [undefined, undefined]);
    const stepStartedAt = clock.now();
    await callAsStep(owner, standard);
    const [second] = sent;
    assert.deepEqual(
      [second?.context.idempotencyId, second?.context.attempt, second?.context.deadlineMs],
      [`${executionId}:3`, 2, stepStartedAt + 5_000],
    );
    assert.deepEqual(
      [second?.context.placementId, second?.context.configJson],
      ['placed', '{"language":"de"}'],
    );
  });

  it('are counted by package and outcome', async () => {
    const { standard, owner } = scene;
    await callDirectly(owner, standard);
    outcome = { kind: 'failure', message: 'no', retryable: false, payloadJson: '' };
    await callAsStep(owner, standard);
    assert.deepEqual(observed, [
      ['acme/text', 'output'],
      ['acme/text', 'failure'],
    ]);
  });

  it('measure their duration independently of clock changes', async () => {
    const { standard, owner } = scene;
    for (clockMoves of [3_600_000, -3_600_000]) await callDirectly(owner, standard);
    assert.equal(seconds.length, 2);
    assert.ok(
      seconds.every((took) => took > 0 && took < 60),
      seconds.join(),
    );
  });

  describe('a direct call', () => {
    it('answers in the format of its input, and records the execution', async () => {
      const { standard, owner } = scene;
      const json = await callDirectly(owner, standard);
      assert.deepEqual(json.output, { form: 'json', text: '{"text":"hi"}' });
      const bytes = await direct.invoke({
        tenant: owner,
        found: await direct.find(owner.id, {
          owner: 'acme',
          package: 'text',
          version: '1.0.0',
          node: 'Tokenize',
        }),
        input: { form: 'bytes', bytes: input },
        signal: new AbortController().signal,
      });
      assert.deepEqual(bytes.output, { form: 'bytes', bytes: input });
      assert.deepEqual(
        recorded.map(({ id, status, nodeFqn }) => [id, status, nodeFqn]),
        [json, bytes].map((answer) => [answer.executionId, 'COMPLETED', 'acme/text/1.0.0/Tokenize']),
      );
      assert.deepEqual(rows, [], 'a call without a log writes nothing else');
    });

    it('fails with the error message of the node, and records the failure', async () => {
      outcome = { kind: 'failure', message: 'out of tokens', retryable: true, payloadJson: '' };
      await assert.rejects(callDirectly(scene.owner, scene.standard), { status: 422 });
      assert.deepEqual(
        recorded.map(({ status, errorMessage, failureKind }) => [status, errorMessage, failureKind]),
        [['FAILED', 'out of tokens', 'NODE_ERROR']],
      );
    });

    it('rejects a generic node', async () => {
      await assert.rejects(callDirectly(scene.owner, scene.generic), { status: 400 });
      assert.deepEqual(sent, []);
    });
  });
});
