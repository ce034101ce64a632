import type { FileView } from '../../language.ts';
import { foldLines } from '../../text/fold-lines.ts';
import { splitAuthor } from '../../text/split-author.ts';
import { xmlText } from '../../text/xml-text.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import type { JavaSdk } from './java-sdk.ts';
import { directive } from './statements.ts';

/** Returns `pom.xml`, `module-info.java` and `package-info.java`. */
export function projectFiles({ model, place }: JavaSdk): FileView[] {
  const { name, description, metadata = {} } = model.client;
  const title = docText(foldLines(name));
  const sources = `src/main/java`;
  return [
    {
      path: 'pom.xml',
      template: 'pom.xml',
      view: {
        groupId: place.groupId,
        handle: model.client.handle,
        artifactId: place.artifactId,
        version: model.semver,
        name: elementText(name),
        // Maven Central accepts no package without one.
        description: elementText(description.trim() === '' ? `Calls the members of ${name}.` : description),
        homepage: elementText(metadata.homepage ?? ''),
        repository: elementText(metadata.repository ?? ''),
        license: elementText(metadata.license ?? ''),
        authors: (metadata.authors ?? []).map(splitAuthor).map(({ name, email }) => ({
          name: elementText(name),
          email: elementText(email),
        })),
        private: metadata.private ?? false,
      },
    },
    {
      path: `${sources}/module-info.java`,
      template: 'module-info.java',
      view: {
        comment: docComment({ paragraphs: [markup(`The Java SDK of the client "${title}".`)] }),
        module: directive('module', place.moduleName, ' {', 0),
        exports: ['', '.core', '.errors', '.json'].map((name) =>
          directive('exports', place.packageName + name, ';', 2),
        ),
      },
    },
    {
      path: `${sources}/${place.folder}/package-info.java`,
      template: 'package-info.java',
      view: {
        comment: docComment({
          paragraphs: [
            markup(`The client "${title}": its calls, messages and enums.`),
            description,
            'Options, runs of flows, failures and the values of well-known types are in the packages beneath it.',
          ],
        }),
        packageName: place.packageName,
      },
    },
  ];
}

/** Returns untrusted text as the content of an element, on one line. */
function elementText(text: string): string {
  return foldLines(xmlText(text));
}
