import assert from 'node:assert/strict';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { step } from '../support/step-package.ts';

/** Limits of a history, and of a page of it. */
describe('a history', () => {
  let flows: FlowService;
  before(async () => {
    flows = await startFlowService();
  });
  after(() => flows.stop());

  type Page = { events: Record<string, unknown>[]; next_cursor?: string };

  const historyOf = async (document: object, query = ''): Promise<Page> => {
    const { body } = await flows.invoke(await flows.compile(document));
    assert.equal(body.result.success, true, JSON.stringify(body));
    const answer = await flows.acme.get(`/invocations/v1/executions/${body.execution_id}/events?${query}`);
    return answer.body as Page;
  };
  /** The events of all pages. */
  const wholeHistoryOf = async (document: object, query: string): Promise<Page['events']> => {
    const { body } = await flows.invoke(await flows.compile(document));
    assert.equal(body.result.success, true, JSON.stringify(body));
    const path = `/invocations/v1/executions/${body.execution_id}/events?${query}`;
    const events: Page['events'] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = (await flows.acme.get(`${path}${cursor && `&cursor=${cursor}`}`)).body as Page;
      events.push(...page.events);
      cursor = page.next_cursor;
    }
    return events;
  };
  const one = (id: string, edges: object[] = []) => ({
    name: id,
    entry: id,
    terminal: id,
    nodes: [step(id)],
    edges,
  });

  it('has pages of 100 events by default', async () => {
    flows.behaviours.set('again', ({ count = '0' }) => ({ count: String(Number(count) + 1) }));
    const loop = one('again', [{ from: 'again', to: 'again', condition: 'count < 40' }]);
    const page = await historyOf(loop);
    assert.equal(page.events.length, 100);
    assert.equal(typeof page.next_cursor, 'string');
    // Of each step its start, its end and its edge, and the end of the run.
    const whole = await historyOf(loop, 'limit=121');
    assert.deepEqual([whole.events.length, whole.next_cursor], [121, undefined]);
  });

  it('stores progress of up to 64 KiB, and counts larger progress as dropped', async () => {
    const sizes = [65_536, 65_537];
    flows.behaviours.set('tells', (_input, answer) => {
      for (const size of sizes) {
        answer.say({ case: 'progress', value: { kind: 'size', json: `"${'x'.repeat(size - 2)}"` } });
      }
      return {};
    });
    const { events } = await historyOf(one('tells'));
    const reported = events.filter(({ type }) => type === 'NODE_PROGRESS');
    assert.deepEqual(
      reported.map(({ progress_json: json }) => String(json).length),
      [65_536],
    );
    const end = events.find(({ type }) => type === 'NODE_COMPLETED');
    assert.equal(end?.progress_dropped, 1);
  });

  it('has pages of at most 8 MiB of JSON, with all log lines in order', async () => {
    // 24 lines of 65,536 control characters, of six bytes each in JSON: 9.4 MB.
    const lines = 24;
    flows.behaviours.set('beeps', (_input, answer) => {
      for (let line = 0; line < lines; line += 1) {
        const message = String.fromCharCode(1).repeat(65_534) + String(line).padStart(2, '0');
        answer.say({ case: 'log', value: { level: 'info', message } });
      }
      return {};
    });
    const { body } = await flows.invoke(await flows.compile(one('beeps')));
    const path = `/invocations/v1/executions/${body.execution_id}/events?event_type=NODE_LOG&limit=1000`;
    const said: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = (await flows.acme.get(`${path}${cursor && `&cursor=${cursor}`}`)).body as Page;
      sizes.push(Buffer.byteLength(JSON.stringify(page)));
      said.push(...page.events.map(({ log_message: text }) => String(text).slice(-2)));
      cursor = page.next_cursor;
    }
    assert.equal(sizes.length, 2);
    assert.ok(Math.max(...sizes) < 8_400_000, `${sizes.join(' and ')} bytes`);
    assert.deepEqual(
      said,
      Array.from({ length: lines }, (_, line) => String(line).padStart(2, '0')),
    );
  });

  itSlow('stores a burst of 16 MiB of logs, and marks where lines were dropped', async () => {
    // With the overhead of a line, 256 lines are 16 MiB.
    const lines = 640;
    const text = 'x'.repeat(65_536 - 256);
    flows.behaviours.set('chats', (_input, answer) => {
      for (let line = 0; line < lines; line += 1)
        answer.say({ case: 'log', value: { level: 'info', message: text } });
      return {};
    });
    const events = await wholeHistoryOf(one('chats'), 'event_type=NODE_LOG&limit=1000');
    const kept = events.findIndex(({ log_level: level }) => level === 'warn');
    // A stall of the machine lets more through, but not all.
    assert.ok(
      kept >= 256 && events.length < lines,
      `${kept} lines before the remark, ${events.length} in all`,
    );
    assert.match(String(events[kept]?.log_message), /^log lines are dropped from here on/);
    assert.ok(events.slice(0, kept).every(({ log_message: said }) => said === text));
  });
});
