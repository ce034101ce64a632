import { writeFile } from 'node:fs/promises';
import { describePackage } from '../../../service/documents/describe-package.ts';
import { packageDocument } from '../../../specs/openapi/package-document.ts';
import { packageSourceOf } from '../spec-bench.ts';

/**
 * Writes the OpenAPI document that the service has for the large package with so many nodes, without our programs in it: peers
 * would read four times as much for nothing.
 */
export async function writeDocument(nodes: number, file: string): Promise<void> {
  const settings = {
    baseUrl: 'https://svc.example.com',
    goModulePrefix: 'go.svc.internal',
    samplesOf: () => Promise.resolve(new Map()),
  };
  const described = await describePackage(await packageSourceOf(nodes), settings);
  await writeFile(file, JSON.stringify(packageDocument(described)));
}
