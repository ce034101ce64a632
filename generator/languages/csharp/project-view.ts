import { foldLines } from '../../text/fold-lines.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { xmlText } from './xml-text.ts';

/** The project file of the package. */
export function projectView({ model, package: names }: CsharpSdk): object {
  const { client, semver } = model;
  const description = xmlText(foldLines(client.description || `C# SDK of the client ${client.name}`));
  return {
    namespace: names.namespace,
    semver,
    handle: client.handle,
    // The build reads marks such as $(Name) and %41 in values of properties.
    description: description.replaceAll(/[$@%;]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`),
  };
}
