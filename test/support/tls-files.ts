import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A certificate of fixtures/tls: `loopback` is for localhost and its addresses, `elsewhere` for another host, and
 * `expired` is self-signed.
 */
type TestCertificate = 'loopback' | 'elsewhere' | 'expired';

/** Returns the path of a file in fixtures/tls. */
export function tlsFile(name: `${TestCertificate}.${'pem' | 'key'}` | 'authority.pem'): string {
  return path.resolve(import.meta.dirname, '../../fixtures/tls', name);
}

/** Returns a certificate with its key, as a server takes it. */
export function testCertificate(name: TestCertificate): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(tlsFile(`${name}.pem`)), key: readFileSync(tlsFile(`${name}.key`)) };
}
