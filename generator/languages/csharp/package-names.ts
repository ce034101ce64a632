import type { SdkModel } from '../../model/sdk-model.ts';
import { pascalCase } from '../../names/words.ts';
import { keywordsOfAnyCase, reservedForNamespaces, reservedForTypes } from './reserved-names.ts';

/** Names of a C# SDK. */
export interface PackageNames {
  /** Package, assembly and namespace of the client: `Acme.Text`. */
  namespace: string;
  /** Class of the client: `TextClient`. */
  client: string;
  /** Namespace of messages and enums: `Acme.Text.Messages`. */
  messages: string;
}

export function packageNames({ client }: SdkModel): PackageNames {
  const root = segment(client.handle);
  const namespace = `${root}.${segment(client.slug)}`;
  return { namespace, client: clientName(client.slug, root), messages: `${namespace}.Messages` };
}

/** Programs see the root of the namespace before a class of its name, and the runtime's classes beside the client. */
function clientName(slug: string, root: string): string {
  const name = pascalCase(slug);
  const intended = name.endsWith('Client') && name !== 'Client' ? name : `${name}Client`;
  return reservedForTypes.has(intended) || intended === root ? `${name}SdkClient` : intended;
}

/** A namespace hides types of its name from its siblings. */
function segment(text: string): string {
  const name = pascalCase(text);
  const isReserved = reservedForNamespaces.has(name) || keywordsOfAnyCase.has(name.toLowerCase());
  return isReserved ? `${name}Sdk` : name;
}
