import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { itSlow } from '../support/fast-run.ts';
import { textPackage } from '../support/published-text.ts';
import { type Answer, type Caller, type RunningService, startService } from '../support/running-service.ts';

describe('the Client Builder over HTTP', function () {
  this.timeout(180_000);
  let service: RunningService;
  let acme: Caller;
  let rival: Caller;
  let names = 0;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    rival = await service.tenant('rival');
    assert.equal((await acme.post('/api/v1/packages', textPackage('acme'))).status, 201);
    const secret = textPackage('rival', { name: 'rival/secret', visibility: 'private' });
    assert.equal((await rival.post('/api/v1/packages', secret)).status, 201);
  });
  after(() => service.stop());

  const make = async (fields: object = {}): Promise<string> => {
    names += 1;
    const { body, status } = await acme.post('/api/v1/clients', { name: `Client ${names}`, ...fields });
    assert.equal(status, 201);
    return body.id;
  };
  const tokenize = { type: 'node', package: 'acme/text', node_name: 'Tokenize' };
  const makeFilled = async (): Promise<string> => {
    const id = await make();
    assert.equal((await acme.post(`/api/v1/clients/${id}/members`, tokenize)).status, 201);
    return id;
  };
  const refused = ({ status, body }: Answer): [number, string] => [status, body.error];
  const built = async (id: string, version: number, language: string) => {
    for (;;) {
      const { body } = await acme.get(`/api/v1/clients/${id}/versions/${version}?language=${language}`);
      if (body.status !== 'pending') return body;
      await delay(20);
    }
  };

  it('creates a client and returns it by id and in the list', async () => {
    const created = await acme.post('/api/v1/clients', {
      name: 'Text Tools ☕',
      description: 'For texts.',
      default_language: 'python',
    });
    assert.equal(created.status, 201);
    const { id, created_at: createdAt, updated_at: updatedAt } = created.body;
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(created.body, {
      id,
      tenant_id: acme.tenant.id,
      name: 'Text Tools ☕',
      slug: 'text-tools',
      description: 'For texts.',
      default_language: 'python',
      latest_version: 0,
      created_at: createdAt,
      updated_at: updatedAt,
      members: [],
      versions: [],
      member_count: 0,
      version_count: 0,
    });
    assert.deepEqual((await acme.get(`/api/v1/clients/${id}`)).body, created.body);
    const list = await acme.get('/api/v1/clients');
    assert.equal(list.status, 200);
    assert.deepEqual(
      list.body.find((one: { id: string }) => one.id === id),
      created.body,
    );
  });

  it("returns an empty list without clients, and never another tenant's clients", async () => {
    await make();
    assert.deepEqual((await rival.get('/api/v1/clients')).body, []);
  });

  it('returns the members and builds of a client, but only their counts in the list', async () => {
    const id = await makeFilled();
    await acme.post(`/api/v1/clients/${id}/build`, { languages: ['go', 'rust'] });
    const one = (await acme.get(`/api/v1/clients/${id}`)).body;
    assert.equal(one.members.length, 1);
    assert.equal(one.versions.length, 2);
    const listed = (await acme.get('/api/v1/clients')).body.find((each: { id: string }) => each.id === id);
    for (const counted of [one, listed]) {
      assert.deepEqual([counted.member_count, counted.version_count, counted.latest_version], [1, 1, 1]);
    }
    assert.deepEqual([listed.members, listed.versions], [[], []]);
  });

  it('replaces name, description and default language', async () => {
    const id = await make({ description: 'old', default_language: 'go' });
    const replaced = await acme.put(`/api/v1/clients/${id}`, { name: 'Replaced' });
    assert.equal(replaced.status, 200);
    const { name, slug, description, default_language: language } = replaced.body;
    assert.deepEqual([name, slug, description, language], ['Replaced', 'replaced', '', 'typescript']);
  });

  itSlow('stores package metadata and writes it into archives', async () => {
    const metadata = {
      license: 'MIT OR Apache-2.0',
      homepage: 'https://example.com/text',
      repository: 'https://git.example.com/acme/text',
      authors: ['Ada Lovelace <ada@example.com>', 'Acme'],
      private: true,
    };
    const id = await make({ name: 'Described', ...metadata });
    assert.equal((await acme.post(`/api/v1/clients/${id}/members`, tokenize)).status, 201);
    const shown = await acme.get(`/api/v1/clients/${id}`);
    assert.deepEqual({ ...shown.body, ...metadata }, shown.body);
    const cargo = async (version: number): Promise<string> => {
      assert.equal((await acme.post(`/api/v1/clients/${id}/build`, { languages: ['rust'] })).status, 202);
      await built(id, version, 'rust');
      const url = `${service.url}/api/v1/clients/${id}/versions/${version}/download?language=rust`;
      const download = await fetch(url, { headers: { authorization: `Bearer ${acme.key}` } });
      const { 'Cargo.toml': manifest } = unzipSync(new Uint8Array(await download.arrayBuffer()));
      return Buffer.from(manifest ?? []).toString();
    };
    const described = await cargo(1);
    for (const line of [
      'license = "MIT OR Apache-2.0"',
      'homepage = "https://example.com/text"',
      'repository = "https://git.example.com/acme/text"',
      'authors = ["Ada Lovelace <ada@example.com>", "Acme"]',
      'publish = false',
    ]) {
      assert.ok(described.split('\n').includes(line), line);
    }

    const { body } = await acme.put(`/api/v1/clients/${id}`, { name: 'Described' });
    for (const field of Object.keys(metadata)) assert.ok(!(field in body), field);
    assert.doesNotMatch(await cargo(2), /^(license|homepage|repository|authors|publish) =/m);
  });

  it('refuses metadata that package managers would reject', async () => {
    for (const [field, value, text] of [
      ['license', 'free', 'must be an SPDX license expression, such as Apache-2.0 or LicenseRef-Acme'],
      ['homepage', 'example.com', 'must be an absolute http or https URL'],
      ['homepage', 'javascript:alert(1)', 'must be an absolute http or https URL'],
      ['repository', 'ssh://git@example.com/x', 'must be an absolute http or https URL'],
      ['private', 'yes', 'must be true or false'],
    ] as const) {
      const answer = await acme.post('/api/v1/clients', { name: 'Bad', [field]: value });
      assert.deepEqual(refused(answer), [400, `invalid request body: ${field}: ${text}`]);
    }
    for (const author of ['', '<a@example.com>', 'Ada <ada>', 'Ada\n', 'Ada <a@b> x']) {
      const { status, body } = await acme.post('/api/v1/clients', { name: 'Bad', authors: [author] });
      if (author !== 'Ada\n') assert.deepEqual([status, /authors/.test(body.error)], [400, true], author);
      else assert.deepEqual([status, body.authors], [201, ['Ada']]);
    }
    const twenty = Array.from({ length: 20 }, (_, index) => `Author ${index}`);
    assert.equal((await acme.post('/api/v1/clients', { name: 'Many', authors: twenty })).status, 201);
    const more = await acme.post('/api/v1/clients', { name: 'More', authors: [...twenty, 'Author 20'] });
    assert.equal(more.status, 400);
  });

  it('refuses taken names, unknown languages and invalid bodies', async () => {
    const id = await make({ name: 'Taken' });
    const other = await make();
    const taken: [number, string] = [409, 'a client with that name already exists'];
    const unknown: [number, string] = [400, 'unsupported language: cobol'];
    const cobol = { name: 'x', default_language: 'cobol' };
    assert.deepEqual(refused(await acme.post('/api/v1/clients', { name: ' Taken ' })), taken);
    assert.deepEqual(refused(await acme.put(`/api/v1/clients/${other}`, { name: 'Taken' })), taken);
    assert.equal((await acme.put(`/api/v1/clients/${id}`, { name: 'Taken' })).status, 200);
    assert.deepEqual(refused(await acme.post('/api/v1/clients', cobol)), unknown);
    assert.deepEqual(refused(await acme.put(`/api/v1/clients/${id}`, cobol)), unknown);
    for (const [body, text] of [
      [{}, 'invalid request body: name: is required'],
      [{ name: '  ' }, 'invalid request body: name: is required'],
      [{ name: 7 }, 'invalid request body: name: must be a string: put the number in quotes'],
      [{ name: 'a\0' }, 'invalid request body: name: must be well-formed Unicode without U+0000'],
    ] as const) {
      assert.deepEqual(refused(await acme.post('/api/v1/clients', body)), [400, text]);
    }
  });

  it("returns the same error for an unknown client and for another tenant's, on every route", async () => {
    const id = await makeFilled();
    for (const [caller, client] of [
      [acme, 'none'],
      [acme, '%00'],
      [rival, id],
    ] as const) {
      const at = `/api/v1/clients/${client}`;
      const answers = [
        await caller.get(at),
        await caller.put(at, { name: 'x' }),
        await caller.delete(at),
        await caller.post(`${at}/members`, tokenize),
        await caller.put(`${at}/members`, { members: [] }),
        await caller.delete(`${at}/members/any`),
        await caller.post(`${at}/build`, {}),
        await caller.get(`${at}/versions`),
        await caller.get(`${at}/versions/1?language=go`),
        await caller.get(`${at}/versions/1/download?language=go`),
      ];
      const expected = client === '%00' ? 400 : 404;
      assert.deepEqual(
        answers.map((answer) => answer.status),
        answers.map(() => expected),
      );
      if (expected === 404) for (const { body } of answers) assert.equal(body.error, 'client not found');
    }
    assert.equal((await acme.get(`/api/v1/clients/${id}`)).body.member_count, 1);
  });

  it('requires the declared scopes', async () => {
    const reader = await service.tenant('reader', { scopes: ['read'] });
    const writer = await service.tenant('writer', { scopes: ['write'] });
    assert.equal((await reader.get('/api/v1/clients')).status, 200);
    assert.deepEqual(refused(await reader.post('/api/v1/clients', { name: 'x' })), [
      403,
      "forbidden: token lacks 'write' scope",
    ]);
    assert.deepEqual(refused(await writer.get('/api/v1/clients')), [
      403,
      "forbidden: token lacks 'read' scope",
    ]);
  });

  it('refuses an alias with invalid characters and lists the allowed ones', async () => {
    const at = `/api/v1/clients/${await make()}/members`;
    const hostile = ['1 bad!', '_a', 'a_', 'a--b', 'a  b', 'say "hello"', 'a/b', 'a\u202eb', '☕', '-', '2x'];
    for (const alias of hostile) {
      const [status, error] = refused(await acme.post(at, { ...tokenize, alias }));
      assert.deepEqual(
        [status, error],
        [
          400,
          `alias ${JSON.stringify(alias)} is not allowed: use letters and digits, beginning with a letter, with single spaces, "_", "-" or "." between them`,
        ],
      );
    }
    assert.equal((await acme.put(at, { members: [{ ...tokenize, alias: 'a!' }] })).status, 400);
    for (const alias of ['a', 'Größe 2', 'read_record', 'v1.2-x', '한국어', 'e\u0301a', 'a'.repeat(200)]) {
      assert.equal((await acme.post(at, { ...tokenize, alias })).status, 201, alias);
    }
    assert.equal((await acme.post(at, { ...tokenize, alias: 'a'.repeat(201) })).status, 400);
  });

  it('warns about aliases that differ only in separators or case', async () => {
    const at = `/api/v1/clients/${await make()}/members`;
    await acme.post(at, { ...tokenize, alias: 'get-user' });
    const { status, body } = await acme.post(at, { ...tokenize, alias: 'getUser' });
    const text = (one: string, other: string) =>
      `alias "${one}" differs from "${other}" by separators or case alone: SDKs tell the two apart by a number`;
    assert.deepEqual([status, body.warnings], [201, [text('getUser', 'get-user')]]);
    const both = await acme.put(at, {
      members: [
        { ...tokenize, alias: 'a.b' },
        { ...tokenize, alias: 'a b' },
        { ...tokenize, alias: 'ac' },
      ],
    });
    assert.deepEqual(
      both.body.map((one: { warnings: string[] }) => one.warnings),
      [[text('a.b', 'a b')], [text('a b', 'a.b')], []],
    );
  });

  it('warns about members that use another version of the same package', async () => {
    for (const version of ['1.0.0', '2.0.0']) {
      const published = await acme.post(
        '/api/v1/packages',
        textPackage('acme', { name: 'acme/twice', version }),
      );
      assert.equal(published.status, 201);
    }
    const at = `/api/v1/clients/${await make()}/members`;
    const old = { ...tokenize, package: 'acme/twice', version: '1.0.0', alias: 'old' };
    const next = { ...old, version: '2.0.0', alias: 'next' };
    const text =
      '"next" uses acme/twice@2.0.0, but "old" uses acme/twice@1.0.0: an SDK gives the messages of two versions different names, ' +
      'so move all members to one version before you build';
    assert.deepEqual((await acme.post(at, old)).body.warnings, []);
    assert.deepEqual((await acme.post(at, { ...old, alias: 'same' })).body.warnings, []);
    assert.deepEqual((await acme.post(at, next)).body.warnings, [text]);
    assert.deepEqual((await acme.put(at, { members: [next] })).body[0].warnings, []);
  });

  it('adds, replaces and removes members', async () => {
    const id = await make();
    const at = `/api/v1/clients/${id}/members`;
    const added = await acme.post(at, { ...tokenize, version: 'latest', alias: 'Cut it-up' });
    assert.equal(added.status, 201);
    const { id: memberId, node_ulid: ulid, created_at: createdAt } = added.body;
    assert.deepEqual(added.body, {
      id: memberId,
      client_id: id,
      member_type: 'node',
      alias: 'Cut it-up',
      package_name: 'acme/text',
      package_version: '1.0.0',
      node_ulid: ulid,
      node_name: 'Tokenize',
      created_at: createdAt,
      warnings: [],
    });
    const taken: [number, string] = [409, 'a member with that alias already exists — pass a distinct alias'];
    assert.deepEqual(refused(await acme.post(at, { ...tokenize, alias: 'Cut it-up' })), taken);
    assert.deepEqual(refused(await acme.put(at, { members: [tokenize, tokenize] })), taken);
    const replaced = await acme.put(at, {
      members: [tokenize, { ...tokenize, node_name: 'Split' }],
    });
    assert.equal(replaced.status, 200);
    assert.deepEqual(
      replaced.body.map((member: { alias: string }) => member.alias),
      ['Tokenize', 'Split'],
    );
    for (let time = 1; time <= 2; time += 1) {
      const removed = await acme.delete(`${at}/${replaced.body[0].id}`);
      assert.deepEqual([removed.status, removed.body], [204, '']);
    }
    const unknown = await acme.delete(`/api/v1/clients/none/members/${replaced.body[0].id}`);
    assert.deepEqual(refused(unknown), [404, 'client not found']);
    const left = (await acme.get(`/api/v1/clients/${id}`)).body.members;
    assert.deepEqual([{ ...left[0], warnings: [] }], [replaced.body[1]]);
  });

  it('finds neither flows nor private nodes of other tenants', async () => {
    const at = `/api/v1/clients/${await make()}/members`;
    for (const [body, text] of [
      [{ ...tokenize, package: 'rival/secret' }, 'package not found'],
      [{ ...tokenize, package: 'rival/none' }, 'package not found'],
      [{ ...tokenize, version: '9.0.0' }, 'package version not found'],
      [{ ...tokenize, node_name: 'None' }, 'node not found'],
      [{ type: 'flow', artifact_id: 'g1' }, 'flow not found'],
    ] as const) {
      assert.deepEqual(refused(await acme.post(at, body)), [404, text]);
    }
    for (const [body, message] of [
      [
        { ...tokenize, version: '9.0.0' },
        /^package version not found: acme\/text has no 9\.0\.0: it has 1\.0\.0/,
      ],
      [
        { ...tokenize, node_name: 'None' },
        /^node not found: acme\/text 1\.\S+ has no node "None": it has .*Tokenize/,
      ],
      [
        { ...tokenize, node_ulid: 'other' },
        /^node not found: acme\/text 1\.\S+ has no node "Tokenize \/ other": it has .*Tokenize/,
      ],
      [{ ...tokenize, node_name: '', node_ulid: 'other' }, /has no node "other": it has .*Tokenize/],
    ] as const) {
      assert.match((await acme.post(at, body)).body.message as string, message);
    }
  });

  it('starts builds with one pending row per language', async () => {
    const id = await makeFilled();
    const at = `/api/v1/clients/${id}/build`;
    const { status, body } = await acme.post(at, { languages: ['rust', 'go', 'rust'] });
    assert.equal(status, 202);
    assert.deepEqual(
      body.map((row: object) => ({ ...row, id: '', created_at: '' })),
      ['rust', 'go'].map((language) => ({
        id: '',
        client_id: id,
        version: 1,
        language,
        status: 'pending',
        created_at: '',
      })),
    );
    assert.equal((await acme.post(at, { version: 0 })).body[0].language, 'typescript');
    assert.deepEqual(
      (await acme.get(`/api/v1/clients/${id}/versions`)).body.map((row: { version: number }) => row.version),
      [2, 1, 1],
    );
    assert.deepEqual(refused(await acme.post(at, { languages: ['cobol'] })), [
      400,
      'unsupported language: cobol',
    ]);
    assert.deepEqual(refused(await acme.post(at, { version: 3 })), [404, 'version not found']);
    assert.deepEqual(refused(await acme.post(`/api/v1/clients/${await make()}/build`, {})), [
      400,
      'client has no members — add at least one node or flow',
    ]);
  });

  it('requires the language, and answers 404 for a version or language that was not built', async () => {
    const id = await makeFilled();
    await acme.post(`/api/v1/clients/${id}/build`, { languages: ['go'] });
    for (const end of ['', '/download']) {
      for (const query of ['', '?language=', '?lang=go']) {
        assert.deepEqual(refused(await acme.get(`/api/v1/clients/${id}/versions/1${end}${query}`)), [
          400,
          'language query param is required',
        ]);
      }
      for (const place of ['2', '0', '-1', '1.0', 'x', '99999999999']) {
        const answer = await acme.get(`/api/v1/clients/${id}/versions/${place}${end}?language=go`);
        assert.deepEqual(refused(answer), [404, 'version not found']);
      }
      const answer = await acme.get(`/api/v1/clients/${id}/versions/1${end}?language=rust`);
      assert.deepEqual(refused(answer), [404, 'version not found']);
    }
  });

  itSlow('serves the archive with an ETag: GET, 304 and HEAD', async () => {
    const id = await makeFilled();
    await acme.post(`/api/v1/clients/${id}/build`, { languages: ['typescript'] });
    assert.equal((await built(id, 1, 'typescript')).status, 'succeeded');
    const url = `${service.url}/api/v1/clients/${id}/versions/1/download?language=typescript`;
    const headers = { authorization: `Bearer ${acme.key}` };
    const download = await fetch(url, { headers });
    const bytes = new Uint8Array(await download.arrayBuffer());
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const { slug } = (await acme.get(`/api/v1/clients/${id}`)).body;
    assert.equal(download.status, 200);
    for (const [name, value] of [
      ['content-type', 'application/zip'],
      ['content-disposition', `attachment; filename=${slug}-sdk-ts.zip`],
      ['content-length', String(bytes.length)],
      ['etag', etag],
      ['x-content-type-options', 'nosniff'],
    ] as const) {
      assert.equal(download.headers.get(name), value);
    }
    assert.ok('MANIFEST.json' in unzipSync(bytes));

    const head = await fetch(url, { method: 'HEAD', headers });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('content-length'), String(bytes.length));
    assert.equal(head.headers.get('etag'), etag);

    const same = await fetch(url, { headers: { ...headers, 'if-none-match': `"x", W/${etag}` } });
    assert.deepEqual([same.status, await same.text(), same.headers.get('etag')], [304, '', etag]);
    const other = await fetch(url, { headers: { ...headers, 'if-none-match': '"x"' } });
    assert.equal((await other.arrayBuffer()).byteLength, bytes.length);
  });

  itSlow('rebuilds a lost archive byte for byte', async () => {
    const id = await makeFilled();
    await acme.post(`/api/v1/clients/${id}/build`, { languages: ['typescript'] });
    await built(id, 1, 'typescript');
    const at = `/api/v1/clients/${id}/versions/1/download?language=typescript`;
    const first = (await acme.get(at)).headers.get('etag');
    await rm(path.join(service.config.dataDir, 'archives', acme.tenant.id, id), { recursive: true });
    assert.deepEqual(refused(await acme.get(at)), [409, 'build is not ready (status: pending)']);
    assert.equal((await built(id, 1, 'typescript')).status, 'succeeded');
    const again = await acme.get(at);
    assert.deepEqual([again.status, again.headers.get('etag')], [200, first]);
  });

  it('deletes a client with its members, versions and builds', async () => {
    const id = await makeFilled();
    await acme.post(`/api/v1/clients/${id}/build`, { languages: ['go'] });
    assert.equal((await acme.delete(`/api/v1/clients/${id}`)).status, 204);
    for (const end of ['', '/versions', '/versions/1?language=go']) {
      assert.deepEqual(refused(await acme.get(`/api/v1/clients/${id}${end}`)), [404, 'client not found']);
    }
    assert.deepEqual(refused(await acme.delete(`/api/v1/clients/${id}`)), [404, 'client not found']);
  });
});
