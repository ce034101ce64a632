import { createHash } from 'node:crypto';
import type { PublishBody } from '../../specs/operations/package-shapes.ts';

/**
 * SHA-256 of what makes two publications of a version the same: sources, nodes and texts. Where its containers answer is not
 * content, nor is who may see the package.
 */
export function contentHash({ name, version, description, protos, nodes }: PublishBody): string {
  const sources = Object.entries(protos).sort(([one], [other]) => (one < other ? -1 : 1));
  const declared = nodes.map((node) => [
    node.name,
    node.input ?? null,
    node.output ?? null,
    node.mode,
    node.kind,
    node.generic,
    node.description,
    node.required_secrets,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([name, version, description, sources, declared]))
    .digest('hex');
}
