import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An npm registry with one package, as it is after `npm publish`. */
export interface NpmRegistry {
  /** Line of `.npmrc` that makes npm look for the package here. */
  npmrc: string;
  stop(): Promise<void>;
}

/**
 * @param manifest `package.json` of the package.
 * @param tarball file that `npm pack` wrote.
 */
export async function startNpmRegistry(
  manifest: { name: string; version: string },
  tarball: string,
): Promise<NpmRegistry> {
  const bytes = await readFile(tarball);
  const server = createServer(({ url = '', headers }, response) => {
    if (url.endsWith('.tgz')) {
      response.end(bytes);
      return;
    }
    const dist = {
      tarball: `http://${headers.host ?? ''}/package.tgz`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    };
    const { name, version } = manifest;
    const versions = { [version]: { ...manifest, dist } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [scope = ''] = manifest.name.split('/');
  return {
    npmrc: `${scope}:registry=http://127.0.0.1:${port}/\n`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
