import { isIPv6 } from 'node:net';

/**
 * Returns the network that per-address limits count as one caller: an IPv4 address, or the /64 network of an IPv6 address,
 * because every host has a whole /64. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  // A dotted-decimal ending stands for two groups.
  const [head = '', tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  const network = [...first, ...zeros, ...last].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
