import deprecatedLicenses from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import { foldLines } from '../../text/fold-lines.ts';
import { splitAuthor } from '../../text/split-author.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { xmlText } from '../../text/xml-text.ts';

/** Returns the project file of the package. */
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
    licenseExpression: license !== undefined && isKnownToNuget(license) ? license : '',
    hasLicenseFile: license !== undefined && !isKnownToNuget(license),
    homepage: homepage === undefined ? '' : propertyText(homepage),
    repository: repository === undefined ? '' : propertyText(repository),
  };
}

/**
 * Reports whether NuGet packs an SPDX expression. NuGet refuses deprecated licenses, and warns about `LicenseRef`
 * licenses.
 */
function isKnownToNuget(expression: string): boolean {
  const licenses = expression.split(/[\s()]+/).map((word) => word.replace(/\+$/, ''));
  return !licenses.some((license) => license.includes('LicenseRef-') || deprecatedLicenses.includes(license));
}

/** Returns untrusted text as the value of a property. The build would interpret marks such as $(Name) and %41 in it. */
function propertyText(text: string): string {
  const literal = foldLines(text).replaceAll(/[$@%;]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  // XML is read first, so its escapes come last.
  return xmlText(literal);
}
