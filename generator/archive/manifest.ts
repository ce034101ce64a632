import { hash } from 'node:crypto';
import type { Language, SdkFile } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';

/**
 * `MANIFEST.json`: what a program has to know of an archive, and the sha256 of every other file in it (SDK.md, The archive).
 * A member that the SDK has no method for yet has no `example`.
 *
 * @param files all other files, in the order of the archive.
 */
export function manifestFile(model: SdkModel, language: Language, files: readonly SdkFile[]): SdkFile {
  const described = language.manifest(model);
  const members = model.members.map((member) => {
    const command = described.example(member);
    const { alias, type, pin } = member;
    return { alias, type, pin, ...(command === undefined ? {} : { example: command }) };
  });
  const manifest = {
    client: model.client.slug,
    version: model.version,
    semver: model.semver,
    language: language.id,
    generator: model.generator,
    package: { name: described.package.name, import: described.package.import },
    setup: described.setup,
    test: described.test,
    members,
    files: Object.fromEntries(files.map(({ path, content }) => [path, hashOf(content)])),
  };
  return { path: 'MANIFEST.json', content: `${JSON.stringify(manifest, null, 2)}\n` };
}

/** Runtime files are the same bytes in every archive of a language, so each is hashed once. */
const hashesOfBytes = new WeakMap<Uint8Array, string>();

function hashOf(content: string | Uint8Array): string {
  if (typeof content === 'string') return hash('sha256', content);
  const sha256 = hashesOfBytes.get(content) ?? hash('sha256', content);
  hashesOfBytes.set(content, sha256);
  return sha256;
}
