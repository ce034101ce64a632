import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiTarget, callApi, failureText } from '../../../service/cli/api-client.ts';
import { writeCredentials } from '../../../service/cli/credentials.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { UsageError } from '../../../service/cli/output.ts';

const key = 'f'.repeat(64);

describe('the API target of a command', () => {
  it('comes from flags, then the environment, then the defaults', () => {
    const env = { SVC_API_KEY: key, SVC_BASE_URL: 'https://svc.example.com/nodes/' };
    assert.deepEqual(apiTarget({ env }, { url: 'http://[::1]:1', key: 'a' }), {
      url: 'http://[::1]:1',
      key: 'a',
    });
    assert.deepEqual(apiTarget({ env }, {}), { url: 'https://svc.example.com/nodes', key });
    assert.equal(apiTarget({ env: {} }, { key }).url, 'http://127.0.0.1:8080');
  });

  it('comes from the login unless flags or the environment override its URL or key', async () => {
    const home = await temporaryFolder({});
    const login = { url: 'https://login.example.com', key: 'login' };
    const given = { url: 'https://env.example.com', key: 'env' };
    try {
      const user = { HOME: home.path };
      await writeCredentials(user, { ...login, tenant: 'acme', key_id: 'k' });
      const inEnv = { SVC_BASE_URL: given.url, SVC_API_KEY: given.key };
      for (const [env, flags, expected] of [
        [{}, {}, login],
        [{ SVC_BASE_URL: '', SVC_API_KEY: '' }, {}, login],
        [inEnv, {}, given],
        [{ SVC_API_KEY: 'env' }, {}, { url: 'http://127.0.0.1:8080', key: 'env' }],
        [{ SVC_BASE_URL: login.url }, {}, login],
        [inEnv, { url: login.url }, { url: login.url, key: 'env' }],
        [inEnv, { key: 'flag' }, { url: given.url, key: 'flag' }],
        [{ SVC_BASE_URL: given.url }, { url: login.url }, login],
      ] as const) {
        assert.deepEqual(
          apiTarget({ env: { ...user, ...env } }, flags),
          expected,
          JSON.stringify([env, flags]),
        );
      }
      assert.throws(
        () => apiTarget({ env: { ...user, SVC_BASE_URL: given.url } }, {}),
        /no API key for https:\/\/env\.example\.com \(the login is for https:\/\/login\.example\.com\)/,
      );
    } finally {
      await home.remove();
    }
  });

  it('is validated before any request', () => {
    const wrong: [{ url?: string; key?: string }, RegExp][] = [
      [{ key: 'a\nb' }, /contains characters that are not allowed/],
      [{ key: 'ключ' }, /contains characters that are not allowed/],
      [{ key, url: 'foo' }, /"foo" is not an http or https URL: set --url or SVC_BASE_URL/],
      [{ key, url: 'ftp://svc.example.com' }, /is not an http or https URL/],
      [{ key, url: '' }, /"" is not an http or https URL/],
    ];
    for (const [flags, message] of wrong) {
      assert.throws(
        () => apiTarget({ env: {} }, flags),
        (error: unknown) => error instanceof UsageError && message.test(error.message),
      );
    }
    assert.throws(() => apiTarget({ env: {} }, {}), /^CliError: no API key: set --key or SVC_API_KEY/);
  });

  describe('with a path in its URL', () => {
    let server: Server;
    const requested: (string | undefined)[] = [];
    before((done) => {
      server = createServer((request, response) => {
        requested.push(request.url);
        response.end('{}');
      }).listen(0, '127.0.0.1', done);
    });
    after((done) => {
      server.close(done);
      server.closeAllConnections();
    });

    it('receives requests under that path', async () => {
      const { port } = server.address() as AddressInfo;
      await callApi(
        apiTarget({ env: {} }, { url: `http://127.0.0.1:${port}/nodes/`, key }),
        'GET',
        '/api/v1/x',
      );
      assert.deepEqual(requested, ['/nodes/api/v1/x']);
    });
  });
});

describe('the text of a failed run', () => {
  it('suggests a remedy where the service gives none', () => {
    for (const [text, expected] of [
      [undefined, 'the service gave no reason'],
      ['out of stock', 'out of stock'],
      [
        'could not connect to node "read" (acme/beds 1.0.0 at grpc://127.0.0.1:1)',
        'could not connect to node "read" (acme/beds 1.0.0 at grpc://127.0.0.1:1): start its container, or say where it is with svc package deploy',
      ],
      [
        'could not connect to node "read" (acme/beds 1.0.0 at grpcs://127.0.0.1:1): its certificate was refused (unable to verify the first certificate): the operator adds its authority to SVC_NODE_CA_FILE',
        'could not connect to node "read" (acme/beds 1.0.0 at grpcs://127.0.0.1:1): its certificate was refused (unable to verify the first certificate): the operator adds its authority to SVC_NODE_CA_FILE',
      ],
      [
        'graph produced no terminal result',
        'graph produced no terminal result: no message reached the end of the flow; look at the conditions of its edges',
      ],
    ] as const) {
      assert.equal(failureText(text), expected);
    }
  });
});
