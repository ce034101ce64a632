import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../../../../service/config.ts';
import { readAuthorities } from '../../../../service/nodes/container/read-authorities.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';
import { tlsFile } from '../../../support/tls-files.ts';

describe('SVC_NODE_CA_FILE', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder({});
  });
  afterEach(() => folder.remove());
  const read = async (text: string): Promise<string> => {
    const file = path.join(folder.path, 'ca.pem');
    await writeFile(file, text);
    return readAuthorities(file);
  };
  const certificate = readFileSync(tlsFile('authority.pem'), 'utf8').trim();

  it('may hold several certificates, and text between them', async () => {
    const text = `# ours\n${certificate}\n\n# theirs\r\n${certificate}\n`;
    assert.equal(await read(text), `${certificate}\n${certificate}`);
  });

  it('must be a PEM file that can be read', async () => {
    const damaged = certificate.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
    const key = readFileSync(tlsFile('loopback.key'), 'utf8');
    for (const [text, reason] of [
      ['', /has no certificate$/],
      ['\u0000\u0001 DER', /has no certificate$/],
      [key, /has no certificate$/],
      [`${certificate}\n${damaged}`, /has a certificate that cannot be read \(.+\)$/],
    ] as const) {
      await assert.rejects(read(text), (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.problems[0] ?? '', /^SVC_NODE_CA_FILE must be a PEM file with certificates: /);
        assert.match(error.problems[0] ?? '', reason);
        return true;
      });
    }
    const missing = path.join(folder.path, 'missing.pem');
    await assert.rejects(readAuthorities(missing), /missing\.pem cannot be read \(ENOENT/);
  });
});
