import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sealSecret } from '../../service/access/secrets/secret-cipher.ts';
import { approval, askHuman, pausedRun } from '../support/asking-flow.ts';
import { clockErrorMs } from '../support/clock-error.ts';
import { endOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService, request } from '../support/running-service.ts';
import { step } from '../support/step-package.ts';
import { storeSecret } from '../support/stored-secret.ts';

const maxBytes = 16_777_216;

eachService('pauses', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let graph: string;
  before(async function () {
    this.timeout(180_000);
    flows = await startFlowService(start);
    acme = flows.acme;
    graph = await flows.compile(approval);
  });
  after(() => flows.stop());
  beforeEach(() => askHuman(flows));

  const pauseOf = (caller = acme, graphId = graph) => pausedRun(caller, graphId);
  const resume = (executionId: string, body: unknown, caller = acme): Promise<Answer> =>
    caller.post(`/invocations/v1/flows/${executionId}/resume`, body);
  const pausesOf = async (executionId: string, caller = acme): Promise<Record<string, unknown>[]> =>
    (await caller.get(`/invocations/v1/executions/${executionId}/pauses`)).body.pauses;
  const outputOf = async (executionId: string): Promise<unknown> => {
    await endOf(acme, executionId);
    const { body } = await acme.get(
      `/invocations/v1/executions/${executionId}/events?decode=true&event_type=FLOW_COMPLETED&event_type=FLOW_FAILED`,
    );
    const [end] = body.events;
    return end.output ?? end.error;
  };
  const classOf = ({ status, body }: Answer): unknown[] => [status, body.error];

  it('accept a decision only while the secrets of the run are readable', async () => {
    const sealed = { ...approval, nodes: [step('a'), step('ask'), step('z', { node_name: 'Sealed' })] };
    await storeSecret(flows.service, acme, 'API_TOKEN');
    const graphId = await flows.compile(sealed);
    const { executionId, pauseId } = await pauseOf(acme, graphId);
    const { db } = flows.service;
    const owner = { tenantId: acme.tenant.id, name: 'API_TOKEN' };
    const sealedByOther = sealSecret(new Uint8Array(32).fill(7), owner, 's3cret');
    await db
      .knex('secrets')
      .where({ tenant_id: owner.tenantId, name: owner.name })
      .update({ sealed: sealedByOther });
    const request = { pause_id: pauseId, value: { text: 'yes' } };
    const refused = await resume(executionId, request);
    assert.deepEqual(classOf(refused), [503, 'SECRETS_UNAVAILABLE']);
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.match(refused.body.message, /^the decision was not taken: secret "API_TOKEN" was encrypted with/);
    assert.equal((await pausesOf(executionId))[0]?.status, 'WAITING');
    await storeSecret(flows.service, acme, 'API_TOKEN');
    assert.equal((await resume(executionId, request)).status, 200);
    assert.deepEqual(await outputOf(executionId), { text: 'yesz' });
  });

  it('accept a large decision only if it can be stored', async () => {
    const { executionId, pauseId } = await pauseOf();
    const request = { pause_id: pauseId, value: { text: 'x'.repeat(200_000) } };
    const folder = path.join(flows.service.config.dataDir, 'blobs');
    await rename(folder, `${folder}-away`);
    await writeFile(folder, 'in the way');
    const refused = await resume(executionId, request);
    await rm(folder);
    await rename(`${folder}-away`, folder);
    assert.deepEqual(classOf(refused), [503, 'UNAVAILABLE']);
    assert.equal((await resume(executionId, request)).status, 200);
    assert.equal((await endOf(acme, executionId)).status, 'COMPLETED');
  });

  it('appear as records, events and checkpoints', async () => {
    const { executionId, pauseId } = await pauseOf();
    const [listed, ...others] = await pausesOf(executionId);
    assert.equal(others.length, 0);
    const { resume_url: resumeUrl, ...pause } = listed!;
    assert.match(resumeUrl as string, /\/invocations\/v1\/hooks\/resume\/[^/]+$/);
    const { created_at: createdAt, expires_at: expiresAt, checkpoint_id: checkpointId, ...rest } = pause;
    assert.deepEqual(rest, {
      pause_id: pauseId,
      execution_id: executionId,
      graph_id: graph,
      node_name: 'ask',
      status: 'WAITING',
      interrupt_payload: { question: 'go?' },
      resume_schema: 'acme.steps.v1.Step',
      timeout_policy: 'CANCEL',
      resumed_at: null,
      escalated_at: null,
    });
    const hours = (Date.parse(expiresAt as string) - Date.parse(createdAt as string)) / 3_600_000;
    assert.ok(Math.abs(hours - 24) < 0.01);

    const record = (await acme.get(`/invocations/v1/executions/${executionId}`)).body;
    assert.equal(record.status, 'RUNNING');
    assert.equal(record.latest_checkpoint_id, checkpointId);
    assert.equal(record.pause_id, pauseId);
    const checkpoint = await acme.get(
      `/invocations/v1/executions/${executionId}/checkpoints/${String(checkpointId)}?decode=true`,
    );
    assert.equal(checkpoint.body.reason, 'pause');
    assert.equal(checkpoint.body.pause_id, pauseId);
    assert.deepEqual(checkpoint.body.pending, ['ask']);
    assert.deepEqual(checkpoint.body.completed, [{ node_id: 'a', output: { text: '>a' } }]);

    const answer = await resume(executionId, {
      pause_id: pauseId,
      value: { text: 'go' },
      resumed_by: 'ann@example.com',
    });
    assert.equal(answer.status, 200);
    const { resumed_at: resumedAt, ...resumed } = answer.body;
    assert.deepEqual(resumed, {
      pause_id: pauseId,
      status: 'RESUMED',
      resumed_by: 'ann@example.com',
      resume_value: { text: 'go' },
      already_resumed: false,
    });
    assert.deepEqual(await outputOf(executionId), { text: 'goz' });
    assert.equal((await acme.get(`/invocations/v1/executions/${executionId}`)).body.pause_id, undefined);
    assert.deepEqual(await pausesOf(executionId), [
      {
        ...pause,
        status: 'RESUMED',
        resumed_at: resumedAt,
        resumed_by: 'ann@example.com',
        resume_value: { text: 'go' },
      },
    ]);
    const { events } = (await acme.get(`/invocations/v1/executions/${executionId}/events`)).body;
    const paused = events.find(({ type }: { type: string }) => type === 'HITL_PAUSED');
    assert.equal(paused.pause_id, pauseId);
    assert.deepEqual(paused.interrupt_payload, { question: 'go?' });
    assert.equal(paused.resume_schema, 'acme.steps.v1.Step');
    assert.equal(paused.expires_at_ms, Date.parse(expiresAt as string));
    const resumedEvent = events.find(({ type }: { type: string }) => type === 'HITL_RESUMED');
    assert.deepEqual([resumedEvent.pause_id, resumedEvent.resumed_by], [pauseId, 'ann@example.com']);
  });

  it('accept a decision in every form', async () => {
    const bytes = Buffer.from([0x0a, 0x02, 0x67, 0x6f]).toString('base64');
    for (const [fields, output, shown] of [
      [
        { value: { text: 'go', count: '9007199254740993' } },
        { text: 'goz', count: '9007199254740993' },
        undefined,
      ],
      [{ value: bytes }, { text: 'goz' }, { text: 'go' }],
      [{ value: '' }, { text: 'z' }, {}],
      [{ value: {} }, { text: 'z' }, {}],
      [{ value: null }, { text: 'z' }, null],
      [{}, { text: 'z' }, null],
      // Not the name of the field: the key is unknown, and unknown keys are ignored.
      [{ resume_value: { text: 'go' } }, { text: 'z' }, null],
    ] as const) {
      const { executionId, pauseId } = await pauseOf();
      const answer = await resume(executionId, { pause_id: pauseId, ...fields });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      if (shown !== undefined) assert.deepEqual(answer.body.resume_value, shown);
      assert.deepEqual(await outputOf(executionId), output);
    }
  });

  it('fail the run when the decision is a string that does not encode a message', async () => {
    for (const [value, detail] of [
      ['not base64!', 'the string is not standard base64 with padding'],
      [Buffer.from([0x0a, 0x09, 0x67]).toString('base64'), ''],
    ] as const) {
      const { executionId, pauseId } = await pauseOf();
      const answer = await resume(executionId, { pause_id: pauseId, value });
      assert.deepEqual([answer.status, answer.body.status], [200, 'RESUMED']);
      const text = (await outputOf(executionId)) as string;
      assert.ok(text.startsWith(`resume value of pause ${pauseId}: ${detail}`), text);
      const { events } = (await acme.get(`/invocations/v1/executions/${executionId}/events`)).body;
      assert.deepEqual(
        events.slice(-3).map(({ type }: { type: string }) => type),
        ['HITL_RESUMED', 'HITL_RESUME_FAILED', 'FLOW_FAILED'],
      );
      assert.equal((await endOf(acme, executionId)).status, 'FAILED');
    }
  });

  it('replay a decision that is repeated with its idempotency key', async () => {
    const { executionId, pauseId } = await pauseOf();
    const send = (text: string, key: string, by = 'ann') => {
      const body = { pause_id: pauseId, value: { text }, resumed_by: by };
      return acme.post(`/invocations/v1/flows/${executionId}/resume`, body, { 'idempotency-key': key });
    };
    const atOnce = await Promise.all([send('go', 'k'), send('go', 'k'), send('go', 'k')]);
    for (const { status, body } of [...atOnce, await send('go', 'k')]) {
      assert.deepEqual([status, body], [200, atOnce[0].body]);
      assert.equal(body.already_resumed, false);
    }
    for (const other of [send('go', 'other'), send('no', 'k'), send('go', 'k', 'bob')]) {
      const { status, body, headers } = await other;
      assert.deepEqual([status, body], [200, { ...atOnce[0].body, already_resumed: true }]);
      assert.equal(headers.get('idempotency-replayed'), null);
    }
    assert.deepEqual(await outputOf(executionId), { text: 'goz' });
    const again = await send('go', 'k');
    assert.equal(again.body.already_resumed, false);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  });

  it('check a decision in a fixed order', async () => {
    const { executionId, pauseId } = await pauseOf();
    const second = await pauseOf();
    const unknown = '0'.repeat(32);
    const mismatch = { pause_id: pauseId };
    assert.deepEqual(classOf(await resume(unknown, {})), [400, 'INVALID_ARGUMENT']);
    assert.deepEqual(classOf(await resume(unknown, { pause_id: '' })), [400, 'INVALID_ARGUMENT']);
    assert.deepEqual(classOf(await resume(unknown, { pause_id: 1 })), [400, 'INVALID_ARGUMENT']);
    assert.deepEqual(classOf(await resume(unknown, mismatch)), [404, 'EXECUTION_NOT_FOUND']);
    assert.deepEqual(classOf(await resume(executionId, { pause_id: 'unknown' })), [404, 'PAUSE_NOT_FOUND']);
    assert.deepEqual(classOf(await resume(second.executionId, mismatch)), [400, 'PAUSE_EXECUTION_MISMATCH']);
    const { body: document } = await request(`${flows.service.url}/openapi.json`);
    const { responses } = document.paths['/invocations/v1/flows/{execution_id}/resume'].post;
    for (const body of [{}, { pause_id: 'unknown' }]) {
      const answer = await resume(executionId, body);
      const { example } = responses[answer.status].content['application/json'];
      assert.equal(answer.body.message, example.message);
    }
    const bad = { pause_id: pauseId, value: { nope: 1 } };
    const refused = await resume(executionId, bad);
    assert.deepEqual(classOf(refused), [400, 'INVALID_RESUME_VALUE']);
    assert.match(refused.body.message, /unknown field "nope"/);
    for (const value of [1, true, [], [{}]]) {
      const answer = await resume(executionId, { pause_id: pauseId, value });
      assert.deepEqual(classOf(answer), [400, 'INVALID_RESUME_VALUE'], JSON.stringify(value));
    }
    assert.equal((await pausesOf(executionId))[0]?.status, 'WAITING');

    // Resumed: repeated requests succeed, also after the end of the run and with a value that does not fit.
    assert.equal((await resume(executionId, { pause_id: pauseId, value: { text: 'first' } })).status, 200);
    for (const body of [mismatch, bad]) {
      const again = await resume(executionId, body);
      assert.equal(again.status, 200);
      assert.deepEqual([again.body.already_resumed, again.body.resume_value], [true, { text: 'first' }]);
      await endOf(acme, executionId);
    }
    await acme.post(`/invocations/v1/executions/${second.executionId}/cancel`);
    const late = await resume(second.executionId, { ...bad, pause_id: second.pauseId });
    assert.deepEqual(classOf(late), [409, 'PAUSE_NOT_WAITING']);

    // No transition leaves a pause waiting in a finished run, so the test edits the database.
    const third = await pauseOf();
    await acme.post(`/invocations/v1/executions/${third.executionId}/cancel`);
    await flows.service.db.knex('pauses').where({ id: third.pauseId }).update({ status: 'WAITING' });
    const over = await resume(third.executionId, { ...bad, pause_id: third.pauseId });
    assert.deepEqual(classOf(over), [409, 'EXECUTION_NOT_RESUMABLE']);
  });

  it('refuse a decision after they expire, even before a replica records the expiry', async () => {
    const { executionId, pauseId } = await pauseOf();
    const { knex } = flows.service.db;
    // The journal keeps its own time, by which the run expires a day later.
    await knex('pauses')
      .where({ id: pauseId })
      .update({ expires_at: Date.now() - 1 - clockErrorMs(flows.service.db) });
    const late = await resume(executionId, { pause_id: pauseId, value: { text: 'late' } });
    assert.deepEqual(classOf(late), [409, 'PAUSE_NOT_WAITING']);
    assert.equal(late.body.message, 'the pause has expired');
    assert.equal((await pausesOf(executionId))[0]?.status, 'WAITING');
    await knex('pauses')
      .where({ id: pauseId })
      .update({ expires_at: Date.now() + 60_000 });
    assert.equal((await resume(executionId, { pause_id: pauseId })).status, 200);
  });

  it('report what is wrong with a body', async () => {
    const { executionId, pauseId } = await pauseOf();
    const raw = async (body: string): Promise<unknown[]> => {
      const answer = await fetch(`${flows.service.url}/invocations/v1/flows/${executionId}/resume`, {
        method: 'POST',
        headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
        body,
      });
      const said = (await answer.json()) as Record<string, unknown>;
      return [answer.status, said.error, said.message];
    };
    const classOfRaw = async (body: string): Promise<unknown[]> => (await raw(body)).slice(0, 2);
    assert.deepEqual(await classOfRaw('{'), [400, 'INVALID_ARGUMENT']);
    for (const body of ['[]', 'null', '7']) {
      assert.deepEqual(await raw(body), [400, 'INVALID_ARGUMENT', 'the body must be a JSON object'], body);
    }
    assert.deepEqual(await raw('{}'), [400, 'INVALID_ARGUMENT', 'pause_id: is required']);
    assert.deepEqual(await classOfRaw(''), [400, 'INVALID_ARGUMENT']);
    assert.deepEqual(await classOfRaw(`{"pause_id":"${pauseId}","value":{"text":}}`), [
      400,
      'INVALID_ARGUMENT',
    ]);
    const by = (length: number) =>
      resume(executionId, { pause_id: pauseId, resumed_by: 'x'.repeat(length), value: 1 });
    assert.deepEqual(classOf(await by(501)), [400, 'INVALID_ARGUMENT']);
    assert.deepEqual(classOf(await by(500)), [400, 'INVALID_RESUME_VALUE']);
  });

  itSlow('accept a decision of 16 MiB, and refuse a larger one', async () => {
    const { executionId, pauseId } = await pauseOf();
    const around = '{"text":""}'.length;
    const object = (bytes: number) => ({ text: 'x'.repeat(bytes - around) });
    const base64 = (bytes: number) => Buffer.alloc(bytes, 'x').toString('base64');
    for (const value of [object(maxBytes + 1), base64(maxBytes + 1)]) {
      const refused = await resume(executionId, { pause_id: pauseId, value });
      assert.deepEqual(classOf(refused), [400, 'INVALID_RESUME_VALUE']);
      assert.equal(refused.body.message, `value exceeds the limit of ${maxBytes} bytes`);
    }
    flows.behaviours.set('ask', ({ text }) => ({ text: String((text as string).length) }));
    const taken = await resume(executionId, { pause_id: pauseId, value: object(maxBytes) });
    assert.deepEqual(
      [taken.status, taken.body.resume_value],
      [200, null],
      JSON.stringify(taken.body).slice(0, 200),
    );
    assert.deepEqual(await outputOf(executionId), { text: `${maxBytes - around}z` });
  });

  it('preserve the numbers of a decision, even next to a redacted secret', async () => {
    for (const [text, shown] of [
      ['"go"', '"go"'],
      ['"password: hunter22"', '"password: [redacted]"'],
    ]) {
      const { executionId, pauseId } = await pauseOf();
      const answer = await fetch(`${flows.service.url}/invocations/v1/flows/${executionId}/resume`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${acme.key}` },
        body: `{"pause_id":"${pauseId}","value":{"text":${text},"count":9007199254740993}}`,
      });
      const expected = `"resume_value":{"text":${shown},"count":9007199254740993}`;
      assert.ok((await answer.text()).includes(expected), expected);
      const list = await fetch(`${flows.service.url}/invocations/v1/executions/${executionId}/pauses`, {
        headers: { Authorization: `Bearer ${acme.key}` },
      });
      assert.ok((await list.text()).includes(expected), expected);
    }
  });

  it('record decisions, including late ones, with secrets redacted', async () => {
    const { executionId, pauseId } = await pauseOf();
    const key = `svcapp_${'ab'.repeat(32)}`;
    const first = await resume(executionId, { pause_id: pauseId, value: { text: `use ${key} now` } });
    assert.deepEqual(first.body.resume_value, { text: 'use [redacted] now' });
    // The node receives the decision unredacted.
    assert.deepEqual(await outputOf(executionId), { text: `use ${key} nowz` });
    await resume(executionId, { pause_id: pauseId, value: { text: key }, resumed_by: 'bob' });
    const late: Record<string, unknown>[] = await flows.service.db
      .knex('late_decisions')
      .where({ pause_id: pauseId });
    assert.deepEqual(
      late.map(({ resumed_by: by, value }) => [by, value]),
      [['bob', '{"text":"[redacted]"}']],
    );
  });

  it('are listed even with a deeply nested question', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    flows.behaviours.set('ask', (_input, answer) => {
      answer.say({ case: 'pause', value: { interruptPayloadJson: deep } as never });
      answer.end();
      return undefined;
    });
    const { executionId } = await pauseOf();
    const [pause] = await pausesOf(executionId);
    assert.equal(pause?.interrupt_payload, deep);
    const { status, body } = await acme.get('/invocations/v1/pauses?status=WAITING&limit=1');
    assert.deepEqual([status, body.pauses[0].execution_id], [200, executionId]);
    const events = await acme.get(`/invocations/v1/executions/${executionId}/events?event_type=HITL_PAUSED`);
    assert.equal(events.body.events[0].interrupt_payload, deep);
    await acme.post(`/invocations/v1/executions/${executionId}/cancel`);
  });

  it('with large questions are listed in short pages, without changing the stored questions', async () => {
    const other = await flows.tenant('questions');
    const compiled = await other.post('/api/v1/graphs/compile', JSON.parse(JSON.stringify(approval)));
    const { pauseId } = await pauseOf(other, compiled.body.graph_id as string);
    const { knex } = flows.service.db;
    const row = (await knex('pauses').where({ id: pauseId }).first()) as Record<string, unknown>;
    const question = `[12345678901234567890, ${'1,'.repeat(32_000)}1]`;
    // None has the id of the pause itself, whose last characters are random.
    const start = `${pauseId.slice(0, -3)}${pauseId.at(-3) === '0' ? '1' : '0'}`;
    const copies = Array.from({ length: 40 }, (_, n) => `${start}${n + 10}`);
    for (const id of copies) await knex('pauses').insert({ ...row, id, status: 'CANCELLED', question });
    const found: string[] = [];
    let cursor = '';
    do {
      const path = `/invocations/v1/pauses?status=CANCELLED&limit=1000${cursor}`;
      const answer = await fetch(flows.service.url + path, {
        headers: { Authorization: `Bearer ${other.key}` },
      });
      const text = await answer.text();
      assert.ok(text.length < 1_100_000, `${text.length} characters`);
      assert.ok(text.includes(`"interrupt_payload":${question},`));
      const page = JSON.parse(text) as { pauses: { pause_id: string }[]; next_cursor?: string };
      found.push(...page.pauses.map((pause) => pause.pause_id));
      cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    assert.deepEqual(found, copies.toReversed());
  });

  it('are listed for all executions of a tenant, newest first and in pages', async () => {
    const other = await flows.tenant('inbox');
    const own = await (async () => {
      const answer = await other.post('/api/v1/graphs/compile', JSON.parse(JSON.stringify(approval)));
      return answer.body.graph_id as string;
    })();
    const made = [];
    for (let index = 0; index < 4; index += 1) made.push(await pauseOf(other, own));
    assert.equal((await resume(made[1]!.executionId, { pause_id: made[1]!.pauseId }, other)).status, 200);
    const waiting = [made[3]!, made[2]!, made[0]!].map(({ pauseId }) => pauseId);
    const { pauses } = (await other.get('/invocations/v1/pauses')).body as { pauses: { graph_id: string }[] };
    assert.deepEqual(new Set(pauses.map(({ graph_id: flow }) => flow)), new Set([own]));
    const idsOf = ({ body }: Answer): string[] =>
      body.pauses.map((pause: { pause_id: string }) => pause.pause_id);
    assert.deepEqual(idsOf(await other.get('/invocations/v1/pauses?status=WAITING')), waiting);
    const first = await other.get('/invocations/v1/pauses?status=WAITING&limit=2');
    assert.deepEqual(idsOf(first), waiting.slice(0, 2));
    const rest = await other.get(
      `/invocations/v1/pauses?status=WAITING&limit=2&cursor=${first.body.next_cursor}`,
    );
    assert.deepEqual(idsOf(rest), waiting.slice(2));
    assert.equal(rest.body.next_cursor, undefined);
    assert.equal(idsOf(await other.get('/invocations/v1/pauses')).length, 4);
    assert.deepEqual(idsOf(await other.get('/invocations/v1/pauses?status=RESUMED&status=EXPIRED')), [
      made[1]!.pauseId,
    ]);
    const foreign = await other.get(`/invocations/v1/pauses?status=RESUMED&cursor=${first.body.next_cursor}`);
    assert.deepEqual(classOf(foreign), [400, 'invalid_argument']);
    assert.deepEqual(classOf(await other.get('/invocations/v1/pauses?status=OPEN')), [
      400,
      'invalid_argument',
    ]);
    // Another tenant sees none of them.
    assert.ok(!idsOf(await acme.get('/invocations/v1/pauses?limit=1000')).includes(waiting[0]!));
    assert.deepEqual(await pausesOf(made[0]!.executionId), []);
    assert.deepEqual(classOf(await resume(made[0]!.executionId, { pause_id: waiting[2] })), [
      404,
      'EXECUTION_NOT_FOUND',
    ]);
    assert.deepEqual(await pausesOf('unknown'), []);
  });

  it('can be followed and resumed by the app key that started the run, and by no other', async () => {
    const mint = async (): Promise<Caller> => {
      const body = { name: 'shop', graph_ids: [graph], rate_rps: 1_000, rate_burst: 1_000 };
      return flows.service.withKey(acme.tenant, (await acme.post('/api/v1/api-keys', body)).body.key);
    };
    const [shop, stranger] = [await mint(), await mint()];
    const { executionId, pauseId } = await pauseOf(shop);
    assert.equal((await pausesOf(executionId, shop)).length, 1);
    assert.deepEqual(await pausesOf(executionId, stranger), []);
    assert.equal((await shop.get('/invocations/v1/pauses')).status, 403);
    const body = { pause_id: pauseId, value: { text: 'bought' } };
    assert.deepEqual(classOf(await resume(executionId, body, stranger)), [404, 'EXECUTION_NOT_FOUND']);
    const own = await pauseOf(shop);
    const strange = await pauseOf(stranger);
    for (const [run, caller, refusal] of [
      [own, shop, [400, 'PAUSE_EXECUTION_MISMATCH']],
      [strange, stranger, [404, 'PAUSE_NOT_FOUND']],
      [strange, acme, [400, 'PAUSE_EXECUTION_MISMATCH']],
    ] as const) {
      assert.deepEqual(classOf(await resume(run.executionId, body, caller)), refusal);
    }
    assert.equal((await resume(executionId, body, shop)).status, 200);
    assert.deepEqual(await outputOf(executionId), { text: 'boughtz' });
  });

  it('charge one invocation for the delivered decision', async () => {
    const poor = await flows.tenant('poor', { dailyInvocations: 3, dailyExecutions: 1_000 });
    const answer = await poor.post('/api/v1/graphs/compile', approval);
    const [one, two] = [await pauseOf(poor, answer.body.graph_id), await pauseOf(poor, answer.body.graph_id)];
    const bad = await resume(one.executionId, { pause_id: one.pauseId, value: 1 }, poor);
    assert.deepEqual(classOf(bad), [400, 'INVALID_RESUME_VALUE']);
    assert.equal((await resume(one.executionId, { pause_id: one.pauseId }, poor)).status, 200);
    assert.equal((await resume(one.executionId, { pause_id: one.pauseId }, poor)).body.already_resumed, true);
    const refused = await resume(two.executionId, { pause_id: two.pauseId }, poor);
    assert.deepEqual(classOf(refused), [429, 'quota_exceeded']);
    assert.equal((await pausesOf(two.executionId, poor))[0]?.status, 'WAITING');
  });

  it('charge one invocation for 50 concurrent decisions, of which one wins', async () => {
    const { executionId, pauseId } = await pauseOf();
    const used = async (): Promise<number> => {
      const [row] = await flows.service.db
        .knex<{ tenant_id: string; invocations: number }>('daily_usage')
        .where({ tenant_id: acme.tenant.id })
        .select('invocations');
      return Number(row?.invocations);
    };
    const before = await used();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        resume(executionId, { pause_id: pauseId, value: { text: `d${index}` } }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(answers.filter(({ body }) => body.already_resumed === false).length, 1);
    assert.equal((await used()) - before, 1);
  });
});
