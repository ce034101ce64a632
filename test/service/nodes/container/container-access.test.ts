import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import { containerCredentials } from '../../../../service/nodes/container/container-credentials.ts';
import {
  type ContainerAccess,
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { loadPackage } from '../../../../service/nodes/serve/load-package.ts';
import { type NodeServer, servePackage } from '../../../../service/nodes/serve/serve-package.ts';
import { fixturePackageFolder } from '../../../support/fixture-containers.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import {
  type Answer,
  type ScriptedContainer,
  startScriptedContainer,
} from '../../../support/scripted-container.ts';
import { until } from '../../../support/until.ts';
import { testCertificate, tlsFile } from '../../../support/tls-files.ts';

const allowedHosts = [{ host: '127.0.0.1' }, { host: 'localhost' }];
const authority = readFileSync(tlsFile('authority.pem'), 'utf8');
// TokenizeRequest{text}
const tokenizeRequest = (text: string): Uint8Array =>
  new BinaryWriter().tag(1, WireType.LengthDelimited).string(text).finish();
const request = tokenizeRequest('a b');
/** Too large for a session. */
const large = tokenizeRequest('a'.repeat(100_000));
const token = 'token-of-the-deployment';
const notPlainGrpc =
  'could not connect to node: no gRPC server without TLS answers there: ' +
  'deploy it as grpcs:// if it has TLS, or give the port of the container';

describe('access to a container', () => {
  let pool: ContainerPool;
  let server: NodeServer | undefined;
  let container: ScriptedContainer | undefined;
  afterEach(async () => {
    pool.close();
    container?.kill();
    await server?.stop(0);
    [container, server] = [undefined, undefined];
  });

  const serve = async (options: Partial<Parameters<typeof servePackage>[1]>): Promise<string> => {
    const hosted = await loadPackage(fixturePackageFolder('acme-text'));
    server = await servePackage(hosted, { port: 0, report: () => undefined, ...options });
    return server.endpoint;
  };
  const open = (authorities: string | null = authority): void => {
    pool = createContainerPool({ allowedHosts, tls: () => containerCredentials(authorities) });
  };
  const call = (endpoint: string, access: ContainerAccess = {}, input = request): Promise<InvokeOutcome> =>
    pool.invoke(endpoint, nodeInvocation('Tokenize', input), { ...within(30_000), ...access });
  const messageOf = (outcome: InvokeOutcome): string =>
    outcome.kind === 'unreachable' ? outcome.message : outcome.kind;

  describe('with TLS', () => {
    it('verifies the certificate by host name and by address', async () => {
      open();
      const endpoint = await serve({ tls: testCertificate('loopback') });
      assert.match(endpoint, /^grpcs:\/\/127\.0\.0\.1:\d+$/);
      assert.equal((await call(endpoint)).kind, 'output');
      assert.equal((await call(endpoint.replace('127.0.0.1', 'localhost'))).kind, 'output');
    });

    it('rejects a certificate for another host', async () => {
      open();
      const endpoint = await serve({ tls: testCertificate('elsewhere') });
      for (const host of ['127.0.0.1', 'localhost']) {
        assert.equal(
          messageOf(await call(endpoint.replace('127.0.0.1', host))),
          'could not connect to node: its certificate is for another host: ' +
            'deploy it under a host that its certificate names',
        );
      }
    });

    it('rejects a certificate of an unknown authority', async () => {
      open(null);
      const endpoint = await serve({ tls: testCertificate('loopback') });
      assert.equal(
        messageOf(await call(endpoint)),
        'could not connect to node: its certificate was refused (unable to verify the first certificate): ' +
          'the operator adds its authority to SVC_NODE_CA_FILE',
      );
    });

    it('rejects an expired certificate', async () => {
      open(readFileSync(tlsFile('expired.pem'), 'utf8'));
      const endpoint = await serve({ tls: testCertificate('expired') });
      assert.equal(
        messageOf(await call(endpoint)),
        'could not connect to node: its certificate has expired: renew it and restart the container',
      );
    });

    it('fails if only one side uses TLS', async () => {
      open();
      const secure = await serve({ tls: testCertificate('loopback') });
      assert.equal(messageOf(await call(secure.replace('grpcs', 'grpc'))), notPlainGrpc);
      await server!.stop(0);
      const plain = await serve({});
      assert.equal(
        messageOf(await call(plain.replace('grpc', 'grpcs'))),
        'could not connect to node: the TLS handshake failed: deploy it as grpc:// if it has no TLS',
      );
    });
  });

  describe('with a token', () => {
    const refused = (reason: string): string =>
      `calling node: UNAUTHENTICATED: ${reason}: deploy the package again with the token that its container expects`;

    for (const [way, input] of [
      ['Session', request],
      ['Invoke', large],
    ] as const) {
      it(`accepts calls by ${way} only with that token`, async () => {
        open();
        const endpoint = await serve({ token });
        assert.equal((await call(endpoint, { token }, input)).kind, 'output');
        const other = refused('the token of the call is not the one of this container');
        for (const wrong of [`${token}x`, token.slice(1), token.toUpperCase()]) {
          assert.equal(messageOf(await call(endpoint, { token: wrong }, input)), other);
        }
        assert.equal(messageOf(await call(endpoint, {}, input)), refused('the call has no token'));
        assert.equal((await call(endpoint, { token }, input)).kind, 'output');
      });
    }

    it('also applies to Warm calls', async () => {
      open();
      const endpoint = await serve({ token });
      const warm = (access: ContainerAccess) =>
        pool.warm(endpoint, { tenantId: 't', nodes: ['Tokenize'] }, { ...within(30_000), ...access });
      assert.deepEqual(await warm({ token }), { kind: 'warm' });
      assert.deepEqual(await warm({}), {
        kind: 'failed',
        message: 'UNAUTHENTICATED: the call has no token',
      });
    });

    it('works together with TLS', async () => {
      open();
      const endpoint = await serve({ token, tls: testCertificate('loopback') });
      assert.equal((await call(endpoint, { token })).kind, 'output');
      assert.equal(messageOf(await call(endpoint)), refused('the call has no token'));
    });
  });

  for (const way of ['Session', 'Invoke'] as const) {
    it(`uses a new token from the next call by ${way} on, without ending open calls`, async () => {
      const answers: Answer[] = [];
      container = await startScriptedContainer((answer) => answers.push(answer), { way });
      const { endpoint, requests } = container;
      pool = createContainerPool({ allowedHosts, idleMs: 20 });
      const tokens = ['first-token-of-all', 'second-token-of-all', undefined];
      const outcomes: Promise<InvokeOutcome>[] = [];
      for (const each of tokens) {
        outcomes.push(call(endpoint, { token: each }));
        await until(() => requests.length === outcomes.length);
      }
      const sent = requests.map(({ authorization }) => authorization);
      assert.deepEqual(sent, ['Bearer first-token-of-all', 'Bearer second-token-of-all', undefined]);
      // Several looks for idle connections pass.
      await delay(100);
      for (const answer of answers.reverse()) {
        answer.say({ case: 'output', value: Uint8Array.of(1) });
        answer.end();
      }
      for (const outcome of await Promise.all(outcomes)) assert.equal(outcome.kind, 'output');
    });
  }

  it('closes an idle connection, and opens another one for the next call', async () => {
    const answered = (answer: Answer): void => {
      answer.say({ case: 'output', value: Uint8Array.of(1) });
      answer.end();
    };
    container = await startScriptedContainer(answered, { way: 'Session' });
    pool = createContainerPool({ allowedHosts, idleMs: 20 });
    assert.equal((await call(container.endpoint, { token })).kind, 'output');
    await until(() => container?.sessions[0]?.halfClosed === true);
    assert.equal(
      (await call(container.endpoint, { token })).kind,
      'output',
      'the next call opens another one',
    );
  });

  it("restricts a host of one tenant to calls of that tenant's deployments", async () => {
    const endpoint = await serve({});
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1', tenant: 'acme' }] });
    assert.equal((await call(endpoint, { owner: 'acme' })).kind, 'output');
    for (const owner of ['globex', undefined]) {
      const message = messageOf(await call(endpoint, { owner }));
      assert.match(message, /the endpoint of this deployment is not in SVC_NODE_HOSTS/);
      assert.ok(!message.includes('127.0.0.1'), 'the caller may be another tenant');
    }
  });
});
