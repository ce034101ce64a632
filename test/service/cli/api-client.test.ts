import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiTarget, callApi } from '../../../service/cli/api-client.ts';
import { UsageError } from '../../../service/cli/output.ts';

const key = 'f'.repeat(64);

describe('whom commands talk to', () => {
  it('is what flags say, then the environment, then the usual place', () => {
    const env = { SVC_API_KEY: key, SVC_BASE_URL: 'https://svc.example.com/nodes/' };
    assert.deepEqual(apiTarget({ env }, { url: 'http://[::1]:1', key: 'a' }), {
      url: 'http://[::1]:1',
      key: 'a',
    });
    assert.deepEqual(apiTarget({ env }, {}), { url: 'https://svc.example.com/nodes', key });
    assert.equal(apiTarget({ env: {} }, { key }).url, 'http://127.0.0.1:8080');
  });

  it('is told to be wrong before anything is sent', () => {
    const wrong: [{ url?: string; key?: string }, RegExp][] = [
      [{}, /no API key: give --key or set SVC_API_KEY/],
      [{ key: 'a\nb' }, /holds characters that no key has/],
      [{ key: 'ключ' }, /holds characters that no key has/],
      [{ key, url: 'foo' }, /"foo" is no address of a service: give --url or SVC_BASE_URL/],
      [{ key, url: 'ftp://svc.example.com' }, /is no address of a service/],
      [{ key, url: '' }, /"" is no address of a service/],
    ];
    for (const [flags, complaint] of wrong) {
      assert.throws(
        () => apiTarget({ env: {} }, flags),
        (error: unknown) => error instanceof UsageError && complaint.test(error.message),
      );
    }
  });

  describe('at an address with a path', () => {
    let server: Server;
    const asked: (string | undefined)[] = [];
    before((done) => {
      server = createServer((request, response) => {
        asked.push(request.url);
        response.end('{}');
      }).listen(0, '127.0.0.1', done);
    });
    after((done) => {
      server.close(done);
      server.closeAllConnections();
    });

    it('is asked below that path', async () => {
      const { port } = server.address() as AddressInfo;
      await callApi(
        apiTarget({ env: {} }, { url: `http://127.0.0.1:${port}/nodes/`, key }),
        'GET',
        '/api/v1/x',
      );
      assert.deepEqual(asked, ['/nodes/api/v1/x']);
    });
  });
});
