import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ArchiveScene } from './archive-scene.ts';

/** Returns an npm registry that serves one published package. */
export interface NpmRegistry {
  stop(): Promise<void>;
}

/** Packs the archive of a scene, and serves it to npm in the second project from a local registry. */
export async function publishArchive(scene: ArchiveScene): Promise<NpmRegistry> {
  const { archive, project } = scene;
  const packed = await scene.run(archive, 'npm pack --silent');
  assert.equal(packed.code, 0, packed.output);
  const manifest = JSON.parse(await readFile(path.join(archive, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const bytes = await readFile(path.join(archive, packed.output.trim()));
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
  await writeFile(path.join(project, 'package.json'), '{ "private": true }');
  await writeFile(path.join(project, '.npmrc'), `${scope}:registry=http://127.0.0.1:${port}/\n`);
  return {
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
