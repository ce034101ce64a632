import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the file of SVC_NODE_CA_FILE: the authorities that sign the certificates of node containers.
 *
 * @returns PEM, or what is wrong with the file
 */
export function readNodeAuthorities(file: string): { pem: string } | { problem: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { problem: `cannot be read (${(error as Error).message})` };
  }
  const found = text.match(certificate) ?? [];
  if (found.length === 0) return { problem: 'has no certificate' };
  for (const one of found) {
    try {
      new X509Certificate(one);
    } catch (error) {
      return { problem: `has a certificate that cannot be read (${(error as Error).message})` };
    }
  }
  return { pem: found.join('\n') };
}
