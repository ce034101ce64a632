import { createHash } from 'node:crypto';
import type { PublishBody } from '../../specs/operations/package-shapes.ts';

/**
 * Returns the SHA-256 of a publication's content: its sources, nodes and texts. The endpoint and the
 * visibility are not part of the content.
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
    ...(node.sample === undefined ? [] : [{ sample: node.sample }]),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([name, version, description, sources, declared]))
    .digest('hex');
}
