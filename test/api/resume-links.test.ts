import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { createLogger } from '../../service/logging/create-logger.ts';
import { updateTenantLimits, updateTenantStatus } from '../../service/store/tenants.ts';
import { approval, askHuman, pausedRun } from '../support/asking-flow.ts';
import { clockErrorMs } from '../support/clock-error.ts';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService, request } from '../support/running-service.ts';

const maxFormBytes = 262_144;
const formType = 'application/x-www-form-urlencoded';

eachService('resume links', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let graph: string;
  let log = '';
  before(async function () {
    this.timeout(180_000);
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        log += String(chunk);
        done();
      },
    });
    const logger = createLogger({ level: 'trace', destination });
    flows = await startFlowService(() => start({ logger }));
    acme = flows.acme;
    graph = await flows.compile(approval);
  });
  after(() => flows.stop());
  beforeEach(() => askHuman(flows, '{"question":"<b>go?</b>","sum":9007199254740993}'));

  interface LinkedRun {
    executionId: string;
    pauseId: string;
    link: string;
  }
  const pauseOf = async ({ executionId }: { executionId: string }, caller = acme) =>
    (await caller.get(`/invocations/v1/executions/${executionId}/pauses`)).body.pauses[0] as Record<
      string,
      string
    >;
  const linked = async (caller = acme, graphId = graph): Promise<LinkedRun> => {
    const run = await pausedRun(caller, graphId);
    return { ...run, link: (await pauseOf(run, caller)).resume_url ?? '' };
  };
  const decide = (link: string, body: unknown): Promise<Answer> =>
    request(link, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const postForm = (link: string, form: string | Buffer, type = formType): Promise<Answer> =>
    request(link, {
      method: 'POST',
      headers: { 'content-type': type, origin: 'null', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      body: form,
      redirect: 'manual',
    });
  const nextOf = ({ headers }: Answer, link: string): string | undefined => {
    const location = headers.get('location');
    return location === null ? undefined : new URL(location, link).href;
  };
  /** Follows the redirect, as a browser does. */
  const sendText = async (link: string, form: string | Buffer): Promise<Answer> => {
    const sent = await postForm(link, form);
    const next = nextOf(sent, link);
    return next === undefined ? sent : request(next);
  };
  const sendForm = (link: string, fields: Record<string, string>): Promise<Answer> =>
    sendText(link, new URLSearchParams(fields).toString());
  const outputOf = async (executionId: string): Promise<unknown> => {
    await endOf(acme, executionId);
    const { body } = await acme.get(
      `/invocations/v1/executions/${executionId}/events?decode=true&event_type=FLOW_COMPLETED`,
    );
    return body.events[0]?.output;
  };
  const classOf = ({ status, body }: Answer): unknown[] => [status, body.error];
  const setPause = (id: string, fields: object) =>
    flows.service.db.knex('pauses').where({ id }).update(fields);

  it('are in the record of a waiting pause, for full keys that may decide', async () => {
    const { executionId, pauseId, link } = await linked();
    assert.ok(link.startsWith(`${flows.service.url}/invocations/v1/hooks/resume/`), link);
    const inbox = (await acme.get('/invocations/v1/pauses?status=WAITING&limit=1')).body.pauses;
    assert.deepEqual([inbox[0].pause_id, inbox[0].resume_url], [pauseId, link]);
    const reader = await flows.service.tenant('reader', { scopes: ['read'] });
    const weak = flows.service.withKey(acme.tenant, reader.key);
    await flows.service.db
      .knex('api_keys')
      .where({ tenant_id: reader.tenant.id })
      .update({ tenant_id: acme.tenant.id });
    const shown = await pauseOf({ executionId }, weak);
    assert.deepEqual([shown.pause_id, shown.resume_url], [pauseId, undefined]);

    const minted = await acme.post('/api/v1/api-keys', { name: 'shop', graph_ids: [graph] });
    const shop = flows.service.withKey(acme.tenant, minted.body.key);
    const bought = await pausedRun(shop, graph);
    const own = await pauseOf(bought, shop);
    assert.deepEqual([own.pause_id, own.resume_url], [bought.pauseId, undefined]);

    assert.equal((await decide(link, {})).status, 200);
    assert.equal((await pauseOf({ executionId })).resume_url, undefined);
  });

  it('show the question without resuming the run', async () => {
    const { executionId, link } = await linked();
    const { status, headers, body } = await request(link);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    const text = body as string;
    assert.ok(
      text.includes(
        '{\n  &quot;question&quot;: &quot;&lt;b&gt;go?&lt;/b&gt;&quot;,\n  &quot;sum&quot;: 9007199254740993\n}',
      ),
    );
    assert.match(text, /The node ask of the flow Approval asks/);
    assert.match(text, /acme\.steps\.v1\.Step/);
    assert.match(text, /<li>text \(text\) *<\/li>[^]*<li>part \(Part\) <ul>\s*<li>name \(text\) *<\/li>/);
    assert.match(text, />\n\{\n {2}&quot;text&quot;: &quot;&quot;,\n[^]*\n {2}&quot;part&quot;: null/);
    assert.ok(!text.includes('<script'));
    await request(link, { method: 'HEAD' });
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
  });

  it('are served with strict security headers and without caching', async () => {
    const { link } = await linked();
    const gone = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const { headers } of [
      await request(link),
      await request(gone),
      await sendForm(gone, {}),
      await sendForm(link, { value: '[]' }),
      await sendForm(link, { value: '{}' }),
    ]) {
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('access-control-allow-origin'), null);
    }
    const json = await decide(link, {});
    assert.deepEqual([json.status, json.headers.get('cache-control')], [200, 'no-store']);
  });

  it('resume the run with JSON', async () => {
    const { executionId, pauseId, link } = await linked();
    const first = await decide(link, { value: { text: 'go' }, resumed_by: 'ann', pause_id: 'ignored' });
    const { resumed_at: resumedAt, ...rest } = first.body;
    assert.deepEqual(rest, {
      pause_id: pauseId,
      status: 'RESUMED',
      resumed_by: 'ann',
      resume_value: { text: 'go' },
      already_resumed: false,
    });
    assert.deepEqual(await outputOf(executionId), { text: 'goz' });
    const again = await decide(link, { value: { text: 'no' }, resumed_by: 'bob' });
    assert.deepEqual([again.status, again.body], [200, { ...first.body, already_resumed: true }]);
    const { resumed_by: by, resumed_at: at } = await pauseOf({ executionId });
    assert.deepEqual([by, at], ['ann', resumedAt]);
  });

  it('replay a JSON decision that is repeated with its idempotency key', async () => {
    const { link } = await linked();
    const send = (key: string, text: string): Promise<Answer> =>
      request(link, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ value: { text }, resumed_by: 'ann' }),
      });
    const first = await send('one', 'go');
    assert.deepEqual([first.status, first.headers.get('idempotency-replayed')], [200, null]);
    const again = await send('one', 'go');
    assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [first.body, 'true']);
    for (const [key, text] of [
      ['two', 'go'],
      ['one', 'no'],
    ] as const) {
      const late = await send(key, text);
      assert.deepEqual(
        [late.body, late.headers.get('idempotency-replayed')],
        [{ ...first.body, already_resumed: true }, null],
      );
    }
  });

  it('resume the run with a form', async () => {
    const { executionId, link } = await linked();
    // Elsewhere a string is base64, but in a form a person means text.
    for (const value of ['go', '"go"', '"Z28="', 'null', '[{}]']) {
      const refused = await sendForm(link, { value, resumed_by: 'ann' });
      assert.equal(refused.status, 400, value);
      assert.match(refused.body, /the decision must be a JSON object/);
    }
    const unknown = await sendForm(link, { value: '{"nope": 1}' });
    assert.equal(unknown.status, 400);
    assert.match(unknown.body, /unknown field &quot;nope&quot;/);
    assert.equal((await sendForm(link, { value: '{"text":}' })).status, 400);
    assert.equal((await sendForm(link, { value: '{}', resumed_by: 'x'.repeat(501) })).status, 400);
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
    const first = await sendForm(link, {
      value: ' {"text":"schön","count":"9007199254740993"}\r\n',
      resumed_by: 'ann',
    });
    assert.equal(first.status, 200);
    assert.match(first.body, /Your decision is recorded/);
    assert.deepEqual(await outputOf(executionId), { text: 'schönz', count: '9007199254740993' });
    assert.match((await sendForm(link, { value: '{}' })).body, /The first decision counts/);
    assert.match((await request(link)).body, /The first decision counts. The run has ended: COMPLETED\./);
    assert.equal((await pauseOf({ executionId })).resumed_by, 'ann');
  });

  it('confirm the recorded decision to its author on every reload', async () => {
    const { link } = await linked();
    const key = /name="idempotency_key" value="(\w+)"/.exec((await request(link)).body as string)?.[1];
    const fields = { idempotency_key: key ?? '', value: '{"text":"go"}', resumed_by: 'ann <a@b>' };
    const sent = await postForm(link, new URLSearchParams(fields).toString());
    const next = nextOf(sent, link) ?? '';
    assert.deepEqual([sent.status, sent.body, next.startsWith(`${link}?decision=`)], [303, '', true]);
    assert.equal(sent.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(sent.headers.get('cache-control'), 'no-store');
    for (const answer of [await request(next), await request(next), await sendForm(link, fields)]) {
      assert.equal(answer.status, 200);
      assert.match(answer.body, /Your decision is recorded\./);
    }
    const decided = 'This question has been decided by ann &lt;a@b&gt;. The first decision counts.';
    for (const other of [{ ...fields, value: '{}' }, { value: fields.value }]) {
      assert.ok((await sendForm(link, other)).body.includes(`>Your decision came too late. ${decided}`));
    }
    assert.ok((await request(link)).body.includes(`>${decided}`));
  });

  it('show the form for any query until there is a decision', async () => {
    const { link } = await linked();
    assert.match((await request(`${link}?decision=x`)).body, /<form method="post">/);
  });

  it('refuse a form in another encoding with an HTML page', async () => {
    const { executionId, link } = await linked();
    const boundary = '--x\r\nContent-Disposition: form-data; name="value"\r\n\r\n{}\r\n--x--\r\n';
    for (const [type, name] of [
      ['multipart/form-data; boundary=x', 'multipart/form-data'],
      ['text/plain', 'text/plain'],
    ] as const) {
      const { status, headers, body } = await postForm(link, boundary, type);
      assert.deepEqual([status, headers.get('content-type')], [400, 'text/html; charset=utf-8']);
      const text = `send the form as application/x-www-form-urlencoded, not as ${name}`;
      assert.ok((body as string).includes(text), body);
    }
    const headers = { 'content-type': 'multipart/form-data; boundary=x', accept: 'application/json' };
    const json = await request(link, { method: 'POST', headers, body: boundary });
    assert.deepEqual(classOf(json), [400, 'INVALID_ARGUMENT']);
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
  });

  it('show the form with the submitted text if the decision is invalid', async () => {
    const { executionId, link } = await linked();
    const typed = { value: '\n{"text": "</textarea><b>",}', resumed_by: 'ann "the judge"' };
    const { status, body } = await sendForm(link, typed);
    assert.equal(status, 400);
    assert.match(body, /<p role="alert">The decision was not accepted: value: .*<\/p>/);
    assert.ok(body.includes('>\n\n{&quot;text&quot;: &quot;&lt;/textarea&gt;&lt;b&gt;&quot;,}</textarea>'));
    assert.ok(body.includes('value="ann &quot;the judge&quot;"'));
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
    const asked = await request(link);
    assert.ok(asked.body.includes('}</textarea>') && !asked.body.includes('role="alert"'));
  });

  it('resume the run with default values from an empty form', async () => {
    const { executionId, link } = await linked();
    assert.equal((await sendForm(link, { value: ' ' })).status, 200);
    assert.deepEqual(await outputOf(executionId), { text: 'z' });
  });

  it('refuse a form without a value, such as JSON sent as a form', async () => {
    const { executionId, link } = await linked();
    const { status, body } = await sendForm(link, { '{"value":{"text":"go"}}': '' });
    assert.equal(status, 400);
    assert.match(
      body,
      /the form has no field value: send JSON with the header Content-Type: application\/json/,
    );
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
  });

  it('refuse a form that would lose data', async () => {
    const { executionId, link } = await linked();
    for (const [form, problem] of [
      ['value={}&value={}', 'the field &quot;value&quot; occurs twice'],
      ['value={"text":"%FF"}', 'it is not valid UTF-8'],
      [Buffer.from('value={"text":"\u00ff"}', 'latin1'), 'it is not valid UTF-8'],
    ] as const) {
      const { status, body } = await sendText(link, form);
      assert.equal(status, 400);
      assert.ok(body.includes(problem), body);
    }
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
    assert.equal((await sendText(link, 'value={"text":"5%25 \u0141\u00f3d\u017a or 5%"}')).status, 200);
    assert.deepEqual(await outputOf(executionId), { text: '5% \u0141\u00f3d\u017a or 5%z' });
  });

  it('accept a form of 256 KiB, and refuse a larger one', async () => {
    const { executionId, link } = await linked();
    const padded = (bytes: number) => ({ value: '{}'.padEnd(bytes - 'value='.length - 2 * 2) });
    // A brace takes three bytes, and a space one.
    const large = await sendForm(link, padded(maxFormBytes + 1));
    assert.equal(large.status, 400);
    assert.match(large.body, /the form exceeds the limit of 262144 bytes/);
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
    assert.equal((await sendForm(link, padded(maxFormBytes))).status, 200);
  });

  it('refuse an invalid body and leave the pause waiting', async () => {
    const { executionId, link } = await linked();
    for (const [body, error] of [
      [[], 'INVALID_ARGUMENT'],
      [{ resumed_by: 1 }, 'INVALID_ARGUMENT'],
      [{ value: 1 }, 'INVALID_RESUME_VALUE'],
      [{ value: { nope: 1 } }, 'INVALID_RESUME_VALUE'],
      [{ value: { text: 'x'.repeat(16_777_216) } }, 'INVALID_RESUME_VALUE'],
    ] as const) {
      assert.deepEqual(classOf(await decide(link, body)), [400, error]);
    }
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
  });

  it('are valid for a single pause', async () => {
    const [one, other] = [await linked(), await linked()];
    const parts = (link: string) => link.slice(link.lastIndexOf('/') + 1).split('.');
    const [tenant = '', pause = '', signature = ''] = parts(one.link);
    const [, otherPause = '', otherSignature = ''] = parts(other.link);
    for (const token of [
      'x',
      `${tenant}.${pause}.${otherSignature}`,
      `${tenant}.${otherPause}.${signature}`,
      `${'0'.repeat(26)}.${pause}.${signature}`,
      `${tenant}.${pause}.${signature}0`,
    ]) {
      const link = `${flows.service.url}/invocations/v1/hooks/resume/${token}`;
      assert.deepEqual(classOf(await decide(link, {})), [404, 'PAUSE_NOT_FOUND'], token);
      assert.equal((await request(link)).status, 404);
    }
    assert.equal((await pauseOf(one)).status, 'WAITING');
    assert.equal((await pauseOf(other)).status, 'WAITING');
  });

  it('expire with their pause, and stop working when its run is cancelled', async () => {
    const [waiting, resumed, cancelled] = [await linked(), await linked(), await linked()];
    assert.equal((await decide(resumed.link, {})).status, 200);
    for (const { pauseId, link } of [waiting, resumed]) {
      await setPause(pauseId, { expires_at: Date.now() - clockErrorMs(flows.service.db) });
      const answer = await decide(link, {});
      assert.deepEqual(answer.body, { error: 'PAUSE_NOT_WAITING', message: 'the link has expired' });
      assert.equal(answer.status, 409);
      assert.equal((await request(link)).status, 409);
    }
    assert.equal((await pauseOf(waiting)).status, 'WAITING');
    await setPause(waiting.pauseId, { expires_at: Date.now() + 1e6 });
    assert.equal((await decide(waiting.link, {})).status, 200);
    await acme.post(`/invocations/v1/executions/${cancelled.executionId}/cancel`);
    assert.deepEqual(classOf(await decide(cancelled.link, {})), [409, 'PAUSE_NOT_WAITING']);
    const page = await request(cancelled.link);
    assert.equal(page.status, 409);
    assert.match(page.body, />This question can no longer be decided: the pause was cancelled\.</);
  });

  it('are refused while the tenant is suspended', async () => {
    const { knex } = flows.service.db;
    const { executionId, link } = await linked();
    await updateTenantStatus(knex, acme.tenant.id, 'suspended');
    try {
      assert.deepEqual(classOf(await decide(link, {})), [403, 'tenant_suspended']);
      assert.equal((await request(link)).status, 403);
      assert.equal((await sendForm(link, {})).status, 403);
    } finally {
      await updateTenantStatus(knex, acme.tenant.id, 'active');
    }
    assert.equal((await pauseOf({ executionId })).status, 'WAITING');
  });

  it('charge an invocation for each delivered decision', async () => {
    const other = await flows.tenant('thrifty');
    const compiled = await other.post('/api/v1/graphs/compile', approval);
    const [one, two] = [
      await linked(other, compiled.body.graph_id),
      await linked(other, compiled.body.graph_id),
    ];
    const { limits, id } = other.tenant;
    await updateTenantLimits(flows.service.db.knex, id, { ...limits, dailyInvocations: 3 });
    await request(one.link);
    assert.equal((await decide(one.link, {})).status, 200);
    const refused = await decide(two.link, {});
    assert.deepEqual(classOf(refused), [429, 'quota_exceeded']);
    const typed = { value: '{"text": "long considered"}', resumed_by: 'ann', idempotency_key: 'one' };
    const page = await sendForm(two.link, typed);
    assert.equal(page.status, 429);
    assert.match(
      page.body,
      /<p role="alert">The decision was not accepted: daily invocations quota exceeded/,
    );
    assert.match(page.body, /The question still waits: send the decision again later\.</);
    // Nothing that was typed is lost.
    assert.ok(page.body.includes('{&quot;text&quot;: &quot;long considered&quot;}</textarea>'));
    assert.match(page.body, /name="idempotency_key" value="one"[^]*value="ann"/);
    // Until the next day, in seconds that pass meanwhile.
    const [later, earlier] = [page, refused].map(({ headers }) => Number(headers.get('retry-after')));
    assert.ok(later !== undefined && earlier !== undefined && later > 0);
    assert.ok(later <= earlier && later > earlier - 60, `${later} after ${earlier}`);
    assert.equal((await decide(one.link, {})).body.already_resumed, true);
  });

  it('never appear in the log', async () => {
    const { link } = await linked();
    const signature = link.slice(-64);
    await request(link);
    await request(`${link}/x`);
    await request(link, { method: 'PUT' });
    await request(`${link}%zz`).catch(() => undefined);
    await request(`${link}?token=${signature}`);
    await decide(link, { value: { nope: signature } });
    const { knex } = flows.service.db;
    await knex.schema.renameTable('pauses', 'pauses_away');
    try {
      assert.equal((await decide(link, {})).status, 500);
      assert.equal((await request(link)).status, 500);
      assert.equal((await sendForm(link, {})).status, 500);
    } finally {
      await knex.schema.renameTable('pauses_away', 'pauses');
    }
    assert.equal((await decide(link, {})).status, 200);
    assert.ok(log.includes('unexpected failure'), log.slice(-2_000));
    assert.ok(log.includes('showResumeLink'));
    assert.ok(!log.toLowerCase().includes(signature));
  });
});
