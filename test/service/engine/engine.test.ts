import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../../service/engine/engine.ts';
import type { Database } from '../../../service/store/database.ts';
import type { RunEnd } from '../../../service/engine/wait/run-end.ts';
import { eachDatabase } from '../../support/databases.ts';
import { type EngineLab, engineLab } from '../../support/engine-lab.ts';
import { eventually } from '../../support/eventually.ts';
import { itSlow } from '../../support/fast-run.ts';
import { step, twoSteps } from '../../support/step-package.ts';

describe('the engine', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });
    describe('with its own container', () => suite(() => db));
  });

  function suite(database: () => Database): void {
    let lab: EngineLab;
    let engine: Engine;
    before(async () => {
      lab = await engineLab(database());
      engine = await lab.engine();
    });
    after(() => lab.close());
    afterEach(() => lab.behaviours.clear());

    const textOf = (end: RunEnd): string | undefined =>
      end.kind === 'completed' ? lab.decode(end.output).text : undefined;
    const messageOf = (end: RunEnd): string | undefined => ('message' in end ? end.message : undefined);

    it('runs a flow from its input to the output of its terminal', async () => {
      const graph = await lab.compile(twoSteps());
      const { executionId, end } = await lab.run(engine, graph, { text: '>' });
      assert.equal(textOf(end), '>ab');
      const [execution] = (await lab.executions()).filter(({ id }) => id === executionId);
      assert.equal(execution?.status, 'COMPLETED');
      assert.equal(execution.graphId, graph.graphId);
      assert.equal(end.kind === 'completed' && end.completedAt, execution.completedAt);
      assert.deepEqual(
        (await lab.journal(executionId)).map(({ type }) => type),
        [
          'admitted',
          'NODE_STARTED',
          'NODE_COMPLETED',
          'EDGE_EVALUATED',
          'NODE_STARTED',
          'NODE_COMPLETED',
          'FLOW_COMPLETED',
        ],
      );
    });

    it('follows every passing edge, running parallel branches as child executions that count toward the quota', async () => {
      const graph = await lab.compile(diamond());
      lab.behaviours.set('c', () => ({ text: 'c', words: ['from', 'c'] }));
      lab.behaviours.set('d', ({ text = '', words = [] }) => ({ text: `${text}+${words.join(' ')}` }));
      const before = await lab.usage();
      const { executionId, end } = await lab.run(engine, graph, { text: '>' });
      assert.equal(textOf(end), '>ab+from c');
      const children = (await lab.executions()).filter((each) => each.lineageRootExecutionId === executionId);
      assert.deepEqual(
        children.map(({ status }) => status),
        ['COMPLETED', 'COMPLETED'],
      );
      const used = await lab.usage();
      assert.deepEqual([used.invocations - before.invocations, used.executions - before.executions], [1, 3]);
    });

    it('ends a run with its result, cancels open calls and branches, and ignores late responses', async () => {
      const graph = await lab.compile({
        ...twoSteps({ name: 'First of two' }),
        terminal: 'd',
        nodes: [step('a'), step('fast'), step('slow'), step('d', { join: { policy: 'any' } })],
        edges: [
          { from: 'a', to: 'fast' },
          { from: 'a', to: 'slow' },
          { from: 'fast', to: 'd' },
          { from: 'slow', to: 'd' },
        ],
      });
      const { promise: called, resolve: call } = Promise.withResolvers<undefined>();
      lab.behaviours.set('fast', async ({ text = '' }) => {
        // A call that has not arrived could not be given up.
        await called;
        return { text: `${text}fast` };
      });
      const gaveUp = new Promise<void>((resolve) => {
        lab.behaviours.set('slow', (input, answer) => {
          call(undefined);
          answer.onCancelled(() => {
            resolve();
            answer.say({ case: 'output', value: lab.encode(input) });
            answer.end();
          });
          return undefined;
        });
      });
      const { executionId, end } = await lab.run(engine, graph, { text: '>' });
      assert.equal(textOf(end), '>afastd');
      await gaveUp;
      const branches = (await lab.executions()).filter((each) => each.lineageRootExecutionId === executionId);
      assert.deepEqual(branches.map(({ status }) => status).toSorted(), ['CANCELLED', 'COMPLETED']);
      const journal = await lab.journal(executionId);
      assert.equal(journal.at(-1)?.type, 'FLOW_COMPLETED');
      assert.ok(!journal.some((entry) => entry.type === 'NODE_COMPLETED' && entry.node === 'slow'));
    });

    it('ends a loop after a thousand steps', async () => {
      const graph = await lab.compile({
        ...twoSteps({ name: 'Loop' }),
        nodes: [step('a', { mock: { output: { text: 'again' } } }), step('b')],
        edges: [
          { from: 'a', to: 'a', condition: 'text == "again"' },
          { from: 'a', to: 'b', condition: 'text != "again"' },
        ],
      });
      const { end } = await lab.run(engine, graph);
      assert.equal(messageOf(end), 'exceeded max steps (1000)');
    });

    it('fails a run with the error message of the node', async () => {
      const graph = await lab.compile(twoSteps());
      lab.behaviours.set('b', (_input, answer) => {
        answer.say({ case: 'error', value: { message: 'not "today"' } as never });
        answer.end();
        return undefined;
      });
      const { end } = await lab.run(engine, graph);
      assert.equal(end.kind, 'failed');
      assert.equal(messageOf(end), 'not "today"');
    });

    it('stores failure messages of any length and content', async () => {
      const graph = await lab.compile(twoSteps());
      const message = 'zero \u0000, half \ud800, and long '.padEnd(20_000, '.');
      lab.behaviours.set('a', (_input, answer) => {
        answer.say({ case: 'error', value: { message: message.toWellFormed() } as never });
        answer.end();
        return undefined;
      });
      const { executionId, end } = await lab.run(engine, graph);
      assert.equal(messageOf(end), message.toWellFormed());
      const execution = (await lab.executions()).find(({ id }) => id === executionId);
      assert.match(execution?.errorMessage ?? '', /^zero \ufffd, half \ufffd/);
    });

    it('retries a failed step according to its policy, and records the attempts', async () => {
      const retry = { max_attempts: 3, initial_ms: 20, factor: 2, max_ms: 1000 };
      const graph = await lab.compile(twoSteps({ name: 'Retry', nodes: [step('a'), step('b', { retry })] }));
      const attempts: number[] = [];
      lab.behaviours.set('b', (_input, answer, request) => {
        attempts.push(request.context?.attempt ?? 0);
        if (attempts.length === 3) return { text: 'at last' };
        answer.say({ case: 'error', value: { message: 'busy', retryable: true } as never });
        answer.end();
        return undefined;
      });
      const { executionId, end } = await lab.run(engine, graph);
      assert.equal(textOf(end), 'at last');
      assert.deepEqual(attempts, [1, 2, 3]);
      const retries = (await lab.journal(executionId)).filter(({ type }) => type.startsWith('NODE_RETRY'));
      assert.deepEqual(
        retries.map(({ type }) => type.slice(11)),
        ['SCHEDULED', 'STARTED', 'SCHEDULED', 'STARTED'],
      );
    });

    it('parks a run during a long retry delay, and resumes it on time', async () => {
      const parking = await lab.engine({ parkAfterMs: 10 });
      const retry = { max_attempts: 2, initial_ms: 300, factor: 1, max_ms: 1000 };
      const graph = await lab.compile(twoSteps({ name: 'Park', nodes: [step('a'), step('b', { retry })] }));
      let calls = 0;
      lab.behaviours.set('b', (_input, answer) => {
        calls += 1;
        if (calls === 2) return { text: 'later' };
        answer.say({ case: 'error', value: { message: 'busy', retryable: true } as never });
        answer.end();
        return undefined;
      });
      const { executionId, end } = await lab.run(parking, graph);
      assert.equal(textOf(end), 'later');
      assert.ok((await lab.journal(executionId)).some(({ type }) => type === 'taken_over'));
    });

    itSlow('keeps the scheduled time of a retry when the engine stops', async () => {
      const ending = await lab.engine();
      const retry = { max_attempts: 2, initial_ms: 1_000, factor: 1, max_ms: 1_000 };
      const graph = await lab.compile(twoSteps({ name: 'Later', nodes: [step('a'), step('b', { retry })] }));
      lab.behaviours.set('b', (_input, answer, request) => {
        if (request.context?.attempt === 2) return { text: 'later' };
        answer.say({ case: 'error', value: { message: 'busy', retryable: true } as never });
        answer.end();
        return undefined;
      });
      const { executionId } = await ending.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: 'later' },
      });
      const scheduled = async () =>
        (await lab.journal(executionId)).find(({ type }) => type === 'NODE_RETRY_SCHEDULED');
      await eventually(scheduled);
      await ending.close(100);
      const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      assert.equal(textOf(end), 'later');
      const journal = await lab.journal(executionId);
      const started = journal.find(({ type }) => type === 'NODE_RETRY_STARTED');
      const due = journal.flatMap((entry) =>
        entry.type === 'NODE_RETRY_SCHEDULED' ? entry.nextAttemptAt! : [],
      );
      assert.equal(due.length, 1);
      // Timers may fire a millisecond early.
      assert.ok(started && started.at >= due[0]! - 1, `${started?.at} is before ${due[0]}`);
    });

    /** Starts a run whose second node fails and is retried in a minute. */
    const waitsLong = async (parking: Engine, name: string): Promise<string> => {
      const retry = { max_attempts: 2, initial_ms: 60_000, factor: 1, max_ms: 60_000 };
      const graph = await lab.compile(twoSteps({ name, nodes: [step('a'), step('b', { retry })] }));
      lab.behaviours.set('b', (_input, answer) => {
        answer.say({ case: 'error', value: { message: 'busy', retryable: true } as never });
        answer.end();
        return undefined;
      });
      const { executionId } = await parking.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: name },
      });
      return executionId;
    };

    it('cancels a run during a long retry delay', async () => {
      const parking = await lab.engine({ parkAfterMs: 10 });
      const executionId = await waitsLong(parking, 'Wait');
      const isWaiting = async (): Promise<boolean> =>
        (await lab.journal(executionId)).some(({ type }) => type === 'NODE_RETRY_SCHEDULED');
      await eventually(async () => (await isWaiting()) || undefined);
      await parking.cancel(lab.tenant.id, executionId);
      const end = await parking.wait(lab.tenant.id, executionId, { timeoutMs: 0 });
      assert.equal(end.kind, 'cancelled');
      await assert.rejects(parking.cancel(lab.tenant.id, executionId), { status: 409 });
    });

    it('cancels a run while it is being parked', async () => {
      const released = Promise.withResolvers<undefined>();
      const goOn = Promise.withResolvers<undefined>();
      const parking = await lab.engine({
        parkAfterMs: 10,
        probe: async (point, subject) => {
          if (point !== 'after_commit' || !('some' in subject)) return;
          if (!subject.some((operation) => 'releaseUntil' in operation)) return;
          released.resolve(undefined);
          await goOn.promise;
        },
      });
      const executionId = await waitsLong(parking, 'Leave');
      await released.promise;
      const cancelling = parking.cancel(lab.tenant.id, executionId);
      await pause(50);
      goOn.resolve(undefined);
      await cancelling;
      const end = await parking.wait(lab.tenant.id, executionId, { timeoutMs: 0 });
      assert.equal(end.kind, 'cancelled');
    });

    it('cancels a run that another replica takes over at the same time', async () => {
      let executionId = '';
      let met = false;
      const meeting = await lab.engine({
        parkAfterMs: 10,
        pollMs: 60_000,
        probe: async (point, subject) => {
          if (point !== 'before_commit' || executionId === '' || met) return;
          if (!('some' in subject) || !subject.some((operation) => 'ends' in operation)) return;
          met = true;
          await lab.db.knex('executions').where({ id: executionId }).update({ owner: '', wake_at: 0 });
          const isTaken = async (): Promise<boolean> =>
            (await lab.journal(executionId)).some(({ type }) => type === 'taken_over');
          await eventually(async () => (await isTaken()) || undefined);
        },
      });
      const waiting = await waitsLong(meeting, 'Meet');
      const isParked = async (): Promise<boolean> =>
        (await lab.journal(waiting)).some(({ type }) => type === 'NODE_RETRY_SCHEDULED');
      await eventually(async () => (await isParked()) || undefined);
      executionId = waiting;
      await meeting.cancel(lab.tenant.id, executionId);
      assert.ok(met);
      const end = await meeting.wait(lab.tenant.id, executionId, { timeoutMs: 0 });
      assert.equal(end.kind, 'cancelled');
    });

    it('returns a large output from the blob store', async () => {
      const graph = await lab.compile(twoSteps());
      const text = 'x'.repeat(200_000);
      const { executionId, end } = await lab.run(engine, graph, { text });
      assert.equal(textOf(end), `${text}ab`);
      const started = (await lab.journal(executionId)).find(({ type }) => type === 'NODE_STARTED');
      assert.ok(started?.type === 'NODE_STARTED' && 'blob' in started.input);
      const again = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 0 });
      assert.equal(textOf(again), `${text}ab`);
    });

    it('records logs and progress of nodes, and drops excess progress', async () => {
      const graph = await lab.compile(twoSteps());
      lab.behaviours.set('a', (_input, answer) => {
        answer.say({ case: 'log', value: { level: 'info', message: 'well' } as never });
        for (let index = 0; index < 60; index += 1) {
          answer.say({ case: 'progress', value: { kind: 'step', json: `{"n":${index}}` } as never });
        }
        return { text: 'done' };
      });
      const { executionId } = await lab.run(engine, graph);
      const entries = await lab.journal(executionId);
      assert.ok(entries.some((entry) => entry.type === 'NODE_LOG' && entry.message === 'well'));
      const frames = entries.filter(({ type }) => type === 'NODE_PROGRESS');
      const began = entries.find(({ type }) => type === 'NODE_STARTED');
      const ended = entries.find(({ type }) => type === 'NODE_COMPLETED');
      assert.ok(began && ended);
      // 50 at once, and ten more in each second that the call takes.
      const most = 51 + (ended.at - began.at) / 100;
      assert.ok(frames.length >= 50 && frames.length <= most, `${frames.length} frames, at most ${most}`);
      const dropped = ended.type === 'NODE_COMPLETED' && (ended.progressDropped ?? 0);
      assert.equal(dropped, 60 - frames.length);
    });

    it('cancels a run, its branches and its calls', async () => {
      const graph = await lab.compile(twoSteps());
      const called = new Promise<void>((resolve) => {
        lab.behaviours.set('a', () => {
          resolve();
          return undefined;
        });
      });
      const { executionId } = await engine.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: 'cancel' },
      });
      await called;
      await engine.cancel(lab.tenant.id, executionId);
      const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      assert.equal(end.kind, 'cancelled');
      await assert.rejects(engine.cancel(lab.tenant.id, executionId), { status: 409 });
      await assert.rejects(engine.cancel(lab.tenant.id, 'f'.repeat(32)), { status: 404 });
    });

    it('accepts a run with invalid input, and fails it', async () => {
      const graph = await lab.compile(twoSteps());
      const { executionId } = await engine.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: { form: 'json', text: '{"txt": 1}' },
        idempotency: { kind: 'fingerprint', hash: 'bad input' },
      });
      const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      assert.equal(end.kind, 'failed');
      assert.match(messageOf(end) ?? '', /^invalid JSON for acme\.steps\.v1\.Step: .*txt/);
    });

    it('loads the flow of an invocation once', async () => {
      let loads = 0;
      const counting = await lab.engine({
        graphs: {
          load: (tenantId, graphId) => {
            loads += 1;
            return lab.graphs.load(tenantId, graphId);
          },
        },
      });
      const graph = await lab.compile(twoSteps());
      const { end } = await lab.run(counting, graph, { text: '>' });
      assert.equal(textOf(end), '>ab');
      assert.equal(loads, 1);
    });

    it('creates one execution for a hundred concurrent identical invocations', async () => {
      const graph = await lab.compile(twoSteps());
      const request = {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: 'same' },
      } as const;
      const before = await lab.usage();
      const invoked = await Promise.all(
        Array.from({ length: 100 }, () => engine.invoke(lab.tenant, request)),
      );
      assert.equal(new Set(invoked.map(({ executionId }) => executionId)).size, 1);
      assert.equal(invoked.filter(({ duplicate }) => !duplicate).length, 1);
      assert.equal((await lab.usage()).invocations - before.invocations, 1);
      const other = await engine.invoke(lab.tenant, {
        ...request,
        idempotency: { kind: 'fingerprint', hash: 'same' },
      });
      assert.equal(other.duplicate, false);
      for (const { executionId } of [invoked[0]!, other]) {
        await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      }
    });

    it('leaves its runs to other replicas when it closes', async () => {
      const first = await lab.engine();
      const graph = await lab.compile(twoSteps());
      let calls = 0;
      const called = new Promise<void>((resolve) => {
        lab.behaviours.set('a', () => {
          calls += 1;
          resolve();
          // The first call is never answered.
          return calls === 1 ? undefined : { text: 'second try' };
        });
      });
      const { executionId } = await first.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({}),
        idempotency: { kind: 'key', hash: 'left' },
      });
      await called;
      await first.close(50);
      const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
      assert.equal(textOf(end), 'second tryb');
    });
  }
});

/** Two branches that join: one edge provides the text, the other the words. */
function diamond(): Record<string, unknown> {
  return twoSteps({
    name: 'Diamond',
    terminal: 'd',
    nodes: [step('a'), step('b'), step('c'), step('d', { join: { policy: 'all' } })],
    edges: [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c' },
      { id: 'x', from: 'b', to: 'd' },
      { id: 'y', from: 'c', to: 'd' },
    ],
    compose: { d: { text: 'x:text', words: 'y:words' } },
  });
}
