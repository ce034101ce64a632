import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { limits } from '../../../../specs/limits.ts';
import type { Description } from '../../../../service/nodes/container/call-describe.ts';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import type { PackageReference } from '../../../../service/nodes/container/served-versions.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import {
  type Answer,
  type ScriptedContainer,
  type ScriptOptions,
  startScriptedContainer,
} from '../../../support/scripted-container.ts';

const hello = new TextEncoder().encode('hello');
const output = { kind: 'output', bytes: hello };

function reference(name: string, version = '1.0.0'): PackageReference {
  return { name, version, tenantId: 'tenant', versionId: `${name}@${version}` };
}

const echo = (answer: Answer): void => {
  answer.say({ case: 'output', value: hello });
  answer.end();
};

for (const way of ['Invoke', 'Session'] as const) {
  describe(`calls by ${way} on a new connection`, () => {
    let pool: ContainerPool;
    let containers: ScriptedContainer[];
    let checks: string[];

    beforeEach(() => {
      containers = [];
      checks = [];
      const check = (
        { name }: PackageReference,
        endpoint: string,
        description: Description,
      ): Promise<string | undefined> => {
        checks.push(`${name} at ${endpoint}`);
        if (description.kind === 'not_offered') return Promise.resolve(undefined);
        const served = description.packages.map((one) => one.name);
        return Promise.resolve(served.includes(name) ? undefined : `it serves ${served.join(', ')}`);
      };
      pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }], checkServed: check });
    });
    afterEach(() => {
      pool.close();
      for (const container of containers) container.kill();
    });

    const start = async (options: ScriptOptions, script = echo): Promise<ScriptedContainer> => {
      const container = await startScriptedContainer(script, { way, ...options });
      containers.push(container);
      return container;
    };
    const call = (container: ScriptedContainer, name = 'acme/text', timeoutMs = 30_000) =>
      pool.invoke(container.endpoint, nodeInvocation('Echo', hello), {
        ...within(timeoutMs),
        package: reference(name),
      });
    const failure = (message: string, cause = 'call') => ({ kind: 'unreachable', cause, message });

    it('request the description once per package version, not per call', async () => {
      const container = await start({ describe: [{ name: 'acme/text' }, { name: 'acme/orders' }] });
      const first = await Promise.all(Array.from({ length: 20 }, () => call(container)));
      const later = await call(container);
      for (const outcome of [...first, later]) assert.deepEqual(outcome, output);
      assert.equal(container.described, 1);
      assert.deepEqual(await call(container, 'acme/orders'), output);
      assert.equal(container.described, 2);
      assert.deepEqual(checks, [
        `acme/text at ${container.endpoint}`,
        `acme/orders at ${container.endpoint}`,
      ]);
    });

    it('are not sent to a container that serves another package', async () => {
      const container = await start({ describe: [{ name: 'acme/orders' }] });
      for (let each = 0; each < 3; each += 1) {
        assert.deepEqual(await call(container), failure('calling node: it serves acme/orders'));
      }
      assert.deepEqual(await call(container, 'acme/orders'), output);
      assert.deepEqual([container.requests.length, container.described], [1, 2]);
    });

    it('are sent to a container without descriptions after a single request for one', async () => {
      const container = await start({});
      assert.deepEqual([await call(container), await call(container)], [output, output]);
      assert.equal(container.described, 1);
    });

    it('never reach a different container that starts on the same port', async () => {
      const first = await start({ describe: [{ name: 'acme/text' }] });
      assert.deepEqual(await call(first), output);
      first.kill();
      const second = await start({ describe: [{ name: 'acme/orders' }], port: first.port });
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => eventually(() => call(second))));
      for (const outcome of outcomes)
        assert.deepEqual(outcome, failure('calling node: it serves acme/orders'));
      assert.equal(second.requests.length, 0);
      second.kill();
      const third = await start({ describe: [{ name: 'acme/text' }], port: first.port });
      // The refusal holds until the loss of the connection is noticed.
      const outcome = await eventually(() => call(third), 'acme/orders');
      assert.deepEqual(outcome, output);
    });

    it('after a drain reach the next container only once it has described itself', async () => {
      const held: Answer[] = [];
      const first = await start({ describe: [{ name: 'acme/text' }] }, (answer) => {
        if (held.length === 0) held.push(answer);
        else echo(answer);
      });
      const open = call(first);
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const drained = first.drain();
      const second = await start({ describe: [{ name: 'acme/orders' }], port: first.port });
      const next = await eventually(() => call(second), '"output"');
      assert.deepEqual(next, failure('calling node: it serves acme/orders'));
      for (const answer of held) echo(answer);
      assert.deepEqual(await open, output);
      await drained;
      assert.equal(second.requests.length, 0);
    });

    it('fail if the container reports an error for its description, which is requested again', async () => {
      const container = await start({ describe: status.INTERNAL });
      const message =
        'calling node: the container did not describe what it serves: INTERNAL: as the test says';
      assert.deepEqual(await call(container), failure(message));
      assert.deepEqual(await call(container), failure(message));
      assert.deepEqual([container.requests.length, container.described], [0, 2]);
    });

    it('respect their own deadline and cancellation while the description is pending', async () => {
      const container = await start({ describe: 'never' });
      const caller = new AbortController();
      const cancelled = pool.invoke(container.endpoint, nodeInvocation('Echo', hello), {
        ...within(60_000),
        package: reference('acme/text'),
        signal: caller.signal,
      });
      const expired = await call(container, 'acme/text', 300);
      assert.match(JSON.stringify(expired), /"cause":"deadline".*no answer within \d+ ms/);
      caller.abort();
      assert.deepEqual(await cancelled, failure('calling node: the call was cancelled', 'cancelled'));
      assert.equal(container.requests.length, 0);
    });

    itSlow('fail if the container does not send its description in time', async function () {
      this.timeout(30_000);
      const container = await start({ describe: 'never' });
      const message = 'calling node: the container did not describe what it serves: no answer within 5000 ms';
      assert.deepEqual(await call(container), failure(message));
    });

    it('accept descriptions up to the size limit', async () => {
      const sized = (bytes: number) => [{ name: 'acme/text', descriptorSet: new Uint8Array(bytes) }];
      // The name, and three tags and lengths around it.
      const room = limits.describeBytes - 11 - 2 * 4;
      const fits = await start({ describe: sized(room) });
      assert.deepEqual(await call(fits), output);
      const larger = await start({ describe: sized(room + 1) });
      const outcome = await call(larger);
      assert.match(
        outcome.kind === 'unreachable' ? outcome.message : '',
        /the description has 262145 bytes, at most 262144 are read/,
      );
    });
  });
}

/** Calls again while the port has no listener, or as long as the outcome contains `before`. */
async function eventually<T extends { kind: string }>(call: () => Promise<T>, before?: string): Promise<T> {
  for (;;) {
    const outcome = await call();
    const text = JSON.stringify(outcome);
    const lost = /could not connect|UNAVAILABLE|CANCELLED/.test(text);
    if (!lost && (before === undefined || !text.includes(before))) return outcome;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
