import type { SdkModel } from '../../model/sdk-model.ts';
import { pascalCase } from '../../names/words.ts';
import { keywordsOfAnyCase, reservedForNamespaces } from './reserved-names.ts';

/** Names of a C# SDK. */
export interface PackageNames {
  /** Package, assembly and namespace of the client: `Acme.Text`. */
  namespace: string;
  /** Namespace of messages and enums: `Acme.Text.Messages`. */
  messages: string;
}

export function packageNames({ client }: SdkModel): PackageNames {
  const namespace = `${segment(client.handle)}.${segment(client.slug)}`;
  return { namespace, messages: `${namespace}.Messages` };
}

/** A namespace hides types of its name from its siblings. */
function segment(text: string): string {
  const name = pascalCase(text);
  const isReserved = reservedForNamespaces.has(name) || keywordsOfAnyCase.has(name.toLowerCase());
  return isReserved ? `${name}Sdk` : name;
}
