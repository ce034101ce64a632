import type { SdkModel } from '../../model/sdk-model.ts';
import { pascalCase } from '../../names/words.ts';
import { keywordsOfAnyCase, reservedForNamespaces, reservedForTypes } from './reserved-names.ts';

/** Names of a C# SDK. */
export interface PackageNames {
  /** Package and assembly: `Acme.Text`. */
  id: string;
  /** Namespace of the client: `Acme.Text`. */
  namespace: string;
  /** Class of the client: `TextClient`. */
  client: string;
  /** Namespace of messages and enums: `Acme.Text.Messages`. */
  messages: string;
}

/** Returns names that follow from the handle and the slug alone, so all versions of a client have the same ones. */
export function packageNames({ client }: SdkModel): PackageNames {
  const root = segment(client.handle);
  const product = segment(client.slug);
  const className = clientName(client.slug, root);
  // Code in a sibling namespace resolves the namespace before a class with the same name.
  const own = product === className ? withoutSuffix(product, root) : product;
  const namespace = `${root}.${own}`;
  return { id: `${root}.${product}`, namespace, client: className, messages: `${namespace}.Messages` };
}

/** Returns `Shop` for `ShopClient`, but never the root of the namespace, which it would hide. */
function withoutSuffix(product: string, root: string): string {
  const name = visible(product.slice(0, -'Client'.length));
  return name === root ? `${name}Sdk` : name;
}

/**
 * Returns the class of the client. It differs from the root of the namespace, which programs would resolve first, and
 * from the runtime's classes, which are in the same namespace.
 */
function clientName(slug: string, root: string): string {
  const name = pascalCase(slug);
  const intended = name.endsWith('Client') && name !== 'Client' ? name : `${name}Client`;
  return reservedForTypes.has(intended) || intended === root ? `${name}SdkClient` : intended;
}

function segment(text: string): string {
  return visible(pascalCase(text));
}

/** Returns a name that can be part of a namespace: a namespace hides types with its name from its siblings. */
function visible(name: string): string {
  const isReserved = reservedForNamespaces.has(name) || keywordsOfAnyCase.has(name.toLowerCase());
  return isReserved ? `${name}Sdk` : name;
}
