import type { FileView } from '../../language.ts';
import { foldLines } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import { splitAuthor } from '../../text/split-author.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import type { JavaSdk } from './java-sdk.ts';
import { directive } from './statements.ts';

/** `pom.xml`, `module-info.java` and `package-info.java`. */
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
        name: xmlText(name),
        // Maven Central accepts no package without one.
        description: xmlText(description.trim() === '' ? `Calls the members of ${name}.` : description),
        homepage: xmlText(metadata.homepage ?? ''),
        repository: xmlText(metadata.repository ?? ''),
        license: xmlText(metadata.license ?? ''),
        authors: (metadata.authors ?? []).map(splitAuthor).map(({ name, email }) => ({
          name: xmlText(name),
          email: xmlText(email),
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

/** Untrusted text as the content of an element, on one line. */
function xmlText(text: string): string {
  return foldLines(showInvisible(text)).replaceAll(
    /[&<>]/g,
    (character) => xmlEntities[character] ?? character,
  );
}

const xmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
