import { splitWords } from '../../names/words.ts';

/** Initialisms, which Go capitalizes (https://staticcheck.dev/docs/configuration/options/#initialisms). */
const initialisms: ReadonlySet<string> = new Set(
  (
    'acl amqp api ascii cpu css db dns eof gid guid html http https id ip json qps ram rpc rtp sip sla smtp sql ssh tcp tls ts ' +
    'ttl udp ui uid uri url utf8 uuid vm xml xmpp xsrf xss'
  ).split(' '),
);

/** Returns an exported name: `UnitPrice`, `UserID`, `UserIDs`. Begins with a letter: `3d` is `N3d`. */
export function exportedName(text: string): string {
  const words = splitWords(text).map((word) => word.toLowerCase());
  return words.map(capitalized).join('').replace(/^\d/, 'N$&');
}

function capitalized(word: string): string {
  if (initialisms.has(word)) return word.toUpperCase();
  if (word.endsWith('s') && initialisms.has(word.slice(0, -1))) return `${word.slice(0, -1).toUpperCase()}s`;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
