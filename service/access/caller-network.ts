import { isIPv6 } from 'node:net';

/**
 * Returns what limits per address count as one caller: an IPv4 address, or the /64 network of an IPv6 address, because every host
 * has a whole network of those. An IPv4 address that is written as IPv6 is that IPv4 address.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  // A dotted end stands for two groups.
  const [head = '', tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  const network = [...first, ...zeros, ...last].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
