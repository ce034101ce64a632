import type { SdkModel } from '../../model/sdk-model.ts';
import { pascalCase } from '../../names/words.ts';
import { keywords } from './java-words.ts';

/** Coordinates, package and client class of a Java SDK. */
export interface PackageNames {
  /** Package of the client and the messages, which is what a program imports: `svc.acme.text`. */
  packageName: string;
  /** Module: like the package, but without digits at the end of a part, which javac warns about. */
  moduleName: string;
  groupId: string;
  artifactId: string;
  /** Folders of the package: `svc/acme/text`. */
  folder: string;
  /** The class that programs begin with: `TextClient`. */
  clientClass: string;
  /** Longest class name whose file path, including the folders, every file system accepts. */
  longestClass: number;
}

/** Longest path of an archive (`generator/archive/check-paths.ts`), and the part of it that is neither package nor class. */
const longestPath = 200;
const surroundings = 'src/main/java//.java'.length;
const longestClass = 60;
const shortestClass = 24;

/** Returns names that follow from the handle and the slug alone, so all versions of a client have the same ones. */
export function packageNames({ client }: SdkModel): PackageNames {
  const parts = ['svc', ...[client.handle, client.slug].map(packagePart)];
  const folder = parts.join('/');
  const room = longestPath - surroundings - folder.length;
  const longest = Math.max(shortestClass, Math.min(longestClass, room));
  return {
    packageName: parts.join('.'),
    moduleName: parts.map((part) => (/\d$/.test(part) ? `${part}_` : part)).join('.'),
    groupId: `svc.${client.handle}`,
    artifactId: client.slug,
    folder,
    clientClass: clientClassOf(client.slug, longest),
    longestClass: longest,
  };
}

/** Returns the class of the client: `TextClient` for `text`, and also for `text-client`. */
function clientClassOf(slug: string, longest: number): string {
  const stem = pascalCase(slug).replace(/Client$/, '');
  return `${stem.slice(0, longest - 'Client'.length)}Client`;
}

/** Returns a part of the package: `the_text` for `the-text`, `class_` for `class`, `_3d` for `3d` (JLS 6.1). */
function packagePart(name: string): string {
  const part = name.replaceAll('-', '_').replace(/^\d/, '_$&');
  return keywords.has(part) ? `${part}_` : part;
}
