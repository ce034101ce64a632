import assert from 'node:assert/strict';
import { isExcepted, lintDocument, lintFindings } from './lint-document.ts';
import { type LintException, lintExceptions } from './lint-exceptions.ts';
import { type SeededService, startSeededService } from './seeded-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';

suiteNeeds('linters', 'linters of OpenAPI documents', function () {
  this.timeout(300_000);
  let seeded: SeededService;
  /** By path. */
  const own = new Map<string, string>();
  const published = new Map<string, string>();

  before(async () => {
    seeded = await startSeededService({ SVC_PUBLIC_URL: 'https://svc.example.org' });
    const read = async (into: Map<string, string>, path: string): Promise<void> => {
      const answer = await seeded.acme.get(path);
      assert.equal(answer.status, 200, path);
      into.set(path, JSON.stringify(answer.body));
    };
    await read(own, '/openapi.json');
    for (const name of [...seeded.packages, 'acme/notes@0.1.0']) {
      await read(published, `/api/packages/${name}/openapi.json`);
    }
    for (const id of Object.values(seeded.graphIds)) await read(published, `/api/graphs/${id}/openapi.json`);
  });

  after(() => seeded.stop());

  it('find no problems in the document of the service', async () => {
    for (const json of own.values()) assert.deepEqual(await lintDocument(json, lintExceptions.service), []);
  });

  it('find no problems in the documents of packages and flows', async () => {
    assert.ok(published.size > 10);
    for (const [path, json] of published) {
      assert.deepEqual(await lintDocument(json, lintExceptions.published), [], path);
    }
  });

  it('have no unused exceptions', async () => {
    const unmet = async (documents: Map<string, string>, exceptions: readonly LintException[]) => {
      const findings = (await Promise.all([...documents.values()].map(lintFindings))).flat();
      return exceptions.filter((exception) => !findings.some((finding) => isExcepted(finding, exception)));
    };
    assert.deepEqual(await unmet(own, lintExceptions.service), []);
    assert.deepEqual(await unmet(published, lintExceptions.published), []);
  });

  it('find an operation without tags and a broken reference', async () => {
    const broken = {
      openapi: '3.0.3',
      info: { title: 'x', version: '1' },
      paths: {
        '/x': {
          get: {
            responses: {
              200: { description: 'x', content: { 'application/json': { schema: { $ref: '#/nothing' } } } },
            },
          },
        },
      },
    };
    const said = (await lintDocument(JSON.stringify(broken), [])).join('\n');
    assert.match(said, /redocly no-unresolved-refs/);
    assert.match(said, /spectral operation-tags/);
  });
});
