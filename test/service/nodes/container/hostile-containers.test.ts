import assert from 'node:assert/strict';
import type { ServerHttp2Stream } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { createClient } from '../../../../service/nodes/container/connection.ts';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { DescribeResponseSchema } from '../../../../service/nodes/container/protocol.ts';
import type { CheckServed, PackageReference } from '../../../../service/nodes/container/served-versions.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import {
  answerUnary,
  grpcFrame,
  type RawContainer,
  startRawContainer,
} from '../../../support/raw-container.ts';
import { type ScriptedContainer, startScriptedContainer } from '../../../support/scripted-container.ts';

const reference: PackageReference = {
  name: 'acme/text',
  version: '1.0.0',
  tenantId: 'tenant',
  versionId: 'version',
};
const describedAs = (name: string): Uint8Array =>
  toBinary(DescribeResponseSchema, create(DescribeResponseSchema, { packages: [{ name }] }));
const grpc = { ':status': 200, 'content-type': 'application/grpc' };

/** Accepts containers that claim to serve the package. */
const check: CheckServed = ({ name }, _endpoint, description) => {
  if (description.kind === 'not_offered') return Promise.resolve(undefined);
  const isServed = description.packages.some((served) => served.name === name);
  return Promise.resolve(isServed ? undefined : 'it serves something else');
};

describe('a hostile container', () => {
  let pool: ContainerPool;
  let raw: RawContainer | undefined;
  const scripted: ScriptedContainer[] = [];
  beforeEach(() => open(check));
  afterEach(async () => {
    pool.close();
    await raw?.stop();
    for (const container of scripted.splice(0)) container.kill();
    raw = undefined;
  });

  const open = (checkServed: CheckServed): void => {
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }], checkServed });
  };
  const call = (endpoint: string, timeoutMs = 30_000) =>
    pool.invoke(endpoint, nodeInvocation('Echo', new Uint8Array()), {
      ...within(timeoutMs),
      package: reference,
    });
  /** Calls a container with the given response to `Describe`, and returns the reason of the failure. */
  const attacked = async (
    describe: (stream: ServerHttp2Stream, times: number) => void,
    timeoutMs = 30_000,
  ): Promise<string> => {
    let times = 0;
    raw = await startRawContainer((stream, method) => {
      if (method === 'Describe') describe(stream, (times += 1));
      else answerUnary(stream, new Uint8Array());
    });
    const outcome = await call(raw.endpoint, timeoutMs);
    assert.ok(outcome.kind === 'unreachable', outcome.kind);
    assert.ok(!raw.called.includes('Session') && !raw.called.includes('Invoke'), 'it received a call');
    return outcome.message;
  };

  it('that answers with an invalid description receives no call', async () => {
    for (const bytes of [
      Uint8Array.of(0x0a, 0xff),
      Uint8Array.of(0xff),
      new TextEncoder().encode('<html>'),
    ]) {
      const message = await attacked((stream) => answerUnary(stream, bytes));
      assert.match(message, /the container did not describe what it serves: /);
      await raw?.stop();
      raw = undefined;
    }
  });

  it('that answers with another protocol receives no call', async () => {
    for (const headers of [
      { ':status': 200, 'content-type': 'text/html' },
      { ':status': 503 },
      { ...grpc, 'grpc-status': '99' },
    ]) {
      const message = await attacked((stream) => stream.respond(headers, { endStream: true }));
      assert.match(message, /^calling node: /);
      await raw?.stop();
      raw = undefined;
    }
  });

  it('that redirects is not followed', async () => {
    const elsewhere = await startRawContainer((stream) => answerUnary(stream, describedAs('acme/text')));
    try {
      const message = await attacked((stream) => {
        const location = `${elsewhere.endpoint.replace('grpc', 'http')}/svc.node.v1.NodeContainer/Describe`;
        stream.respond({ ':status': 307, location }, { endStream: true });
      });
      assert.match(message, /the container did not describe what it serves: /);
      assert.equal(elsewhere.connections, 0);
    } finally {
      await elsewhere.stop();
    }
  });

  itSlow('that sends two descriptions in one response receives no call', async function () {
    this.timeout(30_000);
    const message = await attacked((stream) => {
      stream.respond(grpc, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.concat([grpcFrame(describedAs('acme/text')), grpcFrame(describedAs('acme/text'))]));
    });
    assert.match(message, /the container did not describe what it serves: /);
  });

  itSlow('that sends descriptions endlessly is abandoned', async () => {
    const message = await attacked((stream) => {
      stream.respond(grpc);
      const more = (): void => {
        while (!stream.destroyed && stream.write(grpcFrame(describedAs('acme/text'))));
      };
      stream.on('drain', more);
      more();
    }, 1_000);
    assert.match(message, /^calling node: /);
  });

  it('that announces a message of 4 GB, or trickles its bytes, is abandoned', async () => {
    const announced = await attacked((stream) => {
      stream.respond(grpc);
      stream.write(Buffer.of(0, 0xff, 0xff, 0xff, 0xff));
    });
    assert.match(announced, /RESOURCE_EXHAUSTED/);
    await raw?.stop();
    let sending: NodeJS.Timeout | undefined;
    const dripping = await attacked((stream) => {
      stream.respond(grpc);
      sending = setInterval(() => {
        if (!stream.destroyed) stream.write(Buffer.of(0));
      }, 5);
    }, 500);
    clearInterval(sending);
    assert.match(dripping, /no answer within \d+ ms/);
  });

  itSlow('that sends a decompression bomb as its description does not exhaust memory', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 2 ** 20));
    const before = process.memoryUsage().rss;
    const message = await attacked((stream) => {
      stream.respond({ ...grpc, 'grpc-encoding': 'gzip' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(grpcFrame(bomb, { compressed: true }));
    });
    assert.match(message, /RESOURCE_EXHAUSTED/);
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 150 * 2 ** 20, `${Math.round(grown / 2 ** 20)} MiB`);
  });

  it('that closes every connection after describing itself is not retried forever', async () => {
    pool.close();
    // The connection is lost during the comparison, which reads the database.
    open(async (...served) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return check(...served);
    });
    const asked = new Set<unknown>();
    const unasked: string[] = [];
    for (const leave of [setImmediate, queueMicrotask, (work: () => void) => setTimeout(work, 5)]) {
      raw = await startRawContainer((stream, method) => {
        if (method === 'Describe') asked.add(stream.session);
        else if (!asked.has(stream.session)) unasked.push(method);
        const { session } = stream;
        if (method !== 'Describe') return;
        answerUnary(stream, describedAs('acme/text'));
        stream.on('close', () => leave(() => session?.destroy()));
      });
      const outcome = await call(raw.endpoint);
      assert.ok(outcome.kind === 'unreachable', outcome.kind);
      assert.ok(raw.connections <= 20, `${raw.connections} connections`);
      await raw.stop();
    }
    raw = undefined;
    assert.deepEqual(unasked, [], 'methods that were called before the container was asked');
  });

  it('that replaces another container after the check receives no call and no Warm request', async () => {
    const honest = await startScriptedContainer((answer) => answer.fail(status.INTERNAL, 'reached'), {
      describe: [{ name: 'acme/text' }],
      warm: status.OK,
    });
    scripted.push(honest);
    assert.match(JSON.stringify(await call(honest.endpoint)), /INTERNAL: reached/);
    honest.kill();
    const impostor = await startScriptedContainer((answer) => answer.end(), {
      describe: [{ name: 'globex/spy' }],
      warm: status.OK,
      port: honest.port,
    });
    scripted.push(impostor);
    const warm = () =>
      pool.warm(
        impostor.endpoint,
        { tenantId: 'acme', nodes: ['Echo'] },
        { ...within(30_000), package: reference },
      );
    let message = '';
    while (!message.includes('something else')) {
      const [called, warmed] = await Promise.all([call(impostor.endpoint), warm()]);
      assert.ok(called.kind === 'unreachable' && warmed.kind === 'failed', JSON.stringify([called, warmed]));
      message = warmed.message;
    }
    assert.deepEqual([impostor.requests.length, impostor.warmed.length], [0, 0]);
  });

  it('is warmed only after it has described itself', async () => {
    const container = await startScriptedContainer((answer) => answer.end(), {
      describe: [{ name: 'acme/text' }],
      warm: status.OK,
    });
    scripted.push(container);
    const options = { ...within(30_000), package: reference };
    const warmed = await pool.warm(container.endpoint, { tenantId: 'acme', nodes: ['Echo'] }, options);
    assert.deepEqual([warmed, container.described], [{ kind: 'warm' }, 1]);
  });

  it('does not receive the token of another deployment at the same endpoint', async () => {
    const container = await startScriptedContainer((answer) => answer.end(), {
      describe: [{ name: 'acme/text' }],
    });
    scripted.push(container);
    const options = { ...within(30_000), package: reference };
    for (const token of ['token-of-the-deployment', undefined, 'another-token-of-it']) {
      await pool.invoke(container.endpoint, nodeInvocation('Echo', new Uint8Array()), {
        ...options,
        ...(token && { token }),
      });
    }
    assert.deepEqual(
      container.requests.map(({ authorization }) => authorization),
      ['Bearer token-of-the-deployment', undefined, 'Bearer another-token-of-it'],
    );
  });
});

describe('the address of a container', () => {
  for (const host of ['unix', 'dns', 'ipv4', 'ipv6', 'xds', 'localhost', '[::1]']) {
    it(`is treated as a host name even if it is ${host}`, () => {
      const client = createClient(`${host}:7001`);
      assert.equal(client.getChannel().getTarget(), `dns:${host}:7001`);
      client.close();
    });
  }
});
