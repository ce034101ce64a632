import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readNodeAuthorities } from '../../service/node-authorities.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { tlsFile } from '../support/tls-files.ts';

describe('SVC_NODE_CA_FILE', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder({});
  });
  afterEach(() => folder.remove());
  const read = async (text: string): Promise<ReturnType<typeof readNodeAuthorities>> => {
    const file = path.join(folder.path, 'ca.pem');
    await writeFile(file, text);
    return readNodeAuthorities(file);
  };
  const certificate = readFileSync(tlsFile('authority.pem'), 'utf8').trim();

  it('may contain several certificates with text between them', async () => {
    const text = `# ours\n${certificate}\n\n# theirs\r\n${certificate}\n`;
    assert.deepEqual(await read(text), { pem: `${certificate}\n${certificate}` });
  });

  it('must be a readable PEM file', async () => {
    const damaged = certificate.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
    const key = readFileSync(tlsFile('loopback.key'), 'utf8');
    for (const [text, reason] of [
      ['', /^has no certificate$/],
      ['\u0000\u0001 DER', /^has no certificate$/],
      [key, /^has no certificate$/],
      [`${certificate}\n${damaged}`, /^has a certificate that cannot be read \(.+\)$/],
    ] as const) {
      const found = await read(text);
      assert.match('problem' in found ? found.problem : '', reason);
    }
    const missing = readNodeAuthorities(path.join(folder.path, 'missing.pem'));
    assert.match('problem' in missing ? missing.problem : '', /^cannot be read \(ENOENT/);
  });
});
