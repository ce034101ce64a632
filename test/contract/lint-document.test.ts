import assert from 'node:assert/strict';
import { type RunningService, request, startService } from '../support/running-service.ts';
import { lintDocument } from './lint-document.ts';

describe('what linters say about the OpenAPI document of the service', function () {
  this.timeout(60_000);
  let service: RunningService;

  before(async () => {
    service = await startService({ SVC_PUBLIC_URL: 'https://svc.example.org' });
  });

  after(() => service.stop());

  it('is nothing', async () => {
    const answer = await request(`${service.url}/openapi.json`);
    assert.deepEqual(await lintDocument(JSON.stringify(answer.body)), []);
  });

  it('is heard: an operation without tags, a reference to nothing', async () => {
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
    const said = (await lintDocument(JSON.stringify(broken))).join('\n');
    assert.match(said, /redocly no-unresolved-refs/);
    assert.match(said, /spectral operation-tags/);
  });
});
