import assert from 'node:assert/strict';
import { itSlow } from '../support/fast-run.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';

const proto = `syntax = "proto3";
package acme.echo.v1;

// The answer.
message Said {
  string text = 1;
}
`;

function publication(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'acme/echo',
    version: '1.0.0',
    description: 'Says it again.',
    protos: { 'acme/echo/v1/echo.proto': proto },
    nodes: [{ name: 'Echo', input: 'acme.echo.v1.Said', output: 'acme.echo.v1.Said' }],
    ...changes,
  };
}

eachService('packages over HTTP', (start) => {
  let service: RunningService;
  let acme: Caller;
  let other: Caller;
  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    other = await service.tenant('other');
  });
  after(() => service.stop());

  it('publishes a version and gives every node its registry id', async () => {
    const { status, body } = await acme.post('/api/v1/packages', publication());
    assert.equal(status, 201);
    assert.equal(body.name, 'acme/echo');
    assert.equal(body.version, '1.0.0');
    assert.equal(body.visibility, 'private');
    assert.match(body.nodes[0].node_ulid, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(
      { ...body.nodes[0], node_ulid: '' },
      {
        node_ulid: '',
        name: 'Echo',
        mode: 'unary',
        kind: 'standard',
        input_message: 'acme.echo.v1.Said',
        output_message: 'acme.echo.v1.Said',
      },
    );
  });

  it('answers 200 with the same ids when the same content is published again', async () => {
    const first = await acme.post('/api/v1/packages', publication({ version: '1.1.0' }));
    const again = await acme.post('/api/v1/packages', publication({ version: '1.1.0' }));
    assert.deepEqual([first.status, again.status], [201, 200]);
    assert.deepEqual(again.body, first.body);
  });

  itSlow('stores one version for concurrent identical publications', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => acme.post('/api/v1/packages', publication({ name: 'acme/at-once' }))),
    );
    assert.deepEqual(answers.map((one) => one.status).sort(), [200, 200, 200, 200, 200, 200, 200, 201]);
    assert.equal(new Set(answers.map((one) => one.body.package_id)).size, 1);
  });

  it('refuses different content under a published version', async () => {
    await acme.post('/api/v1/packages', publication({ version: '1.2.0' }));
    const { status, body } = await acme.post(
      '/api/v1/packages',
      publication({ version: '1.2.0', description: 'Other words.' }),
    );
    assert.equal(status, 409);
    assert.deepEqual(body, {
      error: 'acme/echo 1.2.0 is published with other content and cannot change: publish a higher version',
    });
  });

  it("refuses a name under another tenant's handle", async () => {
    const { status, body } = await other.post('/api/v1/packages', publication());
    assert.equal(status, 403);
    assert.match(body.error, /"acme\/echo" belongs to another tenant/);
  });

  it('reports problems in the protos with file, line and column', async () => {
    const { status, body } = await acme.post(
      '/api/v1/packages',
      publication({ protos: { 'a.proto': 'syntax = "proto3";\nmessage A {\n  strin text = 1;\n}\n' } }),
    );
    assert.equal(status, 400);
    assert.deepEqual(
      body.diagnostics.map(({ file, line, column }: { file: string; line: number; column: number }) => [
        file,
        line,
        column,
      ]),
      [['a.proto', 3, 3]],
    );
    assert.match(body.error, /a\.proto:3:3: .*strin/);
  });

  it('reports the missing message of a node and suggests a similar one', async () => {
    const { status, body } = await acme.post(
      '/api/v1/packages',
      publication({ nodes: [{ name: 'Echo', input: 'Said', output: 'acme.echo.v1.Said' }] }),
    );
    assert.equal(status, 400);
    assert.equal(
      body.error,
      'the package is not valid: node "Echo": input message "Said" is not in the protos: did you mean acme.echo.v1.Said?',
    );
    const known = await acme.post(
      '/api/v1/packages',
      publication({
        nodes: [{ name: 'Echo', input: 'google.protobuf.Struct', output: 'acme.echo.v1.Said' }],
      }),
    );
    assert.match(
      known.body.error,
      /is not in the protos: import the file of google\/protobuf that defines it/,
    );
  });

  it('reports the path of each invalid field', async () => {
    const { status, body } = await acme.post(
      '/api/v1/packages',
      publication({ version: '1', nodes: [{ name: '9', input: 'A', output: 'B' }] }),
    );
    assert.equal(status, 400);
    assert.match(body.error, /version: must be a semantic version without build metadata/);
    assert.match(body.error, /nodes\[0\]\.name: must start with a letter/);
  });

  itSlow('accepts sources of 8 MiB in total, and refuses one byte more', async function () {
    this.timeout(180_000);
    const body = (padding: string): string =>
      JSON.stringify(publication({ name: 'acme/long', protos: { 'a.proto': `${proto}// ${padding}` } }));
    const room = 8_388_608 - Buffer.byteLength(body(''));
    const taken = await acme.post('/api/v1/packages', body('x'.repeat(room)));
    assert.equal(taken.status, 201, JSON.stringify(taken.body).slice(0, 300));
    const { status, body: refusal } = await acme.post('/api/v1/packages', body('x'.repeat(room + 1)));
    assert.deepEqual([status, refusal], [413, { error: 'request body too large' }]);
  });

  it('refuses an endpoint outside the allowed hosts', async () => {
    const { status, body } = await acme.post(
      '/api/v1/packages',
      publication({ version: '3.0.0', endpoint: 'grpc://10.0.0.1:50051' }),
    );
    assert.equal(status, 400);
    assert.match(body.error, /10\.0\.0\.1.*SVC_NODE_HOSTS/);
  });

  it('refuses NUL in texts and paths', async () => {
    const text = await acme.post('/api/v1/packages', publication({ version: '4.0.0', description: 'a\0b' }));
    assert.equal(text.status, 400);
    assert.match(text.body.error, /description: must be well-formed Unicode without U\+0000/);
    const path = await acme.get('/api/v1/packages/acme/a%00b');
    assert.equal(path.status, 400);
    assert.match(path.body.error, /path parameter name: must be well-formed/);
  });

  it("deploys and undeploys a version of the tenant's own", async () => {
    await acme.post('/api/v1/packages', publication({ name: 'acme/deployed', visibility: 'public' }));
    const path = '/api/v1/packages/acme/deployed/1.0.0';
    const deployed = await acme.put(`${path}/deployment`, { endpoint: 'grpc://127.0.0.1:50051' });
    assert.equal(deployed.status, 200);
    assert.equal((await acme.get(path)).body.deployed, true);
    assert.equal((await other.put(`${path}/deployment`, { endpoint: 'grpc://127.0.0.1:1' })).status, 403);
    assert.equal((await acme.delete(`${path}/deployment`)).status, 204);
    assert.equal((await acme.delete(`${path}/deployment`)).status, 204);
    assert.equal((await acme.get(path)).body.deployed, false);
  });

  it('hides private packages from other tenants, as if they did not exist', async () => {
    await acme.post('/api/v1/packages', publication({ name: 'acme/secret', visibility: 'private' }));
    await acme.post('/api/v1/packages', publication({ name: 'acme/open', visibility: 'public' }));
    const seen = await other.get('/api/v1/packages/acme/secret');
    const unknown = await other.get('/api/v1/packages/acme/unknown');
    assert.deepEqual([seen.status, seen.body], [404, { error: 'package not found' }]);
    assert.deepEqual([unknown.status, unknown.body], [404, { error: 'package not found' }]);
    const listed = await other.get('/api/v1/packages');
    const names = listed.body.map((one: { name: string }) => one.name);
    assert.ok(names.includes('acme/open'));
    assert.equal((await other.get('/api/v1/packages/acme/open')).status, 200);
    assert.ok(!names.includes('acme/secret'));
    assert.equal((await acme.get('/api/v1/packages/acme/secret')).status, 200);
  });

  it('makes a package private unless the publication declares it public', async () => {
    const name = 'acme/quiet';
    const seenByOthers = async (visibility?: string): Promise<unknown[]> => {
      const { body } = await acme.post('/api/v1/packages', publication({ name, visibility }));
      return [body.visibility, (await other.get(`/api/v1/packages/${name}`)).status];
    };
    assert.deepEqual(await seenByOthers(), ['private', 404]);
    assert.deepEqual(await seenByOthers('public'), ['public', 200]);
    assert.deepEqual(await seenByOthers(), ['private', 404]);
  });

  itSlow('lists versions in descending semver order, and reports the latest release', async () => {
    for (const version of ['1.9.0', '1.10.0', '2.0.0-rc.1']) {
      await acme.post('/api/v1/packages', publication({ name: 'acme/many', version }));
    }
    const { body } = await acme.get('/api/v1/packages/acme/many');
    assert.deepEqual(
      body.versions.map((one: { version: string }) => one.version),
      ['2.0.0-rc.1', '1.10.0', '1.9.0'],
    );
    assert.equal(body.latest_version, '1.10.0');
  });

  it('returns a version with its nodes and sources', async () => {
    const { status, body } = await acme.get('/api/v1/packages/acme/echo/1.0.0');
    assert.equal(status, 200);
    assert.deepEqual(body.protos, { 'acme/echo/v1/echo.proto': proto });
    assert.equal(body.nodes[0].name, 'Echo');
    assert.equal((await acme.get('/api/v1/packages/acme/echo/9.9.9')).status, 404);
  });
});
