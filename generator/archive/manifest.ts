import { hash } from 'node:crypto';
import type { PackageManifest, SdkFile } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { remembering } from '../../specs/remembering.ts';

/** What a manifest is made from, beside the model. */
export interface ManifestSource {
  /** Id of the language. */
  language: string;
  described: PackageManifest;
  /** All other files, in the order of the archive. */
  files: readonly SdkFile[];
}

/**
 * `MANIFEST.json`: what a program has to know of an archive, and the sha256 of every other file in it (SDK.md, The archive).
 * A member that the SDK has no method for yet has no `example`.
 */
export function manifestFile(model: SdkModel, { language, described, files }: ManifestSource): SdkFile {
  const members = model.members.map((member) => {
    const command = described.example(member);
    const { alias, type, pin } = member;
    return { alias, type, pin, ...(command === undefined ? {} : { example: command }) };
  });
  const manifest = {
    client: model.client.slug,
    version: model.version,
    semver: model.semver,
    language,
    generator: model.generator,
    package: { name: described.package.name, import: described.package.import },
    setup: described.setup,
    test: described.test,
    members,
    files: Object.fromEntries(files.map((file) => [file.path, hashOf(file)])),
  };
  return { path: 'MANIFEST.json', content: `${JSON.stringify(manifest, null, 2)}\n` };
}

function hashOf({ content, parts }: SdkFile): string {
  if (parts !== undefined) return hashOfParts(parts, content);
  return typeof content === 'string' ? hash('sha256', content) : hashOfBytes(content);
}

const hashOfParts = remembering((_: readonly Uint8Array[], whole: string | Uint8Array) =>
  hash('sha256', whole),
);

/** Runtime files are the same bytes in every archive of a language, so each is hashed once. */
const hashOfBytes = remembering((content: Uint8Array) => hash('sha256', content));
