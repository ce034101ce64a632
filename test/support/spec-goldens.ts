import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readFlowDocument } from '../../service/cli/flow-document.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { type FixturePackage, fixturePackageFolder } from './fixture-containers.ts';
import { startService } from './running-service.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures/specs');
const flowsFolder = path.resolve(import.meta.dirname, '../../fixtures/flows');

const packages: readonly FixturePackage[] = ['acme-text', 'acme-orders', 'acme-streams'];
const flows = ['describe-text', 'approve-order'];

/**
 * Returns the documents of fixture packages and flows as the service serves them, by name. It omits code samples, which
 * the SDK cases contain, and the ids of flows, whose tenant is new each time.
 */
export async function servedDocuments(): Promise<Map<string, string>> {
  const service = await startService({ SVC_PUBLIC_URL: 'https://svc.example.com' });
  try {
    const acme = await service.tenant('acme');
    const documents = new Map<string, string>();
    for (const name of packages) {
      const body = await readPackageFolder(fixturePackageFolder(name));
      await acme.post('/api/v1/packages', body);
      const answer = await acme.get(`/api/packages/${body.name}@${body.version}/openapi.json`);
      documents.set(name, printed(answer.body));
    }
    for (const name of flows) {
      const flow = await readFlowDocument(path.join(flowsFolder, `${name}.yaml`));
      const compiled = await acme.post('/api/v1/graphs/compile', flow);
      const { graph_id: id } = compiled.body as { graph_id: string };
      const answer = await acme.get(`/api/graphs/${id}/openapi.json`);
      documents.set(name, printed(answer.body).replaceAll(id, '<graph_id>'));
    }
    return documents;
  } finally {
    await service.stop();
  }
}

function printed(document: unknown): string {
  const text = JSON.stringify(
    document,
    (key, value: unknown) => (key === 'x-codeSamples' ? undefined : value),
    2,
  );
  return `${text}\n`;
}

/** Reads the expected document of a package or flow; empty if none has been written yet. */
export async function readSpecGolden(name: string): Promise<string> {
  return readFile(path.join(folder, name, 'expected.json'), 'utf8').catch(() => '');
}

/** Replaces all expected documents. */
export async function writeSpecGoldens(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, document] of await servedDocuments()) {
    await mkdir(path.join(folder, name), { recursive: true });
    await writeFile(path.join(folder, name, 'expected.json'), document);
  }
}
