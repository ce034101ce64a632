import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SdkMember, SdkModel } from '../../../generator/model/sdk-model.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import { manyFlows } from '../../support/many-flows.ts';
import { type BundleSize, bundleSize, pageBundle } from '../../support/page-bundle.ts';
import { largeSource } from '../large-source.ts';
import { peerCache } from '../peers/peer.ts';
import { runProgram } from '../peers/run-program.ts';
import { heyApiPeer as peer } from '../peers/single-language-peers.ts';
import { writeDocument } from '../peers/write-document.ts';

/** The bundle size of one entry. */
export interface BundleRow extends BundleSize {
  party: string;
  what: string;
}

/** A call of `manyFlows` and the connection that it needs. */
export const oneCall = 'export { connect, flow7 } from "./index.ts";';

/** The bundled call, the first of the large package, by its name in both SDKs. */
const operation = 'createOrder';

/** Sizes of our modules, and of the same operation by hey-api if it can be installed. */
export async function measureBundles(say: (text: string) => void): Promise<BundleRow[]> {
  const rows: BundleRow[] = [];
  const measure = async (what: string, members: number, names: readonly string[]): Promise<void> => {
    const entry = `export { ${names.join(', ')} } from "./index.ts";`;
    rows.push({ party: 'svc', what, ...(await pageBundle(await flowsOf(members), entry)) });
  };
  await measure('core: connection, retries, errors, tokens', 20, ['connect']);
  await measure('core and beacon', 20, ['connect', 'Beacon']);
  await measure('one call of 20', 20, ['connect', operation]);
  await measure('one call of 200', 200, ['connect', operation]);
  await measure('one call of 20, and the beacon', 20, ['connect', operation, 'Beacon']);
  for (const language of ['typescript-browser', 'typescript'] as const)
    for (const members of [20, 200]) {
      const what = `one call of ${members} with messages of strings, ${language}`;
      rows.push({ party: 'svc', what, ...(await pageBundle(manyFlows(members), oneCall, language)) });
    }
  const cache = peerCache();
  try {
    await mkdir(cache, { recursive: true });
    await peer.install(cache);
  } catch (error) {
    say(`bundles: ${peer.name} left out, ${String(error)}`);
    return rows;
  }
  for (const members of [20, 200])
    rows.push({ party: peer.name, what: `one call of ${members}`, ...(await peerBundle(cache, members)) });
  return rows;
}

/** Returns a client of nodes of the large package, each of them as a flow, since pages call flows only. */
async function flowsOf(members: number): Promise<SdkModel> {
  const model = createVersionModels().modelOf(await largeSource(members));
  const asFlow = (member: SdkMember): SdkMember =>
    member.type === 'flow' ? member : { ...member, type: 'flow', pin: { artifact: '', graph: member.alias } };
  return { ...model, members: model.members.map(asFlow) };
}

async function peerBundle(cache: string, members: number): Promise<BundleSize> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-bundle-'));
  try {
    const document = path.join(folder, 'document.json');
    await writeDocument(members, document);
    runProgram(peer.command(cache, document, path.join(folder, 'client')));
    await writeFile(path.join(folder, 'package.json'), '{"type":"module","sideEffects":false}');
    const contents = `export { client } from './client/client.gen';export { ${operation} } from './client/sdk.gen';`;
    return await bundleSize({ stdin: { contents, resolveDir: folder, loader: 'ts' } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
