import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { changeKey } from '../../service/access/secrets/change-key.ts';
import { loadSecretKey } from '../../service/access/secrets/secret-key.ts';
import { startApp } from '../../service/app.ts';
import { systemClock } from '../../service/clock.ts';
import { loadPackage } from '../../service/nodes/serve/load-package.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { type NodeServer, servePackage } from '../../service/nodes/serve/serve-package.ts';
import { fixturePackageFolder } from '../support/fixture-containers.ts';
import { type Answer, type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { testCertificate, tlsFile } from '../support/tls-files.ts';

const token = 'token-of-the-deployment';
const other = 'another-token-of-it';
const packagePath = '/api/v1/packages/acme/text/1.0.0';
const tokenless =
  'calling node: the container did not describe what it serves: UNAUTHENTICATED: the call has no token: ' +
  'deploy the package again with the token that its container expects';

eachService('deployments with tokens over HTTP', (start) => {
  let service: RunningService;
  let acme: Caller;
  let container: NodeServer;
  let document: Record<string, unknown>;
  const answers: string[] = [];
  const log: string[] = [];
  before(async () => {
    const hosted = await loadPackage(fixturePackageFolder('acme-text'));
    container = await servePackage(hosted, {
      port: 0,
      report: () => undefined,
      token,
      tls: testCertificate('loopback'),
    });
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        log.push(String(chunk));
        done();
      },
    });
    const logger = pino({ level: 'trace' }, stream);
    service = await start({ logger }, { SVC_NODE_CA_FILE: tlsFile('authority.pem') });
    acme = await service.tenant('acme');
    document = { ...(await readPackageFolder(fixturePackageFolder('acme-text'))), visibility: 'public' };
  });
  after(async () => {
    await service.stop();
    await container.stop(0);
  });

  const seen = (answer: Answer): Answer => {
    answers.push(JSON.stringify([answer.body, ...answer.headers]));
    return answer;
  };
  const publish = async (fields: object): Promise<Answer> =>
    seen(await acme.post('/api/v1/packages', { ...document, ...fields }));
  const deploy = async (fields: object): Promise<Answer> =>
    seen(await acme.put(`${packagePath}/deployment`, { endpoint: container.endpoint, ...fields }));
  const call = async (caller = acme): Promise<Answer> =>
    seen(await caller.post('/invocations/v1/nodes/acme/text/1.0.0/Tokenize', { text: 'a b' }));
  const tokenSet = async (): Promise<boolean> => {
    const { body } = seen(await acme.get(packagePath));
    return (body as { token_set: boolean }).token_set;
  };

  it('are verified over TLS, and reveal only to their own tenant that a token is set', async () => {
    const { status, body } = await publish({ endpoint: container.endpoint, token });
    assert.deepEqual([status, body.verification, body.warnings], [201, 'verified', []]);
    assert.equal(await tokenSet(), true);
    assert.equal((await call()).status, 200);
    const globex = await service.tenant('globex');
    assert.equal((await call(globex)).status, 200);
    const { body: shown } = seen(await globex.get(packagePath));
    assert.deepEqual([shown.deployed, shown.token_set], [true, undefined]);
  });

  it('lose the token when they are redeployed without one', async () => {
    const { status, body } = await deploy({});
    assert.deepEqual([status, body.token_set, body.verification], [200, false, 'pending']);
    assert.match(
      body.warnings[0],
      /could not be verified \(the container did not describe what it serves: UNAUTHENTICATED: the call has no token/,
    );
    assert.equal(await tokenSet(), false);
    const refused = await call();
    assert.deepEqual([refused.status, refused.body.error_message], [502, tokenless]);
  });

  it('use a changed token from the next call on', async () => {
    assert.equal((await deploy({ token: other })).body.token_set, true);
    const refused = await call();
    assert.equal(refused.status, 502);
    assert.match(refused.body.error_message, /the token of the call is not the one of this container/);
    const { body } = await deploy({ token });
    assert.deepEqual([body.token_set, body.verification, body.warnings], [true, 'verified', []]);
    assert.equal((await call()).status, 200);
    assert.equal((await publish({ endpoint: container.endpoint })).status, 200);
    assert.equal(
      await tokenSet(),
      false,
      'publishing again with an endpoint is a deployment without a token',
    );
    assert.equal((await publish({ endpoint: container.endpoint, token })).status, 200);
    assert.equal((await publish({})).status, 200);
    assert.equal(await tokenSet(), true, 'publishing again without an endpoint keeps the deployment');
    assert.equal((await call()).status, 200);
  });

  it('lose the token when they are removed', async () => {
    assert.equal((await acme.delete(`${packagePath}/deployment`)).status, 204);
    assert.equal(await tokenSet(), false);
    assert.equal((await deploy({ token })).status, 200);
  });

  it('accept tokens of 16 to 512 characters that are valid in a header', async () => {
    for (const [value, accepted] of [
      ['x'.repeat(15), false],
      ['x'.repeat(16), true],
      ['x'.repeat(512), true],
      ['x'.repeat(513), false],
      ['aZ09-._~+/aZ09-._~+/==', true],
      ['with space in the middle', false],
      ['with-newline-at-the-end\n', false],
      ['with=equals=in=the=middle', false],
      ['mit-Umlaut-ä-dazwischen', false],
    ] as const) {
      const { status, body } = await deploy({ token: value });
      assert.equal(status, accepted ? 200 : 400, value);
      if (!accepted) assert.ok(!JSON.stringify(body).includes(value), 'errors do not repeat the token');
    }
    const { status, body } = await publish({ token });
    assert.deepEqual(
      [status, body.error],
      [400, 'token is given without endpoint: give the endpoint of the containers too'],
    );
    assert.equal((await deploy({ token })).status, 200);
  });

  it('never reveal the token in responses, logs or the database', async () => {
    assert.ok(answers.length > 20 && log.length > 0);
    const rows: unknown = await service.db.knex('package_versions').select('endpoint', 'sealed_token');
    const everything = [...answers, ...log, JSON.stringify(rows), String(rows)].join('\n');
    for (const text of [token, other]) {
      for (const encoded of [
        text,
        Buffer.from(text).toString('base64'),
        Buffer.from(text).toString('hex'),
        [...Buffer.from(text)].join(','),
      ]) {
        assert.ok(!everything.includes(encoded), encoded);
      }
    }
  });

  it('cannot be changed by a service with an outdated key, which reports the remedy', async () => {
    const from = await loadSecretKey(service.config);
    await changeKey(service.db, { from, to: randomBytes(32), clock: systemClock });
    const { status, body } = await deploy({ token });
    assert.deepEqual(
      [status, body.error],
      [
        503,
        'the token cannot be stored, because the encryption key has changed: the operator restarts the service',
      ],
    );
    const refused = await call();
    assert.equal(refused.status, 502);
    assert.equal(
      refused.body.error_message,
      'calling node: the token of the deployment was encrypted with another key: ' +
        'restart the service with the current key, or deploy the version again',
    );
    assert.equal((await deploy({})).status, 200, 'a deployment without a token needs no key');
  });

  it('cause an error in the log at startup with a wrong key, which says where the right one belongs', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => lines.push(line) });
    const logged = async (secretKey: string | null): Promise<string> => {
      lines.length = 0;
      const config = { ...service.config, secretKey };
      await (await startApp({ config, db: service.db, logger })).drain(0);
      return lines.map((line) => (JSON.parse(line) as { msg: string }).msg).join('\n');
    };
    const file = path.join(service.config.dataDir, 'secret.key');
    const text = 'the stored secrets are encrypted with another key; restart the service with that key: ';
    assert.equal(
      await logged(null),
      `${text}put it into ${file}, which svc makes if there is none and which can be replaced, or into SVC_SECRET_KEY`,
    );
    assert.equal(
      await logged('f'.repeat(64)),
      `${text}put it into SVC_SECRET_KEY, or unset that if ${file} has it`,
    );
  });
});
