import { hash } from 'node:crypto';
import type { PackageManifest, SdkFile } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';

/** Input of a manifest, in addition to the model. */
interface ManifestSource {
  /** Id of the language. */
  language: string;
  described: PackageManifest;
  /** All other files, in the order of the archive. */
  files: readonly SdkFile[];
}

/**
 * Returns `MANIFEST.json`, which describes an archive to programs and lists the SHA-256 of every other file in it
 * (docs/sdks.md). A member without a method in the SDK has no `example`.
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
    files: Object.fromEntries(files.map(({ path, content }) => [path, hash('sha256', content)])),
  };
  return { path: 'MANIFEST.json', content: `${JSON.stringify(manifest, null, 2)}\n` };
}
