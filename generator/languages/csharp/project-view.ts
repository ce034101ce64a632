import { foldLines } from '../../text/fold-lines.ts';
import { splitAuthor } from '../../text/split-author.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { xmlText } from './xml-text.ts';

/** The project file of the package. */
export function projectView({ model, package: names }: CsharpSdk): object {
  const { client, semver } = model;
  const { license, homepage, repository, authors = [] } = client.metadata ?? {};
  return {
    id: names.id,
    namespace: names.namespace,
    semver,
    authors:
      authors.length === 0
        ? client.handle
        : propertyText(authors.map((author) => splitAuthor(author).name).join(', ')),
    description: propertyText(client.description || `C# SDK of the client ${client.name}`),
    // NuGet accepts only some SPDX expressions, so the package names the file.
    hasLicense: license !== undefined,
    homepage: homepage === undefined ? '' : propertyText(homepage),
    repository: repository === undefined ? '' : propertyText(repository),
  };
}

/** Untrusted text as the value of a property. The build would interpret marks such as $(Name) and %41 in it. */
function propertyText(text: string): string {
  return xmlText(foldLines(text)).replaceAll(/[$@%;]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}
